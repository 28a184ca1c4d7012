import { scheduleFailed, scheduleSettled } from '@cairn/shared/prune/images/pruner/record';
import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import type { Table } from '../store/table.ts';
import type { PrunerScheduleDefinition, PrunerSchedules } from './schedules.ts';
import { forgetPruner, readPruner, revisePruner, type StoredPruner } from './store.ts';

interface ReconcileDependencies {
  readonly table: Table;
  readonly schedules: PrunerSchedules;
  readonly clock: () => number;
}

export type PrunerReconciliation =
  /** The schedule is as the spec has it; `wasPut` tells that it was not. */
  | { readonly outcome: 'settled'; readonly wasPut: boolean; readonly pruner: StoredPruner }
  /** The schedule could not be changed; the conditions of the pruner tell it. */
  | { readonly outcome: 'failed'; readonly message: string; readonly pruner: StoredPruner | null }
  /** There is no such pruner, and now no schedule of it either. */
  | { readonly outcome: 'absent' }
  /** Others changed it at the same time, again and again. */
  | { readonly outcome: 'contended' };

const ROUNDS = 5;

/**
 * Brings the schedule of a pruner in line with its row, which is the truth: made, changed, disabled or removed. What was
 * done is worth nothing when the row has moved on meanwhile, so it is looked at again afterwards: of several who do this
 * at once, the last one leaves the schedule of the newest row.
 */
export async function reconcilePruner(
  dependencies: ReconcileDependencies,
  name: string,
): Promise<PrunerReconciliation> {
  const { table } = dependencies;
  for (let round = 1; round <= ROUNDS; round++) {
    const pruner = await readPruner(table, name);
    const outcome =
      pruner === null ? await removeSchedule(dependencies, name) : await settle(dependencies, pruner);
    if (outcome !== null) return outcome;
  }
  return { outcome: 'contended' };
}

/** Null when it was made anew meanwhile: then its schedule must come back. */
async function removeSchedule(
  { table, schedules }: ReconcileDependencies,
  name: string,
): Promise<PrunerReconciliation | null> {
  const failure = await failureOf(() => schedules.remove(name));
  if (failure !== null) return { outcome: 'failed', message: failure, pruner: null };
  await forgetPruner(table, name);
  return (await readPruner(table, name)) === null ? { outcome: 'absent' } : null;
}

/** Null when the row has moved on. */
async function settle(
  { table, schedules, clock }: ReconcileDependencies,
  { name, record: { uid, generation, spec } }: StoredPruner,
): Promise<PrunerReconciliation | null> {
  let wasPut = false;
  const message = await failureOf(async () => {
    const definition = definitionOf(spec);
    // What is as it should be is left alone: an interval begins anew whenever it is put.
    if (await schedules.holds(name, definition)) return;
    await schedules.put(name, definition);
    wasPut = true;
  });
  const now = new Date(clock()).toISOString();
  const noted = await revisePruner(table, name, uid, (record) => {
    if (record.generation !== generation) return record;
    return message === null ? scheduleSettled(record, { wasPut, now }) : scheduleFailed(record, message, now);
  });
  if (!('pruner' in noted)) return noted.outcome === 'contended' ? { outcome: 'contended' } : null;
  const { pruner } = noted;
  if (pruner.record.generation !== generation) return null;
  return message === null ? { outcome: 'settled', wasPut, pruner } : { outcome: 'failed', message, pruner };
}

function definitionOf({
  schedule,
  timeZone,
  suspend,
  startingDeadlineSeconds,
}: PrunerSpec): PrunerScheduleDefinition {
  const reading = readSchedule(schedule);
  // It was when it was stored.
  if (!reading.ok) throw new RangeError(`it is no longer accepted: ${reading.problem}`);
  return { schedule: reading.schedule, timeZone, suspend, startingDeadlineSeconds };
}

/** What the scheduler had to say against it, or null. */
async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
