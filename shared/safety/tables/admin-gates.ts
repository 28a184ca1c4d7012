import { minorOf, type Minor } from '../../version/minor.ts';
import type { Hop } from '../hop.ts';

export interface AdminGate {
  readonly leaves: Minor;
  readonly key: string;
  readonly url: string;
}

/**
 * Complete list; minors not listed have none. Source: ConfigMap `admin-gates` on the release branches of
 * cluster-version-operator, 4.8 to 5.1, August 2026.
 */
export const ADMIN_GATES: readonly AdminGate[] = [
  gate('4.8', 'kube-1.22-api-removals-in-4.9', 6329921),
  gate('4.11', 'kube-1.25-api-removals-in-4.12', 6955381),
  gate('4.12', 'kube-1.26-api-removals-in-4.13', 6958394),
  gate('4.13', 'kube-1.27-api-removals-in-4.14', 6958395),
  gate('4.15', 'kube-1.29-api-removals-in-4.16', 7031404),
  gate('4.18', 'kube-1.32-api-removals-in-4.19', 7112216),
  gate('4.19', 'admissionregistration-v1beta1-api-removals-in-4.20', 7130599),
];

/** One for 4.13.5 to 4.14.2, none for a patch. */
export function gatesOfHop({ from, updateType }: Pick<Hop, 'from' | 'updateType'>): readonly AdminGate[] {
  if (updateType !== 'minor' && updateType !== 'major') return [];
  return ADMIN_GATES.filter(({ leaves }) => leaves === minorOf(from));
}

export function acknowledgeCommands(gates: readonly { readonly key: string }[]): readonly string[] {
  return gates.map(
    ({ key }) => `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"${key}":"true"}}'`,
  );
}

function gate(leaves: Minor, subject: string, article: number): AdminGate {
  return { leaves, key: `ack-${leaves}-${subject}`, url: `https://access.redhat.com/articles/${article}` };
}
