import type { OcQuery } from './oc.ts';

/** All that is read of a cluster to tell whether it may be updated. */
export const CLUSTER_QUERIES: readonly OcQuery[] = [
  { resource: 'clusterversion/version' },
  { resource: 'clusteroperators' },
  { resource: 'nodes' },
  { resource: 'machineconfigpools', isOptional: true },
  { resource: 'clusterserviceversions', everywhere: true, isOptional: true },
  { resource: 'apirequestcounts', isOptional: true },
  { resource: 'configmap/admin-gates', namespace: 'openshift-config-managed', isOptional: true },
  { resource: 'configmap/admin-acks', namespace: 'openshift-config', isOptional: true },
  { resource: 'infrastructures/cluster', isOptional: true },
  { resource: 'networks.config.openshift.io/cluster', isOptional: true },
  { resource: 'pods', everywhere: true, isOptional: true },
];
