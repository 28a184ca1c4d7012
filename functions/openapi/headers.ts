import { graphRoutes } from '../graph/routes.ts';
import type { Route } from '../http/route.ts';
import type { RouteId } from '../routes.ts';

interface ResponseHeader {
  readonly description: string;
  /** Routes of which a success can have it. */
  readonly ids: readonly RouteId[];
}

const GRAPHS = graphRoutes.filter(isConditional).map(({ id }) => id);

/** Headers of successes; every GET and HEAD also has an entity tag. */
const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  ETag: {
    description: 'Entity tag, for If-None-Match of a read and If-Match of a change',
    ids: ['putCluster', 'putClusterSettings', 'putImagePruner'],
  },
  'Last-Modified': {
    description: 'When the content changed, for If-Modified-Since',
    ids: [...GRAPHS, 'getChannelIndex'],
  },
  'X-Graph-Synced-At': { description: 'When upstream last returned a valid graph', ids: GRAPHS },
  'X-Graph-Stale': { description: '`true` if the sync is overdue', ids: GRAPHS },
  Location: {
    description: 'Where the started run, or what was created, is',
    ids: ['putCluster', 'putImagePruner', 'startSyncRun', 'startImagePrunerRun'],
  },
  Allow: {
    description: 'Methods of the path',
    ids: graphRoutes.filter(({ method }) => method === 'OPTIONS').map(({ id }) => id),
  },
  Link: { description: 'The next page of a CSV', ids: ['listClusters'] },
  Warning: { description: 'Faults that do not prevent the change', ids: ['putImagePruner'] },
  'Cairn-Files': {
    description: 'With `format=imageset`: the number of files',
    ids: ['findUpgradePath', 'findUpgradePaths', 'planUpgrade', 'planClusterUpgrade'],
  },
  'Cairn-Note': {
    description:
      'With `format=text`: advice on signatures, which tools other than oc-mirror must copy as well',
    ids: ['findUpgradePath', 'findUpgradePaths'],
  },
};

/** Headers of errors by status. */
const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  409: { 'Retry-After': 'After how many seconds to try again, if a run is in progress' },
  429: { 'Retry-After': 'After how many seconds to try again, if that is known' },
  503: { 'Retry-After': 'After how many seconds to try again' },
};

/** Every read has an entity tag. */
export function isConditional({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function successHeaders(route: Route) {
  const own = Object.entries(RESPONSE_HEADERS).filter(
    ([name, { ids }]) => ids.some((id) => id === route.id) || (name === 'ETag' && isConditional(route)),
  );
  return headersOf(Object.fromEntries(own.map(([name, { description }]) => [name, description])));
}

function headersOf(descriptions: Readonly<Record<string, string>> = {}) {
  const headers = Object.entries(descriptions).map(([name, description]) => [
    name,
    {
      description,
      schema: { type: name === 'Retry-After' || name === 'Cairn-Files' ? 'integer' : 'string' },
    },
  ]);
  return headers.length > 0 && { headers: Object.fromEntries(headers) as unknown };
}

export function errorHeaders(status: number) {
  return headersOf(ERROR_HEADERS[status]);
}
