import {
  createPruner,
  inMemoryStore,
  PruneError,
  type PruneReport,
  PrunableKinds,
  type Strategy,
} from '@cairn/shared/prune';
import type { PrunerOptions } from '@cairn/shared/prune/objects/options';
import { describe, expect, it } from 'vitest';
import { aJob, aPod, brief, type KubernetesObject, nameOf, NOW } from '../../../../helpers/prune/objects.ts';

/** A case that operator-lib tests of its pruner, and what ours does. */
interface PeerCase {
  readonly name: string;
  readonly options?: Partial<PrunerOptions<KubernetesObject>>;
  readonly deleted: readonly string[];
  readonly left: number;
}

const selectChurros: Strategy<KubernetesObject> = (objects) =>
  objects.filter((object) => ['churro1', 'churro2'].includes(nameOf(object)));
const saying = (verdict: () => { ok: true } | { ok: false; reason: string }) =>
  PrunableKinds.withDefaults().register('v1/Pod', verdict).register('batch/v1/Job', verdict);

const CASES: readonly PeerCase[] = [
  { name: 'a strategy by name', deleted: ['churro1', 'churro2'], left: 1 },
  {
    name: 'a custom is-prunable',
    options: { registry: saying(() => ({ ok: true })) },
    deleted: ['churro1', 'churro2'],
    left: 1,
  },
  {
    name: 'a dry run',
    options: { dryRun: true },
    deleted: [],
    left: 3,
  },
  {
    name: 'nothing is prunable',
    options: { registry: saying(() => ({ ok: false, reason: 'TEST' })) },
    deleted: [],
    left: 3,
  },
  {
    name: 'is-prunable fails, which stops all there and spares the object here',
    options: {
      registry: saying(() => {
        throw new Error('TEST');
      }),
    },
    deleted: [],
    left: 3,
  },
  {
    name: 'an unregistered kind, which is prunable there and stays here',
    options: { registry: new PrunableKinds() },
    deleted: [],
    left: 3,
  },
  {
    name: 'an unregistered kind that is allowed',
    options: { registry: new PrunableKinds(), allowUnregistered: true },
    deleted: ['churro1', 'churro2'],
    left: 1,
  },
];

const KINDS = [
  ['v1/Pod', aPod],
  ['batch/v1/Job', aJob],
] as const;

describe.each(KINDS)('the cases of operator-lib for %s', (kind, make) => {
  const objects = ['churro1', 'churro2', 'churro3'].map((name) => make(name, '1h'));

  it.each(CASES)('$name', async ({ options, deleted, left }) => {
    const store = inMemoryStore(objects);
    const report = await createPruner({
      store,
      kinds: [kind],
      strategy: selectChurros,
      now: NOW,
      ...options,
    }).run();
    expect(report.deleted.map(({ object }) => nameOf(object))).toEqual(deleted);
    expect(store.remaining).toHaveLength(left);
    const mayGo = report.skipped.length === 0;
    expect(report.selected.map(({ object }) => nameOf(object))).toEqual(mayGo ? ['churro1', 'churro2'] : []);
  });

  it('a strategy that fails', async () => {
    const store = inMemoryStore(objects);
    const strategy = () => {
      throw new Error('TEST');
    };
    const run = createPruner({ store, kinds: [kind], strategy, now: NOW }).run();
    await expect(run).rejects.toThrow(PruneError);
    await expect(run).rejects.toThrow(`the strategy failed for ${kind}, so nothing is deleted: TEST`);
    expect(store.remaining).toHaveLength(3);
  });

  it('an object that is deleted in between, which is an error there and none here', async () => {
    const store = inMemoryStore(objects);
    const strategy: Strategy<KubernetesObject> = async (given, context) => {
      await store.remove(objects[0]!);
      return selectChurros(given, context);
    };
    const report: PruneReport<KubernetesObject> = await createPruner({
      store,
      kinds: [kind],
      strategy,
      now: NOW,
    }).run();
    expect(brief(report)).toMatchObject({ outcome: 'completed', absent: ['churro1'], deleted: ['churro2'] });
  });
});
