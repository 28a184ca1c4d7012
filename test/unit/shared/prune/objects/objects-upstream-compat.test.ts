import type { Prunable } from '@cairn/shared/prune/objects/resource';
import { keepNewest, olderThan, type Strategy } from '@cairn/shared/prune/objects/strategies';
import { describe, expect, it } from 'vitest';
import { ago, names, NOW } from '../../../../helpers/prune/objects.ts';

/**
 * What the package `prune` of operator-lib does since 0.11, told in our terms: its two strategies delete the other end of
 * the list than their names say.
 */
const upstreamCompat = {
  /** `NewPruneByCountStrategy(n)`: sorts by age, the oldest first, and deletes all behind the first n. */
  pruneByCount:
    (n: number) =>
    (objects: readonly Prunable[]): readonly Prunable[] =>
      objects.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).slice(n),
  /** `NewPruneByDateStrategy(time)`: deletes what was made after that time. */
  pruneByDate:
    (time: Date) =>
    (objects: readonly Prunable[]): readonly Prunable[] =>
      objects.filter(({ createdAt }) => createdAt.getTime() > time.getTime()),
};

const ASCENDING = ['5d', '4d', '3d', '2d', '1d'].map((age) => ({
  kind: 'RunRecord',
  name: age,
  createdAt: ago(age),
}));
const ORDERS = [
  ['oldest first, as in the tests of operator-lib', ASCENDING],
  ['newest first', ASCENDING.toReversed()],
  ['shuffled', [2, 0, 4, 1, 3].map((index) => ASCENDING[index]!)],
] as const;

async function left(strategy: Strategy<Prunable>, objects: readonly Prunable[]): Promise<string[]> {
  const selection = await strategy(objects, { now: NOW });
  const gone = new Set(selection instanceof Map ? selection.keys() : (selection as readonly Prunable[]));
  return names(objects.filter((object) => !gone.has(object))).toSorted();
}

describe.each(ORDERS)('the two inverted strategies of operator-lib, on runs %s', (_order, runs) => {
  it('NewPruneByCountStrategy(2) leaves the 2 oldest; keepNewest(2) the 2 newest', async () => {
    expect(await left(upstreamCompat.pruneByCount(2), runs)).toEqual(['4d', '5d']);
    expect(await left(keepNewest(2), runs)).toEqual(['1d', '2d']);
  });

  it('NewPruneByDateStrategy(2.5 days ago) leaves the older; olderThan(2.5 days) the younger', async () => {
    expect(await left(upstreamCompat.pruneByDate(ago('2d12h')), runs)).toEqual(['3d', '4d', '5d']);
    expect(await left(olderThan('2d12h'), runs)).toEqual(['1d', '2d']);
  });
});
