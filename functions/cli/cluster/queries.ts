import { ADMIN_ACKS, ADMIN_GATES } from '@cairn/shared/cluster/config';
import type { ClusterQuery } from './cluster-query.ts';

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
