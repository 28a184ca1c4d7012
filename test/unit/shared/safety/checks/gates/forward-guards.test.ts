import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Condition } from '@cairn/shared/safety/condition';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { rhelOf } from '@cairn/shared/safety/evidence/boot-images';
import { hopsOfSteps, type SafetyOptions } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  aPool,
  withHistory,
  anUpdate,
  configurationsWith,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluate } from '../../../../../helpers/cluster/evaluations.ts';

const NOTES = new Set(['AsExpected', 'EtcdRecentBackup']);

function conditionsOf(
  facts: Partial<ClusterFacts>,
  path: readonly string[],
  options: Partial<SafetyOptions> = {},
): Condition[][] {
  return evaluate(aCluster(facts, path[0]), path, options).map(({ conditions }) =>
    conditions.filter(({ type, reason }) => type === 'ForwardGuards' && !NOTES.has(reason)),
  );
}

/** `reason effect` of each hop, with the status if it is not known. */
function guardsOf(
  facts: Partial<ClusterFacts>,
  path: readonly string[],
  options: Partial<SafetyOptions> = {},
): string[][] {
  return conditionsOf(facts, path, options).map((conditions) =>
    conditions.map(
      ({ reason, effect, status }) => `${reason} ${effect}${status === 'Unknown' ? ' unknown' : ''}`,
    ),
  );
}

const MIRROR = { name: 'releases', mirrors: [] };
const EVERYTHING = { matchLabels: {}, matchExpressions: [] };
const refusing = (operator: string, reason: string, message = 'why') => [
  aClusterOperator('etcd'),
  aClusterOperator(operator, [aCondition('Upgradeable', 'False', reason, message)]),
];

describe('guards of any minor', () => {
  it('case 18: a feature set blocks minors for good, and patches never', () => {
    const path = ['4.14.8', '4.14.20', '4.15.3', '4.16.5'];
    const accept = ['RestrictedFeatureGates', 'ForwardGuards'];
    for (const options of [{}, { accept }]) {
      expect(guardsOf({ featureSet: 'TechPreviewNoUpgrade' }, path, options)).toEqual([
        ['RestrictedFeatureGates warn'],
        ['RestrictedFeatureGates block'],
        ['RestrictedFeatureGates inform'],
      ]);
    }
    const all = conditionsOf({ featureSet: 'TechPreviewNoUpgrade' }, path, { accept }).flat();
    expect(all.filter(({ accepted, effect }) => accepted && effect !== 'warn')).toEqual([]);
    expect(
      all.flatMap(({ remediation = [] }) => remediation).filter((text) => text.startsWith('oc ')),
    ).toEqual([]);
  });

  it.each([
    ['4.15.0-0.okd-scos-2024-01-01-000000', []],
    ['4.15.3', ['RestrictedFeatureGates warn']],
  ])('the set OKD on %s', (version, found) => {
    const clusterVersion = aClusterVersion({}, version);
    expect(guardsOf({ featureSet: 'OKD', clusterVersion }, [version, '4.15.99'])[0]).toEqual(found);
  });

  it('case 19: cluster operators make up for a missing document', () => {
    const hop = evaluate(aCluster({ featureSet: null }), ['4.14.8', '4.15.3'])[0]!;
    expect(hop.verdict).toBe('allowed');
    expect(guardsOf({ featureSet: null }, ['4.14.8', '4.15.3', '4.16.5'])).toEqual([
      ['NotChecked info unknown'],
      [],
    ]);
    expect(guardsOf({ featureSet: null }, ['4.14.8', '4.15.3'], { strict: true })).toEqual([
      ['NotChecked info unknown'],
    ]);
  });

  it('are not known if neither their document nor the cluster operators were sent', () => {
    const facts = { featureSet: null, clusterOperators: null };
    const path = ['4.14.8', '4.14.20', '4.15.3', '4.16.5'];
    expect(guardsOf(facts, path)).toEqual([
      ['RestrictedFeatureGates info unknown'],
      ['RestrictedFeatureGates warn unknown'],
      ['RestrictedFeatureGates warn unknown'],
    ]);
    expect(guardsOf(facts, path, { strict: true })).toEqual([
      ['RestrictedFeatureGates info unknown'],
      ['RestrictedFeatureGates block unknown'],
      ['RestrictedFeatureGates inform unknown'],
    ]);
    const [, minor] = conditionsOf(facts, path);
    expect(minor![0]!.objects).toEqual([
      {
        kind: 'Document',
        name: 'featureSet',
        detail: { cannotTell: ['oc get featuregates cluster -o json'] },
      },
    ]);
  });

  it.each([
    ['', ['block', 'inform']],
    ['v4.17', [undefined, 'inform']],
    ['4.17.9', [undefined, 'inform']],
    ['4.18', [undefined, undefined]],
    ['5.0', [undefined, undefined]],
    ['next', ['block', 'inform']],
  ])('case 28: manual credentials confirmed for "%s"', (upgradeableTo, effects) => {
    const facts = { cloudCredential: { mode: 'Manual', upgradeableTo } };
    const found = conditionsOf(facts, ['4.16.9', '4.17.3', '4.18.2']).map(
      (conditions) => conditions[0]?.effect,
    );
    expect(found).toEqual(effects);
    expect(guardsOf({ cloudCredential: { mode: 'Mint', upgradeableTo } }, ['4.16.9', '4.17.3'])).toEqual([
      [],
    ]);
    expect(guardsOf(facts, ['4.16.9', '4.16.20'])).toEqual([[]]);
  });

  it('case 28: today says nothing about the credentials of later minors', () => {
    expect(guardsOf({ cloudCredential: null }, ['4.16.9', '4.17.3', '4.18.2'])).toEqual([
      ['NotChecked info unknown'],
      ['MissingUpgradeableAnnotation warn unknown'],
    ]);
  });

  it('case 29: unsupported overrides name the operator, and its group in the command', () => {
    const operatorConfigs = [{ kind: 'Console', name: 'cluster', overrides: ['x'] }];
    const [[found]] = conditionsOf({ operatorConfigs }, ['4.14.8', '4.15.3']) as [[Condition]];
    expect(found).toMatchObject({
      reason: 'UnsupportedConfigOverridesSet',
      effect: 'block',
      message: 'Unsupported overrides are set: Console (x)',
    });
    expect(found.remediation?.at(-1)).toMatch(/^oc patch consoles\.operator\.openshift\.io cluster /);
    expect(guardsOf({ operatorConfigs: configurationsWith({}) }, ['4.14.8', '4.15.3'])).toEqual([[]]);
  });

  it('case 29: any operator can have them', () => {
    const operatorConfigs = [
      {
        kind: 'IngressController',
        namespace: 'openshift-ingress-operator',
        name: 'default',
        overrides: ['x'],
      },
    ];
    const [[found]] = conditionsOf({ operatorConfigs }, ['4.14.8', '4.15.3']) as [[Condition]];
    expect(found.remediation?.at(-1)).toMatch(
      /^oc patch ingresscontroller\.operator\.openshift\.io default -n openshift-ingress-operator --type=json /,
    );
  });

  it('case 29: one configuration does not answer for the others', () => {
    const path = ['4.14.8', '4.15.3'];
    const [etcd] = configurationsWith({}).filter(({ kind }) => kind === 'Etcd');
    const partial = { operatorConfigs: [etcd!], clusterOperators: null };
    expect(guardsOf(partial, path)).toEqual([['UnsupportedConfigOverridesSet warn unknown']]);
    expect(guardsOf({ operatorConfigs: [], clusterOperators: null }, path)).toEqual([
      ['UnsupportedConfigOverridesSet warn unknown'],
    ]);
    const facts = aCluster(partial);
    const missing = missingInput(
      facts,
      hopsOfSteps(
        path.map((version, index) => ({ version, hop: index === 0 ? null : anUpdate() })),
        currentVersion(facts),
      ),
    );
    const [asked] = missing.filter(({ decides }) => decides.includes('UnsupportedConfigOverridesSet'));
    expect(asked?.kind).toBe(
      'Authentication, Console, KubeAPIServer, KubeControllerManager, KubeScheduler, OpenShiftAPIServer, OpenShiftControllerManager',
    );
    expect(asked?.command).not.toContain('etcds');
  });

  it('case 30: the base of certificate rotation', () => {
    expect(guardsOf({ certRotationBase: '30m' }, ['4.14.8', '4.15.3'])).toEqual([
      ['CertRotationBaseOverridden block'],
    ]);
  });

  it.each([
    ['ResourceDeletesInProgress', 'deleting dns'],
    ['ResourceDeletionInProgress', 'deleting dns'],
    ['MultipleReasons', 'for multiple reasons: ResourceDeletesInProgress,Other\n* deleting dns'],
  ])('a deletion in progress, reported as %s, counts for the next minor', (reason, message) => {
    const conditions = [aCondition('Upgradeable', 'False', reason, message)];
    const facts = { clusterVersion: aClusterVersion({ conditions }) };
    expect(guardsOf(facts, ['4.14.8', '4.15.3', '4.16.5'])).toEqual([
      ['ResourceDeletesInProgress block'],
      [],
    ]);
  });

  it('an interrupted image build names the pool', () => {
    const pools = [aPool('worker', { conditions: [aCondition('BuildInterrupted', 'True')] })];
    const [[found]] = conditionsOf({ pools }, ['4.17.9', '4.18.2']) as [[Condition]];
    expect(found).toMatchObject({ reason: 'InterruptedBuild', effect: 'block' });
    expect(found.remediation).toContain('oc describe mcp/worker');
  });
});

describe('guards of one minor', () => {
  it.each([
    ['v1', [[], ['ClusterOnCgroupV1 inform']]],
    ['v2', [[], []]],
    ['', [[], []]],
    [null, [[], ['ClusterOnCgroupV1 warn unknown']]],
  ])('case 20: cgroup mode %j', (cgroupMode, found) => {
    expect(guardsOf({ cgroupMode }, ['4.17.9', '4.18.2', '4.19.4'])).toEqual(found);
  });

  it('are warnings on a patch of that minor, and nothing if they are not known', () => {
    expect(guardsOf({ cgroupMode: 'v1' }, ['4.18.2', '4.18.9', '4.19.4'])).toEqual([
      ['ClusterOnCgroupV1 warn'],
      ['ClusterOnCgroupV1 block'],
    ]);
    expect(guardsOf({ cgroupMode: null, clusterOperators: null }, ['4.18.2', '4.18.9'])).toEqual([[]]);
  });

  it('are decided by the cluster operators for the next minor', () => {
    expect(guardsOf({ cgroupMode: null }, ['4.18.2', '4.19.4'])).toEqual([['NotChecked info unknown']]);
    expect(guardsOf({ cgroupMode: null, clusterOperators: null }, ['4.18.2', '4.19.4'])).toEqual([
      ['ClusterOnCgroupV1 warn unknown'],
    ]);
  });

  it.each([
    [{ labels: { 'node.openshift.io/os_id': 'rhel' } }, true],
    [{ osImage: 'Red Hat Enterprise Linux 8.10 (Ootpa)' }, true],
    [{ labels: { 'node.openshift.io/os_id': 'rhel' }, osImage: 'Red Hat Enterprise Linux CoreOS 418' }, true],
    [{ labels: { 'node.openshift.io/os_id': 'rhcos' }, osImage: 'Red Hat Enterprise Linux 9' }, false],
    [{ osImage: 'Red Hat Enterprise Linux CoreOS 418.94' }, false],
  ])('case 21: RHEL nodes, %j', (changes, isFound) => {
    const nodes = [aNode('m', { kubeletVersion: 'v1.29.1' }, 'master'), aNode('old; reboot', changes)];
    const found = conditionsOf({ nodes }, ['4.16.5', '4.17.9', '4.18.2', '4.19.4'])[2]!;
    expect(found.flatMap(({ objects = [] }) => objects)).toEqual(
      isFound ? [{ kind: 'Node', name: 'old; reboot' }] : [],
    );
    const commands = found.flatMap(({ remediation = [] }) => remediation);
    expect(commands.includes(`oc adm cordon 'old; reboot'`)).toBe(isFound);
  });

  it('case 22: OpenShift SDN', () => {
    const facts = { networkType: 'OpenShiftSDN', configuredNetwork: null };
    expect(guardsOf(facts, ['4.15.3', '4.16.5', '4.17.9', '4.18.2'])).toEqual([
      [],
      ['OpenShiftSDNConfigured inform'],
      ['OpenShiftSDNConfigured inform'],
    ]);
    expect(guardsOf(facts, ['4.16.5', '4.17.9'])).toEqual([['OpenShiftSDNConfigured block']]);
    expect(guardsOf({ configuredNetwork: 'OpenShiftSDN' }, ['4.16.5', '4.17.9'])).toEqual([
      ['OpenShiftSDNConfigured block'],
    ]);
    expect(guardsOf({ networkType: 'Kuryr' }, ['4.14.8', '4.15.3', '4.16.5'])).toEqual([
      ['KuryrConfigured block'],
      [],
    ]);
  });

  it('of several minors are decided by the operators of a cluster that is in one of them', () => {
    const unknown = { networkType: null, configuredNetwork: null };
    // Operators of 4.15 do not report it yet.
    expect(guardsOf(unknown, ['4.15.3', '4.16.5', '4.17.9'])).toEqual([
      [],
      ['OpenShiftSDNConfigured warn unknown'],
    ]);
    expect(guardsOf(unknown, ['4.19.3', '4.20.5', '4.21.9'])).toEqual([['NotChecked info unknown'], []]);
    const clusterOperators = refusing('network', 'OpenShiftSDNConfigured');
    expect(guardsOf({ ...unknown, clusterOperators }, ['4.16.5', '4.17.9', '4.18.2'])).toEqual([
      ['OpenShiftSDNConfigured block'],
      ['OpenShiftSDNConfigured inform'],
    ]);
    // Each release has its own signature.
    const mirrors = { digestMirrorSets: null };
    expect(guardsOf(mirrors, ['4.21.3', '4.22.5', '5.0.2'])[1]).toEqual([
      'SigstoreSignaturesNeeded warn unknown',
    ]);
  });

  it.each([
    ['openshift', '', ['ConflictingClusterImagePolicy block']],
    ['mine', '', []],
  ])('case 23: an image policy named %s', (name, featureSet, found) => {
    expect(guardsOf({ imagePolicies: [name], featureSet }, ['4.20.1', '4.21.3'])).toEqual([found]);
    expect(guardsOf({ imagePolicies: [name] }, ['4.21.3', '4.22.3'])).toEqual([[]]);
  });

  it.each([
    ['Manual', '4.12.30', '', true],
    ['Automatic', '4.12.30', '', true],
    ['None', '4.12.30', '', false],
    ['Manual', '4.13.0', '', false],
    ['Manual', '', '411.86.202308081056-0', true],
    ['Manual', '', '9.2.20240101-0', false],
    ['Manual', '', '9.1.20240101-0', true],
    ['Manual', '', '418.94.202501010000-0', false],
    ['Manual', '4.13.0', '411.86.202308081056-0', false],
    ['Manual', '4.12.0', '9.6.20251023-0', true],
    ['Manual', '', 'unknown', false],
  ])('case 24: boot images, %s %s %s: %s', (mode, ocpVersion, rhcosVersion, isFound) => {
    const machineConfiguration = {
      bootImageManagers: [],
      bootImageSkew: { mode, ocpVersion, rhcosVersion },
    };
    const blocked = isFound ? ['ClusterBootImageSkewError block'] : [];
    for (const target of ['5.0.2', '4.23.1']) {
      expect(guardsOf({ machineConfiguration }, ['4.22.3', target])).toEqual([blocked]);
    }
    // Case 25: 4.21 does not refuse yet.
    expect(guardsOf({ machineConfiguration }, ['4.21.3', '4.22.3', '5.0.2'])).toEqual([
      [],
      isFound ? ['ClusterBootImageSkewError inform'] : [],
    ]);
  });

  it('reads RHEL versions', () => {
    expect(['9.6.20251023-0', '411.86.202308081056-0', '9.6', ''].map(rhelOf)).toEqual([
      [9, 6],
      [8, 6],
      null,
      null,
    ]);
  });

  it.each([
    ['BareMetal', null, '4.12.30', true],
    ['BareMetal', null, '4.13.0', false],
    ['AWS', null, '4.12.30', false],
    ['AWS', [], '4.12.30', true],
    ['AWS', [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', mode: 'All' }], '4.12.30', false],
    ['AWS', [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', mode: 'None' }], '4.12.30', true],
  ])(
    'boot images of a cluster on %s with %j, installed with %s: %s',
    (platform, managers, installed, isFound) => {
      const facts = {
        clusterVersion: withHistory(['4.22.3 C', '4.18.2 C', `${installed} C`]),
        infrastructure: { platform, controlPlaneTopology: 'HighlyAvailable' },
        machineConfiguration: { bootImageManagers: managers, bootImageSkew: null },
      };
      expect(guardsOf(facts, ['4.22.3', '5.0.2'])).toEqual([isFound ? ['BootImageSkewExpected warn'] : []]);
    },
  );

  it.each([
    ['AzureStackCloud', ['BootImageSkewExpected warn']],
    ['AzurePublicCloud', []],
  ])('boot images in the Azure cloud %s', (azureCloud, found) => {
    const facts = {
      clusterVersion: withHistory(['4.22.3 C', '4.12.30 C']),
      infrastructure: { platform: 'Azure', azureCloud, controlPlaneTopology: 'HighlyAvailable' },
      machineConfiguration: { bootImageManagers: null, bootImageSkew: null },
    };
    expect(guardsOf(facts, ['4.22.3', '5.0.2'])).toEqual([found]);
  });

  const runc = { name: 'slow', runtime: 'runc', poolSelector: EVERYTHING };
  it.each([
    ['no stream', aPool('worker'), ['RuncConfigured warn']],
    ['RHEL 10', aPool('worker', { osImageStream: 'rhel-10' }), ['RuncConfigured block']],
    ['RHEL 9', aPool('worker', { osImageStream: 'rhel-9' }), ['RuncConfigured warn']],
  ])('case 26: runc in a pool with %s', (_name, pool, found) => {
    expect(guardsOf({ runtimeConfigs: [runc], pools: [pool] }, ['4.22.3', '5.0.2'])).toEqual([found]);
    expect(guardsOf({ runtimeConfigs: [runc], pools: [pool] }, ['5.0.2', '5.1.0'])).toEqual([[]]);
  });

  it('case 26: runc of other pools, and of the last MachineConfig', () => {
    const selector = { matchLabels: { pool: 'infra' }, matchExpressions: [] };
    const other = { runtimeConfigs: [{ ...runc, poolSelector: selector }] };
    expect(guardsOf(other, ['4.22.3', '5.0.2'])).toEqual([[]]);
    const config = (name: string, runtime: string) => ({ name, role: 'worker', runtime });
    const last = (...machineConfigs: ReturnType<typeof config>[]) =>
      guardsOf({ machineConfigs }, ['4.22.3', '5.0.2'])[0];
    expect(last(config('99-a', 'runc'), config('99-b', 'crun'))).toEqual([]);
    expect(last(config('99-b', 'runc'), config('99-a', 'crun'))).toEqual(['RuncConfigured warn']);
  });

  it.each([
    ['of workers', [], 'RuncConfigured block'],
    ['of workers beside their own', [{ name: 'own', runtime: 'crun', pool: 'infra' }], 'RuncConfigured warn'],
    ['of workers beside a default', [{ name: 'own', runtime: '', pool: 'infra' }], 'RuncConfigured block'],
  ])('case 26: custom pools have the runtime %s', (_name, own, expected) => {
    const selecting = (pool: string) => ({ matchLabels: { pool }, matchExpressions: [] });
    const pools = [
      aPool('worker', { labels: { pool: 'worker' } }),
      aPool('infra', { labels: { pool: 'infra' }, osImageStream: 'rhel-10' }),
    ];
    const runtimeConfigs = [
      { ...runc, poolSelector: selecting('worker') },
      ...own.map(({ name, runtime, pool }) => ({ name, runtime, poolSelector: selecting(pool) })),
    ];
    expect(guardsOf({ runtimeConfigs, pools }, ['4.22.3', '5.0.2'])).toEqual([[expected]]);
  });

  it('case 26: cluster operators do not report runc', () => {
    expect(guardsOf({ runtimeConfigs: null }, ['4.22.3', '5.0.2'])).toEqual([
      ['RuncConfigured warn unknown'],
    ]);
    const pools = [aPool('worker', { osImageStream: 'rhel-10' })];
    expect(guardsOf({ machineConfigs: null, pools }, ['4.22.3', '5.0.2'])).toEqual([
      ['RuncConfigured warn unknown'],
    ]);
    expect(guardsOf({ machineConfigs: null }, ['4.22.3', '5.0.2'])).toEqual([[]]);
  });

  it('snapshot definitions of an old version', () => {
    const group = 'snapshot.storage.k8s.io';
    const customResources = [{ name: `volumesnapshots.${group}`, group, versions: ['v1', 'v1alpha1'] }];
    expect(guardsOf({ customResources }, ['4.13.8', '4.14.8', '4.15.3'])).toEqual([
      ['VolumeSnapshotAlphaCRDs block'],
      [],
    ]);
  });

  it('signatures of releases, once the gate is not open: minors and patches', () => {
    const facts = { digestMirrorSets: [MIRROR] };
    expect(guardsOf(facts, ['4.19.20', '4.20.12', '4.21.9', '4.21.10', '4.22.3'])).toEqual([
      [],
      [],
      ['SigstoreSignaturesNeeded warn'],
      ['SigstoreSignaturesNeeded warn'],
    ]);
    const adminAcks = [{ key: 'ack-4.20-sigstore-in-4.21', value: 'true' }];
    expect(guardsOf({ ...facts, adminAcks }, ['4.20.12', '4.21.9'])).toEqual([
      ['SigstoreSignaturesNeeded warn'],
    ]);
    expect(guardsOf({}, ['4.21.9', '4.22.3'])).toEqual([[]]);
  });
});

describe('reports of cluster operators', () => {
  const path = ['5.0.2', '5.1.0'];

  it('case 27: turn a warning into a blocker, counted once', () => {
    expect(guardsOf({ selinuxConflicts: 'True' }, path)).toEqual([
      ['SELinuxMountIncompatibleWorkloads warn'],
    ]);
    const clusterOperators = refusing(
      'storage',
      'SELinuxMount_SELinuxMountIncompatibleWorkloads',
      'two pods',
    );
    const [hop] = evaluate(aCluster({ selinuxConflicts: 'True', clusterOperators }, '5.0.2'), path);
    const blockers = hop!.conditions.filter(({ effect }) => effect === 'block');
    expect(blockers.map(({ type, reason, origin, message }) => [type, reason, origin, message])).toEqual([
      ['ForwardGuards', 'SELinuxMountIncompatibleWorkloads', 'reported', 'storage reports two pods'],
    ]);
  });

  it.each([
    ['Unknown', ['SELinuxMountIncompatibleWorkloads warn unknown']],
    ['', []],
    ['False', []],
  ])('conflicts %j without operators', (selinuxConflicts, found) => {
    expect(guardsOf({ selinuxConflicts, clusterOperators: null }, path)).toEqual([found]);
  });

  it('conflicts that the cluster does not know are asked for nowhere', () => {
    const facts = { selinuxConflicts: 'Unknown', clusterOperators: null };
    const [[found]] = conditionsOf(facts, path, { strict: true }) as [[Condition]];
    expect([found.effect, found.remediation]).toEqual(['warn', []]);
    expect(found.message).toMatch(/share a volume; the cluster reports Unknown$/);
    expect(guardsOf({ selinuxConflicts: 'Unknown' }, path)).toEqual([[]]);
  });

  it('count even if the table does not know the cause for this minor', () => {
    const clusterOperators = refusing('machine-config', 'ClusterOnCgroupV1');
    expect(guardsOf({ clusterOperators }, ['4.19.4', '4.20.1', '4.21.3'])).toEqual([
      ['ClusterOnCgroupV1 block'],
      [],
    ]);
  });

  it('with other reasons too stay a finding of the operator, which has the same advice', () => {
    const clusterOperators = refusing('machine-config', 'ClusterOnCgroupV1::SomethingElse');
    const [hop] = evaluate(aCluster({ clusterOperators, cgroupMode: 'v1' }, '4.18.2'), ['4.18.2', '4.19.4']);
    const blockers = hop!.conditions.filter(({ effect }) => effect === 'block');
    expect(blockers.map(({ type }) => type)).toEqual(['ClusterOperatorsUpgradeable']);
    expect(blockers[0]!.remediation).toContain('Move the nodes to cgroup v2; every node reboots');
  });

  it('a feature set that is only reported cannot be accepted either', () => {
    const clusterOperators = refusing(
      'config-operator',
      'FeatureGates_RestrictedFeatureGates_TechPreviewNoUpgrade',
    );
    const accept = ['ForwardGuards', 'ClusterOperatorsUpgradeable'];
    expect(
      guardsOf({ featureSet: null, clusterOperators }, ['4.14.8', '4.15.3', '4.16.5'], { accept }),
    ).toEqual([['RestrictedFeatureGates block'], ['RestrictedFeatureGates inform']]);
  });
});

describe('notes', () => {
  const notesOf = (facts: Partial<ClusterFacts>, path: readonly string[]) =>
    evaluate(aCluster(facts, path[0]), path).map(({ conditions }) =>
      conditions
        .filter(({ type, effect }) => type === 'ForwardGuards' && effect === 'info')
        .map((each) => each.reason),
    );

  it('case 31: the own backup of etcd', () => {
    expect(notesOf({}, ['4.12.8', '4.12.9', '4.13.8'])).toEqual([[], ['EtcdRecentBackup']]);
    expect(notesOf({}, ['4.15.3', '4.16.5'])).toEqual([[]]);
    expect(notesOf({}, ['4.9.3', '4.10.5'])).toEqual([[]]);
  });

  it.each([
    ['v4.11', ['CapabilitiesImplicitlyEnabled']],
    ['vCurrent', []],
    [undefined, []],
  ])('the capability set %s', (set, found) => {
    const clusterVersion = aClusterVersion(set === undefined ? {} : { baselineCapabilitySet: set }, '4.15.3');
    expect(notesOf({ clusterVersion }, ['4.15.3', '4.16.5'])).toEqual([found]);
  });
});

it('hosted clusters have no guards of machine configuration', () => {
  const facts: Partial<ClusterFacts> = {
    infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' },
    cgroupMode: 'v1',
    nodes: [aNode('a', { osImage: 'Red Hat Enterprise Linux 8' })],
    machineConfiguration: {
      bootImageManagers: [],
      bootImageSkew: { mode: 'Manual', ocpVersion: '4.12.1', rhcosVersion: '' },
    },
    runtimeConfigs: [{ name: 'slow', runtime: 'runc', poolSelector: EVERYTHING }],
    pools: [aPool('worker', { conditions: [aCondition('BuildInterrupted', 'True')] })],
  };
  expect(guardsOf(facts, ['4.17.9', '4.18.2', '4.19.4', '4.20.1', '4.21.3', '4.22.3', '5.0.2'])).toEqual(
    Array.from({ length: 6 }, () => []),
  );
});
