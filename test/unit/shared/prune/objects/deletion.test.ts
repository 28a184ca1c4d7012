import { inMemoryStore, olderThan, PrunableKinds } from '@cairn/shared/prune';
import type { PruneHooks, Store } from '@cairn/shared/prune/objects/options';
import { describe, expect, it } from 'vitest';
import {
  aJob,
  aPod,
  brief,
  type KubernetesObject,
  nameOf,
  names,
  reasons,
} from '../../../../helpers/prune/objects.ts';
import { aPruner, brokenList, stubbornStore } from './stores.ts';

/** From the oldest to the newest. */
const PODS = ['a', 'b', 'c', 'd'].map((name, index) => aPod(name, `${9 - index}h`));
const ALL = ['a', 'b', 'c', 'd'];

const torn = () => {
  throw new Error('torn');
};

describe('a dry run', () => {
  it('reports what would be deleted, and neither deletes nor calls hooks', async () => {
    const store = inMemoryStore(PODS);
    const called: string[] = [];
    const report = await aPruner(store, {
      dryRun: true,
      hooks: { beforeDelete: () => void called.push('before'), afterDelete: () => void called.push('after') },
    }).run();
    expect(brief(report)).toEqual({ outcome: 'completed', selected: ALL, notTried: ALL });
    expect(report.dryRun).toBe(true);
    expect(new Set(report.notTried.map(({ reason }) => reason))).toEqual(new Set(['dry run']));
    expect(store.remaining).toHaveLength(4);
    expect(called).toEqual([]);
  });

  it('shows where the cap comes', async () => {
    const report = await aPruner(inMemoryStore(PODS), { dryRun: true, maxDeletes: 3 }).run();
    expect(reasons(report.notTried)).toEqual({
      a: 'dry run',
      b: 'dry run',
      c: 'dry run',
      d: 'over the cap of 3 deletions in one run',
    });
    expect(report.outcome).toBe('incomplete');
  });
});

describe('the cap', () => {
  it.each([
    [0, [], ALL],
    [1, ['a'], ['b', 'c', 'd']],
    [3, ['a', 'b', 'c'], ['d']],
    [4, ALL, []],
    [5, ALL, []],
  ])('of %i takes the oldest', async (maxDeletes, deleted, left) => {
    for (const concurrency of [1, 3]) {
      const store = inMemoryStore(PODS);
      const report = await aPruner(store, { maxDeletes, concurrency }).run();
      expect(names(report.deleted.map(({ object }) => object))).toEqual(deleted);
      expect(names(report.notTried.map(({ object }) => object))).toEqual(left);
      expect(names(store.remaining)).toEqual(left);
      expect(report.outcome).toBe(left.length > 0 ? 'incomplete' : 'completed');
    }
  });

  it('reports why the others are left', async () => {
    const report = await aPruner(inMemoryStore(PODS), { maxDeletes: 1 }).run();
    expect(reasons(report.notTried)).toMatchObject({ b: 'over the cap of 1 deletion in one run' });
  });

  it.each([1, 2, 4])('counts what failed, and not what a hook kept, %i at a time', async (concurrency) => {
    const report = await aPruner(stubbornStore(PODS, ['b']), {
      maxDeletes: 2,
      concurrency,
      hooks: {
        beforeDelete: async (pod) => (nameOf(pod) === 'a' ? { ok: false, reason: 'mine' } : undefined),
      },
    }).run();
    expect(brief(report)).toMatchObject({ deleted: ['c'], failed: ['b'], notTried: ['a', 'd'] });
  });
});

describe('a delete', () => {
  it('of what is gone already is a success', async () => {
    const store = inMemoryStore(PODS);
    const report = await aPruner(store, {
      hooks: { beforeDelete: async () => void (await store.remove(PODS[1]!)) },
    }).run();
    expect(brief(report)).toEqual({
      outcome: 'completed',
      selected: ALL,
      deleted: ['a', 'c', 'd'],
      absent: ['b'],
    });
  });

  it('that fails is reported, and the others continue', async () => {
    const report = await aPruner(stubbornStore(PODS, ['a', 'c'])).run();
    expect(brief(report)).toEqual({
      outcome: 'incomplete',
      selected: ALL,
      deleted: ['b', 'd'],
      failed: ['a', 'c'],
    });
    expect(report.failed[0]).toEqual({
      object: PODS[0],
      stage: 'delete',
      reason: 'a stays',
      error: new Error('a stays'),
    });
  });

  it("that fails is the last with onError 'stop'", async () => {
    const store = stubbornStore(PODS, ['b']);
    const report = await aPruner(store, { onError: 'stop' }).run();
    expect(brief(report)).toEqual({
      outcome: 'incomplete',
      selected: ALL,
      deleted: ['a'],
      failed: ['b'],
      notTried: ['c', 'd'],
    });
    expect(reasons(report.notTried)).toEqual({
      c: 'a failure stopped the run',
      d: 'a failure stopped the run',
    });
    expect(names(store.remaining)).toEqual(['b', 'c', 'd']);
  });

  it("with onError 'stop' waits for those under way", async () => {
    const report = await aPruner(slowStore(PODS, (pod) => nameOf(pod) === 'a').store, {
      onError: 'stop',
      concurrency: 2,
    }).run();
    expect(brief(report)).toMatchObject({ deleted: ['b'], failed: ['a'], notTried: ['c', 'd'] });
  });

  it.each([undefined, true, 'gone'])('that returns %j failed', async (result) => {
    const report = await aPruner({ list: () => PODS.slice(0, 1), remove: async () => result as never }).run();
    expect(report.failed).toMatchObject([
      { stage: 'delete', reason: expect.stringContaining('it must return "deleted" or "absent"') as string },
    ]);
  });

  it.each([
    ['a text', 'torn', '"torn"'],
    ['nothing', undefined, 'undefined'],
    ['an error without words', new Error(), 'Error'],
  ])('may throw %s', async (_what, thrown, reason) => {
    const remove = async () => {
      throw thrown;
    };
    const report = await aPruner({ list: () => PODS.slice(0, 1), remove }).run();
    expect(report.failed).toEqual([{ object: PODS[0], stage: 'delete', reason, error: thrown }]);
  });
});

describe('hooks', () => {
  it('are called around each delete, with the reason', async () => {
    const told: unknown[] = [];
    const store = inMemoryStore(PODS.slice(0, 2));
    const hooks: PruneHooks<KubernetesObject> = {
      beforeDelete: (pod, { reason }) =>
        void told.push(['before', nameOf(pod), reason, store.remaining.length]),
      afterDelete: (pod, { reason, result }) => void told.push(['after', nameOf(pod), reason, result]),
    };
    await aPruner(store, { hooks, strategy: olderThan('1h') }).run();
    expect(told).toEqual([
      ['before', 'a', '9h old, older than 1h', 2],
      ['after', 'a', '9h old, older than 1h', 'deleted'],
      ['before', 'b', '8h old, older than 1h', 1],
      ['after', 'b', '8h old, older than 1h', 'deleted'],
    ]);
  });

  it('keep their own this', async () => {
    class Counter {
      count = 0;
      beforeDelete() {
        this.count++;
      }
      afterDelete() {
        this.count++;
      }
    }
    const hooks = new Counter();
    await aPruner(inMemoryStore(PODS), { hooks }).run();
    expect(hooks.count).toBe(8);
  });

  it('may keep an object', async () => {
    const store = inMemoryStore(PODS);
    const beforeDelete = (pod: KubernetesObject) =>
      nameOf(pod) === 'b' ? ({ ok: false, reason: 'still uploaded' } as const) : ({ ok: true } as const);
    const report = await aPruner(store, { hooks: { beforeDelete } }).run();
    expect(brief(report)).toEqual({
      outcome: 'completed',
      selected: ALL,
      deleted: ['a', 'c', 'd'],
      notTried: ['b'],
    });
    expect(reasons(report.notTried)).toEqual({ b: 'still uploaded' });
    expect(names(store.remaining)).toEqual(['b']);
  });

  it.each<[string, () => unknown, string]>([
    ['throws', torn, 'torn'],
    ['rejects', async () => torn(), 'torn'],
    [
      'returns false',
      () => false,
      'beforeDelete returned false; it must return nothing, {ok: true} or {ok: false, reason}',
    ],
    ['returns a verdict without a reason', () => ({ ok: false }), 'beforeDelete returned an object'],
  ])('keep the object when the first %s', async (_what, act, message) => {
    const store = inMemoryStore(PODS);
    const beforeDelete = (pod: KubernetesObject) => (nameOf(pod) === 'b' ? (act() as undefined) : undefined);
    const report = await aPruner(store, { hooks: { beforeDelete } }).run();
    expect(brief(report)).toEqual({
      outcome: 'incomplete',
      selected: ALL,
      deleted: ['a', 'c', 'd'],
      failed: ['b'],
    });
    expect(report.failed[0]).toMatchObject({
      stage: 'before-delete',
      reason: expect.stringContaining(message) as string,
    });
    expect(names(store.remaining)).toEqual(['b']);

    const stopped = await aPruner(inMemoryStore(PODS), { hooks: { beforeDelete }, onError: 'stop' }).run();
    expect(brief(stopped)).toMatchObject({ deleted: ['a'], failed: ['b'], notTried: ['c', 'd'] });
  });

  it('do not undo a delete when the second throws', async () => {
    const afterDelete = (pod: KubernetesObject) => (nameOf(pod) === 'b' ? torn() : undefined);
    const report = await aPruner(inMemoryStore(PODS), { hooks: { afterDelete } }).run();
    expect(brief(report)).toEqual({ outcome: 'incomplete', selected: ALL, deleted: ALL, failed: ['b'] });
    expect(report.failed[0]).toMatchObject({ stage: 'after-delete', reason: 'torn' });

    const stopped = await aPruner(inMemoryStore(PODS), { hooks: { afterDelete }, onError: 'stop' }).run();
    expect(brief(stopped)).toMatchObject({ deleted: ['a', 'b'], failed: ['b'], notTried: ['c', 'd'] });
  });
});

/** A store that takes its time, and tells how many deletes were under way at once. */
function slowStore(
  objects: readonly KubernetesObject[],
  fails: (object: KubernetesObject) => boolean = () => false,
) {
  const inner = inMemoryStore(objects);
  const seen = { underWay: 0, most: 0 };
  const store: Store<KubernetesObject> = {
    list: (query) => inner.list(query),
    async remove(object) {
      seen.underWay++;
      seen.most = Math.max(seen.most, seen.underWay);
      // The later it is asked for, the sooner it is done.
      for (let turns = 20 - objects.indexOf(object); turns > 0; turns--) await Promise.resolve();
      seen.underWay--;
      if (fails(object)) throw new Error('torn');
      return inner.remove(object);
    },
  };
  return { store, seen };
}

/** Lets every pod go, after this. */
function judging(work: (pod: KubernetesObject) => Promise<void>) {
  const judged: string[] = [];
  const registry = new PrunableKinds().register('v1/Pod', async (pod: KubernetesObject) => {
    judged.push(nameOf(pod));
    await work(pod);
    return { ok: true };
  });
  return { registry, judged };
}

describe('concurrency', () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    aPod(`pod-${String(index).padStart(2, '0')}`, `${20 - index}h`),
  );

  it.each([
    [undefined, 1],
    [1, 1],
    [3, 3],
    [12, 12],
    [50, 12],
  ])('of %j has %i deletes under way at most, and at some time', async (concurrency, expected) => {
    const { store, seen } = slowStore(many);
    const report = await aPruner(store, { concurrency }).run();
    expect(seen).toEqual({ underWay: 0, most: expected });
    expect(names(report.deleted.map(({ object }) => object))).toEqual(names(many));
  });

  it('reports failures in the order of deletion too, whichever ended first', async () => {
    const { store } = slowStore(many, () => true);
    const report = await aPruner(store, { concurrency: 5 }).run();
    expect(names(report.failed.map(({ object }) => object))).toEqual(names(many));
  });

  it('holds for what is judged as well, and changes no result', async () => {
    let underWay = 0;
    let most = 0;
    const { registry } = judging(async () => {
      most = Math.max(most, ++underWay);
      for (let turns = 5; turns > 0; turns--) await Promise.resolve();
      underWay--;
    });
    const seen: string[][] = [];
    await aPruner(inMemoryStore(many), {
      registry,
      concurrency: 4,
      strategy: (pods) => {
        seen.push(names(pods));
        return [];
      },
    }).run();
    expect(most).toBe(4);
    expect(seen).toEqual([names(many)]);
  });
});

describe('abort', () => {
  it('before the run does nothing', async () => {
    let listed = 0;
    const store = inMemoryStore(PODS);
    const counting: Store<KubernetesObject> = {
      list: (query) => (listed++, store.list(query)),
      remove: async (object) => store.remove(object),
    };
    const report = await aPruner(counting, { kinds: ['v1/Pod', 'batch/v1/Job'] }).run(AbortSignal.abort());
    expect(brief(report)).toEqual({ outcome: 'aborted' });
    expect(report.problems).toEqual([]);
    expect(store.remaining).toHaveLength(4);
    expect(listed).toBe(0);
  });

  it.each([
    ['breaks off', true],
    ['goes on', false],
  ])('during a list that %s deletes nothing, and is no problem of the store', async (_what, heeds) => {
    const stop = new AbortController();
    const store = inMemoryStore([...PODS, aJob('j', '1h')]);
    const listing: Store<KubernetesObject> = {
      async *list({ signal }) {
        yield* PODS.slice(0, 2);
        stop.abort();
        if (heeds) signal!.throwIfAborted();
        yield* PODS.slice(2);
      },
      remove: async (object) => store.remove(object),
    };
    const report = await aPruner(listing, { kinds: ['v1/Pod', 'batch/v1/Job'] }).run(stop.signal);
    expect(report).toMatchObject({ outcome: 'aborted', examined: 2, selected: [], problems: [] });
    expect(brief(report)).toMatchObject({ skipped: ['a', 'b'] });
    expect(store.remaining).toHaveLength(5);
  });

  it('while it judges leaves the rest unjudged', async () => {
    const stop = new AbortController();
    const { registry, judged } = judging(async (pod) => {
      if (nameOf(pod) === 'b') stop.abort();
    });
    const report = await aPruner(inMemoryStore(PODS), { registry }).run(stop.signal);
    expect(judged).toEqual(['a', 'b']);
    expect(brief(report)).toEqual({ outcome: 'aborted', skipped: ['c', 'd'], kept: ['a', 'b'] });
    expect(reasons([...report.skipped, ...report.kept])).toEqual(
      Object.fromEntries(ALL.map((name) => [name, 'the run was aborted before it was judged'])),
    );
  });

  it.each([
    ['breaks off', true, []],
    ['goes on', false, ALL],
  ])('while the strategy runs, which %s, deletes nothing', async (_what, heeds, selected) => {
    const stop = new AbortController();
    const store = inMemoryStore(PODS);
    const report = await aPruner(store, {
      strategy: async (pods, { signal }) => {
        stop.abort();
        if (heeds) signal!.throwIfAborted();
        return pods;
      },
    }).run(stop.signal);
    expect(report.outcome).toBe('aborted');
    expect(names(report.selected.map(({ object }) => object))).toEqual(selected);
    expect(reasons(report.notTried)).toEqual(
      Object.fromEntries(selected.map((name) => [name, 'the run was aborted'])),
    );
    expect(store.remaining).toHaveLength(4);
  });

  it('while it deletes starts nothing new and waits for what is under way', async () => {
    const stop = new AbortController();
    const { store, seen } = slowStore(PODS);
    const signals: (AbortSignal | undefined)[] = [];
    const aborting: Store<KubernetesObject> = {
      list: (query) => store.list(query),
      async remove(object, signal) {
        signals.push(signal);
        if (nameOf(object) === 'b') stop.abort();
        return store.remove(object);
      },
    };
    const report = await aPruner(aborting, { concurrency: 2 }).run(stop.signal);
    expect(brief(report)).toEqual({
      outcome: 'aborted',
      selected: ALL,
      deleted: ['a', 'b'],
      notTried: ['c', 'd'],
    });
    expect(reasons(report.notTried)).toEqual({ c: 'the run was aborted', d: 'the run was aborted' });
    expect(seen.underWay).toBe(0);
    expect(signals).toEqual([stop.signal, stop.signal]);
  });

  it('in the hook before leaves that object too', async () => {
    const stop = new AbortController();
    const store = inMemoryStore(PODS.slice(0, 1));
    const report = await aPruner(store, { hooks: { beforeDelete: () => stop.abort() } }).run(stop.signal);
    expect(brief(report)).toEqual({ outcome: 'aborted', selected: ['a'], notTried: ['a'] });
    expect(store.remaining).toHaveLength(1);
  });

  it('of a delete under way is a failure of the object, and of no other', async () => {
    const stop = new AbortController();
    const store = inMemoryStore(PODS);
    const report = await aPruner(
      {
        list: (query) => store.list(query),
        async remove(_object, signal) {
          stop.abort();
          signal!.throwIfAborted();
          return 'deleted';
        },
      },
      {},
    ).run(stop.signal);
    expect(brief(report)).toMatchObject({ outcome: 'aborted', failed: ['a'], notTried: ['b', 'c', 'd'] });
  });

  it('after the last delete changes nothing', async () => {
    const stop = new AbortController();
    const hooks = {
      afterDelete: (pod: KubernetesObject) => (nameOf(pod) === 'd' ? stop.abort() : undefined),
    };
    expect(brief(await aPruner(inMemoryStore(PODS), { hooks }).run(stop.signal))).toMatchObject({
      outcome: 'completed',
      deleted: ALL,
    });
  });
});

describe('the logger', () => {
  type Line = [string, string, Readonly<Record<string, unknown>>];
  function aLogger() {
    const lines: Line[] = [];
    const at = (level: string) => (message: string, fields: Readonly<Record<string, unknown>>) =>
      void lines.push([level, message, fields]);
    return { lines, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
  }
  const about = (name: string, reason: string) => ({ kind: 'v1/Pod', namespace: 'batch', name, reason });

  it('receives everything', async () => {
    const { lines, logger } = aLogger();
    const pods = [...PODS.slice(0, 2), aPod('busy', '20h', 'Running'), aPod('young', '30m')];
    await aPruner(stubbornStore(pods, ['b']), { logger, strategy: olderThan('1h') }).run();
    expect(lines).toEqual([
      ['debug', 'protected', about('busy', 'the pod is Running')],
      ['debug', 'kept', about('young', 'the strategy leaves it')],
      ['info', 'deleted', about('a', '9h old, older than 1h')],
      ['warn', 'delete failed', about('b', 'b stays')],
      [
        'info',
        'pruned',
        {
          outcome: 'incomplete',
          dryRun: false,
          examined: 4,
          skipped: 1,
          kept: 1,
          selected: 2,
          deleted: 1,
          absent: 0,
          notTried: 0,
          failed: 1,
          problems: 0,
        },
      ],
    ]);
  });

  it('receives what a dry run would delete, and which list failed', async () => {
    const { lines, logger } = aLogger();
    const store = brokenList([...PODS, aJob('j', '1h')], ({ kind }) => (kind.kind === 'Job' ? 0 : null));
    await aPruner(store, { logger, dryRun: true, kinds: ['v1/Pod', 'batch/v1/Job'], maxDeletes: 1 }).run();
    expect(lines.map(([level]) => level)).toEqual(['error', 'info', 'info']);
    expect(lines.slice(0, 2)).toEqual([
      [
        'error',
        'list failed, nothing of the kind is deleted',
        { kind: 'batch/v1/Job', namespace: null, reason: '503 from the server' },
      ],
      ['info', 'would be deleted', about('a', 'none is kept')],
    ]);
  });

  it.each<[string, object]>([
    ['has no debug', { info() {}, warn() {}, error() {} }],
    ['throws', { debug: torn, info: torn, warn: torn, error: torn }],
  ])('may be one that %s', async (_what, logger) => {
    const report = await aPruner(inMemoryStore([...PODS, aPod('busy', '1h', 'Running')]), {
      logger: logger as never,
    }).run();
    expect(brief(report)).toMatchObject({ outcome: 'completed', deleted: ALL });
  });
});
