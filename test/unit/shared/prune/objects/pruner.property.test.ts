import {
  all,
  any,
  createPruner,
  type FailedStage,
  keepIf,
  keepNewest,
  keepNewestPer,
  maxTotal,
  olderThan,
  type Prunable,
  type PruneReport,
  PrunableKinds,
  type Strategy,
} from '@cairn/shared/prune';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../../helpers/prune/objects.ts';

interface Thing extends Prunable {
  readonly size: number;
  readonly fate: Fate;
}

/** What goes wrong with it, if it comes to that. */
type Fate = 'none' | 'protected' | 'veto' | 'absent' | FailedStage;

const FATES: readonly Fate[] = [
  ...(['none', 'none', 'none', 'protected', 'veto', 'absent'] as const),
  ...(['is-prunable', 'before-delete', 'delete', 'after-delete'] as const),
];

/** Many are equally old, and some names occur in several namespaces and kinds. */
const thing: fc.Arbitrary<Thing> = fc.record({
  kind: fc.constantFrom('A', 'B'),
  namespace: fc.constantFrom('x', 'y'),
  name: fc.nat(30).map((n) => `thing-${n}`),
  createdAt: fc.nat(6).map((hours) => new Date(NOW.getTime() - hours * 3600_000)),
  size: fc.nat(5),
  fate: fc.constantFrom(...FATES),
});
const things = fc.uniqueArray(thing, {
  selector: ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`,
  maxLength: 20,
});
/** A list, and the same in another order. */
const shuffled = things.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
);

const leaf: fc.Arbitrary<Strategy<Thing>> = fc.oneof(
  fc.nat(8).map((n): Strategy<Thing> => keepNewest(n)),
  fc.nat(7).map((hours): Strategy<Thing> => olderThan(hours * 3600_000)),
  fc.nat(3).map((n) => keepNewestPer(({ namespace }: Thing) => namespace, n)),
  fc.nat(30).map((limit) => maxTotal(({ size }: Thing) => size, limit)),
);
const strategies = fc.letrec<{ strategy: Strategy<Thing> }>((tie) => ({
  strategy: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('strategy'), { minLength: 1, maxLength: 3 }).map((list) => any(...list)),
    fc.array(tie('strategy'), { minLength: 1, maxLength: 3 }).map((list) => all(...list)),
    tie('strategy').map((strategy) => keepIf(({ size }: Thing) => size === 0, strategy)),
  ),
})).strategy;

async function selectionOf(
  strategy: Strategy<Thing>,
  objects: readonly Thing[],
): Promise<Map<Thing, string>> {
  return (await strategy(objects, { now: NOW })) as Map<Thing, string>;
}

describe('strategies', () => {
  it('select of what they are given, give a reason, and change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(strategies, things, async (strategy, objects) => {
        const before = structuredClone(objects);
        const frozen = Object.freeze(objects.map((object) => Object.freeze(object)));
        for (const [object, reason] of await selectionOf(strategy, frozen)) {
          expect(frozen).toContain(object);
          expect(reason).not.toBe('');
        }
        expect(frozen).toEqual(before);
      }),
    );
  });

  it('select the same, for the same reasons, in whatever order the objects come', async () => {
    await fc.assert(
      fc.asyncProperty(strategies, shuffled, async (strategy, [objects, others]) => {
        const selection = await selectionOf(strategy, objects);
        const other = await selectionOf(strategy, others);
        for (const object of objects) expect(other.get(object)).toBe(selection.get(object));
      }),
    );
  });

  it('keepNewest leaves exactly n, and none that is older than one that goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(25), things, async (n, objects) => {
        const gone = await selectionOf(keepNewest(n), objects);
        const kept = objects.filter((object) => !gone.has(object));
        expect(kept).toHaveLength(Math.min(n, objects.length));
        const newestGone = Math.max(...Array.from(gone.keys(), ({ createdAt }) => createdAt.getTime()));
        for (const { createdAt } of kept) expect(createdAt.getTime()).toBeGreaterThanOrEqual(newestGone);
      }),
    );
  });

  it('any is the union and all the intersection', async () => {
    await fc.assert(
      fc.asyncProperty(leaf, leaf, things, async (one, two, objects) => {
        const [a, b] = [await selectionOf(one, objects), await selectionOf(two, objects)];
        const union = await selectionOf(any(one, two), objects);
        const common = await selectionOf(all(one, two), objects);
        for (const object of objects) {
          expect(union.has(object)).toBe(a.has(object) || b.has(object));
          expect(common.has(object)).toBe(a.has(object) && b.has(object));
        }
      }),
    );
  });
});

const options = fc.record({
  strategy: strategies,
  concurrency: fc.integer({ min: 1, max: 5 }),
  maxDeletes: fc.option(fc.nat(10), { nil: undefined }),
  dryRun: fc.boolean(),
  countUnprunable: fc.boolean(),
  across: fc.constantFrom('each-kind', 'all-kinds'),
  onError: fc.constantFrom('continue', 'stop'),
  namespaces: fc.constantFrom<(string[] | undefined)[]>(undefined, ['x'], ['x', 'y']),
  brokenKind: fc.constantFrom('A', 'none', 'none', 'none'),
});
type Options = typeof options extends fc.Arbitrary<infer Value> ? Value : never;

async function prune(objects: readonly Thing[], { brokenKind, ...rest }: Options) {
  const removed: Thing[] = [];
  const failAt = (stage: FailedStage, { fate }: Thing) => {
    if (fate === stage) throw new Error(stage);
  };
  const registry = new PrunableKinds();
  for (const kind of ['A', 'B']) {
    registry.register(kind, async (object: Thing) => {
      failAt('is-prunable', object);
      return object.fate === 'protected' ? { ok: false, reason: 'protected' } : { ok: true };
    });
  }
  const report = await createPruner<Thing>({
    ...rest,
    kinds: ['A', 'B'],
    registry,
    now: NOW,
    store: {
      *list({ kind }) {
        yield* objects.filter((object) => object.kind === kind.kind);
        if (kind.kind === brokenKind) throw new Error('list');
      },
      async remove(object) {
        failAt('delete', object);
        removed.push(object);
        return object.fate === 'absent' ? 'absent' : 'deleted';
      },
    },
    hooks: {
      async beforeDelete(object) {
        failAt('before-delete', object);
        return object.fate === 'veto' ? { ok: false, reason: 'veto' } : { ok: true };
      },
      async afterDelete(object) {
        failAt('after-delete', object);
      },
    },
  }).run();
  return { report, removed };
}

const objectsOf = (judged: readonly { readonly object: Thing }[]) => judged.map(({ object }) => object);

/** Each of these is in exactly one of the lists. */
function expectPartition(whole: readonly Thing[], ...parts: readonly (readonly Thing[])[]): void {
  const together = parts.flat();
  expect(new Set(together)).toEqual(new Set(whole));
  expect(together).toHaveLength(whole.length);
}

const failedBefore = ({ failed }: PruneReport<Thing>) =>
  objectsOf(failed.filter(({ stage }) => stage === 'before-delete' || stage === 'delete'));

describe('a report', () => {
  it('has every examined object once, and every selected one once', async () => {
    await fc.assert(
      fc.asyncProperty(things, options, async (objects, chosen) => {
        const { report, removed } = await prune(objects, chosen);
        const { skipped, kept, selected, deleted, absent, notTried } = report;
        const within = objects.filter(({ namespace }) => chosen.namespaces?.includes(namespace!) ?? true);
        expect(report.examined).toBe(within.length);
        expect(report.filtered).toBe(objects.length - within.length);
        expectPartition(within, objectsOf(skipped), objectsOf(kept), objectsOf(selected));
        expectPartition(
          objectsOf(selected),
          objectsOf(deleted),
          objectsOf(absent),
          objectsOf(notTried),
          failedBefore(report),
        );
        expectPartition(removed, objectsOf(deleted), objectsOf(absent));
        expect(removed.length).toBeLessThanOrEqual(chosen.dryRun ? 0 : (chosen.maxDeletes ?? Infinity));
        for (const { fate } of removed) expect(['none', 'absent', 'after-delete']).toContain(fate);
        expect(removed.filter(({ kind }) => kind === chosen.brokenKind)).toEqual([]);
        const isFlawed = report.failed.length + report.problems.length > 0;
        expect(isFlawed && report.outcome === 'completed').toBe(false);
      }),
    );
  });

  it('is the same in whatever order the store lists', async () => {
    await fc.assert(
      fc.asyncProperty(shuffled, options, async ([objects, others], chosen) => {
        // What goes on at the same time may end differently.
        const one = await prune(objects, { ...chosen, concurrency: 1 });
        const other = await prune(others, { ...chosen, concurrency: 1 });
        expect(other).toEqual(one);
      }),
    );
  });
});
