import type { ServedGraph } from '@cairn/shared/graph/served-graph';
import { pairName } from '@cairn/shared/releases/channel';
import type { Arch } from '@cairn/shared/version/arch';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import type { PublishedConfiguration } from '../releases/configuration.ts';
import { isStale, type KnownPairs } from '../releases/sync-state.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import { type CachedPublication, type Documents, perRevision } from '../store/publication-cache.ts';
import { graphMediaType, graphQuestion } from './request.ts';
import { datedGraph, emptyGraph, graphAnswer, servableGraph } from './response.ts';
import { GRAPH_METHODS, graphRoutes } from './routes.ts';

type GraphRouteId = (typeof graphRoutes)[number]['id'];

/** The update protocol on all its paths. */
export function graphEndpoints(
  documents: Documents,
  states: KnownPairs,
  clock: () => number,
  settings: { readonly intervalMs: number },
): { [Id in GraphRouteId]: Endpoint<Id> } {
  const graph = updateGraph(documents, states, clock, settings);
  const entries = graphRoutes.map(({ id, method }) => [id, method === 'OPTIONS' ? preflight : graph]);
  return Object.fromEntries(entries) as { [Id in GraphRouteId]: Endpoint<Id> };
}

/** `GET` and `HEAD /api/upgrades_info/v1/graph` */
function updateGraph(
  documents: Documents,
  states: KnownPairs,
  clock: () => number,
  { intervalMs }: { readonly intervalMs: number },
) {
  return async (call: Call<'getGraph'>) => {
    const type = graphMediaType(call.headers['accept']);
    const { channel, arch, reachableFrom } = graphQuestion(call.query);
    const pair = pairName(channel, arch);
    const configuration = await documents.get<PublishedConfiguration>(PUBLICATION_NAME.configuration);
    // Before the configuration is known, any pair may be followed, and an empty graph would clear a cluster's updates.
    if (!configuration) throw notSynced('the first sync has not finished yet');
    if (!followedPairs(configuration).has(pair)) {
      return { answer: graphAnswer(call, type, emptyGraph(), null) };
    }
    const [document, state] = await Promise.all([
      documents.get<ServedGraph>(PUBLICATION_NAME.graph(channel, arch as Arch)),
      states.get(pair),
    ]);
    if (!document) throw notSynced(`${pair} is followed but was never synced`);
    const freshness = {
      syncedAt: state?.lastSuccessAt ?? null,
      isStale: !state || isStale(state, clock(), intervalMs),
    };
    const dated = datedGraph(document, configuration);
    // Loaded on demand: most configurations exclude nothing.
    const offered =
      configuration.value.excluded?.inGraph === 'withhold'
        ? (await import('./withheld-graph.ts')).withheldGraph(dated, configuration)
        : dated;
    const graph =
      reachableFrom === null
        ? servableGraph(offered)
        : (await import('./trimmed-graph.ts')).trimmedGraph(offered, reachableFrom);
    return { answer: graphAnswer(call, type, graph, freshness) };
  };
}

/** A set, because searching hundreds of names takes a third of a response. */
const followedPairs = perRevision(
  ({ value }: CachedPublication<PublishedConfiguration>) => new Set(value.pairs),
);

/** `OPTIONS /api/upgrades_info/v1/graph`: CORS preflight. */
const preflight = ({ headers }: Pick<Call, 'headers'>) => ({
  answer: {
    statusCode: 204,
    headers: {
      allow: GRAPH_METHODS,
      ...(headers['origin'] !== undefined && {
        'access-control-allow-methods': GRAPH_METHODS,
        'access-control-allow-headers': 'Accept, Authorization, If-Modified-Since, If-None-Match',
        'access-control-max-age': '86400',
      }),
    },
    body: '',
  },
});

function notSynced(detail: string): Problem {
  return new Problem('not-synced-yet', `failed to fetch upstream graph: ${detail}`, {
    retryAfterSeconds: 60,
  });
}
