import { type ClusterFacts, NO_FACTS } from '@cairn/shared/cluster/facts';
import { hopsOfSteps } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, aCondition, aPool } from '../../../../helpers/cluster/clusters.ts';
import { commandsOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';

const MIRROR = { name: 'releases', mirrors: [] };

const steps = (facts: Partial<ClusterFacts>, ...path: readonly string[]) =>
  stepsOf(aCluster({ podsPerNode: [], ...facts }, path[0]), path);

const hopsOn = (...path: readonly string[]) =>
  hopsOfSteps(
    path.map((version) => ({ version, hop: null })),
    null,
  );

/** `kind hop`, in order. */
const kinds = (...given: Parameters<typeof steps>): string[] =>
  steps(...given).map(({ kind, hop }) => `${kind} ${hop}`);

describe('gates of later minors', () => {
  const azure: Partial<ClusterFacts> = {
    infrastructure: { platform: 'Azure', controlPlaneTopology: 'HighlyAvailable' },
    machineConfiguration: { bootImageManagers: null, bootImageSkew: null },
    digestMirrorSets: [MIRROR],
  };
  const path = ['4.19.20', '4.20.12', '4.21.9', '4.22.3'] as const;

  it('case 1: are acknowledged in their hop, and prepared before the first one', () => {
    const all = steps(azure, ...path);
    const acks = all.filter(({ kind }) => kind === 'ack');
    expect(acks.map(({ hop, text }) => [hop, text.split(' ').at(-1)])).toEqual([
      [1, 'ack-4.20-sigstore-in-4.21'],
      [2, 'ack-4.21-boot-image-opt-out-in-4.22'],
    ]);
    for (const ack of acks) {
      const at = all.indexOf(ack);
      const verified = all.findIndex(({ kind, hop }) => kind === 'verify' && hop === ack.hop! - 1);
      const updated = all.findIndex(({ kind, hop }) => kind === 'update' && hop === ack.hop);
      expect([verified < at, at < updated]).toEqual([true, true]);
    }
    const prepared = all.filter(({ text }) => text.startsWith('Before 4.'));
    expect(prepared.map(({ kind, text, blocking }) => [kind, text.slice(0, 30), blocking])).toEqual([
      ['check', 'Before 4.21: Mirror the signat', false],
      ['check', 'Before 4.22: 4.22 starts to up', false],
    ]);
    expect(Math.max(...prepared.map((step) => all.indexOf(step)))).toBeLessThan(
      all.findIndex(({ kind }) => kind === 'update'),
    );
  });

  it('case 3: are decided by one step that collects documents', () => {
    const all = steps(
      { digestMirrorSets: null, contentSourcePolicies: null },
      '4.19.20',
      '4.20.12',
      '4.21.9',
    );
    const checks = all.filter(({ kind }) => kind === 'check');
    expect(checks[0]).toMatchObject({
      id: '1-check',
      hop: 0,
      commands: [
        'oc get imagedigestmirrorsets -o json',
        'oc get imagecontentsourcepolicies.operator.openshift.io -o json',
      ],
      resolves: [{ type: 'AdminAcksCompleted', reason: 'AdminAckCannotTell' }],
      blocking: false,
    });
  });

  it('that a patch can add are acknowledged only if the cluster lists them', () => {
    const all = steps({ digestMirrorSets: [MIRROR] }, '4.20.1', '4.20.12', '4.21.9');
    expect(all.find(({ kind }) => kind === 'ack')).toMatchObject({
      hop: 1,
      text: expect.stringMatching(/ack-4\.20-sigstore-in-4\.21, if the cluster lists it$/),
      blocking: false,
    });
  });
});

describe('a patch before the next minor', () => {
  const path = ['4.18.10', '4.18.20', '4.19.5'] as const;

  it('needs no acknowledgment, which is given before the minor', () => {
    const adminGates = [{ key: 'ack-4.18-kube-1.32-api-removals-in-4.19', value: 'read' }];
    const all = steps({ adminGates }, ...path);
    const [read, ...others] = all.filter(({ resolves = [] }) =>
      resolves.some(({ type }) => type === 'AdminAcksCompleted'),
    );
    expect(read).toMatchObject({ id: '1-check', hop: 0, blocking: false });
    expect(commandsOf(read!)).toEqual([
      `oc -n openshift-config-managed get configmap admin-gates -o jsonpath='{.data}{"\\n"}'`,
    ]);
    expect(others.map(({ kind, hop, blocking }) => [kind, hop, blocking])).toEqual([['ack', 1, true]]);
    expect(kinds({ adminGates }, '4.18.10', '4.18.20')).not.toContain('ack 0');
  });

  it.each([
    ['a setting', { cgroupMode: 'v1' }, 'ClusterOnCgroupV1'],
    ['a feature set', { featureSet: 'TechPreviewNoUpgrade' }, 'RestrictedFeatureGates'],
  ])('shares the step for %s with the minor', (_name, facts, reason) => {
    const found = steps(facts, ...path).filter(({ resolves = [] }) =>
      resolves.some((each) => each.reason === reason),
    );
    expect(found.map(({ id, hop, blocking }) => [id, hop, blocking])).toEqual([['1-fix', 0, true]]);
  });
});

describe('forward guards', () => {
  it('case 18: no command pretends to remove a feature set', () => {
    const all = steps({ featureSet: 'TechPreviewNoUpgrade' }, '4.15.3', '4.16.5');
    const fix = all.find(({ kind }) => kind === 'fix');
    expect(fix).toMatchObject({ blocking: true, text: expect.stringContaining('cannot be removed') });
    expect(all.flatMap(commandsOf).filter((command) => /featuregate/i.test(command))).toEqual([]);
  });

  it('case 19: one step collects all missing documents', () => {
    const all = steps(
      { featureSet: null, certRotationBase: null, cgroupMode: null },
      '4.17.9',
      '4.18.2',
      '4.19.4',
    );
    const collect = all.filter(({ text }) => text.startsWith('Collect '));
    expect(collect.map(commandsOf)).toEqual([
      [
        'oc get featuregates cluster -o json',
        'oc get configmaps unsupported-cert-rotation-config -n openshift-config -o json',
        'oc get nodes.config.openshift.io cluster -o json',
      ],
    ]);
  });

  it('one step collects every document that is listed as missing', () => {
    const facts = aCluster({ ...NO_FACTS, clusterVersion: aClusterVersion({}, '4.17.9') });
    const all = stepsOf(facts, ['4.17.9', '4.18.2', '4.19.4']);
    const missing = missingInput(facts, hopsOn('4.17.9', '4.18.2', '4.19.4'));
    const [collect] = all.filter(({ text }) => text.startsWith('Collect '));
    expect(commandsOf(collect!)).toEqual(expect.arrayContaining(missing.map(({ command }) => command)));
  });

  it('no step collects MachineConfigs, unless a finding asks for them', () => {
    const collected = (facts: Partial<ClusterFacts>) =>
      steps(facts, '4.22.3', '5.0.2')
        .filter(({ text }) => text.startsWith('Collect '))
        .flatMap(commandsOf);
    expect(collected({ machineConfigs: null, featureSet: null })).toEqual([
      'oc get featuregates cluster -o json',
    ]);
    const pools = [aPool('master'), aPool('worker', { osImageStream: 'rhel-10' })];
    expect(collected({ machineConfigs: null, pools })).toContain('oc get machineconfigs -o json');
  });

  it('of later hops are prepared before the first update', () => {
    const all = steps({ cgroupMode: 'v1' }, '4.17.9', '4.18.2', '4.19.4');
    expect(all[0]).toMatchObject({ id: '1-fix', text: 'Move the nodes to cgroup v2; every node reboots' });
  });

  it('have credentials created before every minor', () => {
    const all = steps(
      { cloudCredential: { mode: 'Manual', upgradeableTo: '' } },
      '4.16.9',
      '4.17.3',
      '4.18.2',
    );
    const fixes = all.filter(({ kind }) => kind === 'fix');
    expect(fixes.map(({ hop, text }) => [hop, text.slice(0, 37)])).toEqual([
      [0, 'Create the cloud credentials that 4.1'],
      [1, 'Create the cloud credentials that 4.1'],
    ]);
    expect(commandsOf(fixes[1]!)).toEqual([
      expect.stringMatching(
        /^oc adm release extract --credentials-requests --to=credentials-requests-4\.18 \S+$/,
      ),
      'oc annotate cloudcredential.operator.openshift.io cluster --overwrite cloudcredential.openshift.io/upgradeable-to=4.18',
    ]);
  });

  it.each([
    ['a migration', { networkMigration: { isInProgress: true, message: '' } }, ['4.16.5', '4.17.9']],
    [
      'a deletion',
      {
        clusterVersion: aClusterVersion(
          { conditions: [aCondition('Upgradeable', 'False', 'ResourceDeletesInProgress', 'dns')] },
          '4.16.5',
        ),
      },
      ['4.16.5', '4.17.9'],
    ],
  ])('wait for %s', (_name, facts, path) => {
    expect(kinds(facts, ...path)[0]).toBe('wait 0');
  });
});

describe('case 60: mirrors', () => {
  const mirrored = { digestMirrorSets: [MIRROR] };

  it('get a step before anything is paused, with the signature from 4.21 on', () => {
    const all = steps(mirrored, '4.20.12', '4.21.9', '4.22.3');
    const mirror = all.filter(({ kind }) => kind === 'mirror');
    expect(mirror.map(({ hop, text }) => [hop, /\(tag sha256-\S+\.sig\)/.test(text)])).toEqual([
      [0, true],
      [1, true],
    ]);
    expect(mirror[1]!.resolves).toEqual([{ type: 'ForwardGuards', reason: 'SigstoreSignaturesNeeded' }]);
    const order = all.map(({ kind }) => kind);
    expect(order.indexOf('mirror')).toBeLessThan(order.indexOf('backup'));
  });

  it('need no signature before 4.21', () => {
    const [mirror] = steps(mirrored, '4.19.4', '4.20.12').filter(({ kind }) => kind === 'mirror');
    expect(mirror!.text).toMatch(/^Mirror release 4\.20\.12 by digest/);
    expect(mirror!.text).not.toContain('signature');
  });

  it('are none without a mirror set', () => {
    expect(kinds({}, '4.21.9', '4.22.3')).not.toContain('mirror 0');
    expect(kinds({ tagMirrorSets: [MIRROR] }, '4.21.9', '4.22.3')).not.toContain('mirror 0');
  });
});
