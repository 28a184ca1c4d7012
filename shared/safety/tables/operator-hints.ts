import type { Minor } from '../../version/minor.ts';
import { FORWARD_GUARDS } from './forward-guards.ts';

/**
 * Fixes for reasons with which cluster operators refuse the next minor, beside those of the forward guards. Sources:
 * status code of cloud-credential-operator, machine-config-operator, cluster-ingress-operator,
 * operator-lifecycle-manager, vmware-vsphere-csi-driver-operator.
 */
const HINTS = new Map<string, readonly string[]>([
  [
    'MissingRootCredential',
    ['Restore the cloud credential of the installation in namespace kube-system for the update'],
  ],
  ['PoolUpdating', ['Wait until all pools are updated', 'oc get machineconfigpools']],
  ['DegradedPool', ['Repair the degraded pools', 'oc get machineconfigpools']],
  [
    'IngressControllersNotUpgradeable',
    ['Check each ingress controller', 'oc get ingresscontrollers -n openshift-ingress-operator -o yaml'],
  ],
  ['KubeletMinorVersion', ['Let the pools catch up', 'oc get machineconfigpools,nodes']],
  [
    'IncompatibleOperatorsInstalled',
    ['Update the installed operators, or remove them', 'oc get subscriptions,installplans -A'],
  ],
  [
    'VSphereOlderVersionDetected',
    [
      'Update vCenter, ESXi and the hardware version of virtual machines to the minimum in the message',
      'oc describe clusteroperator storage',
    ],
  ],
]);

/** Names that are safe inside a shell command. */
const OPERATOR_NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/**
 * Reasons have the form `<component>_<reason>`, several joined by `::`. Without a hint, returns the command that
 * describes the operator.
 */
export function hintsFor(operator: string, reason: string, target: Minor): readonly string[] {
  const parts = reason.split('::').flatMap((each) => each.split('_'));
  const hints = [
    ...FORWARD_GUARDS.filter((guard) => parts.includes(guard.reason)).flatMap((guard) =>
      guard.remediation(target, []),
    ),
    ...[...HINTS].filter(([known]) => parts.includes(known)).flatMap(([, hint]) => hint),
  ];
  return hints.length > 0 ? hints : [describeCommand(operator)];
}

export function describeCommand(operator: string): string {
  return OPERATOR_NAME.test(operator)
    ? `oc describe clusteroperator ${operator}`
    : 'oc describe clusteroperators';
}
