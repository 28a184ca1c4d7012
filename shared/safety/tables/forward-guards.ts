import { UPGRADEABLE_TO } from '../../cluster/configuration.ts';
import { CERT_ROTATION, DOCUMENT_KINDS, resourceName } from '../../cluster/document-kinds.ts';
import type { ReportedKind } from '../../cluster/facts.ts';
import { RHEL_LABEL } from '../../cluster/nodes.ts';
import { FIRST_SIGNED } from '../../path/mirror-list.ts';
import { excerpt, shellWord } from '../../text/quote.ts';
import { namesInWords } from '../../text/words.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import type { ConditionObject } from '../condition.ts';
import { type Decision, NO, unknown, yes } from '../decision.ts';
import { bootImagesMayBeOld, bootImagesTooOld } from '../evidence/boot-images.ts';
import { usesRunc } from '../evidence/container-runtime.ts';
import {
  type GuardSubject,
  hasConfigOverrides,
  hasFeatureSet,
  hasNetwork,
  hasRhelNodes,
  isDeleting,
  lacksCredentials,
} from '../evidence/guarded-settings.ts';
import { hasMirrors, MIRROR_DOCUMENTS, SIGNATURES_NEEDED } from '../evidence/mirrors.ts';
import { entersMinor } from '../hop.ts';

/** Known reason for which a cluster refuses to leave a minor, or for which the update fails. */
export interface ForwardGuard {
  readonly reason: string;
  /** Minors whose releases refuse. */
  readonly leaves: 'any' | { readonly first: Minor; readonly last?: Minor };
  /** Facts that decide it. */
  readonly documents: readonly ReportedKind[];
  readonly applies: (subject: GuardSubject) => Decision;
  /** Completes "Not known whether …". */
  readonly question: string;
  /** Effect on the next minor. */
  readonly effect: 'info' | 'warn' | 'block';
  readonly remediation: (target: Minor, objects: readonly ConditionObject[]) => readonly string[];
  /** Cannot be undone, and so not accepted either. */
  readonly isPermanent?: true;
  /** About the Machine Config Operator or etcd, which hosted clusters do not have. */
  readonly isStandaloneOnly?: true;
  /** No cluster operator reports it ahead of the update: only its documents decide. */
  readonly isUnreported?: true;
  /** Each target needs its own work; the cluster reports only the next minor. */
  readonly isPerTarget?: true;
}

const NETWORK_DOCUMENTS = ['configuredNetwork', 'networkType'] as const;
const PLAIN_TEXT = (text: string) => () => [text];

/**
 * Sources: status code of the operators on release-4.8 to 5.1, August 2026. Not here because checks of their own have
 * them: overrides of the ClusterVersion, degraded pools, installed operators. Problems with vSphere are only reported.
 */
export const FORWARD_GUARDS: readonly ForwardGuard[] = [
  {
    reason: 'RestrictedFeatureGates',
    leaves: 'any',
    documents: ['featureSet'],
    applies: hasFeatureSet,
    question: 'a feature set rules out minor updates',
    effect: 'block',
    remediation: PLAIN_TEXT(
      'A feature set rules out minor updates and cannot be removed. Stay on patch updates, or reinstall the cluster',
    ),
    isPermanent: true,
  },
  {
    reason: 'UnsupportedConfigOverridesSet',
    leaves: 'any',
    documents: ['operatorConfigs'],
    applies: hasConfigOverrides,
    question: 'unsupported configuration overrides are set',
    effect: 'block',
    remediation: (_target, objects) => [
      'Remove spec.unsupportedConfigOverrides from the configuration of the operator',
      ...objects.map(removeOverrides),
    ],
  },
  {
    reason: 'CertRotationBaseOverridden',
    leaves: 'any',
    documents: ['certRotationBase'],
    applies: ({ facts: { certRotationBase: base } }) => {
      if (base === null) return unknown('certRotationBase');
      return base === '' ? NO : yes(`Certificate rotation has an unsupported base: ${base}`);
    },
    question: 'certificate rotation has an unsupported base',
    effect: 'block',
    remediation: () => [
      'Remove the key base, which shortens the rotation of certificates',
      `oc -n ${CERT_ROTATION.namespace} patch configmap ${CERT_ROTATION.name} --type=json -p '[{"op":"remove","path":"/data/base"}]'`,
    ],
  },
  {
    reason: 'ResourceDeletesInProgress',
    leaves: 'any',
    documents: ['clusterVersion'],
    applies: isDeleting,
    question: 'the cluster is deleting objects of its release',
    effect: 'block',
    remediation: () => ['Wait until the cluster has deleted the objects of its release', 'oc adm upgrade'],
  },
  {
    reason: 'MissingUpgradeableAnnotation',
    leaves: 'any',
    documents: ['cloudCredential'],
    applies: lacksCredentials,
    question: 'the manual cloud credentials are prepared',
    effect: 'block',
    remediation: (target) => [
      `Create the cloud credentials that ${target} requests, then confirm it with the annotation`,
      `oc annotate cloudcredential.operator.openshift.io cluster --overwrite ${UPGRADEABLE_TO}=${target}`,
    ],
    isPerTarget: true,
  },
  {
    reason: SIGNATURES_NEEDED,
    leaves: { first: '4.20' },
    documents: MIRROR_DOCUMENTS,
    applies: ({ facts, hop }) => {
      if (ordinalOf(hop.to) < ordinalOf(FIRST_SIGNED)) return NO;
      const mirrors = hasMirrors(facts);
      return mirrors.answer === 'yes'
        ? { ...mirrors, message: `${mirrors.message}. Nodes verify the signature of ${hop.to.raw}` }
        : mirrors;
    },
    question: 'images are mirrored, which requires the signatures of releases',
    effect: 'warn',
    remediation: PLAIN_TEXT('Mirror the release with its signature image: oc-mirror v2 copies both'),
    isPerTarget: true,
  },
  {
    reason: 'ConflictingClusterImagePolicy',
    leaves: { first: '4.20', last: '4.20' },
    documents: ['imagePolicies'],
    applies: ({ facts: { imagePolicies, featureSet } }) => {
      if (imagePolicies === null) return unknown('imagePolicies');
      if (!imagePolicies.includes('openshift') || (featureSet ?? '') !== '') return NO;
      return yes('A ClusterImagePolicy has the name openshift, which 4.21 uses for its own', [
        { kind: 'ClusterImagePolicy', name: 'openshift' },
      ]);
    },
    question: 'a ClusterImagePolicy has the name openshift',
    effect: 'block',
    remediation: () => [
      'Save the ClusterImagePolicy openshift, create it again under another name, then delete it',
      'oc get clusterimagepolicies openshift -o yaml',
      'oc delete clusterimagepolicies openshift',
    ],
  },
  {
    reason: 'ClusterOnCgroupV1',
    leaves: { first: '4.18', last: '4.18' },
    documents: ['cgroupMode'],
    applies: ({ facts: { cgroupMode } }) => {
      if (cgroupMode === null) return unknown('cgroupMode');
      return cgroupMode === 'v1' ? yes('Nodes use cgroup v1, which 4.19 does not support') : NO;
    },
    question: 'nodes use cgroup v1',
    effect: 'block',
    remediation: () => [
      'Move the nodes to cgroup v2; every node reboots',
      `oc patch nodes.config.openshift.io cluster --type=merge -p '{"spec":{"cgroupMode":"v2"}}'`,
    ],
    isStandaloneOnly: true,
  },
  {
    reason: 'RHELNodes',
    leaves: { first: '4.18', last: '4.18' },
    documents: ['nodes'],
    applies: hasRhelNodes,
    question: 'nodes run RHEL',
    effect: 'block',
    remediation: (_target, objects) => [
      'Add RHCOS nodes to replace the RHEL nodes, then drain and delete each RHEL node',
      `oc get nodes -l ${RHEL_LABEL.key}=${RHEL_LABEL.value}`,
      ...objects
        .filter(({ kind }) => kind === 'Node')
        .slice(0, 1)
        .flatMap(({ name }) => removeNode(shellWord(name))),
    ],
    isStandaloneOnly: true,
  },
  {
    reason: 'OpenShiftSDNConfigured',
    leaves: { first: '4.16', last: '4.21' },
    documents: NETWORK_DOCUMENTS,
    applies: hasNetwork('OpenShiftSDN', '4.17 does not have OpenShift SDN'),
    question: 'the cluster network is OpenShift SDN',
    effect: 'block',
    remediation: PLAIN_TEXT(
      'Migrate the cluster network from OpenShift SDN to OVN-Kubernetes in 4.16 or earlier',
    ),
  },
  {
    reason: 'KuryrConfigured',
    leaves: { first: '4.14', last: '4.14' },
    documents: NETWORK_DOCUMENTS,
    applies: hasNetwork('Kuryr', '4.15 does not have Kuryr'),
    question: 'the cluster network is Kuryr',
    effect: 'block',
    remediation: PLAIN_TEXT('Migrate the cluster network from Kuryr to OVN-Kubernetes'),
  },
  {
    reason: 'NetworkMigrationInProgress',
    leaves: { first: '4.16', last: '4.16' },
    documents: ['networkMigration'],
    applies: ({ facts: { networkMigration: migration } }) => {
      if (migration === null) return unknown('networkMigration');
      return migration.isInProgress
        ? yes(excerpt(migration.message) || 'The cluster network is being migrated')
        : NO;
    },
    question: 'the cluster network is being migrated',
    effect: 'block',
    remediation: () => [
      'Wait until the migration of the cluster network completes',
      'oc get networks.config.openshift.io cluster -o yaml',
    ],
  },
  {
    reason: 'ClusterBootImageSkewError',
    leaves: { first: '4.22', last: '5.1' },
    documents: ['machineConfiguration'],
    applies: ({ facts }) => bootImagesTooOld(facts),
    question: 'boot images are too old',
    effect: 'block',
    remediation: () => [
      'Update the boot images of machine sets, or turn the check off if no node will ever be added',
      'oc get machineconfigurations.operator.openshift.io cluster -o yaml',
    ],
    isStandaloneOnly: true,
  },
  {
    reason: 'BootImageSkewExpected',
    leaves: { first: '4.22', last: '4.22' },
    documents: ['infrastructure', 'machineConfiguration', 'clusterVersion'],
    applies: ({ facts }) => bootImagesMayBeOld(facts),
    question: 'boot images are older than 4.13',
    effect: 'warn',
    remediation: () => [
      'Check the boot images of machine sets, or of the installation, before the cluster leaves 4.22',
      'oc get machinesets -n openshift-machine-api -o yaml',
    ],
    isStandaloneOnly: true,
  },
  {
    reason: 'RuncConfigured',
    leaves: { first: '4.22', last: '4.22' },
    documents: ['runtimeConfigs', 'machineConfigs', 'pools'],
    applies: ({ facts }) => usesRunc(facts),
    question: 'pools use runc',
    effect: 'warn',
    remediation: (_target, objects) => [
      'Set defaultRuntime to crun, and wait until the pool is updated',
      ...objects
        .filter(({ kind }) => kind === 'ContainerRuntimeConfig')
        .map(
          ({ name }) =>
            `oc patch containerruntimeconfig ${shellWord(name)} --type=merge -p '{"spec":{"containerRuntimeConfig":{"defaultRuntime":"crun"}}}'`,
        ),
    ],
    isStandaloneOnly: true,
    isUnreported: true,
  },
  {
    reason: 'SELinuxMountIncompatibleWorkloads',
    leaves: { first: '4.23', last: '5.0' },
    documents: ['selinuxConflicts'],
    applies: ({ facts: { selinuxConflicts: conflicts } }) => {
      if (conflicts === null) return unknown('selinuxConflicts');
      if (conflicts === 'True') return yes('Pods with different SELinux labels share a volume');
      return conflicts === 'False' || conflicts === ''
        ? NO
        : { answer: 'unknown', missing: [], why: `the cluster reports ${conflicts}` };
    },
    question: 'pods with different SELinux labels share a volume',
    // Operators refuse only with a feature gate that is not in the default set yet.
    effect: 'warn',
    remediation: PLAIN_TEXT(
      'Give pods that share a volume the same SELinux label, or set seLinuxChangePolicy to Recursive. The metric selinux_warning_controller_selinux_volume_conflict lists them',
    ),
  },
  {
    reason: 'InterruptedBuild',
    leaves: 'any',
    documents: ['pools'],
    applies: ({ facts: { pools } }) => {
      if (pools === null) return unknown('pools');
      const names = pools
        .filter(({ conditions }) =>
          conditions.some(({ type, status }) => type === 'BuildInterrupted' && status === 'True'),
        )
        .map(({ name }) => name);
      if (names.length === 0) return NO;
      return yes(
        `The image build of ${namesInWords(names)} was interrupted`,
        names.toSorted().map((name) => ({ kind: 'MachineConfigPool', name })),
      );
    },
    question: 'the image build of a pool was interrupted',
    effect: 'block',
    remediation: (_target, objects) => [
      'Repair the interrupted image build of the pool',
      ...objects
        .filter(({ kind }) => kind === 'MachineConfigPool')
        .map(({ name }) => `oc describe mcp/${shellWord(name)}`),
    ],
    isStandaloneOnly: true,
  },
  {
    reason: 'VolumeSnapshotAlphaCRDs',
    leaves: { first: '4.8', last: '4.13' },
    documents: ['customResources'],
    applies: ({ facts: { customResources } }) => {
      if (customResources === null) return unknown('customResources');
      const names = customResources
        .filter(({ group, versions }) => group === 'snapshot.storage.k8s.io' && versions.includes('v1alpha1'))
        .map(({ name }) => name);
      if (names.length === 0) return NO;
      return yes(
        `Snapshot definitions have the version v1alpha1: ${namesInWords(names)}`,
        names.toSorted().map((name) => ({ kind: 'CustomResourceDefinition', name })),
      );
    },
    question: 'snapshot definitions have the version v1alpha1',
    effect: 'block',
    remediation: (_target, objects) => [
      'Delete the v1alpha1 snapshot objects and their custom resource definitions',
      ...objects.map(({ name }) => `oc get crd ${shellWord(name)} -o yaml`),
    ],
  },
  {
    reason: 'EtcdRecentBackup',
    leaves: { first: '4.10', last: '4.14' },
    documents: [],
    applies: ({ hop }) =>
      entersMinor(hop)
        ? yes(
            `The update to ${hop.to.raw} first shows ReleaseAccepted=False, until the etcd operator has made its own backup. Wait some minutes`,
          )
        : NO,
    question: '',
    effect: 'info',
    remediation: () => [],
    isStandaloneOnly: true,
  },
  {
    reason: 'CapabilitiesImplicitlyEnabled',
    leaves: 'any',
    documents: ['clusterVersion'],
    applies: ({ facts: { clusterVersion }, hop }) => {
      const set = clusterVersion?.baselineCapabilitySet ?? '';
      if (!entersMinor(hop) || set === '' || set === 'vCurrent') return NO;
      return yes(
        `Components that become optional in ${minorOf(hop.to)} stay enabled (capability set ${set})`,
      );
    },
    question: '',
    effect: 'info',
    remediation: () => [],
  },
];

/** By its API group: some kinds have a namesake in another one. */
function removeOverrides({ kind, namespace, name }: ConditionObject): string {
  const row = DOCUMENT_KINDS.find((each) => each.kind === kind && each.facts.includes('operatorConfigs'));
  const resource = row ? resourceName(row) : shellWord(`${kind.toLowerCase()}.operator.openshift.io`);
  const where = namespace === undefined ? '' : ` -n ${shellWord(namespace)}`;
  return `oc patch ${resource} ${shellWord(name)}${where} --type=json -p '[{"op":"remove","path":"/spec/unsupportedConfigOverrides"}]'`;
}

function removeNode(name: string): readonly string[] {
  return [
    `oc adm cordon ${name}`,
    `oc adm drain ${name} --ignore-daemonsets --delete-emptydir-data --timeout=60m`,
    `oc delete node ${name}`,
  ];
}
