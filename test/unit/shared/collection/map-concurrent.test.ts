import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { describe, expect, it } from 'vitest';

/** Work that ends when the test says so. */
function controlledWork() {
  const begun: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (item: string): Promise<string> => {
      begun.push(item);
      const end = Promise.withResolvers<string>();
      waiting.set(item, end);
      return end.promise;
    },
    finish: (item: string) => settle(() => waiting.get(item)!.resolve(`${item} done`)),
    fail: (item: string) => settle(() => waiting.get(item)!.reject(new Error(`${item} failed`))),
  };
}

async function settle(act: () => void): Promise<void> {
  act();
  await new Promise(setImmediate);
}

describe('mapConcurrent', () => {
  it('begins items in order, at most so many at once', async () => {
    const { begun, work, finish } = controlledWork();
    const mapped = mapConcurrent(['a', 'b', 'c', 'd'], 2, work);
    expect(begun).toEqual(['a', 'b']);
    await finish('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await finish('c');
    await finish('a');
    await finish('d');
    await expect(mapped).resolves.toEqual(['a done', 'b done', 'c done', 'd done']);
  });

  it('goes on after an error, waits for all, then throws the first by order of items', async () => {
    const { begun, work, finish, fail } = controlledWork();
    let isOver = false;
    const mapped = mapConcurrent(['a', 'b', 'c', 'd'], 2, work);
    const outcome = mapped.catch((error: unknown) => error).finally(() => (isOver = true));
    await fail('b');
    await fail('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await fail('c');
    expect(isOver).toBe(false);
    await finish('d');
    expect(isOver).toBe(true);
    await expect(outcome).resolves.toEqual(new Error('a failed'));
  });

  it('takes an error that is thrown at once, and an undefined one', async () => {
    const throwing = (): Promise<never> => {
      throw new Error('at once');
    };
    await expect(mapConcurrent([1, 2], 1, throwing)).rejects.toThrow('at once');
    await expect(mapConcurrent([1], 1, () => Promise.reject(undefined))).rejects.toBeUndefined();
  });

  it('returns nothing for no items, and takes any limit from 1', async () => {
    const { begun, work } = controlledWork();
    await expect(mapConcurrent([], 1, work)).resolves.toEqual([]);
    void mapConcurrent(['a', 'b', 'c'], Infinity, work);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it.each([0, -1, Number.NaN])('refuses a limit of %d instead of leaving items out', async (limit) => {
    await expect(mapConcurrent(['a'], limit, async () => 'done')).rejects.toThrow(RangeError);
  });
});
