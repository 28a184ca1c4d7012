/**
 * Fixes for reasons with which cluster operators refuse the next minor. Sources: status code of
 * cloud-credential-operator, library-go, cluster-config-operator, cluster-network-operator, machine-config-operator,
 * cluster-ingress-operator, operator-lifecycle-manager.
 */
const HINTS = new Map<string, (target: string) => string>([
  [
    'MissingUpgradeableAnnotation',
    (target) =>
      `Credentials of this cluster are managed by hand: create what ${target} asks for, then say so: oc annotate cloudcredential.operator.openshift.io cluster --overwrite cloudcredential.openshift.io/upgradeable-to=${target}`,
  ],
  [
    'MissingRootCredential',
    () => 'Put the cloud credential of the installation back into namespace kube-system for the update',
  ],
  [
    'UnsupportedConfigOverridesSet',
    () => 'Remove spec.unsupportedConfigOverrides from the configuration of the operator',
  ],
  [
    'RestrictedFeatureGates',
    () =>
      'The feature set of this cluster rules out minor updates and cannot be taken back: oc get featuregate cluster -o yaml',
  ],
  [
    'OpenShiftSDNConfigured',
    () => 'Migrate the network of the cluster from OpenShiftSDN to OVN-Kubernetes first',
  ],
  ['PoolUpdating', () => 'Wait until all pools are updated: oc get machineconfigpools'],
  ['DegradedPool', () => 'Repair the pools that are degraded: oc get machineconfigpools'],
  [
    'ClusterOnCgroupV1',
    () =>
      `Move the nodes to cgroup v2: oc patch nodes.config cluster --type=merge -p '{"spec":{"cgroupMode":"v2"}}'`,
  ],
  [
    'IngressControllersNotUpgradeable',
    () => 'See what is wrong with each: oc get ingresscontrollers -n openshift-ingress-operator -o yaml',
  ],
  ['KubeletMinorVersion', () => 'Let the pools catch up: oc get machineconfigpools,nodes'],
  [
    'IncompatibleOperatorsInstalled',
    () => 'Update the installed operators, or remove them: oc get subscriptions,installplans -A',
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
  const hints = [...HINTS].filter(([known]) => parts.includes(known)).map(([, hint]) => hint(target));
  return hints.length > 0 ? hints : [describeCommand(operator)];
}

export function describeCommand(operator: string): string {
  return OPERATOR_NAME.test(operator)
    ? `oc describe clusteroperator ${operator}`
    : 'oc describe clusteroperators';
}
