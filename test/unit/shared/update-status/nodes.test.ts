import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import type { PoolStatus } from '@cairn/shared/update-status/answer';
import { describe, expect, it } from 'vitest';
import { aCondition, aNode } from '../../../helpers/cluster/clusters.ts';
import {
  ago,
  aRollingPool,
  aRunningUpdate,
  aVersion,
  BEGIN,
  entry,
  FROM,
  outdatedNode,
  statusFrom,
  TO,
  updatedNode,
  updatingNode,
  workerStatus,
} from '../../../helpers/update-status/statuses.ts';

const DRAIN = 'drain-rendered-worker-2';
const UNCORDON = 'uncordon-rendered-worker-1';
const paused = { pools: [aRollingPool('worker', { paused: true })] };

describe('the phase of a node', () => {
  it.each<[string, NodeFacts, object]>([
    ['drains', updatingNode('n', { desiredDrain: DRAIN, lastAppliedDrain: UNCORDON }), { phase: 'Draining' }],
    [
      'was drained',
      updatingNode('n', { desiredDrain: DRAIN, lastAppliedDrain: DRAIN }),
      { phase: 'Updating' },
    ],
    [
      'is told to update, and its daemon has not begun',
      updatingNode('n', { state: 'Done', desiredDrain: UNCORDON, lastAppliedDrain: UNCORDON }),
      { phase: 'Draining' },
    ],
    [
      'is told to update, without drain annotations',
      updatingNode('n', { state: 'Done' }),
      { phase: 'Updating' },
    ],
    [
      'is uncordoned',
      updatingNode('n', { desiredDrain: UNCORDON, lastAppliedDrain: DRAIN }),
      { phase: 'Updating' },
    ],
    [
      'has a drain of another word',
      updatingNode('n', { desiredDrain: 'drained-x', lastAppliedDrain: DRAIN }),
      { phase: 'Updating' },
    ],
    [
      'was never drained',
      updatingNode('n', { desiredDrain: DRAIN, lastAppliedDrain: '' }),
      { phase: 'Updating' },
    ],
    ['reboots', updatingNode('n', { state: 'Rebooting' }), { phase: 'Rebooting', estimate: '+5m' }],
    ['has no state', updatingNode('n', { state: '' }), { phase: 'Updating', assessment: 'Progressing' }],
    [
      'is updated',
      updatedNode('n'),
      { phase: 'Updated', assessment: 'Completed', estimate: '-', version: TO },
    ],
    ['waits', outdatedNode('n'), { phase: 'Pending', assessment: 'Outdated', estimate: '?', version: FROM }],
    [
      'has an unknown configuration',
      outdatedNode('n', { current: 'x' }),
      { phase: 'Pending', version: null },
    ],
    ['goes to an unknown one', updatingNode('n', { desired: 'x' }), { phase: 'Pending' }],
    [
      'goes to one that its pool does not want',
      updatingNode('n', { desired: 'rendered-infra-2' }),
      { phase: 'Pending' },
    ],
  ])('that %s', (_title, node, expected) => {
    expect(workerStatus(node)).toMatchObject(expected);
  });

  it('is Paused in a paused pool, unless it updates already', () => {
    expect(workerStatus(outdatedNode('n'), paused)).toMatchObject({
      phase: 'Paused',
      assessment: 'Excluded',
      estimate: '-',
    });
    expect(workerStatus(updatingNode('n'), paused).phase).toBe('Updating');
    expect(workerStatus(updatedNode('n'), paused).phase).toBe('Updated');
  });

  it('is Pending for all nodes without MachineConfigs, which are missing', () => {
    const { pools, missing, updating } = statusFrom(aRunningUpdate({ configReleases: null }));
    expect(pools.flatMap(({ nodes }) => nodes).map(({ phase, version }) => [phase, version])).toEqual([
      ['Pending', null],
      ['Pending', null],
    ]);
    expect([missing.includes('machineconfigs'), updating]).toEqual([true, true]);
  });

  it('waits for the configuration of the pool while a migration to multi-arch runs', () => {
    const multi = (status: string): Partial<ClusterFacts> => ({
      clusterVersion: aVersion({
        history: [
          entry('Partial', TO, BEGIN, null, 'multi'),
          entry('Completed', TO, ago(9000), ago(8000), 'amd64'),
        ],
        conditions: [aCondition('Progressing', status)],
      }),
    });
    const other = updatedNode('n', { current: 'rendered-infra-2', desired: 'rendered-infra-2' });
    expect(workerStatus(other, multi('True')).phase).toBe('Pending');
    expect(workerStatus(updatedNode('n'), multi('True')).phase).toBe('Updated');
    expect(workerStatus(updatedNode('n', { desired: '' }), multi('True')).phase).toBe('Updated');
    const between = updatedNode('n', { current: 'rendered-infra-2' });
    expect(workerStatus(between, multi('True')).phase).toBe('Updating');
    expect(workerStatus(other, multi('False')).phase).toBe('Updated');
  });
});

describe('an unavailable node', () => {
  const sick = (...problems: ReturnType<typeof aCondition>[]) =>
    outdatedNode('n', {}, 'worker', { problems });

  it('names its causes in the order of the document, then the cordon', () => {
    const node = outdatedNode('n', {}, 'worker', {
      unschedulable: true,
      problems: [
        aCondition('NetworkUnavailable', 'Unknown'),
        aCondition('MemoryPressure', 'True'),
        aCondition('Ready', 'False'),
        aCondition('DiskPressure', 'True'),
      ],
    });
    expect(workerStatus(node)).toMatchObject({
      assessment: 'Unavailable',
      phase: 'Pending',
      estimate: '?',
      unavailable: true,
      message: 'Network unavailable | Not ready | Disk pressure | Node is marked unschedulable',
    });
  });

  it.each<[string, NodeFacts, string | null]>([
    ['nothing', outdatedNode('n'), null],
    ['other pressures', sick(aCondition('PIDPressure', 'True')), null],
    [
      'a daemon that works',
      outdatedNode('n', { state: 'Working' }),
      'Machine Config Daemon is processing the node',
    ],
    [
      'no configuration',
      outdatedNode('n', { current: '', desired: '' }),
      'Machine Config Daemon is processing the node',
    ],
    [
      'another image to come',
      outdatedNode('n', { currentImage: 'a', desiredImage: 'b' }),
      'Machine Config Daemon is processing the node',
    ],
    [
      'only one image',
      outdatedNode('n', { desiredImage: 'b' }),
      'Machine Config Daemon is processing the node',
    ],
    [
      'empty images',
      outdatedNode('n', { currentImage: '', desiredImage: '' }),
      'Machine Config Daemon is processing the node',
    ],
    ['equal images', outdatedNode('n', { currentImage: 'a', desiredImage: 'a' }), null],
    [
      'a cordon',
      outdatedNode('n', { state: 'Working' }, 'worker', { unschedulable: true }),
      'Node is marked unschedulable',
    ],
  ])('by %s', (_title, node, message) => {
    const { unavailable, message: found } = workerStatus(node);
    expect([unavailable, found]).toEqual([message !== null, message ?? '']);
  });

  it('keeps its assessment while it updates, and has no estimate once updated', () => {
    const down = { unschedulable: true };
    expect(workerStatus(updatingNode('n', {}, 'worker', down))).toMatchObject({
      assessment: 'Progressing',
      unavailable: true,
      message: '',
    });
    expect(workerStatus(updatedNode('n', {}, 'worker', down))).toMatchObject({
      assessment: 'Unavailable',
      phase: 'Updated',
      estimate: '-',
    });
  });
});

describe('a degraded node', () => {
  it.each(['Degraded', 'Unreconcilable'])('in state %s shows its reason, in any phase', (state) => {
    const drain = { desiredDrain: DRAIN, lastAppliedDrain: UNCORDON };
    expect(
      workerStatus(updatingNode('worker-7', { state, reason: 'worker-7 is broken', ...drain })),
    ).toMatchObject({
      assessment: 'Degraded',
      phase: 'Draining',
      estimate: '?',
      degraded: true,
      message: '<node> is broken',
    });
  });

  it('keeps a name of seven characters in its message', () => {
    expect(
      workerStatus(outdatedNode('node-12', { state: 'Degraded', reason: 'node-12 fails' })).message,
    ).toBe('node-12 fails');
  });

  it('is none without a desired configuration', () => {
    expect(workerStatus(outdatedNode('n', { state: 'Degraded', desired: '' })).degraded).toBe(false);
  });
});

describe('a pool', () => {
  const worker = (nodes: readonly NodeFacts[], changes: Partial<ClusterFacts> = {}): PoolStatus =>
    statusFrom(aRunningUpdate({ nodes, ...changes })).pools.find(({ name }) => name === 'worker')!;

  it('counts and orders its nodes', () => {
    const nodes = [
      updatedNode('z-updated'),
      outdatedNode('pending-b'),
      outdatedNode('pending-a'),
      updatingNode('rebooting', { state: 'Rebooting' }),
      updatingNode('draining', { desiredDrain: DRAIN, lastAppliedDrain: UNCORDON }, 'worker', {
        unschedulable: true,
      }),
      updatingNode('degraded', { state: 'Degraded', desiredDrain: DRAIN, lastAppliedDrain: UNCORDON }),
      outdatedNode('cordoned', {}, 'worker', { unschedulable: true }),
      updatingNode('updating', {}, 'worker', { unschedulable: true }),
    ];
    const pool = worker(nodes);
    expect(pool.nodes.map(({ name }) => name)).toEqual([
      'degraded',
      'cordoned',
      'draining',
      'updating',
      'rebooting',
      'pending-a',
      'pending-b',
      'z-updated',
    ]);
    expect(pool.counts).toEqual({
      total: 8,
      updated: 1,
      outdated: 7,
      // The daemon works on the rebooting node, and the degraded one is not cordoned.
      available: 4,
      progressing: 3,
      draining: 2,
      excluded: 0,
      degraded: 1,
    });
    expect(pool.completion.percent).toBe(12);
  });

  it.each<[PoolStatus['assessment'], readonly NodeFacts[], Partial<ClusterFacts>]>([
    ['Empty', [], {}],
    ['Completed', [updatedNode('a'), updatedNode('b', { state: 'Degraded' })], {}],
    ['Pending', [outdatedNode('a'), outdatedNode('b', { state: 'Degraded' })], {}],
    ['Degraded', [outdatedNode('a', { state: 'Degraded' }), updatedNode('b')], paused],
    ['Excluded', [outdatedNode('a'), updatedNode('b')], paused],
    ['Progressing', [outdatedNode('a'), updatedNode('b')], {}],
  ])('is %s', (assessment, nodes, changes) => {
    expect(worker(nodes, changes)).toMatchObject({
      assessment,
      ...(assessment === 'Empty' && { completion: { percent: null } }),
    });
  });

  it('has the nodes that its selector matches: master first, custom pools by name, then worker', () => {
    const roles = (...names: string[]) =>
      Object.fromEntries(names.map((name) => [`node-role.kubernetes.io/${name}`, '']));
    const labelled = (name: string, ...names: string[]) => aNode(name, { labels: roles(...names) });
    const { pools, nodesWithoutPool } = statusFrom(
      aRunningUpdate({
        nodes: [
          labelled('compact', 'worker', 'master', 'infra'),
          labelled('both', 'worker', 'infra', 'gpu'),
          labelled('plain', 'worker'),
          labelled('none'),
        ],
        pools: [
          aRollingPool('worker'),
          aRollingPool('infra'),
          aRollingPool('gpu'),
          aRollingPool('master'),
          aRollingPool('a', { nodeSelector: { matchLabels: {}, matchExpressions: [] } }),
        ],
      }),
    );
    expect(pools.map(({ name, role, nodes }) => [name, role, nodes.map((node) => node.name)])).toEqual([
      ['worker', 'worker', ['plain']],
      ['infra', 'worker', []],
      ['gpu', 'worker', ['both']],
      ['master', 'control-plane', ['compact']],
      ['a', 'worker', []],
    ]);
    expect(nodesWithoutPool).toBe(1);
  });
});
