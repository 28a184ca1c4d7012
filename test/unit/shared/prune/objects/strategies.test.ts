import type { Prunable } from '@cairn/shared/prune/objects/resource';
import {
  all,
  any,
  keepIf,
  keepNewest,
  keepNewestPer,
  maxTotal,
  olderThan,
  type Strategy,
} from '@cairn/shared/prune/objects/strategies';
import { describe, expect, it } from 'vitest';
import { ago, aPod, names, NOW, reasons } from '../../../../helpers/prune/objects.ts';

interface Run extends Prunable {
  readonly size?: number;
  readonly pinned?: boolean;
}

function aRun(name: string, age: string, more: Partial<Run> = {}): Run {
  return { kind: 'RunRecord', name, createdAt: ago(age), ...more };
}

/** Neither in the order of their ages nor of their names. */
const RUNS = [aRun('c', '3d'), aRun('a', '5d'), aRun('e', '1d'), aRun('b', '4d'), aRun('d', '2d')];

async function select<T>(strategy: Strategy<T>, objects: readonly T[]): Promise<Record<string, string>> {
  const selection = (await strategy(objects, { now: NOW })) as Iterable<[T, string]>;
  return reasons([...selection].map(([object, reason]) => ({ object, reason })));
}

async function selectedNames<T>(strategy: Strategy<T>, objects: readonly T[]): Promise<string[]> {
  return Object.keys(await select(strategy, objects)).toSorted();
}

describe('keepNewest', () => {
  it.each([
    [0, ['a', 'b', 'c', 'd', 'e'], 'none is kept'],
    [1, ['a', 'b', 'c', 'd'], 'not the newest'],
    [3, ['a', 'b'], 'not among the 3 newest'],
    [5, [], ''],
    [6, [], ''],
  ])('of five runs keeps the %i newest', async (n, expected, reason) => {
    const selected = await select(keepNewest(n), RUNS);
    expect(Object.keys(selected).toSorted()).toEqual(expected);
    expect(new Set(Object.values(selected))).toEqual(new Set(expected.length > 0 ? [reason] : []));
  });

  it('of equally old ones keeps the name that sorts last, then the namespace, then the kind', async () => {
    const twins = [aRun('run-2', '1d'), aRun('run-3', '1d'), aRun('run-1', '1d')];
    expect(await selectedNames(keepNewest(1), twins)).toEqual(['run-1', 'run-2']);

    const homes = ['b', 'a', 'c'].map((namespace) => aRun('run', '1d', { namespace }));
    const [kept] = homes.slice(2);
    expect([...((await keepNewest(1)(homes, { now: NOW })) as Map<Run, string>).keys()]).not.toContain(kept);

    const kinds = ['Plan', 'Zone', 'Archive'].map((kind) => aRun('run', '1d', { kind }));
    const selected = (await keepNewest(1)(kinds, { now: NOW })) as Map<Run, string>;
    expect(Array.from(selected.keys(), ({ kind }) => kind).toSorted()).toEqual(['Archive', 'Plan']);
  });

  it('of two that have all of this in common keeps the same one, in whatever order they come', async () => {
    const twins = ['1', '2'].map((uid) => aPod('a', '1d', 'Succeeded', { uid }));
    for (const pods of [twins, twins.toReversed()]) {
      const selected = (await keepNewest(1)(pods, { now: NOW })) as Map<object, string>;
      expect([...selected.keys()]).toEqual([twins[0]]);
    }
  });

  it('does not read names as people of one country sort them', async () => {
    expect(await selectedNames(keepNewest(1), [aRun('Z', '1d'), aRun('a', '1d')])).toEqual(['Z']);
  });

  it('reads Kubernetes objects', async () => {
    const pods = [aPod('old', '2d'), aPod('new', '1d')];
    expect(await selectedNames(keepNewest(1), pods)).toEqual(['old']);
  });
});

describe('olderThan', () => {
  it.each<[string | number, string[]]>([
    ['3d', ['a', 'b']],
    ['72h', ['a', 'b']],
    ['P3D', ['a', 'b']],
    [3 * 24 * 3600_000 - 1, ['a', 'b', 'c']],
    ['0s', ['a', 'b', 'c', 'd', 'e']],
    ['5d', []],
  ])('%j selects what is older, and not what is as old', async (duration, expected) => {
    expect(await selectedNames(olderThan(duration), RUNS)).toEqual(expected);
  });

  it.each([
    ['41d3h', '30d', '41d old, older than 30d'],
    ['30d5m', '30d', '30d5m old, older than 30d'],
    ['30d5m1s', '30d', '30d5m old, older than 30d'],
    ['1h30m1ms', '1h30m', '1h30m1ms old, older than 1h30m'],
    ['2h', '1h30m', '2h old, older than 1h30m'],
    ['1h45m', '1h30m', '1h45m old, older than 1h30m'],
  ])('says how old %s is, as coarse as it may', async (age, limit, reason) => {
    expect(await select(olderThan(limit), [aRun('a', age)])).toEqual({ a: reason });
  });

  it('leaves what was created in the future or at an unknown time', async () => {
    const future = { ...aRun('a', '0s'), createdAt: new Date(NOW.getTime() + 1000) };
    const unknown = { ...aRun('b', '0s'), createdAt: new Date('never') };
    expect(await selectedNames(olderThan(0), [future, unknown])).toEqual([]);
  });
});

describe('keepNewestPer', () => {
  it('counts each key by itself', async () => {
    const runs = RUNS.map((run) => ({ ...run, namespace: run.name < 'd' ? 'x' : '__proto__' }));
    expect(
      await select(
        keepNewestPer(({ namespace }: Run) => namespace, 1),
        runs,
      ),
    ).toEqual({
      a: 'not the newest of x',
      b: 'not the newest of x',
      d: 'not the newest of __proto__',
    });
  });

  it.each([null, undefined])('leaves alone what has no key, %j', async (none) => {
    expect(
      await selectedNames(
        keepNewestPer(({ name }: Run) => (name === 'a' ? none : 'x'), 0),
        RUNS,
      ),
    ).toEqual(['b', 'c', 'd', 'e']);
  });
});

describe('maxTotal', () => {
  const sized = [4, 3, 5, 1].map((size, index) => aRun(`run-${index}`, `${index + 1}d`, { size }));
  const sizeOf = ({ size }: Run) => size!;

  it.each([
    [10, ['run-2', 'run-3']],
    [7, ['run-2', 'run-3']],
    [6.5, ['run-1', 'run-2', 'run-3']],
    [12, ['run-3']],
    [13, []],
    [0, ['run-0', 'run-1', 'run-2', 'run-3']],
  ])('within %d keeps the newest, without a gap', async (limit, expected) => {
    expect(await selectedNames(maxTotal(sizeOf, limit), sized.toReversed())).toEqual(expected);
  });

  it('reports the total', async () => {
    expect(await select(maxTotal(sizeOf, 10), sized)).toEqual({
      'run-2': 'with all newer ones 12, more than 10',
      'run-3': 'with all newer ones 13, more than 10',
    });
  });

  it.each([-1, Number.NaN, Infinity, '3', undefined, null])('a size of %j is an error', (size) => {
    const strategy = maxTotal(() => size as number, 10);
    expect(() => strategy(sized, { now: NOW })).toThrow(RangeError);
    expect(() => strategy(sized, { now: NOW })).toThrow('the size of "run-0" is');
  });
});

describe('any and all', () => {
  const both = [keepNewest(3), olderThan('4d')] as const;

  it('any takes what one of them takes, for all their reasons', async () => {
    expect(await select(any(...both), RUNS)).toEqual({
      a: 'not among the 3 newest; 5d old, older than 4d',
      b: 'not among the 3 newest',
    });
  });

  it('all takes what every one takes', async () => {
    expect(await select(all(...both), RUNS)).toEqual({ a: 'not among the 3 newest; 5d old, older than 4d' });
  });

  it('each sees all objects', async () => {
    const seen: string[][] = [];
    const watch: Strategy<Run> = (objects) => {
      seen.push(names(objects));
      return objects.slice(0, 1);
    };
    await select(all(watch, watch, any(watch, watch)), RUNS);
    expect(seen).toEqual([names(RUNS), names(RUNS), names(RUNS), names(RUNS)]);
  });

  it('take functions that give a list, with their name as the reason', async () => {
    const evenDays: Strategy<Run> = (objects) =>
      objects.filter(({ createdAt }) => createdAt.getUTCDate() % 2 === 0);
    expect(await select(all<Run>(evenDays, olderThan('1d')), RUNS)).toEqual({
      b: 'selected by evenDays; 4d old, older than 1d',
      d: 'selected by evenDays; 2d old, older than 1d',
    });
  });

  it.each([
    ['any', any],
    ['all', all],
  ])('%s does not hide what a strategy was not given', async (_name, join) => {
    const inventive: Strategy<Run> = () => [aRun('mine', '1d')];
    await expect(Promise.resolve(join<Run>(keepNewest(1), inventive)(RUNS, { now: NOW }))).rejects.toThrow(
      'inventive returned RunRecord/mine, which is not one of the objects it was given',
    );
  });
});

describe('keepIf', () => {
  const runs = RUNS.map((run) => ({ ...run, pinned: run.name === 'a' || run.name === 'e' }));

  it.each([
    ['at once', ({ pinned }: Run) => pinned!],
    ['later', async ({ pinned }: Run) => pinned!],
  ])('never takes what the predicate holds for, which returns %s', async (_when, isPinned) => {
    expect(await selectedNames(keepIf(isPinned, keepNewest(0)), runs)).toEqual(['b', 'c', 'd']);
  });

  it('does not count it either', async () => {
    expect(
      await select(
        keepIf(({ pinned }: Run) => pinned!, keepNewest(1)),
        runs,
      ),
    ).toEqual({
      b: 'not the newest',
      c: 'not the newest',
    });
  });

  it('fails for a predicate that says neither yes nor no', async () => {
    const strategy = keepIf(() => undefined as unknown as boolean, keepNewest(0));
    await expect(Promise.resolve(strategy(runs, { now: NOW }))).rejects.toThrow(
      'the predicate of keepIf returned undefined; it must return true or false',
    );
  });
});

describe('what makes no sense', () => {
  it.each<[() => unknown, typeof RangeError | typeof TypeError, string]>([
    [() => keepNewest(-1), RangeError, 'n of keepNewest is -1; it must be a whole number from 0 on'],
    [() => keepNewest(1.5), RangeError, 'n of keepNewest is 1.5'],
    [() => keepNewest(Number.NaN), RangeError, 'n of keepNewest is NaN'],
    [() => keepNewest(Infinity), RangeError, 'n of keepNewest is Infinity'],
    [() => keepNewest('5' as never), RangeError, 'n of keepNewest is "5"'],
    [() => keepNewest(undefined as never), RangeError, 'n of keepNewest is undefined'],
    [() => keepNewestPer(String, -1), RangeError, 'n of keepNewestPer is -1'],
    [
      () => keepNewestPer('name' as never, 1),
      TypeError,
      'the key of keepNewestPer is "name"; it must be a function',
    ],
    [() => olderThan('soon'), RangeError, 'olderThan is "soon"; it must be a duration such as "90s"'],
    [() => olderThan(-1), RangeError, 'olderThan is -1'],
    [() => olderThan(Number.NaN), RangeError, 'olderThan is NaN'],
    [() => olderThan(undefined as never), RangeError, 'olderThan is undefined'],
    [() => maxTotal(Number, -1), RangeError, 'the limit of maxTotal is -1; it must be a number from 0 on'],
    [() => maxTotal(Number, Number.NaN), RangeError, 'the limit of maxTotal is NaN'],
    [() => maxTotal(7 as never, 1), TypeError, 'the size of maxTotal is 7; it must be a function'],
    [() => any(), TypeError, 'any needs at least one strategy'],
    [() => all(), TypeError, 'all needs at least one strategy'],
    [() => all(keepNewest(1), undefined as never), TypeError, 'a strategy of all is undefined'],
    [() => keepIf(undefined as never, keepNewest(1)), TypeError, 'the predicate of keepIf is undefined'],
    [() => keepIf(() => true, undefined as never), TypeError, 'a strategy of keepIf is undefined'],
  ])('is refused when the strategy is made: %s', (make, type, message) => {
    expect(make).toThrow(type);
    expect(make).toThrow(message);
  });
});
