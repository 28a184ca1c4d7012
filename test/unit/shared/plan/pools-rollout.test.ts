import type { PoolFacts } from '@cairn/shared/cluster/facts';
import { simulatePools, workerRollouts } from '@cairn/shared/plan/pools';
import { maxUnavailableOf } from '@cairn/shared/safety/evidence/pools';
import { describe, expect, it } from 'vitest';
import { aNode, aPool } from '../../../helpers/cluster/clusters.ts';
import { hopsOf } from '../../../helpers/plan/paths.ts';

it.each([
  [1, 6, 1],
  [2, 6, 2],
  [0, 6, 1],
  [-1, 6, 1],
  ['3', 6, 3],
  ['10%', 25, 2],
  ['10%', 5, 1],
  ['0%', 5, 1],
  ['7%', 100, 7],
  ['100%', 7, 7],
  ['many', 7, 1],
  ['Infinity', 7, 7],
  [3000, 7, 7],
  [2, 0, 1],
  [Number.NaN, 7, 1],
])('%j of %i machines is %i', (declared, machines, expected) => {
  expect(maxUnavailableOf(declared, machines)).toBe(expected);
});

describe('the rollout of workers', () => {
  function rollouts(workers: number, maxUnavailable: number | string, more: readonly PoolFacts[] = []) {
    const pools = [aPool('master'), aPool('worker', { maxUnavailable }), ...more];
    const nodes = [
      ...Array.from({ length: workers }, (_, index) => aNode(`worker-${index}`)),
      ...more.flatMap(({ name }) => [aNode(`${name}-0`, {}, name), aNode(`${name}-1`, {}, name)]),
    ];
    const hops = hopsOf('4.14.8', '4.15.3', '4.16.2');
    return workerRollouts(
      simulatePools({ nodes, pools, hops, policy: 'openshift', strategy: 'rolling' }),
      pools,
    );
  }

  it.each([
    [6, 1, 6, { min: 30, expected: 60, max: 120 }],
    [6, 2, 3, { min: 15, expected: 30, max: 60 }],
    [7, 2, 4, { min: 20, expected: 40, max: 80 }],
    [247, '10%', 11, { min: 55, expected: 110, max: 220 }],
  ])('%i nodes, %s at a time, take %i rounds', (workers, maxUnavailable, iterations, minutes) => {
    const [first] = rollouts(workers, maxUnavailable);
    expect(first!.pools).toMatchObject([{ pool: 'worker', nodes: workers, iterations, ...minutes }]);
    expect(first!.minutes).toEqual(minutes);
  });

  it('comes once for each point of the way, with pools side by side', () => {
    const all = rollouts(6, 2, [aPool('gpu'), aPool('infra', { paused: true })]);
    expect(
      all.map(({ version, beforeHop, pools, minutes }) => [
        version,
        beforeHop,
        pools.map(({ pool }) => pool),
        minutes,
      ]),
    ).toEqual([
      ['4.15.3', 1, ['gpu', 'worker'], { min: 15, expected: 30, max: 60 }],
      ['4.16.2', null, ['gpu', 'infra', 'worker'], { min: 15, expected: 30, max: 60 }],
    ]);
  });

  it('has no minutes when the number of nodes is not known', () => {
    const hops = hopsOf('4.14.8', '4.15.3');
    const question = { nodes: null, pools: null, hops, policy: 'openshift', strategy: 'rolling' } as const;
    expect(workerRollouts(simulatePools(question), null)).toEqual([
      { version: '4.15.3', beforeHop: null, pools: [], minutes: null },
    ]);
  });

  it('is none where no worker is', () => {
    expect(rollouts(0, 1)).toEqual([]);
  });
});
