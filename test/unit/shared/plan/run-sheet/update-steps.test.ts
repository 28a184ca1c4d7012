import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterVersion,
  aCondition,
  aNode,
  anUpdate,
} from '../../../../helpers/cluster/clusters.ts';
import { payloadOf, aRisk } from '../../../../helpers/path/answers.ts';
import { commandsOf, isUpdate, outline, stepOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';
import { aReport } from '../../../../helpers/plan/report-cases.ts';

const updatesOf = (steps: readonly PlanStep[]) => steps.filter(isUpdate).map(commandsOf);

describe('backups', () => {
  const backups = (path: readonly string[], changes: Partial<ClusterFacts> = {}) =>
    outline(stepsOf(aCluster(changes, path[0]), path)).filter((line) => /^(?:backup|update)/.test(line));

  it.each<[string, readonly string[], readonly string[]]>([
    ['one minor', ['4.14.8', '4.15.20'], ['backup 0', 'update 0']],
    ['two minors', ['4.14.8', '4.15.20', '4.16.9'], ['backup 0', 'update 0', 'backup 1', 'update 1']],
    ['a patch and a minor', ['4.14.8', '4.14.30', '4.15.20'], ['update 0', 'backup 1', 'update 1']],
    ['a major', ['4.23.1', '5.0.2'], ['backup 0', 'update 0']],
    ['a single patch', ['4.14.8', '4.14.30'], ['backup 0', 'update 0']],
    ['two patches', ['4.14.8', '4.14.20', '4.14.30'], ['update 0', 'update 1']],
  ])('case 55: stand before the updates of %s', (_, path, expected) => {
    expect(backups(path)).toEqual(expected);
  });

  it('are made on the management cluster for a hosted control plane', () => {
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    expect(backups(['4.14.8', '4.15.20', '4.16.9'], { infrastructure })).toEqual(['update 0', 'update 1']);
    expect(backups(['4.14.8', '4.14.30'], { infrastructure })).toEqual(['update 0']);
  });

  it.each<[string, ClusterFacts['nodes'], string]>([
    [
      'the first control plane node that is ready',
      [
        aNode('master-0', { ready: 'False' }, 'master'),
        aNode('master-2', {}, 'master'),
        aNode('master-1', {}, 'master'),
        aNode('a-worker'),
      ],
      'oc debug node/master-1 -- chroot /host /usr/local/bin/cluster-backup.sh /home/core/assets/backup',
    ],
    ['a node that a person chooses', null, 'oc get nodes -l node-role.kubernetes.io/master'],
  ])('run on %s', (_, nodes, command) => {
    expect(stepOf(stepsOf(aCluster({ nodes }), ['4.14.8', '4.15.20']), 'backup')).toMatchObject({
      command,
      blocking: false,
    });
  });
});

describe('a hosted control plane, seen from inside', () => {
  const facts = (kubelet: string) => {
    const nodes = [0, 1].map((each) => aNode(`worker-${each}`, { kubeletVersion: kubelet }));
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    return aCluster({ infrastructure, nodes, pools: null });
  };

  it('may have nodes three minors behind, and is updated on the management cluster', async () => {
    const plan = await aReport({ facts: facts('v1.25.6'), to: '4.15.3' });
    expect(plan.policy).toBe('hosted');
    expect(plan.hops[0]!.verdict).toBe('allowed');
    expect(
      plan.plan.steps.map(({ kind, where, commands, command }) => [kind, where, commands ?? command]),
    ).toEqual([
      [
        'update',
        'management',
        `oc -n NAMESPACE patch hostedcluster NAME --type=merge -p '{"spec":{"channel":"stable-4.15"}}'`,
      ],
      [
        'update',
        'management',
        expect.stringMatching(
          /^oc -n NAMESPACE patch hostedcluster NAME --type=merge -p '{"spec":{"release":{"image":"\S+"}}}'$/,
        ),
      ],
      ['verify', undefined, expect.arrayContaining(['oc get clusteroperators'])],
      [
        'roll-pool',
        'management',
        [
          expect.stringContaining('patch nodepool NODEPOOL'),
          'oc -n NAMESPACE wait nodepool/NODEPOOL --for=condition=UpdatingVersion=False --timeout=40m',
        ],
      ],
      ['verify', undefined, ['oc get clusterversion version', 'oc get clusteroperators', 'oc get nodes']],
    ]);
  });

  it('needs no signature file, also if it has no channel', async () => {
    const clusterVersion = aClusterVersion({
      channel: null,
      conditions: [aCondition('RetrievedUpdates', 'False', 'NoChannel')],
    });
    const { plan } = await aReport({ facts: { ...facts('v1.25.6'), clusterVersion }, to: '4.15.3' });
    expect(plan.steps.map(({ kind }) => kind)).not.toContain('mirror');
  });

  it('updates node pools first that would be four minors behind', async () => {
    const plan = await aReport({ facts: facts('v1.24.6'), to: '4.15.3' });
    expect(plan.hops[0]!.conditions).toContainEqual(
      expect.objectContaining({ reason: 'KubeletMinorVersionUnsupportedNextUpgrade', effect: 'block' }),
    );
    expect(plan.plan.steps[0]).toMatchObject({ kind: 'roll-pool', hop: 0, where: 'management' });
  });
});

describe('the update command', () => {
  const PATH = ['4.14.8', '4.15.3'];
  const offline = (reason: string, channel: string | null = null) =>
    aClusterVersion({ channel, conditions: [aCondition('RetrievedUpdates', 'False', reason)] });
  const channelPlan = [{ channel: 'stable-4.15', untilVersion: '4.15.3' }];

  it('case 56: names the digest of the release without an update service, and no channel', async () => {
    const { hops, plan } = await aReport({
      facts: aCluster({ clusterVersion: offline('RemoteFailed') }),
      to: '4.15.3',
    });
    expect(plan.steps.filter(({ command = '' }) => command.includes('upgrade channel'))).toEqual([]);
    expect(hops.at(-1)).toMatchObject({ to: '4.15.3' });
    const image = payloadOf('4.15.3');
    expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(updatesOf(plan.steps).at(-1)).toEqual([
      `oc adm upgrade --allow-explicit-upgrade --to-image=${image}`,
    ]);
    expect(plan.steps.filter(({ kind }) => kind === 'mirror').at(-1)?.text).toContain('4.15.3 by digest');
  });

  it.each([
    'NoChannel',
    'NoUpstream',
    'InvalidURI',
    'RemoteFailed',
    'ResponseFailed',
    'ResponseInvalid',
    'VersionNotFound',
  ])('names the digest if the cluster reports %s', (reason) => {
    const steps = stepsOf(aCluster({ clusterVersion: offline(reason, 'stable-4.14') }), PATH, {
      channelPlan,
    });
    expect(updatesOf(steps).flat().join()).toMatch(
      /^oc adm upgrade --allow-explicit-upgrade --to-image=quay\.io\/openshift-release-dev\/ocp-release@sha256:\w{64}$/,
    );
    expect(outline(steps)).toEqual([
      'mirror 0',
      'backup 0',
      'update 0',
      'verify 0',
      'verify end worker',
      'verify end',
    ]);
  });

  it('warns that the update service does not know the version', () => {
    const textOf = (reason: string) => {
      const facts = aCluster({ clusterVersion: offline(reason, 'stable-4.14') });
      return stepsOf(facts, [...PATH, '4.16.5'])
        .filter(isUpdate)
        .map(({ text }) => text);
    };
    expect(textOf('VersionNotFound')).toEqual([
      'Update from 4.14.8 to 4.15.3. The update service does not know 4.14.8; check that this update is supported',
      'Update from 4.15.3 to 4.16.5',
    ]);
    expect(textOf('RemoteFailed')[0]).toBe('Update from 4.14.8 to 4.15.3');
  });

  it.each<[string, ReturnType<typeof aCondition>, Partial<ClusterFacts>, string[]]>([
    ['both forms', aCondition('RetrievedUpdates', 'False', 'Unexpected'), {}, ['--to=', '--to-image=']],
    ['both forms', aCondition('RetrievedUpdates', 'Unknown'), {}, ['--to=', '--to-image=']],
    [
      'the digest behind mirrors without a service of their own',
      aCondition('RetrievedUpdates', 'False', 'Unexpected'),
      { digestMirrorSets: [{ name: 'releases', mirrors: [] }] },
      ['--to-image='],
    ],
    [
      'the version behind mirrors with a service that answers',
      aCondition('RetrievedUpdates', 'True'),
      { digestMirrorSets: [{ name: 'releases', mirrors: [] }] },
      ['--to='],
    ],
  ])('has %s: %j', (_, condition, changes, expected) => {
    const clusterVersion = aClusterVersion({ conditions: [condition] });
    const commands = updatesOf(stepsOf(aCluster({ clusterVersion, ...changes }), PATH)).flat();
    expect(commands.map((command) => / (--to(?:-image)?=)/.exec(command)?.[1])).toEqual(expected);
  });

  it.each<['present' | 'none', ClusterFacts['clusterVersion'], RegExp, boolean]>([
    ['none', aClusterVersion(), / --to-image=\S+@sha256:\w{64}$/, false],
    ['none', null, / --to-image=\S+@sha256:\w{64}$/, false],
    ['present', offline('VersionNotFound'), / --to=4\.15\.3$/, true],
  ])('follows the request if it says %s', (updateService, clusterVersion, command, hasChannel) => {
    const steps = stepsOf(aCluster({ clusterVersion }), PATH, { channelPlan, updateService });
    expect(updatesOf(steps)).toEqual([[expect.stringMatching(command)]]);
    expect(outline(steps).includes('update 0 stable-4.15')).toBe(hasChannel);
    expect(steps.some(({ text }) => text.includes('does not know'))).toBe(false);
  });

  it.each([null, ''])(
    'names the digest if the channel is %j and no request for updates is reported',
    (channel) => {
      const clusterVersion = aClusterVersion({ channel, conditions: [aCondition('Progressing', 'False')] });
      const steps = stepsOf(aCluster({ clusterVersion }), PATH, { channelPlan });
      expect(updatesOf(steps)).toEqual([[expect.stringMatching(/ --to-image=\S+@sha256:\w{64}$/)]]);
      expect(outline(steps)).not.toContain('update 0 stable-4.15');
    },
  );

  it('names the version otherwise', () => {
    const steps = stepsOf(aCluster(), PATH, { channelPlan });
    expect(updatesOf(steps)).toEqual([['oc adm upgrade --to=4.15.3']]);
    expect(outline(steps)).toContain('update 0 stable-4.15');
  });

  it('has both forms if it is unknown whether there is an update service', () => {
    const steps = stepsOf(aCluster({ clusterVersion: null }), PATH);
    const [step] = steps.filter(isUpdate);
    expect(commandsOf(step!)).toEqual([
      'oc adm upgrade --to=4.15.3',
      expect.stringMatching(/ --to-image=\S+@sha256:\w{64}$/),
    ]);
    expect(step!.text).toBe(
      'Update from 4.14.8 to 4.15.3. Without an update service, use the second command',
    );
  });

  it('case 57: allows a conditional update after its risks were read', () => {
    const updates = [anUpdate({ conditional: true, risks: [aRisk('SlowDisks'), aRisk('OldKernel')] })];
    const steps = stepsOf(aCluster(), PATH, { updates });
    expect(updatesOf(steps)).toEqual([['oc adm upgrade --allow-not-recommended --to=4.15.3']]);
    const accept = stepOf(steps, 'accept');
    expect(accept.text).toContain('SlowDisks (https://example.com/SlowDisks)');
    expect(accept.text).toContain('OldKernel (https://example.com/OldKernel)');
    expect(steps.indexOf(accept)).toBe(steps.findIndex(isUpdate) - 1);
  });

  it('goes over an update in progress only if that was accepted', () => {
    const clusterVersion = aClusterVersion({
      conditions: [aCondition('Progressing', 'True'), aCondition('RetrievedUpdates', 'True')],
    });
    const commands = (accept: readonly string[]) =>
      updatesOf(stepsOf(aCluster({ clusterVersion }), PATH, { options: { accept } }));
    expect(commands([])).toEqual([['oc adm upgrade --to=4.15.3']]);
    expect(commands(['NoUpdateInProgress'])).toEqual([
      ['oc adm upgrade --allow-upgrade-with-warnings --to=4.15.3'],
    ]);
  });
});

describe('a cluster that is failing or progressing', () => {
  const commands = (type: string, path: readonly string[], accept: readonly string[] = []) => {
    const conditions = [aCondition(type, 'True'), aCondition('RetrievedUpdates', 'True')];
    const clusterVersion = aClusterVersion({ conditions });
    return updatesOf(stepsOf(aCluster({ clusterVersion }), path, { options: { accept } })).flat();
  };
  const FLAGGED = 'oc adm upgrade --allow-upgrade-with-warnings';

  it.each<[string, readonly string[], readonly string[], string]>([
    ['Failing', ['4.14.8', '4.14.9'], [], `${FLAGGED} --to=4.14.9`],
    ['Failing', ['4.14.8', '4.15.3'], [], 'oc adm upgrade --to=4.15.3'],
    ['Failing', ['4.14.8', '4.15.3'], ['Failing'], `${FLAGGED} --to=4.15.3`],
    ['Progressing', ['4.14.8', '4.14.9'], [], `${FLAGGED} --to=4.14.9`],
    ['Progressing', ['4.14.8', '4.15.3'], [], 'oc adm upgrade --to=4.15.3'],
    ['Progressing', ['4.14.8', '4.15.3'], ['Progressing'], `${FLAGGED} --to=4.15.3`],
    ['Progressing', ['4.14.8', '4.14.9', '4.15.3'], [], 'oc adm upgrade --to=4.14.9'],
    ['Progressing', ['4.14.8', '4.14.9', '4.15.3'], ['Progressing'], `${FLAGGED} --to=4.14.9`],
    ['Available', ['4.14.8', '4.14.9'], [], 'oc adm upgrade --to=4.14.9'],
  ])('%s is updated along %j with %j accepted', (type, path, accept, command) => {
    expect(commands(type, path, accept)[0]).toBe(command);
  });

  it('needs the flag for the first hop only', () => {
    expect(commands('Failing', ['4.14.8', '4.14.9', '4.14.10'])).toEqual([
      `${FLAGGED} --to=4.14.9`,
      'oc adm upgrade --to=4.14.10',
    ]);
  });
});

describe('the wait for an update', () => {
  it.each([
    ['4.9.59', 'oc wait clusterversion/version --for=condition=Progressing=False --timeout=120m'],
    ['4.10.67', 'oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=120m'],
  ])('to %s has a limit, with a command that its client knows', (to, command) => {
    const from = to.replace(/\d+$/, '1');
    const [verify] = stepsOf(aCluster({}, from), [from, to]).filter(({ kind }) => kind === 'verify');
    expect(verify).toMatchObject({ hop: 0, command, timeoutMinutes: 120 });
  });

  it('asks for new documents after every hop but the last', () => {
    const steps = stepsOf(aCluster(), ['4.14.8', '4.15.20', '4.16.9']);
    const verified = steps.filter(({ kind, hop }) => kind === 'verify' && hop !== null);
    expect(verified.map(({ text }) => text.includes('renew the plan'))).toEqual([true, false]);
  });
});
