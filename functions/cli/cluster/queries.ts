import { ADMIN_ACKS, ADMIN_GATES } from '@cairn/shared/cluster/kinds';
import { IMAGE_GROUPS, USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';

export interface ClusterQuery {
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name: `nodes`. */
  readonly resource: string;
  readonly name?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** Label selector, used where the other objects are many. */
  readonly selector?: string;
  /** Not a failure if missing or forbidden; the dependent checks are then unknown. */
  readonly isOptional?: boolean;
}

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

const CORE = { group: '', version: 'v1' } as const;
const CONFIG = { group: 'config.openshift.io', version: 'v1' } as const;
const CONFIG_MAP = { ...CORE, kind: 'ConfigMap', resource: 'configmaps', isOptional: true } as const;

/** Input of the upgrade checks. The roles in `infra/cluster` grant exactly this. */
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
    // Skip the copies that OLM creates in every watched namespace.
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

export function listOf({ kind, group, version }: ClusterQuery) {
  return { kind: `${kind}List`, apiVersion: group === '' ? version : `${group}/${version}` };
}

export function emptyList(query: ClusterQuery): Uint8Array {
  return Buffer.from(JSON.stringify({ ...listOf(query), items: [] }));
}

/**
 * The cluster can lack the kind. All clusters have the Kubernetes groups, whose names have no dot: if one is missing,
 * the response is not from a cluster.
 */
export function mayBeAbsent({ group, name, isOptional = false }: ClusterQuery): boolean {
  return isOptional && name === undefined && group.includes('.');
}
