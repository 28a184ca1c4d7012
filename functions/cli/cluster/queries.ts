import { ADMIN_ACKS, ADMIN_GATES } from '@cairn/shared/cluster/config';
import { IMAGE_GROUPS, USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';

/** What is read of a cluster: all objects of a kind, or the only one of it that matters. */
export interface ClusterQuery {
  readonly kind: string;
  /** Empty for the first kinds of Kubernetes. */
  readonly group: string;
  readonly version: string;
  /** What paths and roles call it: `nodes`. */
  readonly resource: string;
  /** Of the only one that is read. */
  readonly name?: string;
  /** Where that one is; those of the whole cluster are in none. */
  readonly namespace?: string;
  /** Labels of those that are read, where the others are many. */
  readonly selector?: string;
  /** A cluster without it, or one that does not show it, is no failure: what depends on it is not known then. */
  readonly isOptional?: boolean;
}

/** Whoever hands over the documents of a cluster. */
export interface ClusterSource {
  /**
   * What `take` makes of the documents of a query, page by page; it is called again where a list has to be read from its
   * beginning. Null when the cluster does not show them and they are optional, which was said then.
   */
  read<Taken>(
    query: ClusterQuery,
    take: (pages: AsyncIterable<Uint8Array>) => Promise<Taken>,
  ): Promise<Taken | null>;
}

const CORE = { group: '', version: 'v1' } as const;
const CONFIG = { group: 'config.openshift.io', version: 'v1' } as const;
const CONFIG_MAP = { ...CORE, kind: 'ConfigMap', resource: 'configmaps', isOptional: true } as const;

/** All that is read of a cluster to tell whether it may be updated. The roles in `infra/cluster` grant just this. */
export const CLUSTER_QUERIES: readonly ClusterQuery[] = [
  { ...CONFIG, kind: 'ClusterVersion', resource: 'clusterversions', name: 'version' },
  { ...CONFIG, kind: 'ClusterOperator', resource: 'clusteroperators' },
  { ...CORE, kind: 'Node', resource: 'nodes' },
  {
    kind: 'MachineConfigPool',
    group: 'machineconfiguration.openshift.io',
    version: 'v1',
    resource: 'machineconfigpools',
    isOptional: true,
  },
  {
    kind: 'ClusterServiceVersion',
    group: 'operators.coreos.com',
    version: 'v1alpha1',
    resource: 'clusterserviceversions',
    // Each is copied to every namespace that its operator watches.
    selector: '!olm.copiedFrom',
    isOptional: true,
  },
  {
    kind: 'Subscription',
    group: 'operators.coreos.com',
    version: 'v1alpha1',
    resource: 'subscriptions',
    isOptional: true,
  },
  {
    kind: 'APIRequestCount',
    group: 'apiserver.openshift.io',
    version: 'v1',
    resource: 'apirequestcounts',
    isOptional: true,
  },
  { ...CONFIG_MAP, ...ADMIN_GATES },
  { ...CONFIG_MAP, ...ADMIN_ACKS },
  { ...CONFIG, kind: 'Infrastructure', resource: 'infrastructures', name: 'cluster', isOptional: true },
  { ...CONFIG, kind: 'Network', resource: 'networks', name: 'cluster', isOptional: true },
  { ...CORE, kind: 'Pod', resource: 'pods', isOptional: true },
];

const [IMAGES] = IMAGE_GROUPS;

/**
 * All that is read of a cluster to tell which images it uses. What is not shown is left out and said to be missing: a
 * pruner then deletes nothing.
 */
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

/** And for a registry that the cluster does not manage, whose pruner tells what would go of these. */
export const IMAGE_QUERIES: readonly ClusterQuery[] = [
  { kind: 'Image', group: IMAGES, version: 'v1', resource: 'images', isOptional: true },
];

/** What it is called in messages, and by `oc`: `machineconfigpools.machineconfiguration.openshift.io`, `nodes`. */
export function queryName({ resource, group, name }: ClusterQuery): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
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

/** What the API calls a list of them. */
export function listOf({ kind, group, version }: ClusterQuery) {
  return { kind: `${kind}List`, apiVersion: group === '' ? version : `${group}/${version}` };
}

/** What it answers where there are none. */
export function emptyList(query: ClusterQuery): Uint8Array {
  return Buffer.from(JSON.stringify({ ...listOf(query), items: [] }));
}

/**
 * Whether a cluster may do without the kind. All have those of Kubernetes itself, whose groups have short names: where one
 * of these is not found, something else than a cluster has answered.
 */
export function mayBeAbsent({ group, name, isOptional = false }: ClusterQuery): boolean {
  return isOptional && name === undefined && group.includes('.');
}
