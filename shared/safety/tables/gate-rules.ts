import type { ClusterFacts, ReportedKind } from '../../cluster/facts.ts';
import { excerpt } from '../../text/quote.ts';
import { namesInWords } from '../../text/words.ts';
import { type Decision, NO, unknown, unlessSent, yes } from '../decision.ts';
import { bootImagesUnconfigured, machineSetImagesUnconfigured } from '../evidence/boot-images.ts';
import { hasMirrors, MIRROR_DOCUMENTS } from '../evidence/mirrors.ts';
import { type AdminGate, SIGNATURE_GATE } from './admin-gates.ts';

/** Decides whether an operator adds a conditional gate. */
export interface GateRule {
  /** Work that the acknowledgment confirms. Gates of removed APIs have none: each API has its own step. */
  readonly preparation?: { readonly text: string; readonly commands?: readonly string[] };
  /** Facts that decide it. */
  readonly documents: readonly ReportedKind[];
  readonly applies: (facts: ClusterFacts) => Decision;
}

const BOOT_IMAGES = ['infrastructure', 'machineConfiguration'] as const;

const VSPHERE_MIGRATION: GateRule = {
  preparation: {
    text: 'Update vCenter and ESXi to 7.0 Update 3l (build 21424296) or 8.0 Update 2 (after build 22088125): older ones lose in-tree vSphere volumes with CSI migration',
  },
  documents: ['infrastructure', 'vsphereVolumes'],
  applies: hasVsphereVolumes,
};

/**
 * By key, for the conditional gates. Sources: machine-config-operator, cluster-ingress-operator and
 * vmware-vsphere-csi-driver-operator on the release branch of each gate, August 2026.
 */
export const GATE_RULES: ReadonlyMap<string, GateRule> = new Map([
  ['ack-4.12-kube-126-vsphere-migration-in-4.14', VSPHERE_MIGRATION],
  ['ack-4.13-kube-127-vsphere-migration-in-4.14', VSPHERE_MIGRATION],
  [
    'ack-4.15-route-config-not-supported-in-4.16',
    {
      preparation: {
        text: 'Change the routes that the router of 4.16 rejects, such as those with SHA-1 certificates. The gate is then removed; acknowledge it only if these routes may fail',
        commands: ['oc get routes -A -o json'],
      },
      documents: ['unservableRoutes'],
      applies: hasUnservableRoutes,
    },
  ],
  [
    'ack-4.18-boot-image-opt-out-in-4.19',
    {
      preparation: {
        text: '4.19 starts to update the boot images of machine sets. Acknowledge to let it, or opt out with this command, which removes the gate',
        commands: [
          `oc patch machineconfiguration.operator.openshift.io cluster --type=merge -p '{"spec":{"managedBootImages":{"machineManagers":[]}}}'`,
        ],
      },
      documents: BOOT_IMAGES,
      applies: bootImagesUnconfigured,
    },
  ],
  [
    'ack-4.18-aarch64-bootloader-4.19',
    {
      preparation: {
        text: 'Check the boot loader of arm64 machines: 4.19 does not start with an old one',
        commands: ['oc get nodes -l kubernetes.io/arch=arm64'],
      },
      documents: ['nodes'],
      applies: hasArmNodes,
    },
  ],
  [
    'ack-4.18-gateway-api-management-in-4.19',
    {
      preparation: {
        text: 'Back up Gateway objects, then move other Gateway API implementations to the versions of 4.19 or remove their custom resource definitions: 4.19 manages these definitions',
        commands: ['oc get customresourcedefinitions'],
      },
      documents: ['customResources'],
      applies: hasGatewayApi,
    },
  ],
  [
    SIGNATURE_GATE,
    {
      preparation: {
        text: 'Mirror the signature image (tag sha256-<digest>.sig) of every release from 4.21 on: oc-mirror v2 copies it, a copy of single images does not',
      },
      documents: MIRROR_DOCUMENTS,
      applies: hasMirrors,
    },
  ],
  [
    'ack-4.21-boot-image-opt-out-in-4.22',
    {
      preparation: {
        text: '4.22 starts to update the boot images of machine sets. Acknowledge to let it, or opt out with this command, which removes the gate',
        commands: [
          `oc patch machineconfiguration.operator.openshift.io cluster --type=merge -p '{"spec":{"managedBootImages":{"machineManagers":[{"resource":"machinesets","apiGroup":"machine.openshift.io","selection":{"mode":"None"}}]}}}'`,
        ],
      },
      documents: BOOT_IMAGES,
      applies: machineSetImagesUnconfigured,
    },
  ],
]);

const ALWAYS: GateRule = { documents: [], applies: () => yes('Every release of the minor has this gate') };

export function ruleOf({ key }: Pick<AdminGate, 'key'>): GateRule {
  return GATE_RULES.get(key) ?? ALWAYS;
}

/** Only old vCenters get the gate, and no document has the build of the vCenter. */
function hasVsphereVolumes(facts: ClusterFacts): Decision {
  const { infrastructure, vsphereVolumes } = facts;
  if (infrastructure !== null && infrastructure.platform !== 'VSphere') return NO;
  if (vsphereVolumes?.length === 0) return NO;
  const why = `no document has the build of the vCenter, which decides for the in-tree volumes ${namesInWords(vsphereVolumes ?? [])}`;
  return unlessSent(facts, 'infrastructure', 'vsphereVolumes') ?? { answer: 'unknown', missing: [], why };
}

function hasUnservableRoutes({ unservableRoutes: routes }: ClusterFacts): Decision {
  if (routes === null) return unknown('unservableRoutes');
  if (routes.length === 0) return NO;
  const names = namesInWords(routes.map(({ namespace, name }) => `${namespace}/${name}`));
  return yes(
    `The router of 4.16 rejects ${names}`,
    routes.map(({ namespace, name, router, message }) => ({
      kind: 'Route',
      namespace,
      name,
      detail: { router, message: excerpt(message) },
    })),
  );
}

function hasArmNodes({ nodes }: ClusterFacts): Decision {
  if (nodes === null) return unknown('nodes');
  const names = nodes.filter(({ architecture }) => architecture === 'arm64').map(({ name }) => name);
  if (names.length === 0) return NO;
  return yes(
    `Nodes are arm64: ${namesInWords(names)}`,
    names.toSorted().map((name) => ({ kind: 'Node', name })),
  );
}

function hasGatewayApi({ customResources }: ClusterFacts): Decision {
  if (customResources === null) return unknown('customResources');
  const names = customResources.filter(({ group }) => group.startsWith('gateway.')).map(({ name }) => name);
  if (names.length === 0) return NO;
  return yes(
    `Gateway API definitions are installed: ${namesInWords(names)}`,
    names.toSorted().map((name) => ({ kind: 'CustomResourceDefinition', name })),
  );
}
