import type { ApiUseFacts, ClusterFacts } from '@cairn/shared/cluster/facts';
import type { RunSheetQuestion } from '@cairn/shared/plan/run-sheet/run-sheet';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { using } from '../../../../helpers/cluster/api-use.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anExtension,
  anObjectSet,
  anOperator,
  anUpdate,
  aPool,
} from '../../../../helpers/cluster/clusters.ts';
import { aRisk } from '../../../../helpers/path/answers.ts';
import { outline, stepOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';

const limited = (name: string, max: string) =>
  anOperator(name, { properties: [{ type: 'olm.maxOpenShiftVersion', value: max }] });
const controlPlaneOnly = { strategy: 'control-plane-only' } as const;
/** Leaves 4.6 and 4.8 with nothing to acknowledge. */
const acknowledged = [{ key: 'ack-4.8-kube-1.22-api-removals-in-4.9', value: 'true' }];

describe('steps', () => {
  it('are none for no hop', () => {
    expect(stepsOf(aCluster({ operators: [limited('x', '4.13')] }), ['4.14.8'])).toEqual([]);
  });

  it('of one hop are a disk check, a backup, the update, waits for it and for the workers, and a last check', () => {
    expect(stepsOf(aCluster(), ['4.14.8', '4.15.3'])).toEqual([
      {
        id: '1-check',
        kind: 'check',
        hop: 0,
        text: 'Check that control plane node master-0 has space left for the images of a release, and other nodes in the same way',
        command: 'oc debug node/master-0 -- chroot /host df -h /var',
        objects: [{ kind: 'Node', name: 'master-0' }],
        blocking: false,
      },
      {
        id: '2-backup',
        kind: 'backup',
        hop: 0,
        text: 'Back up etcd on control plane node master-0, and copy the backup off the cluster. Skip this in the first 24 hours after the installation',
        command:
          'oc debug node/master-0 -- chroot /host /usr/local/bin/cluster-backup.sh /home/core/assets/backup',
        objects: [{ kind: 'Node', name: 'master-0' }],
        blocking: false,
      },
      {
        id: '3-update',
        kind: 'update',
        hop: 0,
        text: 'Update from 4.14.8 to 4.15.3',
        command: 'oc adm upgrade --to=4.15.3',
        blocking: true,
      },
      {
        id: '4-verify',
        kind: 'verify',
        hop: 0,
        text: 'Wait for the update to 4.15.3 to complete, then re-check the cluster operators',
        command: 'oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=120m',
        commands: [
          'oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=120m',
          String.raw`oc get clusterversion version -o jsonpath='{.status.history[0].state}{"\n"}'`,
          'oc get clusteroperators',
        ],
        blocking: true,
        timeoutMinutes: 120,
      },
      {
        id: '5-verify',
        kind: 'verify',
        hop: null,
        text: 'Wait until pool worker is updated to 4.15.3: Workers update at every hop',
        command: 'oc wait mcp/worker --for=condition=Updated=True --timeout=60m',
        objects: [{ kind: 'MachineConfigPool', name: 'worker' }],
        blocking: true,
        timeoutMinutes: 60,
      },
      {
        id: '6-verify',
        kind: 'verify',
        hop: null,
        text: 'Check the cluster version, operators, nodes and pools',
        command: 'oc get clusterversion version',
        commands: [
          'oc get clusterversion version',
          'oc get clusteroperators',
          'oc get nodes',
          'oc get machineconfigpools',
        ],
        blocking: true,
      },
    ]);
  });

  it('come in order: APIs, then with each hop rollouts, operators, acknowledgements, backup, pauses, channel, update', () => {
    const facts = aCluster(
      {
        operators: [limited('late', '4.17'), limited('soon', '4.16')],
        apiUse: [using('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', '1.32', 4)],
        adminGates: [{ key: 'ack-4.16-subject', value: 'why' }],
        nodes: [
          aNode('master-0', { kubeletVersion: 'v1.29.1' }, 'master'),
          aNode('worker-0', { kubeletVersion: 'v1.29.1' }),
        ],
        pools: [aPool('master'), aPool('worker')],
      },
      '4.16.12',
    );
    const steps = stepsOf(facts, ['4.16.12', '4.17.56', '4.18.51', '4.19.41', '4.20.33'], {
      options: controlPlaneOnly,
      channelPlan: [
        { channel: 'eus-4.18', untilVersion: '4.18.51' },
        { channel: 'eus-4.20', untilVersion: '4.20.33' },
      ],
    });
    expect(outline(steps)).toEqual([
      'migrate-api 2 flowschemas.v1beta3.flowcontrol.apiserver.k8s.io',
      'update-operator 0 openshift-soon/soon',
      'ack 0 ack-4.16-subject',
      'backup 0',
      'pause 0 worker',
      'update 0 eus-4.18',
      'update 0',
      'verify 0',
      'update-operator 1 openshift-late/late',
      'backup 1',
      'update 1',
      'verify 1',
      'unpause 2 worker',
      'roll-pool 2 worker',
      'ack 2 ack-4.18-kube-1.32-api-removals-in-4.19',
      'backup 2',
      'pause 2 worker',
      'update 2 eus-4.20',
      'update 2',
      'verify 2',
      'ack 3 ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20',
      'backup 3',
      'update 3',
      'verify 3',
      'unpause end worker',
      'verify end worker',
      'verify end',
    ]);
    expect(steps.filter(({ blocking }) => !blocking).map(({ kind }) => kind)).toEqual([
      'check',
      ...Array.from({ length: 4 }, () => 'backup'),
    ]);
  });
});

describe('clients of APIs', () => {
  const PATH = ['4.8.2', '4.9.1', '4.10.1', '4.11.1', '4.12.1'];

  it('are changed first, those of the first removal at the head', () => {
    const facts = aCluster(
      {
        adminAcks: acknowledged,
        apiUse: [
          using('things.v1beta1.batch', '1.25', 1),
          using('ingresses.v1beta1.extensions', '1.22', 5),
          using('cronjobs.v1beta1.batch', '1.25', 2),
        ],
      },
      '4.8.2',
    );
    const steps = stepsOf(facts, PATH).filter(({ kind }) => kind === 'migrate-api');
    expect(stepsOf(facts, PATH).slice(0, 3)).toEqual(steps);
    expect(steps).toEqual([
      {
        id: '1-migrate-api',
        kind: 'migrate-api',
        hop: 0,
        text: 'Move clients of ingresses.v1beta1.extensions to networking.k8s.io/v1: 4.9.1 removes the old API',
        command: 'oc get apirequestcounts ingresses.v1beta1.extensions -o yaml',
        objects: [{ kind: 'APIRequestCount', name: 'ingresses.v1beta1.extensions' }],
        resolves: [
          { type: 'APIRemovals', reason: 'APIRemovedInNextReleaseInUse' },
          { type: 'APIRemovals', reason: 'AcknowledgedButInUse' },
        ],
        blocking: true,
      },
      expect.objectContaining({
        hop: 3,
        text: 'Move clients of cronjobs.v1beta1.batch to batch/v1: 4.12.1 removes the old API',
      }),
      expect.objectContaining({
        hop: 3,
        text: 'Stop all clients of things.v1beta1.batch: 4.12.1 removes it',
        blocking: true,
      }),
    ]);
  });

  it.each<[string, ApiUseFacts['removedInRelease'], string, string[]]>([
    ['flowschemas.v1beta1.flowcontrol.apiserver.k8s.io', '1.26', '4.9.2', ['roll-pool 1', 'migrate-api 1']],
    ['flowschemas.v1beta1.flowcontrol.apiserver.k8s.io', '1.26', '4.10.2', ['migrate-api 2']],
    ['ingresses.v1beta1.extensions', '1.22', '4.5.2', ['migrate-api 3']],
  ])(
    'move to the API that the cluster serves: %s, removed in %s, from %s',
    (name, removed, from, expected) => {
      const minor = Number(from.split('.')[1]);
      const path = [from, ...[1, 2, 3, 4].map((each) => `4.${minor + each}.1`)];
      const steps = stepsOf(aCluster({ apiUse: [using(name, removed, 5)] }, from), path);
      const at = steps.findIndex(({ kind }) => kind === 'migrate-api');
      expect(steps.slice(Math.max(0, at - 1), at + 1).map(({ kind, hop }) => `${kind} ${hop}`)).toEqual(
        expected,
      );
    },
  );

  it('are no must once the gate is acknowledged and that is to be enough', () => {
    const facts = aCluster(
      { adminAcks: acknowledged, apiUse: [using('ingresses.v1beta1.extensions', '1.22', 5)] },
      '4.8.2',
    );
    const steps = (apiRemovals: SafetyOptions['apiRemovals']) =>
      stepsOf(facts, PATH.slice(0, 2), { options: { apiRemovals } });
    expect(stepOf(steps('block'), 'migrate-api').blocking).toBe(true);
    expect(stepOf(steps('ack'), 'migrate-api').blocking).toBe(false);
  });
});

describe('operators', () => {
  const PATH = ['4.14.8', '4.14.30', '4.15.20', '4.16.9'];
  const operatorSteps = (...operators: ClusterFacts['operators'] & {}) =>
    stepsOf(aCluster({ operators }), PATH).filter(({ kind }) => kind === 'update-operator');

  it.each([
    ['4.16', []],
    ['4.15', [2]],
    ['4.14', [1]],
    ['4.13', [1]],
    ['nonsense', [1]],
  ])('that work up to %s are updated before hop %j', (max, hops) => {
    const steps = operatorSteps(limited('x', max));
    expect(steps.map(({ hop, blocking }) => [hop, blocking])).toEqual(hops.map((hop) => [hop, true]));
  });

  it('are asked for once, by namespace and name', () => {
    const steps = operatorSteps(limited('b', '4.14'), limited('a', '4.14'));
    expect(steps).toEqual([
      {
        id: '5-update-operator',
        kind: 'update-operator',
        hop: 1,
        text: 'Update or remove openshift-a/a, which is not known to work with 4.15',
        command: 'oc -n openshift-a get subscription,installplan',
        objects: [{ kind: 'ClusterServiceVersion', namespace: 'openshift-a', name: 'a' }],
        resolves: [{ type: 'OperatorsCompatible', reason: 'IncompatibleOperatorsInstalled' }],
        blocking: true,
      },
      expect.objectContaining({ hop: 1, command: 'oc -n openshift-b get subscription,installplan' }),
    ]);
  });

  it('of OLM v1 are asked for by their own commands', () => {
    const objectSets = [
      anObjectSet('quay', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }] }),
    ];
    const facts = aCluster({ extensions: [anExtension('quay')], objectSets }, '4.20.3');
    const steps = stepsOf(facts, ['4.20.3', '4.21.1']);
    expect(stepOf(steps, 'update-operator')).toMatchObject({
      hop: 0,
      text: 'Raise spec.source.catalog.version of ClusterExtension quay to a version that supports 4.21, or remove the extension',
      command: 'oc get clusterextensions -o wide',
      resolves: [{ type: 'ExtensionsCompatible', reason: 'IncompatibleOperatorsInstalled' }],
      blocking: true,
    });
  });

  it('are no ClusterOperators, which only report them', () => {
    const clusterOperators = [
      aClusterOperator('operator-lifecycle-manager', [
        aCondition('Upgradeable', 'False', 'IncompatibleOperatorsInstalled', 'openshift-x/x'),
      ]),
    ];
    const steps = stepsOf(aCluster({ clusterOperators, operators: [limited('x', '4.14')] }), PATH);
    const updates = steps.filter(({ kind }) => kind === 'update-operator');
    expect(updates.map(({ text }) => text)).toEqual([
      'Update or remove openshift-x/x, which is not known to work with 4.15',
    ]);
  });

  it('that want a newer Kubernetes are not to be removed', () => {
    expect(operatorSteps(anOperator('x', { minKubeVersion: '1.99.0' }))).toEqual([]);
  });

  it('that were accepted are still listed, and do not wait', () => {
    const facts = aCluster({ operators: [limited('x', '4.14')] });
    const steps = stepsOf(facts, PATH, { options: { accept: ['OperatorsCompatible'] } });
    expect(stepOf(steps, 'update-operator').blocking).toBe(false);
  });

  it('on the way of patches only, nothing has to be done with them', () => {
    const steps = stepsOf(aCluster({ operators: [limited('x', '4.13')] }), PATH.slice(0, 2));
    expect(stepOf(steps, 'update-operator')).toMatchObject({ hop: 0, blocking: false });
  });
});

describe('gates', () => {
  const gate = { key: 'ack-4.14-subject', value: 'Read https://example.com/4.14, please.' };
  const acks = (facts: Partial<ClusterFacts>, path: readonly string[], options?: Partial<SafetyOptions>) =>
    stepsOf(aCluster(facts, path[0]), path, options ? { options } : {})
      .filter(({ kind }) => kind === 'ack')
      .map(({ hop, text, blocking }) => [hop, text, blocking]);

  it('are acknowledged before the hop that leaves their minor, not before a patch', () => {
    expect(acks({ adminGates: [gate] }, ['4.14.8', '4.14.30', '4.15.20'])).toEqual([
      [1, 'Read https://example.com/4.14, then acknowledge ack-4.14-subject', true],
    ]);
  });

  it('of minors to come are known ahead', () => {
    expect(acks({}, ['4.14.8', '4.15.20', '4.16.9'])).toEqual([
      [
        1,
        'Read https://access.redhat.com/articles/7031404, then acknowledge ack-4.15-kube-1.29-api-removals-in-4.16',
        true,
      ],
    ]);
  });

  it('that were not supplied are listed, as they may be open', () => {
    const known = expect.stringContaining('ack-4.15-kube-1.29');
    expect(acks({ adminGates: null }, ['4.15.20', '4.16.9'])).toEqual([[0, known, false]]);
    const listed = { key: 'ack-4.15-kube-1.29-api-removals-in-4.16', value: 'why' };
    const unknown = { adminGates: [listed], adminAcks: null };
    expect(acks(unknown, ['4.15.20', '4.16.9'])).toEqual([[0, known, false]]);
    expect(acks(unknown, ['4.15.20', '4.16.9'], { strict: true })).toEqual([[0, known, true]]);
  });

  it('that are acknowledged, or are none, are left out', () => {
    const adminAcks = [{ key: gate.key, value: 'true' }];
    expect(acks({ adminGates: [gate], adminAcks }, ['4.14.8', '4.15.20'])).toEqual([]);
    expect(acks({ adminGates: [{ key: "'; reboot", value: 'why' }] }, ['4.14.8', '4.15.20'])).toEqual([]);
  });

  it('have a command that does it', () => {
    const steps = stepsOf(aCluster({ adminGates: [gate] }), ['4.14.8', '4.15.20']);
    expect(stepOf(steps, 'ack').command).toBe(
      `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"ack-4.14-subject":"true"}}'`,
    );
  });
});

describe('channels', () => {
  const PATH = ['4.6.30', '4.7.60', '4.8.57', '4.9.59', '4.10.67'];
  const switches = (channel: string | null, channelPlan: RunSheetQuestion['channelPlan']) =>
    stepsOf(aCluster({ clusterVersion: aClusterVersion({ channel }, PATH[0]) }, PATH[0]), PATH, {
      channelPlan,
    })
      .filter(({ command = '' }) => command.startsWith('oc adm upgrade channel'))
      .map(({ hop, command }) => `${hop} ${command!.split(' ')[4]}`);
  const two = [
    { channel: 'eus-4.8', untilVersion: '4.8.57' },
    { channel: 'eus-4.10', untilVersion: '4.10.67' },
  ];

  it.each<[string | null, RunSheetQuestion['channelPlan'], string[]]>([
    ['stable-4.6', two, ['0 eus-4.8', '2 eus-4.10']],
    ['eus-4.8', two, ['2 eus-4.10']],
    [null, two, ['0 eus-4.8', '2 eus-4.10']],
    ['eus-4.10', two.slice(1), []],
    ['stable-4.6', two.slice(1), ['0 eus-4.10']],
    [
      'a',
      PATH.slice(1).map((untilVersion, index) => ({ channel: 'abcd'[index]!, untilVersion })),
      ['1 b', '2 c', '3 d'],
    ],
    ['stable-4.6', [], []],
  ])('from %s along %j', (channel, plan, expected) => {
    expect(switches(channel, plan)).toEqual(expected);
  });

  it('that the release does not know of are taken all the same, as long as it is the one that runs', () => {
    const steps = stepsOf(aCluster({}, PATH[0]), PATH, { channelPlan: two });
    const commands = steps.map(({ command = '' }) => command).filter((each) => each.includes('channel'));
    expect(commands).toEqual([
      'oc adm upgrade channel eus-4.8 --allow-explicit-channel',
      'oc adm upgrade channel eus-4.10',
    ]);
  });
});

it('a conditional hop names its risks and is allowed manually', () => {
  const updates = [
    anUpdate({ conditional: true, risks: [aRisk('SlowDisks'), aRisk('OldKernel')] }),
    anUpdate(),
  ];
  const steps = stepsOf(aCluster(), ['4.14.8', '4.15.20', '4.16.9'], { updates });
  const told = steps.filter(({ kind }) => kind === 'update').map(({ text, command }) => [text, command]);
  expect(told).toEqual([
    ['Update from 4.14.8 to 4.15.20', 'oc adm upgrade --allow-not-recommended --to=4.15.20'],
    ['Update from 4.15.20 to 4.16.9', 'oc adm upgrade --to=4.16.9'],
  ]);
  expect(stepOf(steps, 'accept')).toMatchObject({
    hop: 0,
    text: 'Read the known risks of 4.15.20, and accept them if you can: OldKernel (https://example.com/OldKernel), SlowDisks (https://example.com/SlowDisks)',
    resolves: [{ type: 'PathRecommended', reason: 'EvaluationFailed' }],
    blocking: true,
  });
});

it('names from documents are quoted in commands', () => {
  const name = "x'; reboot #";
  const facts = aCluster({
    operators: [{ ...limited('x', '4.14'), namespace: name }],
    apiUse: [using(`a.v1beta1.${name}`, '1.28', 3)],
    nodes: [aNode('n', { labels: { bad: '' } })],
    pools: [aPool(name, { nodeSelector: { matchLabels: { bad: '' }, matchExpressions: [] } })],
  });
  const quoted = String.raw`'x'\''; reboot #'`;
  const commands = stepsOf(facts, ['4.14.8', '4.15.20', '4.16.9'], {
    options: controlPlaneOnly,
    channelPlan: [{ channel: '$(reboot)', untilVersion: '4.16.9' }],
  }).map(({ command }) => command);
  expect(commands).toEqual(
    expect.arrayContaining([
      String.raw`oc get apirequestcounts 'a.v1beta1.x'\''; reboot #' -o yaml`,
      `oc -n ${quoted} get subscription,installplan`,
      `oc patch mcp/${quoted} --type merge -p '{"spec":{"paused":true}}'`,
      `oc wait mcp/${quoted} --for=condition=Updated=True --timeout=30m`,
      `oc adm upgrade channel '$(reboot)' --allow-explicit-channel`,
    ]),
  );
});
