import { DOCUMENT_KINDS, type DocumentKind } from '@cairn/shared/cluster/document-kinds';
import { countsDocument } from '@cairn/shared/cluster/risk-inputs/documents';
import type { ObjectCountsFacts } from '@cairn/shared/cluster/risk-inputs/facts';
import {
  absentObject,
  COUNTED_RESOURCES,
  NAMED_OBJECTS,
  qualifiedName,
} from '@cairn/shared/cluster/risk-inputs/kinds';
import { IMAGE_GROUPS, USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';
import { STATUS_FACTS } from '@cairn/shared/update-status/input';

export type ClusterQuery = Pick<
  DocumentKind,
  | 'kind'
  | 'group'
  | 'version'
  | 'resource'
  | 'name'
  | 'namespace'
  | 'selector'
  | 'isOptional'
  | 'isAbsenceKnown'
  | 'isNamespaced'
> &
  Partial<Pick<DocumentKind, 'facts'>> & {
    /** The metadata of the objects suffices. */
    readonly isMetadata?: boolean;
    /** Only how many objects there are, or their names. The answer is `ObjectCounts`. */
    readonly counted?: 'number' | 'names';
  };

export interface ClusterSource {
  /**
   * Passes the pages to `take`, and calls it again if the list must be read from its start. Returns null for an
   * optional resource that the cluster refuses, after a warning.
   */
  read<Taken>(
    query: ClusterQuery,
    take: (pages: AsyncIterable<Uint8Array>) => Promise<Taken>,
  ): Promise<Taken | null>;
}

const queriesOf = (wanted: DocumentKind['component']): readonly ClusterQuery[] =>
  DOCUMENT_KINDS.filter(({ component }) => component === wanted).map((row) => ({
    ...row,
    ...(row.metadataFacts && { facts: row.metadataFacts, isMetadata: true }),
  }));

/** Input of the upgrade checks. */
export const CLUSTER_QUERIES = queriesOf('base');
const ONLY_STATUS_QUERIES = queriesOf('status');
/** Input of the reporter. The roles in `infra/cluster` grant exactly this. */
export const REPORT_QUERIES: readonly ClusterQuery[] = [...CLUSTER_QUERIES, ...ONLY_STATUS_QUERIES];
const COUNTS = { kind: 'ObjectCounts', facts: ['objectCounts'], isOptional: true } as const;
/** Input of risks; what is refused stays unknown. */
export const COUNT_QUERIES: readonly ClusterQuery[] = [
  ...COUNTED_RESOURCES.map((row) => ({ ...row, ...COUNTS, counted: 'number' as const })),
  { ...NAMED_OBJECTS, ...COUNTS, counted: 'names' },
];
/** Further input, about workloads; the reporter reads it only with the component `workloads`. */
export const WORKLOAD_QUERIES = queriesOf('workloads');

/** Input of the update status. */
export const STATUS_QUERIES: readonly ClusterQuery[] = REPORT_QUERIES.filter(({ facts = [] }) =>
  facts.some((fact) => (STATUS_FACTS as readonly string[]).includes(fact)),
);

/** Input of a plan for a hosted cluster, from its management cluster. The reporter does not read it. */
export const HOSTED_QUERIES = queriesOf('hosted');

const [IMAGES] = IMAGE_GROUPS;

/** Input of the in-use report. Refused kinds are reported as missing; a pruner then deletes nothing. */
export const IN_USE_QUERIES: readonly ClusterQuery[] = [
  ...USING_KINDS.map(({ kind, groups, names }) => ({
    kind,
    group: groups[0]!,
    version: 'v1',
    resource: names[0]!,
    isOptional: true,
  })),
  { kind: 'ImageStream', group: IMAGES, version: 'v1', resource: 'imagestreams', isOptional: true },
];

/** Also needed for a registry that the cluster does not manage: its pruner judges Images. */
export const IMAGE_QUERIES: readonly ClusterQuery[] = [
  { kind: 'Image', group: IMAGES, version: 'v1', resource: 'images', isOptional: true },
];

/** Name in messages and for `oc`: `machineconfigpools.machineconfiguration.openshift.io`, `nodes`. */
export function queryName({ resource, group, name }: ClusterQuery): string {
  const kind = qualifiedName({ resource, group });
  return name === undefined ? kind : `${kind}/${name}`;
}

/** `/apis/config.openshift.io/v1/clusterversions/version` */
export function queryPath({ group, version, resource, namespace, name }: ClusterQuery): string {
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    resource,
    ...(name === undefined ? [] : [name]),
  ];
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

export function listOf({ kind, group, version }: ClusterQuery) {
  return { kind: `${kind}List`, apiVersion: group === '' ? version : `${group}/${version}` };
}

/** Document for an object or kind that the cluster lacks: a list or object without content, or one that says so. */
export function absentDocument(query: ClusterQuery): Uint8Array {
  const { kind, version, name, namespace } = query;
  if (query.counted) return countsOf({ counts: { [queryName(query)]: null } });
  if (query.isAbsenceKnown) return countsOf({ absent: [absentObject({ ...query, name: name! })] });
  const absent =
    namespace === undefined
      ? { ...listOf(query), items: [] }
      : { kind, apiVersion: version, metadata: { namespace, name } };
  return Buffer.from(JSON.stringify(absent));
}

export function countsOf(counts: Partial<ObjectCountsFacts>): Uint8Array {
  return Buffer.from(JSON.stringify(countsDocument(counts)));
}

/** From the pages of a list; only the first one if the number is asked for. */
export function countedDocument(query: ClusterQuery, pages: readonly ListPage[]): Uint8Array | null {
  const name = queryName(query);
  const items = pages.flatMap((page) => page.items ?? []);
  if (query.counted === 'names') {
    const names = items.map(({ metadata }) => metadata?.name ?? '');
    return countsOf({ names: [{ resource: name, namespace: query.namespace!, names }] });
  }
  const { continue: next, remainingItemCount } = pages[0]?.metadata ?? {};
  // A list says how many follow, unless the API server does not know.
  if (next && remainingItemCount === undefined) return null;
  return countsOf({ counts: { [name]: items.length + (remainingItemCount ?? 0) } });
}

export interface ListPage {
  readonly metadata?: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items?: readonly { readonly metadata?: { readonly name?: string } }[];
}

/**
 * The cluster can lack the kind. All clusters have the Kubernetes groups, whose names have no dot: if one is missing,
 * the response is not from a cluster.
 */
export function mayLackKind({ group, isOptional = false }: ClusterQuery): boolean {
  return isOptional && group.includes('.');
}
