import {
  all,
  any,
  createPruner,
  describeResource,
  inMemoryStore,
  keepNewest,
  kindText,
  olderThan,
  PruneError,
  type PruneReport,
  PrunableKinds,
  type Strategy,
} from '@cairn/shared/prune';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  aBackup,
  ago,
  aJob,
  aPod,
  brief,
  type KubernetesObject,
  nameOf,
  names,
  NOW,
  ownedBy,
  reasons,
} from '../../../../helpers/prune/objects.ts';
import { aPruner, brokenList, carelessStore } from './stores.ts';

const PODS = [aPod('c', '3h'), aPod('a', '1h'), aPod('b', '2h')];

const torn = () => {
  throw new RangeError('torn');
};

function messageIn(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

describe('a run', () => {
  it('deletes the oldest first, ties by kind, namespace and name, and reports them in that order', async () => {
    const gone: string[] = [];
    const objects = [
      aPod('young', '1h'),
      aPod('b', '2h', 'Succeeded', { namespace: 'x' }),
      aPod('a', '2h', 'Succeeded', { namespace: 'x' }),
      aPod('z', '2h', 'Succeeded', { namespace: 'a' }),
      aJob('y', '2h'),
      aPod('old', '3h'),
    ];
    const report = await aPruner(inMemoryStore(objects), {
      kinds: ['v1/Pod', 'batch/v1/Job'],
      hooks: { beforeDelete: (object) => void gone.push(nameOf(object)) },
    }).run();
    const expected = ['old', 'y', 'z', 'a', 'b', 'young'];
    expect(gone).toEqual(expected);
    expect(brief(report)).toEqual({ outcome: 'completed', selected: expected, deleted: expected });
  });

  it('plans for all kinds before it deletes anything', async () => {
    const events: string[] = [];
    const store = inMemoryStore([aPod('a', '1h'), aJob('b', '2h')]);
    await aPruner(
      {
        list(query) {
          events.push(`list ${query.kind.kind}`);
          return store.list(query);
        },
        async remove(object) {
          events.push(`remove ${nameOf(object)}`);
          return store.remove(object);
        },
      },
      { kinds: ['v1/Pod', 'batch/v1/Job'] },
    ).run();
    expect(events).toEqual(['list Pod', 'list Job', 'remove b', 'remove a']);
  });

  it('gives the reason for each object', async () => {
    const store = inMemoryStore([aPod('busy', '9d', 'Running'), aPod('old', '8d'), aPod('young', '1d')]);
    const report = await aPruner(store, { strategy: olderThan('7d') }).run();
    expect(reasons(report.skipped)).toEqual({ busy: 'the pod is Running' });
    expect(reasons(report.kept)).toEqual({ young: 'the strategy leaves it' });
    expect(reasons(report.selected)).toEqual({ old: '8d old, older than 7d' });
    expect(report.deleted).toEqual(report.selected);
    expect(report).toMatchObject({ examined: 3, filtered: 0, dryRun: false, failed: [], problems: [] });
    expect(names(store.remaining)).toEqual(['busy', 'young']);
  });

  it('may be called again, and finds what is there then', async () => {
    const store = inMemoryStore(PODS);
    const pruner = aPruner(store, { maxDeletes: 2 });
    expect(brief(await pruner.run())).toMatchObject({ outcome: 'incomplete', deleted: ['c', 'b'] });
    expect(brief(await pruner.run())).toMatchObject({ outcome: 'completed', deleted: ['a'] });
    expect(brief(await pruner.run())).toEqual({ outcome: 'completed' });
  });

  it('takes the time of each run from the clock', async () => {
    const times = [ago('1h'), NOW];
    const store = inMemoryStore([aPod('a', '90m')]);
    const pruner = aPruner(store, { strategy: olderThan('1h'), now: () => times.shift()! });
    expect(brief(await pruner.run())).toMatchObject({ kept: ['a'] });
    expect(brief(await pruner.run())).toMatchObject({ deleted: ['a'] });
  });

  it('has its own time, which a strategy cannot turn back for the next', async () => {
    const strategy: Strategy<KubernetesObject> = (pods, { now }) => {
      now.setFullYear(now.getFullYear() - 1);
      return new Map([[pods[0]!, now.toISOString()]]);
    };
    const pruner = aPruner(inMemoryStore(PODS), { strategy, dryRun: true });
    const [first, second] = [await pruner.run(), await pruner.run()];
    expect(second.selected).toEqual(first.selected);
  });

  it('is independent of another at the same time', async () => {
    const store = inMemoryStore(PODS);
    const pruner = aPruner(store);
    const [one, other] = await Promise.all([pruner.run(), pruner.run()]);
    for (const { deleted, absent, failed } of [one, other]) {
      expect(
        [
          ...names(deleted.map(({ object }) => object)),
          ...names(absent.map(({ object }) => object)),
        ].toSorted(),
      ).toEqual(['a', 'b', 'c']);
      expect(failed).toEqual([]);
    }
    expect([...one.deleted, ...other.deleted]).toHaveLength(3);
  });

  it('changes nothing that it was given', async () => {
    const frozen = PODS.map((pod) => Object.freeze({ ...pod, metadata: Object.freeze({ ...pod.metadata }) }));
    const store = inMemoryStore<KubernetesObject>(Object.freeze(frozen));
    const hasty: Strategy<KubernetesObject> = (objects) =>
      (objects as KubernetesObject[]).reverse().splice(0, 1);
    const report = await aPruner(store, { strategy: hasty }).run();
    expect(brief(report)).toMatchObject({ kept: ['c', 'b'], deleted: ['a'] });
  });
});

describe('types', () => {
  const rest = { kinds: ['v1/Pod'], now: NOW, dryRun: true };

  it('come from the store, whatever the strategy is for', async () => {
    const store = inMemoryStore(PODS);
    const general = any(keepNewest(1), all(olderThan('1h'), keepNewest(2)));
    const report = await createPruner({ ...rest, store, strategy: general }).run();
    expectTypeOf(report).toEqualTypeOf<PruneReport<KubernetesObject>>();
    const written = await createPruner({
      ...rest,
      store,
      strategy: (pods) => pods.filter(({ metadata }) => metadata.name === 'a'),
      hooks: { beforeDelete: ({ metadata }) => void metadata.name },
    }).run();
    expectTypeOf(written).toEqualTypeOf<PruneReport<KubernetesObject>>();
    expect(brief(written)).toMatchObject({ selected: ['a'] });
  });

  it('refuse a strategy for other objects', () => {
    const forNumbers: Strategy<number> = (numbers) => numbers;
    // @ts-expect-error the store has pods
    expect(() => createPruner({ ...rest, store: inMemoryStore(PODS), strategy: forNumbers })).not.toThrow();
  });
});

describe('what is in question', () => {
  const objects = [
    aPod('mine', '1h', 'Succeeded', { namespace: 'x', labels: { app: 'web' }, ...ownedBy('me') }),
    aPod('elsewhere', '1h', 'Succeeded', { namespace: 'y', labels: { app: 'web' }, ...ownedBy('me') }),
    aPod('unlabelled', '1h', 'Succeeded', { namespace: 'x', ...ownedBy('me') }),
    aPod('of another', '1h', 'Succeeded', { namespace: 'x', labels: { app: 'web' }, ...ownedBy('you') }),
    aJob('of another kind', '1h', 'complete', { namespace: 'x', labels: { app: 'web' }, ...ownedBy('me') }),
  ];

  it('is filtered again, whatever the store makes of the query', async () => {
    const store = carelessStore(objects);
    const report = await aPruner(store, {
      namespaces: ['x', 'z'],
      labels: { app: 'web' },
      owner: { name: 'me' },
    }).run();
    expect(names(store.remaining)).toEqual(names(objects.slice(1)));
    expect(report).toMatchObject({ examined: 1, filtered: 4 });
    expect(store.queries).toEqual(
      ['x', 'z'].map((namespace) => ({
        kind: { group: '', version: 'v1', kind: 'Pod' },
        namespace,
        labels: 'app=web',
      })),
    );
  });

  it.each<[string, object, string[]]>([
    ['namespaces', { namespaces: ['y'] }, ['elsewhere']],
    ['several namespaces', { namespaces: ['y', 'x'] }, ['elsewhere', 'mine', 'of another', 'unlabelled']],
    ['a selector', { labels: '!app' }, ['unlabelled']],
    ['the uid of the owner', { owner: { uid: 'uid-of-Operator-you' } }, ['of another']],
    [
      'all fields of the owner',
      { owner: { name: 'you', kind: 'Operator', controller: true } },
      ['of another'],
    ],
    ['a field that the owner has not', { owner: { name: 'you', kind: 'Deployment' } }, []],
    [
      'a function',
      { owner: (owners: readonly { name: string }[]) => owners[0]?.name === 'you' },
      ['of another'],
    ],
    ['kinds', { kinds: ['batch/v1/Job'] }, ['of another kind']],
  ])('is narrowed by %s', async (_what, options, expected) => {
    for (const store of [carelessStore(objects), inMemoryStore(objects)]) {
      const report = await aPruner(store, options).run();
      expect(names(report.deleted.map(({ object }) => object)).toSorted()).toEqual(expected);
    }
  });

  it('of two owners takes one that has all fields, not each field from another', async () => {
    const [one, two] = [ownedBy('me', 'Operator', false), ownedBy('you')].flatMap(
      ({ ownerReferences }) => ownerReferences,
    );
    const store = inMemoryStore([aPod('a', '1h', 'Succeeded', { ownerReferences: [one!, two!] })]);
    const run = async (owner: object) => brief(await aPruner(store, { owner, dryRun: true }).run());
    expect(await run({ name: 'me', controller: true })).toEqual({ outcome: 'completed' });
    expect(await run({ name: 'you', controller: true })).toMatchObject({ selected: ['a'] });
  });

  it('has each object once, in its later state', async () => {
    const before = [aPod('a', '2h'), aPod('b', '1h')];
    const later = [aPod('a', '2h', 'Running'), aPod('b', '1h', 'Succeeded', { labels: { app: 'x' } })];
    const report = await aPruner(
      { list: () => [...before, ...later], remove: async () => 'deleted' },
      { labels: '!app' },
    ).run();
    expect(report).toMatchObject({ examined: 1, filtered: 1 });
    expect(reasons(report.skipped)).toEqual({ a: 'the pod is Running' });

    const labelled = await aPruner(
      { list: () => [...before, ...later], remove: async () => 'deleted' },
      { labels: 'app=x' },
    ).run();
    expect(labelled).toMatchObject({ examined: 1, filtered: 1 });
    expect(brief(labelled)).toMatchObject({ deleted: ['b'] });
  });

  it('identifies objects by uid, else by kind, namespace and name', async () => {
    const twins = [
      aPod('a', '2h', 'Succeeded', { uid: '2' }),
      aPod('a', '2h', 'Succeeded', { uid: '1' }),
      aPod('renamed', '1h', 'Succeeded', { uid: '1' }),
      aPod('b', '2h', 'Succeeded', { uid: '4' }),
      aPod('b', '2h', 'Succeeded', { uid: '3' }),
    ];
    const { deleted } = await aPruner(carelessStore(twins)).run();
    expect(deleted.map(({ object: { metadata } }) => `${metadata.name} ${metadata.uid}`)).toEqual([
      'a 2',
      'b 3',
      'b 4',
      'renamed 1',
    ]);

    const records = ['x', 'x', 'y'].map((namespace) => ({
      kind: 'Run',
      namespace,
      name: 'r',
      createdAt: NOW,
    }));
    const report = await createPruner({
      store: inMemoryStore(records),
      kinds: ['Run'],
      strategy: keepNewest(0),
      allowUnregistered: true,
      now: NOW,
    }).run();
    expect(report.examined).toBe(2);
  });
});

describe('what is protected', () => {
  it.each<[string, KubernetesObject, string]>([
    ['is running', aPod('a', '1h', 'Running'), 'the pod is Running'],
    [
      'is being deleted',
      aPod('a', '1h', 'Succeeded', { deletionTimestamp: 'x' }),
      'it is being deleted already',
    ],
    ['has no name', aPod('', '1h'), 'it has no name'],
    [
      'has no creation time',
      aPod('a', '1h', 'Succeeded', { creationTimestamp: null }),
      'it has no creation time that can be read',
    ],
    [
      'has an unreadable one',
      aPod('a', '1h', 'Succeeded', { creationTimestamp: 'soon' }),
      'it has no creation time that can be read',
    ],
  ])('stays when it %s', async (_what, pod, reason) => {
    const store = inMemoryStore([pod, aPod('b', '1h')]);
    const report = await aPruner(store).run();
    expect(report.skipped).toEqual([{ object: pod, reason }]);
    expect(brief(report)).toMatchObject({ outcome: 'completed', deleted: ['b'] });
  });

  it('stays when nothing is registered for its kind, with how to allow it', async () => {
    const backups = [aBackup('one', '2d', 'Done')];
    const run = async (options: object) =>
      aPruner(inMemoryStore(backups), { kinds: ['example.com/v1/Backup'], dryRun: true, ...options }).run();
    expect(reasons((await run({})).skipped)).toEqual({
      one: 'no is-prunable is registered for example.com/v1/Backup; registry.register("example.com/v1/Backup", …) or allowUnregistered: ["example.com/v1/Backup"] lets it go',
    });
    expect(brief(await run({ allowUnregistered: true }))).toMatchObject({ selected: ['one'] });
    expect(brief(await run({ allowUnregistered: ['example.com/v1/Backup'] }))).toMatchObject({
      selected: ['one'],
    });
    expect(brief(await run({ allowUnregistered: ['example.com/v2/Backup'] }))).toMatchObject({
      skipped: ['one'],
    });
  });

  it('is what the registry of the pruner says, also when it learns later', async () => {
    const registry = new PrunableKinds();
    const pruner = aPruner(inMemoryStore(PODS), { registry, dryRun: true });
    expect(brief(await pruner.run())).toMatchObject({ skipped: ['c', 'b', 'a'] });
    registry.register('v1/Pod', async (pod: KubernetesObject, { now }) =>
      nameOf(pod) === 'a' ? { ok: true } : { ok: false, reason: `not at ${now.toISOString()}` },
    );
    const report = await pruner.run();
    expect(brief(report)).toMatchObject({ skipped: ['c', 'b'], selected: ['a'] });
    expect(reasons(report.skipped)).toMatchObject({ c: 'not at 2026-11-16T12:00:00.000Z' });
  });

  it('is not seen by the strategy, unless it is to be counted', async () => {
    const pods = [aPod('busy', '1h', 'Running'), aPod('new', '2h'), aPod('old', '3h')];
    const run = async (countUnprunable: boolean) =>
      brief(await aPruner(inMemoryStore(pods), { strategy: keepNewest(1), countUnprunable }).run());
    expect(await run(false)).toMatchObject({ skipped: ['busy'], kept: ['new'], deleted: ['old'] });
    expect(await run(true)).toMatchObject({ skipped: ['busy'], deleted: ['old', 'new'] });
  });

  it('stays although the strategy counts and selects it', async () => {
    const pods = [aPod('busy', '3h', 'Running'), aPod('done', '2h')];
    const store = inMemoryStore(pods);
    const report = await aPruner(store, { countUnprunable: true }).run();
    expect(brief(report)).toEqual({
      outcome: 'completed',
      skipped: ['busy'],
      selected: ['done'],
      deleted: ['done'],
    });
    expect(names(store.remaining)).toEqual(['busy']);
  });
});

describe('objects of any form', () => {
  interface Row {
    readonly id: string;
    readonly made: number;
  }
  const rows: Row[] = [
    { id: 'one', made: ago('2d').getTime() },
    { id: 'two', made: ago('1d').getTime() },
  ];
  const describeRow = ({ id, made }: Row) => ({
    ...describeResource({ kind: 'Row', name: id }),
    createdAt: new Date(made),
  });
  const run = async (describe: (row: Row) => ReturnType<typeof describeRow>): Promise<PruneReport<Row>> =>
    createPruner({
      store: { list: () => rows, remove: async () => 'deleted' as const },
      kinds: ['Row'],
      strategy: keepNewest(1),
      allowUnregistered: ['Row'],
      describe,
      now: NOW,
    }).run();

  it('are read as the caller says', async () => {
    expect((await run(describeRow)).deleted).toEqual([{ object: rows[0], reason: 'not the newest' }]);
  });

  it.each<[string, (row: Row) => unknown, string]>([
    ['throws', torn, 'it cannot be read: torn'],
    ['gives nothing', () => undefined, 'it cannot be read: '],
    [
      'gives no name',
      (row) => ({ ...describeRow(row), name: undefined }),
      'it cannot be read: describe gave it the name undefined',
    ],
    [
      'gives no time',
      (row) => ({ ...describeRow(row), createdAt: 'soon' }),
      'it has no creation time that can be read',
    ],
  ])('stay when what reads them %s', async (_what, broken, reason) => {
    const report = await run((row) => (row.id === 'one' ? broken(row) : describeRow(row)) as never);
    expect(report.skipped).toEqual([{ object: rows[0], reason: expect.stringContaining(reason) as string }]);
    expect(report.deleted).toEqual([]);
  });

  it('stay when it is not known whose they are', async () => {
    const owner = async () => true;
    const report = await aPruner(inMemoryStore(PODS), { owner: owner as never }).run();
    expect(reasons(report.skipped)).toMatchObject({
      a: 'it cannot be read: owner returned an object; it must return true or false',
    });
    expect(report.selected).toEqual([]);
  });
});

describe('several kinds', () => {
  const objects = [aPod('p1', '5h'), aPod('p2', '4h'), aJob('j1', '3h'), aJob('j2', '2h')];
  const kinds = ['v1/Pod', 'batch/v1/Job'];

  it('are judged each by itself', async () => {
    const report = await aPruner(inMemoryStore(objects), { kinds, strategy: keepNewest(1) }).run();
    expect(brief(report)).toMatchObject({ kept: ['p2', 'j2'], deleted: ['p1', 'j1'] });
  });

  it('are judged together when asked for', async () => {
    const options = { kinds, strategy: keepNewest(1), across: 'all-kinds' as const };
    const report = await aPruner(inMemoryStore(objects), options).run();
    expect(brief(report)).toMatchObject({ kept: ['j2'], deleted: ['p1', 'p2', 'j1'] });
  });
});

describe('a strategy', () => {
  it('receives the kind of items of typed lists, which do not have it', async () => {
    const items = PODS.map(({ metadata, status }) => ({ metadata, status: status! }));
    const kinds = new Set<string>();
    const strategy: Strategy<KubernetesObject> = (objects, { describe }) => {
      for (const object of objects) kinds.add(kindText(describe!(object).kind));
      return [];
    };
    await aPruner(inMemoryStore<KubernetesObject>(items), { strategy }).run();
    expect([...kinds]).toEqual(['v1/Pod']);
  });

  it('gets its own list, oldest first, and the reader of the objects', async () => {
    let seen: unknown;
    const strategy: Strategy<KubernetesObject> = (objects, { now, signal, describe }) => {
      seen = [names(objects), now, signal?.aborted, describe!(objects[0]!).createdAt];
      return [];
    };
    await aPruner(inMemoryStore(PODS), { strategy }).run(new AbortController().signal);
    expect(seen).toEqual([['c', 'b', 'a'], NOW, false, ago('3h')]);
  });

  it.each<[string, Strategy<KubernetesObject>, string]>([
    [
      'has a name',
      function everySecond(objects) {
        return objects.slice(0, 1);
      },
      'selected by everySecond',
    ],
    [
      'is written in place',
      Object.defineProperty((objects: readonly KubernetesObject[]) => objects.slice(0, 1), 'name', {
        value: 'strategy',
      }),
      'selected by the strategy',
    ],
    [
      'has no name',
      Object.defineProperty((objects: readonly KubernetesObject[]) => objects.slice(0, 1), 'name', {
        value: '',
      }),
      'selected by the strategy',
    ],
    ['gives an empty reason', (objects) => new Map([[objects[0]!, '']]), 'selected by the strategy'],
    ['gives a reason', async (objects) => new Map([[objects[0]!, 'too large']]), 'too large'],
    [
      'names one twice',
      function twice(objects) {
        return [objects[0]!, objects[0]!];
      },
      'selected by twice',
    ],
  ])('that %s is the reason', async (_what, strategy, reason) => {
    const report = await createPruner({
      store: inMemoryStore(PODS),
      kinds: ['v1/Pod'],
      now: NOW,
      strategy,
    }).run();
    expect(report.deleted.map((judged) => judged.reason)).toEqual([reason]);
  });

  it.each<[string, Strategy<KubernetesObject>, string]>([
    ['throws', torn, 'torn'],
    ['rejects', async () => torn(), 'torn'],
    [
      'gives a copy',
      function copies([pod]) {
        return [{ ...pod! }];
      },
      'copies returned v1/Pod/batch/c, which is not one of the objects it was given; it must return the same objects, not copies',
    ],
    [
      'gives what is protected',
      function greedy() {
        return [BUSY];
      },
      'greedy returned v1/Pod/batch/busy, which is not one',
    ],
    [
      'gives nothing',
      function nothing() {
        return undefined as never;
      },
      'nothing returned undefined; it must return a list of objects, or a Map of objects and reasons',
    ],
    [
      'gives a Set',
      function set(objects) {
        return new Set(objects) as never;
      },
      'set returned an object; it must return a list',
    ],
    [
      'gives null in a list',
      function holes() {
        return [null as never];
      },
      'holes returned null, which is not one',
    ],
  ])('that %s deletes nothing at all', async (_what, strategy, message) => {
    const store = inMemoryStore([...PODS, BUSY, aJob('j', '9h')]);
    const faulty: Strategy<KubernetesObject> = (objects, context) =>
      objects.some(({ kind }) => kind === 'Job') ? objects : strategy(objects, context);
    Object.defineProperty(faulty, 'name', { value: strategy.name });
    const error: unknown = await aPruner(store, { kinds: ['v1/Pod', 'batch/v1/Job'], strategy: faulty })
      .run()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PruneError);
    const { name, message: told, cause, report } = error as PruneError<KubernetesObject>;
    expect(name).toBe('PruneError');
    expect(told).toContain(`the strategy failed for v1/Pod, so nothing is deleted: ${message}`);
    expect(messageIn(cause)).toContain(message);
    expect(brief(report)).toEqual({
      outcome: 'incomplete',
      skipped: ['busy'],
      kept: ['c', 'b', 'a'],
      selected: ['j'],
      notTried: ['j'],
    });
    expect(reasons(report.notTried)).toEqual({ j: told });
    expect(store.remaining).toHaveLength(5);
  });

  const BUSY = aPod('busy', '4h', 'Running');
});

describe('is-prunable that fails', () => {
  const kinds = ['v1/Pod', 'batch/v1/Job'];
  const objects = [...PODS, aJob('j', '9h')];
  const failing = (throws: () => unknown) =>
    PrunableKinds.withDefaults().register('v1/Pod', (pod: KubernetesObject) =>
      nameOf(pod) === 'b' ? (throws() as never) : { ok: true },
    );
  it.each<[string, () => unknown, string]>([
    ['throws', torn, 'torn'],
    ['rejects', async () => torn(), 'torn'],
    [
      'says neither yes nor no',
      () => true,
      'the is-prunable of v1/Pod returned true; it must return {ok: true} or {ok: false, reason}',
    ],
    [
      'gives no reason',
      () => ({ ok: false }),
      'the is-prunable of v1/Pod returned an object; it must return',
    ],
    ['gives nothing', () => undefined, 'the is-prunable of v1/Pod returned undefined'],
  ])('because it %s keeps the object, and the others go', async (_what, throws, message) => {
    const report = await aPruner(inMemoryStore(objects), { kinds, registry: failing(throws) }).run();
    expect(brief(report)).toMatchObject({
      outcome: 'incomplete',
      skipped: ['b'],
      deleted: ['j', 'c', 'a'],
      failed: ['b'],
    });
    expect(report.skipped[0]!.reason).toContain('whether it may go is not known: ');
    expect(report.failed[0]).toMatchObject({
      stage: 'is-prunable',
      reason: expect.stringContaining(message) as string,
    });
    expect(messageIn(report.failed[0]!.error)).toContain(message);
  });

  it('does not count it, as its state is unknown', async () => {
    const options = { registry: failing(torn), strategy: keepNewest(2), countUnprunable: true };
    expect(brief(await aPruner(inMemoryStore(PODS), options).run())).toMatchObject({ kept: ['c', 'a'] });
  });

  it("deletes nothing with onError 'stop'", async () => {
    const store = inMemoryStore(objects);
    const report = await aPruner(store, { kinds, registry: failing(torn), onError: 'stop' }).run();
    expect(brief(report)).toMatchObject({ outcome: 'incomplete', notTried: ['j', 'c', 'a'] });
    expect(reasons(report.notTried)).toMatchObject({ j: 'a failure stopped the run' });
    expect(store.remaining).toHaveLength(4);
  });
});

describe('a list that fails', () => {
  const kinds = ['v1/Pod', 'batch/v1/Job'];
  const objects = [...PODS, aJob('j', '9h'), aPod('elsewhere', '1h', 'Succeeded', { namespace: 'other' })];

  it.each([0, 1, 4])('after %i objects deletes nothing of that kind, and the others go', async (end) => {
    const store = brokenList(objects, ({ kind }) => (kind.kind === 'Pod' ? end : null));
    const report = await aPruner(store, { kinds }).run();
    expect(brief(report)).toMatchObject({ outcome: 'incomplete', selected: ['j'], deleted: ['j'] });
    expect(report.problems).toEqual([
      { kind: 'v1/Pod', namespace: null, stage: 'list', error: new Error('503 from the server') },
    ]);
    expect(new Set(report.skipped.map(({ reason }) => reason))).toEqual(
      new Set(end === 0 ? [] : ['the list of v1/Pod is not complete']),
    );
    expect(report.skipped).toHaveLength(end);
  });

  it('of one namespace spares the kind in all of them', async () => {
    const store = brokenList(objects, ({ kind, namespace }) =>
      kind.kind === 'Pod' && namespace === 'other' ? 0 : null,
    );
    const report = await aPruner(store, { kinds, namespaces: ['batch', 'other'] }).run();
    expect(brief(report)).toMatchObject({ skipped: ['c', 'b', 'a'], deleted: ['j'] });
    expect(report.problems).toMatchObject([{ kind: 'v1/Pod', namespace: 'other' }]);
  });

  it("deletes nothing with onError 'stop'", async () => {
    const store = brokenList(objects, ({ kind }) => (kind.kind === 'Pod' ? 1 : null));
    const report = await aPruner(store, { kinds, onError: 'stop' }).run();
    expect(brief(report)).toMatchObject({ outcome: 'incomplete', selected: ['j'], notTried: ['j'] });
    expect(store.remaining).toHaveLength(5);
  });

  it.each([
    ['throws at once', torn],
    ['is no list', () => 7 as never],
    ['is the promise of a list', async () => PODS as never],
  ])('is one that %s', async (_what, list) => {
    const report = await aPruner({ list: list as never, remove: async () => 'deleted' }).run();
    expect(report).toMatchObject({ outcome: 'incomplete', examined: 0, problems: [{ kind: 'v1/Pod' }] });
  });
});
