import { simulatePools, type PoolPlan, type PoolQuestion } from '@cairn/shared/plan/pools';
import { type Hop, type SkewPolicy } from '@cairn/shared/safety/hop';
import { kubeletLimit } from '@cairn/shared/safety/tables/kubelet-limits';
import { SKEW_POLICIES } from '@cairn/shared/safety/values';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, aNode, aPool } from '../../../helpers/cluster/clusters.ts';
import { hopsOf, minorHops } from '../../../helpers/plan/paths.ts';

function simulate(changes: Partial<PoolQuestion>, version = '4.14.8'): readonly PoolPlan[] {
  const { nodes, pools } = aCluster({}, version);
  return simulatePools({
    nodes,
    pools,
    hops: hopsOf('4.14.8', '4.15.3', '4.16.2'),
    policy: 'openshift',
    strategy: 'control-plane-only',
    ...changes,
  });
}

function plan(plans: readonly PoolPlan[], pool: string | null): PoolPlan {
  const found = plans.find((each) => each.pool === pool);
  if (!found) throw new Error(`no plan for pool ${pool}`);
  return found;
}

/** `4.8.0 before 2 (skew)` and `4.10.0 at the end (target)` */
function rollsOf({ rolls }: PoolPlan): string[] {
  return rolls.map(({ version, beforeHop, reason }) => {
    return `${version} ${beforeHop === null ? 'at the end' : `before ${beforeHop}`} (${reason})`;
  });
}

const ALL = 'all';

it('the pool of an arbiter follows every hop, as the control plane does', () => {
  const nodes = [aNode('master-0', {}, 'master'), aNode('arbiter-0', {}, 'arbiter'), aNode('worker-0')];
  const plans = simulate({ nodes, pools: [aPool('master'), aPool('arbiter'), aPool('worker')] });
  expect(plans.map(({ pool, kind, staysBehind }) => [pool, kind, staysBehind])).toEqual([
    ['arbiter', 'control-plane', false],
    ['master', 'control-plane', false],
    ['worker', 'workers', true],
  ]);
  expect(rollsOf(plan(plans, 'arbiter'))).toEqual([]);
});

describe('paused workers', () => {
  const ROLL_POINTS: readonly [from: string, to: string, expected: Record<SkewPolicy, string>][] = [
    ['4.6', '4.10', points('4.8 4.10', ALL, '4.8 4.10', '4.9 4.10', '4.8 4.10')],
    ['4.7', '4.9', points('4.8 4.9', ALL, '4.9', '4.9', '4.9')],
    ['4.8', '4.10', points('4.10', ALL, '4.10', '4.10', '4.10')],
    ['4.14', '4.20', points('4.16 4.18 4.20', ALL, '4.16 4.18 4.20', '4.17 4.20', '4.17 4.20')],
    ['4.20', '5.2', points('4.22 5.2', ALL, '4.22 5.1 5.2', '5.0 5.2', '5.0 5.2')],
    ['4.21', '5.2', points('4.22 5.2', ALL, '5.0 5.2', '5.1 5.2', '5.1 5.2')],
    ['4.22', '5.2', points('5.2', ALL, '5.1 5.2', '5.2', '5.2')],
    ['5.2', '5.5', points('5.5', ALL, '5.4 5.5', '5.5', '5.5')],
  ];

  function points(openshift: string, one: string, two: string, three: string, upstream: string) {
    return { openshift, 'n-1': one, 'n-2': two, 'n-3': three, upstream, hosted: three };
  }

  const cases = ROLL_POINTS.flatMap(([from, to, expected]) =>
    SKEW_POLICIES.map((policy) => ({ from, to, policy, expected: expected[policy] })),
  );

  it.each(cases)('$from → $to with $policy roll at $expected', ({ from, to, policy, expected }) => {
    const hops = minorHops(from, to);
    const [, workers] = simulate({ hops, policy }, `${from}.0`);
    const minors =
      expected === ALL ? hops.map((hop) => `${hop.to.major}.${hop.to.minor}`) : expected.split(' ');
    expect(workers!.rolls.map(({ version }) => version)).toEqual(minors.map((minor) => `${minor}.0`));
    expect(workers!.rebootsSaved).toBe(hops.length - minors.length);
    expect(workers!.hops.every(({ isWithinLimit }) => isWithinLimit)).toBe(true);
  });

  it.each(ROLL_POINTS)(
    '%s → %s with openshift: stops with extended support are those of skew',
    (from, to) => {
      const question = { hops: minorHops(from, to), policy: 'openshift' } as const;
      const [early, late] = [true, false].map((rollAtEUS) =>
        simulate({ ...question, rollAtEUS }, `${from}.0`),
      );
      expect(early).toEqual(late);
    },
  );

  it.each(SKEW_POLICIES)('with %s roll as rarely as can be, from anywhere up to nine minors on', (policy) => {
    const minors = minorHops('4.6', '5.5').map(({ from }) => `${from.major}.${from.minor}`);
    for (const [index, from] of minors.entries()) {
      // Trying everything doubles with every hop.
      for (const to of minors.slice(index + 1, index + 10)) {
        const hops = minorHops(from, to);
        const [, workers] = simulate({ hops, policy, rollAtEUS: false }, `${from}.0`);
        expect([from, to, workers!.rolls.length]).toEqual([from, to, 1 + fewestRolls(hops, policy)]);
      }
    }
  });

  /** Tries both at every hop, to roll before it and not to; the last roll is not counted. */
  function fewestRolls(hops: readonly Hop[], policy: SkewPolicy, kubelet = hops[0]?.kubeFrom ?? 0): number {
    const [hop, ...rest] = hops;
    if (!hop) return 0;
    const isAllowed = (minor: number) => hop.kubeTo - minor <= kubeletLimit(policy, hop.to, minor);
    return Math.min(
      isAllowed(kubelet) ? fewestRolls(rest, policy, kubelet) : Infinity,
      kubelet < hop.kubeFrom && isAllowed(hop.kubeFrom)
        ? 1 + fewestRolls(rest, policy, hop.kubeFrom)
        : Infinity,
    );
  }

  it('roll out where skew forces them, and at the target, with the reason', () => {
    const [, workers] = simulate({ hops: minorHops('4.6', '4.10') }, '4.6.0');
    expect(workers!.rolls).toEqual([
      {
        version: '4.8.0',
        beforeHop: 2,
        reason: 'skew',
        text: 'Kubelets of Kubernetes 1.19 would be 3 minors behind 4.9, where policy openshift allows 1',
      },
      {
        version: '4.10.0',
        beforeHop: null,
        reason: 'target',
        text: 'Workers update to the target last',
      },
    ]);
    expect(workers!.hops).toEqual([
      { hop: 0, kubeletsBefore: [19], kubeletsAfter: [19], lag: 1, limit: 1, isWithinLimit: true },
      { hop: 1, kubeletsBefore: [19], kubeletsAfter: [19], lag: 2, limit: 2, isWithinLimit: true },
      { hop: 2, kubeletsBefore: [21], kubeletsAfter: [21], lag: 1, limit: 1, isWithinLimit: true },
      { hop: 3, kubeletsBefore: [21], kubeletsAfter: [21], lag: 2, limit: 2, isWithinLimit: true },
    ]);
  });

  it.each([
    ['n-3', false, ['4.17.0 before 3 (skew)', '4.20.0 at the end (target)']],
    [
      'n-3',
      true,
      [
        '4.16.0 before 2 (extended-support)',
        '4.18.0 before 4 (extended-support)',
        '4.20.0 at the end (target)',
      ],
    ],
  ] as const)('with %s, rolling at stops with extended support: %s', (policy, rollAtEUS, expected) => {
    const [, workers] = simulate({ hops: minorHops('4.14', '4.20'), policy, rollAtEUS });
    expect(rollsOf(workers!)).toEqual(expected);
  });

  it('are not moved for a patch, and roll to the newest patch of a stop', () => {
    const hops = hopsOf('4.14.8', '4.14.30', '4.15.3', '4.16.2', '4.16.9', '4.17.1');
    const [, workers] = simulate({ hops });
    expect(rollsOf(workers!)).toEqual(['4.16.9 before 4 (skew)', '4.17.1 at the end (target)']);
    expect(workers!.rebootsSaved).toBe(3);
  });

  it('are not moved for 4.23 → 5.0, two names of one release', () => {
    const [, workers] = simulate({ hops: hopsOf('4.23.1', '5.0.0'), policy: 'n-1' }, '4.23.1');
    expect(rollsOf(workers!)).toEqual(['5.0.0 at the end (target)']);
    expect(workers!.hops[0]).toMatchObject({ kubeletsBefore: [36], lag: 0 });
  });

  it('roll first when they are too far behind today, which is not held against the plan', () => {
    const behind = [aNode('worker-0', { kubeletVersion: 'v1.26.1' }), aNode('worker-1')];
    const [, workers] = simulate({
      nodes: behind,
      pools: [aPool('master'), aPool('worker', { paused: true })],
    });
    expect(rollsOf(workers!)).toEqual(['4.14.8 before 0 (skew)', '4.16.2 at the end (target)']);
    expect(workers!.rebootsSaved).toBe(1);
  });

  it('cannot be helped by a roll where one hop is longer than the policy', () => {
    const [, workers] = simulate({ hops: hopsOf('4.2.0', '4.3.0'), policy: 'n-1' }, '4.2.0');
    expect(rollsOf(workers!)).toEqual(['4.3.0 at the end (target)']);
    expect(workers!.hops[0]).toMatchObject({ lag: 2, limit: 1, isWithinLimit: false });
  });
});

describe('workers that roll with every hop', () => {
  it('roll between hops and at the end, and save nothing', () => {
    const hops = hopsOf('4.14.8', '4.14.30', '4.15.3');
    const [, workers] = simulate({ hops, strategy: 'rolling' });
    expect(workers).toMatchObject({ staysBehind: false, rebootsSaved: 0 });
    expect(rollsOf(workers!)).toEqual(['4.14.30 before 1 (every-hop)', '4.15.3 at the end (every-hop)']);
    expect(workers!.hops.map(({ lag }) => lag)).toEqual([0, 1]);
  });

  it('finish the roll that is under way first, where skew asks for it', () => {
    const nodes = [aNode('worker-0', { kubeletVersion: 'v1.26.1' }), aNode('worker-1')];
    const [, workers] = simulate({ nodes, hops: hopsOf('4.14.8', '4.15.3'), strategy: 'rolling' });
    expect(rollsOf(workers!)).toEqual(['4.14.8 before 0 (skew)', '4.15.3 at the end (every-hop)']);
  });

  it('are not taken for updated while their pool is degraded', () => {
    const pools = [aPool('master'), aPool('worker', { conditions: [aCondition('Degraded', 'True')] })];
    const hops = hopsOf('4.14.8', '4.15.3', '4.16.1', '4.17.1');
    const [, workers] = simulate({ pools, hops, strategy: 'rolling' });
    expect(workers!.hops.map(({ lag, isWithinLimit }) => [lag, isWithinLimit])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
    expect(rollsOf(workers!)).toEqual([
      '4.15.3 before 1 (every-hop)',
      '4.16.1 before 2 (every-hop)',
      '4.17.1 at the end (every-hop)',
    ]);
  });
});

describe('pools', () => {
  it('are each on their own: one that is paused stays, the others follow', () => {
    const pools = [aPool('worker'), aPool('infra', { paused: true }), aPool('master'), aPool('gpu')];
    const nodes = ['master', 'worker', 'infra', 'gpu'].map((pool) => aNode(`${pool}-0`, {}, pool));
    const plans = simulate({ nodes, pools, strategy: 'rolling' });
    expect(plans.map(({ pool, staysBehind, rebootsSaved }) => [pool, staysBehind, rebootsSaved])).toEqual([
      ['master', false, 0],
      ['gpu', false, 0],
      ['infra', true, 1],
      ['worker', false, 0],
    ]);
    expect(rollsOf(plan(plans, 'infra'))).toEqual(['4.16.2 at the end (target)']);
    expect(rollsOf(plan(plans, 'gpu'))).toEqual([
      '4.15.3 before 1 (every-hop)',
      '4.16.2 at the end (every-hop)',
    ]);
  });

  it('of the control plane follow every hop without their own roll', () => {
    const [master] = simulate({});
    expect(master).toMatchObject({ pool: 'master', kind: 'control-plane', rolls: [], rebootsSaved: 0 });
    expect(master!.hops.map((hop) => [hop.kubeletsBefore, hop.kubeletsAfter])).toEqual([
      [[27], [28]],
      [[28], [29]],
    ]);
  });

  it('without nodes are not rolled: a compact cluster has nothing to pause', () => {
    const labels = { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/worker': '' };
    const nodes = [0, 1, 2].map((number) => aNode(`node-${number}`, { labels }));
    expect(simulate({ nodes })).toMatchObject([
      { pool: 'master', nodes: 3, hops: [{ kubeletsAfter: [28] }, { kubeletsAfter: [29] }] },
      { pool: 'worker', nodes: 0, rolls: [], rebootsSaved: 0, hops: [{ lag: null }, { lag: null }] },
    ]);
  });

  it('of one node alone are the control plane', () => {
    const labels = { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/worker': '' };
    const plans = simulate({ nodes: [aNode('only', { labels })], strategy: 'rolling' });
    expect(plans.flatMap(({ rolls }) => rolls)).toEqual([]);
  });

  it('do not move nodes that they do not select: those fall behind until they are updated separately', () => {
    const { nodes } = aCluster();
    const byo = aNode('rhel-0', { labels: {} });
    const plans = simulate({ nodes: [...nodes!, byo], hops: minorHops('4.14', '4.17') });
    expect(plans.at(-1)).toMatchObject({
      pool: null,
      kind: 'unmanaged',
      nodes: 1,
      rolls: [],
      rebootsSaved: 0,
    });
    expect(plans.at(-1)!.hops.map((hop) => [hop.kubeletsAfter[0], hop.lag, hop.isWithinLimit])).toEqual([
      [27, 1, true],
      [27, 2, true],
      [27, 3, false],
    ]);
  });

  it('with several kubelet minors are as far behind as the oldest', () => {
    const versions = ['v1.27.1', 'v1.26.9', 'v1.27.3'];
    const nodes = versions.map((kubeletVersion, index) => aNode(`worker-${index}`, { kubeletVersion }));
    const [, workers] = simulate({ nodes, policy: 'n-3' });
    expect(workers!.hops[0]).toMatchObject({ kubeletsBefore: [26, 27], lag: 2 });
  });

  it('leave nodes out of account whose kubelet version says nothing', () => {
    const nodes = ['b', 'a'].map((name) => aNode(name, { kubeletVersion: 'broken' }));
    const [, workers] = simulate({ nodes, hops: minorHops('4.14', '4.17') });
    expect(workers).toMatchObject({ unreadableNodes: ['a', 'b'], hops: [{ lag: null }, {}, {}] });
    expect(rollsOf(workers!)).toEqual(['4.17.0 at the end (target)']);
  });
});

describe('what was not supplied', () => {
  it('without nodes the workers are taken to be where the cluster is', () => {
    const pools = [aPool('master'), aPool('worker')];
    const [, workers] = simulate({ nodes: null, pools, hops: minorHops('4.14', '4.18') });
    expect(workers).toMatchObject({ nodes: 3, assumed: true });
    expect(rollsOf(workers!)).toEqual(['4.16.0 before 2 (skew)', '4.18.0 at the end (target)']);
  });

  it('without pools nodes are grouped by their labels', () => {
    const { nodes } = aCluster();
    const plans = simulate({ nodes: [...nodes!, aNode('unlabelled', { labels: {} })], pools: null });
    expect(plans.map(({ pool, nodes: count }) => [pool, count])).toEqual([
      ['master', 3],
      ['worker', 4],
    ]);
  });

  it('without both there are still the pools that every cluster has', () => {
    const plans = simulate({ nodes: null, pools: null });
    expect(plans.map(({ pool, nodes, assumed }) => [pool, nodes, assumed])).toEqual([
      ['master', null, true],
      ['worker', null, true],
    ]);
    expect(rollsOf(plan(plans, 'worker'))).toEqual(['4.16.2 at the end (target)']);
  });

  it('of a hosted control plane keep their release until skew asks for more, with any strategy', () => {
    const question = { policy: 'hosted', strategy: 'rolling', isHosted: true, pools: null } as const;
    const nodes = [aNode('worker-0')];
    const far = simulate({ ...question, nodes, hops: minorHops('4.14', '4.17') });
    expect(rollsOf(plan(far, 'worker'))).toEqual(['4.17.0 at the end (target)']);
    const further = simulate({ ...question, nodes, hops: minorHops('4.14', '4.18') });
    expect(rollsOf(plan(further, 'worker'))).toEqual([
      '4.17.0 before 3 (skew)',
      '4.18.0 at the end (target)',
    ]);
  });

  it('of an arbiter follow every hop, as the control plane does', () => {
    const arbiter = aNode('arbiter-0', { labels: { 'node-role.kubernetes.io/arbiter': '' } });
    const nodes = [aNode('master-0', {}, 'master'), aNode('master-1', {}, 'master'), arbiter];
    const selector = { matchLabels: { 'node-role.kubernetes.io/arbiter': '' }, matchExpressions: [] };
    const pools = [aPool('master'), aPool('arbiter', { nodeSelector: selector })];
    for (const sent of [pools, null]) {
      const held = simulate({ nodes, pools: sent }).filter(({ nodes: count }) => count !== 0);
      expect(held.map(({ kind, staysBehind }) => [kind, staysBehind])).toEqual(
        held.map(() => ['control-plane', false]),
      );
    }
  });

  it('without a hop nothing is rolled', () => {
    for (const strategy of ['rolling', 'control-plane-only'] as const)
      expect(simulate({ hops: [], strategy }).flatMap(({ rolls }) => rolls)).toEqual([]);
  });
});
