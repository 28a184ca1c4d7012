/**
 * Fixes for reasons with which cluster operators refuse the next minor. Sources: status code of
 * cloud-credential-operator, library-go, cluster-config-operator, cluster-network-operator, machine-config-operator,
 * cluster-ingress-operator, operator-lifecycle-manager.
 */
const HINTS = new Map<string, (target: string) => readonly string[]>([
  [
    'MissingUpgradeableAnnotation',
    (target) => [
      `Create the cloud credentials that ${target} requests, then confirm it with the annotation`,
      `oc annotate cloudcredential.operator.openshift.io cluster --overwrite cloudcredential.openshift.io/upgradeable-to=${target}`,
    ],
  ],
  [
    'MissingRootCredential',
    () => ['Restore the cloud credential of the installation in namespace kube-system for the update'],
  ],
  [
    'UnsupportedConfigOverridesSet',
    () => ['Remove spec.unsupportedConfigOverrides from the configuration of the operator'],
  ],
  [
    'RestrictedFeatureGates',
    () => [
      'The feature set rules out minor updates and cannot be removed. Stay on patch updates, or reinstall the cluster',
      'oc get featuregate cluster -o yaml',
    ],
  ],
  [
    'OpenShiftSDNConfigured',
    () => ['Migrate the cluster network from OpenShift SDN to OVN-Kubernetes first'],
  ],
  ['PoolUpdating', () => ['Wait until all pools are updated', 'oc get machineconfigpools']],
  ['DegradedPool', () => ['Repair the degraded pools', 'oc get machineconfigpools']],
  [
    'ClusterOnCgroupV1',
    () => [
      'Move the nodes to cgroup v2; every node reboots',
      `oc patch nodes.config.openshift.io cluster --type=merge -p '{"spec":{"cgroupMode":"v2"}}'`,
    ],
  ],
  [
    'IngressControllersNotUpgradeable',
    () => [
      'Check each ingress controller',
      'oc get ingresscontrollers -n openshift-ingress-operator -o yaml',
    ],
  ],
  ['KubeletMinorVersion', () => ['Let the pools catch up', 'oc get machineconfigpools,nodes']],
  [
    'IncompatibleOperatorsInstalled',
    () => ['Update the installed operators, or remove them', 'oc get subscriptions,installplans -A'],
  ],
]);

/** Names that are safe inside a shell command. */
const OPERATOR_NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/**
 * Reasons have the form `<component>_<reason>`, several joined by `::`. Without a hint, returns the command that
 * describes the operator.
 */
export function hintsFor(operator: string, reason: string, target: string): readonly string[] {
  const parts = reason.split('::').flatMap((each) => each.split('_'));
  const hints = [...HINTS].filter(([known]) => parts.includes(known)).flatMap(([, hint]) => hint(target));
  return hints.length > 0 ? hints : [describeCommand(operator)];
}

export function describeCommand(operator: string): string {
  return OPERATOR_NAME.test(operator)
    ? `oc describe clusteroperator ${operator}`
    : 'oc describe clusteroperators';
}
