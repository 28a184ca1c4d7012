import { randomUUID } from 'node:crypto';
import { takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { type PrunerSpec, readPrunerSpec, type RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { messageOf } from '@cairn/shared/text/quote';
import { allPruners, changePruner, placeOf } from '../pruners/store.ts';
import { readItem, writeItem } from '../store/item.ts';
import { PRUNER_SEEDS_KEY } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { HousekeepingPruning, HousekeepingRun } from './run.ts';

/** OpenShift names its only image pruner `cluster`. */
const FIRST_NAME = 'cluster';
const NAMES_TRIED = 9;

/** Creates a pruner for each granted bucket that never had one. Returns one sentence per failure. */
export async function seedPruners(run: HousekeepingRun, pruning: HousekeepingPruning) {
  const { table, log } = run.dependencies;
  const places = await readSeededPlaces(table);
  const missing = pruning.grantedBuckets.filter((target) => !places.has(placeOf(target)));
  if (missing.length === 0) return { seeded: 0, failures: [] };

  const taken = new Set<string>();
  for await (const { record } of allPruners(table)) taken.add(placeOf(record.spec.target));
  const failures: string[] = [];
  let seeded = 0;
  for (const target of missing) {
    const place = placeOf(target);
    try {
      if (!taken.has(place) && (await seed(run, pruning, target))) seeded++;
      // Remember the place last: a run interrupted before this finds the pruner it created.
      await rememberSeededPlace(table, place);
    } catch (error) {
      log.warn('pruner creation failed', { ...target, error });
      failures.push(`no pruner was made for ${target.bucket}: ${messageOf(error)}`);
    }
  }
  return { seeded, failures };
}

/** False if the pruner already existed. */
async function seed(
  { dependencies, slot }: HousekeepingRun,
  { grantedBuckets, holdsRegistry }: HousekeepingPruning,
  target: RegistryTarget,
): Promise<boolean> {
  const { table, log } = dependencies;
  // Suspend the pruner of a registry in use: an operator must review its prune plan first.
  const suspend = await holdsRegistry(target);
  for (const name of namesFor(target, grantedBuckets)) {
    const spec = specOf(name, target, suspend);
    const change = await changePruner(
      table,
      name,
      (former) => former?.record ?? takeSpec(null, spec, { now: slot, uid: randomUUID() }),
    );
    if (change.outcome === 'contended') throw new Error(`others keep changing ${name}`);
    if (change.isNew) log.info('pruner created', { pruner: name, ...target, suspend });
    if (placeOf(change.pruner.record.spec.target) === placeOf(target)) return change.isNew;
  }
  throw new Error('every name for it is taken');
}

/** Bucket names are valid pruner names. */
function* namesFor(target: RegistryTarget, grantedBuckets: readonly RegistryTarget[]): Generator<string> {
  const { bucket } = target;
  if (target === grantedBuckets[0]) yield FIRST_NAME;
  yield bucket;
  for (let number = 2; number <= NAMES_TRIED; number++) yield `${bucket.slice(0, 60)}-${number}`;
}

function specOf(name: string, target: RegistryTarget, suspend: boolean): PrunerSpec {
  const reading = readPrunerSpec({ target, suspend }, { name, targets: [target] });
  if (reading.ok) return reading.spec;
  throw new Error(reading.mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '));
}

/** Places that ever had a pruner, as `placeOf` names them: a deleted pruner is not created again. */
async function readSeededPlaces(table: Table): Promise<ReadonlySet<string>> {
  const item = await readItem(table, PRUNER_SEEDS_KEY);
  return (item?.['places'] as Set<string> | undefined) ?? new Set();
}

async function rememberSeededPlace(table: Table, place: string): Promise<void> {
  await writeItem(table, {
    key: PRUNER_SEEDS_KEY,
    write: { update: { expression: 'ADD places :places', values: { ':places': new Set([place]) } } },
    condition: { expression: 'NOT contains(places, :place)', values: { ':place': place } },
  });
}
