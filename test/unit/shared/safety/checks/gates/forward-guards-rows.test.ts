import { collectCommands } from '@cairn/shared/cluster/document-kinds';
import type { ClusterFacts, ReportedKind } from '@cairn/shared/cluster/facts';
import type { Condition } from '@cairn/shared/safety/condition';
import { currentVersion, type EvaluatedHop } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { ADMIN_GATES } from '@cairn/shared/safety/tables/admin-gates';
import { FORWARD_GUARDS } from '@cairn/shared/safety/tables/forward-guards';
import { ruleOf } from '@cairn/shared/safety/tables/gate-rules';
import { overallVerdict } from '@cairn/shared/safety/verdict';
import { minorOf } from '@cairn/shared/version/minor';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterVersion,
  aCondition,
  aNode,
  aPool,
  configurationsWith,
  withHistory,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluate } from '../../../../../helpers/cluster/evaluations.ts';
import { minorName, ordinalOfVersion } from '../../../../../helpers/cluster/release-reports.ts';

type Facts = Partial<ClusterFacts>;
/** Settings of a cluster that runs a version. */
type FactsAt = (version: string) => Facts;

const MIRROR = { name: 'releases', mirrors: [] };
const on = (platform: string): Facts => ({
  infrastructure: { platform, controlPlaneTopology: 'HighlyAvailable' },
});
const unconfigured = { machineConfiguration: { bootImageManagers: null, bootImageSkew: null } };
const definition = (group: string, version: string): Facts => ({
  customResources: [{ name: `things.${group}`, group, versions: [version] }],
});

/** A cluster for which each conditional gate holds. The build of a vCenter is in no document. */
const GATED: Readonly<Record<string, Facts>> = {
  'ack-4.12-kube-126-vsphere-migration-in-4.14': { ...on('VSphere'), vsphereVolumes: ['pv-1'] },
  'ack-4.13-kube-127-vsphere-migration-in-4.14': { ...on('VSphere'), vsphereVolumes: ['pv-1'] },
  'ack-4.15-route-config-not-supported-in-4.16': {
    unservableRoutes: [{ namespace: 'shop', name: 'web', router: 'default', message: 'SHA-1' }],
  },
  'ack-4.18-boot-image-opt-out-in-4.19': { ...on('AWS'), ...unconfigured },
  'ack-4.18-aarch64-bootloader-4.19': {
    nodes: [aNode('m', {}, 'master'), aNode('w', { architecture: 'arm64' })],
  },
  'ack-4.18-gateway-api-management-in-4.19': definition('gateway.networking.x-k8s.io', 'v1'),
  'ack-4.20-sigstore-in-4.21': { contentSourcePolicies: [MIRROR] },
  'ack-4.21-boot-image-opt-out-in-4.22': { ...on('VSphere'), ...unconfigured },
};

/** A cluster for which each guard applies, and the first minor that it does not leave, or one of them. */
const GUARDED: Readonly<Record<string, readonly [leaves: string, facts: Facts | FactsAt]>> = {
  RestrictedFeatureGates: ['4.14', { featureSet: 'CustomNoUpgrade' }],
  UnsupportedConfigOverridesSet: ['4.14', { operatorConfigs: configurationsWith({ Console: ['x'] }) }],
  CertRotationBaseOverridden: ['4.14', { certRotationBase: '30m' }],
  ResourceDeletesInProgress: [
    '4.14',
    (version) => ({
      clusterVersion: aClusterVersion(
        { conditions: [aCondition('Upgradeable', 'False', 'ResourceDeletesInProgress', 'dns')] },
        version,
      ),
    }),
  ],
  MissingUpgradeableAnnotation: ['4.14', { cloudCredential: { mode: 'Manual', upgradeableTo: '' } }],
  SigstoreSignaturesNeeded: ['4.21', { digestMirrorSets: [MIRROR] }],
  ConflictingClusterImagePolicy: ['4.20', { imagePolicies: ['openshift'] }],
  ClusterOnCgroupV1: ['4.18', { cgroupMode: 'v1' }],
  RHELNodes: [
    '4.18',
    { nodes: [aNode('m', {}, 'master'), aNode('w', { osImage: 'Red Hat Enterprise Linux 8.10' })] },
  ],
  OpenShiftSDNConfigured: ['4.16', { networkType: 'OpenShiftSDN', configuredNetwork: 'OpenShiftSDN' }],
  KuryrConfigured: ['4.14', { networkType: 'Kuryr', configuredNetwork: 'Kuryr' }],
  NetworkMigrationInProgress: ['4.16', { networkMigration: { isInProgress: true, message: 'half done' } }],
  ClusterBootImageSkewError: [
    '4.22',
    {
      machineConfiguration: {
        bootImageManagers: [],
        bootImageSkew: { mode: 'Automatic', ocpVersion: '4.12.9', rhcosVersion: '' },
      },
    },
  ],
  BootImageSkewExpected: [
    '4.22',
    (version) => ({ ...on('AWS'), clusterVersion: withHistory([`${version} C`, '4.12.9 C']) }),
  ],
  RuncConfigured: [
    '4.22',
    {
      runtimeConfigs: [
        { name: 'slow', runtime: 'runc', poolSelector: { matchLabels: {}, matchExpressions: [] } },
      ],
    },
  ],
  SELinuxMountIncompatibleWorkloads: ['5.0', { selinuxConflicts: 'True' }],
  InterruptedBuild: [
    '4.14',
    { pools: [aPool('master', { conditions: [aCondition('BuildInterrupted', 'True')] })] },
  ],
  VolumeSnapshotAlphaCRDs: ['4.8', definition('snapshot.storage.k8s.io', 'v1alpha1')],
  EtcdRecentBackup: ['4.13', {}],
  CapabilitiesImplicitlyEnabled: [
    '4.14',
    (version) => ({ clusterVersion: aClusterVersion({ baselineCapabilitySet: 'v4.11' }, version) }),
  ],
};

/** Facts of other documents that say the same. */
const BESIDE: Partial<Record<ReportedKind, readonly ReportedKind[]>> = {
  networkType: ['configuredNetwork'],
  configuredNetwork: ['networkType'],
  digestMirrorSets: ['contentSourcePolicies'],
  contentSourcePolicies: ['digestMirrorSets'],
};

const without = (document: ReportedKind): Facts =>
  Object.fromEntries([document, ...(BESIDE[document] ?? [])].map((kind) => [kind, null]));

const acks = ADMIN_GATES.map(({ key }) => ({ key, value: 'true' }));
const ordinal = (minor: string) => ordinalOfVersion(`${minor}.0`);
const after = (minor: string, steps: number) => `${minorName(ordinal(minor) + steps)}.5`;

/** The hop that leaves a minor is the next one, a later one, or comes after a patch; or only a patch is planned. */
const pathsTo = (leaves: string) => ({
  next: [after(leaves, 0), after(leaves, 1)],
  later: [after(leaves, -1), after(leaves, 0), after(leaves, 1)],
  afterPatch: [after(leaves, 0), `${leaves}.30`, after(leaves, 1)],
  patch: [after(leaves, 0), `${leaves}.30`],
});

interface Seen {
  readonly hops: readonly EvaluatedHop[];
  readonly facts: ClusterFacts;
  readonly last: EvaluatedHop;
}

function see(facts: Facts, path: readonly string[], options: Partial<SafetyOptions> = {}): Seen {
  const cluster = aCluster(facts, path[0]);
  const hops = evaluate(cluster, path, options);
  return { hops, facts: cluster, last: hops.at(-1)! };
}

const said = (condition: Condition | undefined): string =>
  condition === undefined ? 'nothing' : `${condition.status} ${condition.effect}`;

/** What decides about the id is listed with its command, and the plan is not ready. */
function expectAsked({ hops, facts }: Seen, id: string, document: ReportedKind): void {
  expect(currentVersion(facts)).not.toBeNull();
  const missing = missingInput(
    facts,
    hops.map(({ hop }) => hop),
  );
  const listed = missing.filter(({ decides }) => decides.includes(id)).map(({ command }) => command);
  expect(listed).toEqual(expect.arrayContaining([...collectCommands(document)]));
  expect(overallVerdict(hops, true)).not.toBe('ready');
}

describe.each(ADMIN_GATES.map((gate) => [gate.key, gate] as const))('%s', (key, gate) => {
  const { leaves, isConditional = false, isStandaloneOnly = false } = gate;
  const held = GATED[key] ?? {};
  const isKnown = !key.includes('vsphere');
  const paths = pathsTo(leaves);
  const others = acks.filter((ack) => ack.key !== key);
  const of = (facts: Facts, path: readonly string[], options: Partial<SafetyOptions> = {}): string => {
    const found = see({ adminAcks: others, ...held, ...facts }, path, options).last.conditions.find(
      ({ type, objects = [] }) => type === 'AdminAcksCompleted' && objects.some(({ name }) => name === key),
    );
    return found === undefined ? 'nothing' : `${found.reason} ${found.effect}`;
  };
  const listed = { adminGates: [{ key, value: 'read https://example.com' }] };

  it('has the effect of its distance', () => {
    expect(isConditional).toBe(key in GATED);
    const [required, expected] = isKnown
      ? ['AdminAckRequired inform', 'AdminAckExpected warn']
      : ['AdminAckCannotTell warn', 'AdminAckCannotTell warn'];
    expect(of(listed, paths.next)).toBe('AdminAckRequired block');
    expect(of(listed, paths.patch)).toBe('AdminAckRequired warn');
    expect(of({}, paths.next)).toBe(isKnown ? 'nothing' : 'AdminAckCannotTell warn');
    expect(of({}, paths.patch)).toBe('nothing');
    expect(of({}, paths.afterPatch)).toBe(expected);
    expect(of({ adminGates: null }, paths.next)).toBe(expected);
    expect(of({}, paths.later)).toBe(required);
  });

  it.each(['true', 'True', 'TRUE', 'yes', '1', '', ' true'])('is acknowledged as "%s" or not', (value) => {
    const adminAcks = [...others, { key, value }];
    const isGiven = value === 'true';
    expect(of({ ...listed, adminAcks }, paths.next)).toBe(isGiven ? 'nothing' : 'AdminAckRequired block');
    expect(of({ adminAcks }, paths.later) === 'nothing').toBe(isGiven);
  });

  it('is asked for only where it can be', () => {
    expect(of({ ...healthy(held) }, paths.later)).toBe(isConditional ? 'nothing' : 'AdminAckRequired inform');
    const infrastructure = {
      ...(held.infrastructure ?? { platform: 'AWS' }),
      controlPlaneTopology: 'External',
    };
    expect(of({ infrastructure }, paths.later) === 'nothing').toBe(isStandaloneOnly);
  });

  it.each(ruleOf(gate).documents.map((document) => [document] as const))('needs the %s', (document) => {
    const facts = without(document);
    expect(of(facts, paths.later)).toBe('AdminAckCannotTell warn');
    expect(of(facts, paths.later, { strict: true })).toBe('AdminAckCannotTell inform');
    expectAsked(see({ adminAcks: others, ...held, ...facts }, paths.later), key, document);
    expect(of({ ...facts, adminGates: null }, paths.next)).toBe('AdminAckCannotTell warn');
  });
});

/** The same settings as a cluster has without the gate. */
function healthy(facts: Facts): Facts {
  const usual = aCluster();
  return Object.fromEntries(Object.keys(facts).map((kind) => [kind, usual[kind as ReportedKind]]));
}

describe.each(FORWARD_GUARDS.map((guard) => [guard.reason, guard] as const))('%s', (reason, guard) => {
  const [leaves, given] = GUARDED[reason]!;
  const paths = pathsTo(leaves);
  const factsOn = (path: readonly string[]): Facts => ({
    adminAcks: acks,
    podsPerNode: [],
    ...(typeof given === 'function' ? given(path[0]!) : given),
  });
  const of = (facts: Facts, path: readonly string[], options: Partial<SafetyOptions> = {}): string =>
    said(
      see({ ...factsOn(path), ...facts }, path, options).last.conditions.find(
        (each) => each.reason === reason,
      ),
    );
  const isNote = guard.effect === 'info';

  it('has the effect of its distance', () => {
    expect(minorOf(mustParseVersion(paths.next[0]!))).toBe(leaves);
    expect(of({}, paths.next)).toBe(isNote ? 'True info' : `False ${guard.effect}`);
    const later = guard.effect === 'block' ? 'False inform' : isNote ? 'True info' : 'False warn';
    // Deletions are about now only.
    expect(of({}, paths.later)).toBe(reason === 'ResourceDeletesInProgress' ? 'nothing' : later);
    // Credentials are prepared for a minor.
    const isOfMinor = isNote || reason === 'MissingUpgradeableAnnotation';
    expect(of({}, paths.patch)).toBe(isOfMinor ? 'nothing' : 'False warn');
    expect(of({}, paths.afterPatch)).toBe(of({}, paths.next));
  });

  it('is a guard of its minors only', () => {
    if (guard.leaves === 'any') return;
    const { first, last = '5.1' } = guard.leaves;
    const foreign = [after(first, -1), after(last, 1)].filter((version) => !version.startsWith('5.2'));
    for (const version of foreign) {
      const path = [version, after(minorOf(mustParseVersion(version)), 1)];
      expect(of({}, path), path.join(' to ')).toBe('nothing');
    }
  });

  it('is about the Machine Config Operator or etcd, or about every cluster', () => {
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    expect(of({ infrastructure }, paths.next) === 'nothing').toBe(guard.isStandaloneOnly === true);
  });

  const decisive = guard.documents.filter(
    (document) =>
      document !== 'clusterVersion' && !(reason === 'RuncConfigured' && document !== 'runtimeConfigs'),
  );
  it.each(decisive.map((document) => [document] as const))('needs the %s', (document) => {
    const facts = without(document);
    expect(of({ ...facts, clusterOperators: null }, paths.next)).toBe('Unknown warn');
    expect(of({ ...facts, clusterOperators: null }, paths.next, { strict: true })).toBe('Unknown block');
    expect(of({ ...facts, clusterOperators: null }, paths.later)).toBe('Unknown warn');
    const seen = see({ ...factsOn(paths.later), ...facts, clusterOperators: null }, paths.later);
    expectAsked(seen, reason, document);
    if (guard.leaves === 'any') return;
    // The operators of an earlier minor do not report it.
    expectAsked(see({ ...factsOn(paths.later), ...facts }, paths.later), reason, document);
  });
});

it('every guard has a cluster here', () => {
  expect(Object.keys(GUARDED).toSorted()).toEqual(FORWARD_GUARDS.map(({ reason }) => reason).toSorted());
});
