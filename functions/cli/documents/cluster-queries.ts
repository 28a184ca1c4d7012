import { ADMIN_ACKS, ADMIN_GATES } from '@cairn/shared/cluster/config-maps';
import type { OcQuery } from './oc.ts';

/** All that is read of a cluster to tell whether it may be updated. */
export const CLUSTER_QUERIES: readonly OcQuery[] = [
  { resource: 'clusterversion/version' },
  { resource: 'clusteroperators' },
  { resource: 'nodes' },
  {
    resource: 'machineconfigpools',
    list: { kind: 'MachineConfigPoolList', apiVersion: 'machineconfiguration.openshift.io/v1' },
    isOptional: true,
  },
  {
    resource: 'clusterserviceversions',
    list: { kind: 'ClusterServiceVersionList', apiVersion: 'operators.coreos.com/v1alpha1' },
    everywhere: true,
    isOptional: true,
  },
  {
    resource: 'subscriptions.operators.coreos.com',
    list: { kind: 'SubscriptionList', apiVersion: 'operators.coreos.com/v1alpha1' },
    everywhere: true,
    isOptional: true,
  },
  {
    resource: 'apirequestcounts',
    list: { kind: 'APIRequestCountList', apiVersion: 'apiserver.openshift.io/v1' },
    isOptional: true,
  },
  { resource: `configmap/${ADMIN_GATES.name}`, namespace: ADMIN_GATES.namespace, isOptional: true },
  { resource: `configmap/${ADMIN_ACKS.name}`, namespace: ADMIN_ACKS.namespace, isOptional: true },
  { resource: 'infrastructures/cluster', isOptional: true },
  { resource: 'networks.config.openshift.io/cluster', isOptional: true },
  { resource: 'pods', everywhere: true, isOptional: true },
];
