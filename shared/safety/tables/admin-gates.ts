import type { ClusterFacts } from '../../cluster/facts.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import { isHosted } from '../evidence/hosted.ts';
import type { Hop } from '../hop.ts';

export interface AdminGate {
  /** Minor that clusters do not leave without the acknowledgment. */
  readonly leaves: Minor;
  readonly key: string;
  /** Page to read before the acknowledgment. */
  readonly url?: string;
  /** Only some clusters have it; `GATE_RULES` decides. */
  readonly isConditional?: true;
  /** Added by the Machine Config Operator, which hosted clusters do not have. */
  readonly isStandaloneOnly?: true;
}

const KNOWLEDGE = 'https://access.redhat.com';
const MANUALS = 'https://docs.redhat.com/en/documentation/openshift_container_platform';
const CONDITIONAL = { isConditional: true } as const;
const MACHINE_CONFIG = { isConditional: true, isStandaloneOnly: true } as const;

export const SIGNATURE_GATE = 'ack-4.20-sigstore-in-4.21';

/**
 * All gates of 4.8 to 5.1; other minors have none. Sources: ConfigMap `admin-gates` on the release branches of
 * cluster-version-operator, and the operators in `GATE_RULES`, August 2026.
 */
export const ADMIN_GATES: readonly AdminGate[] = [
  apiRemovals('4.8', 'kube-1.22-api-removals-in-4.9', 6329921),
  apiRemovals('4.11', 'kube-1.25-api-removals-in-4.12', 6955381),
  apiRemovals('4.12', 'kube-1.26-api-removals-in-4.13', 6958394),
  {
    ...CONDITIONAL,
    leaves: '4.12',
    key: 'ack-4.12-kube-126-vsphere-migration-in-4.14',
    url: `${KNOWLEDGE}/node/7011683`,
  },
  apiRemovals('4.13', 'kube-1.27-api-removals-in-4.14', 6958395),
  {
    ...CONDITIONAL,
    leaves: '4.13',
    key: 'ack-4.13-kube-127-vsphere-migration-in-4.14',
    url: `${KNOWLEDGE}/node/7011683`,
  },
  apiRemovals('4.15', 'kube-1.29-api-removals-in-4.16', 7031404),
  { ...CONDITIONAL, leaves: '4.15', key: 'ack-4.15-route-config-not-supported-in-4.16' },
  apiRemovals('4.18', 'kube-1.32-api-removals-in-4.19', 7112216),
  {
    ...MACHINE_CONFIG,
    leaves: '4.18',
    key: 'ack-4.18-boot-image-opt-out-in-4.19',
    url: `${MANUALS}/4.18/html/machine_configuration`,
  },
  {
    ...MACHINE_CONFIG,
    leaves: '4.18',
    // Without "in" before the minor, unlike all others.
    key: 'ack-4.18-aarch64-bootloader-4.19',
    url: `${KNOWLEDGE}/solutions/7119697`,
  },
  {
    ...CONDITIONAL,
    leaves: '4.18',
    key: 'ack-4.18-gateway-api-management-in-4.19',
    url: `${MANUALS}/4.19/html/release_notes`,
  },
  apiRemovals('4.19', 'admissionregistration-v1beta1-api-removals-in-4.20', 7130599),
  { ...MACHINE_CONFIG, leaves: '4.20', key: SIGNATURE_GATE, url: `${MANUALS}/4.20/html/nodes` },
  {
    ...MACHINE_CONFIG,
    leaves: '4.21',
    key: 'ack-4.21-boot-image-opt-out-in-4.22',
    url: `${MANUALS}/4.22/html/machine_configuration`,
  },
];

/** Gates that a hop has to pass; none for a patch. */
export function gatesOfHop(
  { from, updateType }: Pick<Hop, 'from' | 'updateType'>,
  facts: Pick<ClusterFacts, 'infrastructure'>,
): readonly AdminGate[] {
  if (updateType !== 'minor' && updateType !== 'major') return [];
  return ADMIN_GATES.filter(
    ({ leaves, isStandaloneOnly }) => leaves === minorOf(from) && !(isStandaloneOnly && isHosted(facts)),
  );
}

export function acknowledgeCommands(gates: readonly { readonly key: string }[]): readonly string[] {
  return gates.map(
    ({ key }) => `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"${key}":"true"}}'`,
  );
}

function apiRemovals(leaves: Minor, subject: string, article: number): AdminGate {
  return { leaves, key: `ack-${leaves}-${subject}`, url: `${KNOWLEDGE}/articles/${article}` };
}
