import { groupBy } from '@cairn/shared/collection/group-by';
import { expect, it } from 'vitest';

it('groups as Map.groupBy does', () => {
  const keyOf = (item: number, index: number): unknown => (item > 6 ? { index } : item % 2 === 0);
  for (const items of [[], [1, 2, 3, 5, 4], new Set([9, 1, 8, 3, Number.NaN])]) {
    expect([...groupBy(items, keyOf)]).toEqual([...Map.groupBy(items, keyOf)]);
  }
});
