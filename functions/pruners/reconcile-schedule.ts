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
  /** The schedule matches the spec; `wasPut` means that it was changed. */
  | { readonly outcome: 'settled'; readonly wasPut: boolean; readonly pruner: StoredPruner }
  /** The schedule was not changed; the conditions of the pruner show the error. */
  | { readonly outcome: 'failed'; readonly message: string; readonly pruner: StoredPruner | null }
  /** Neither the pruner nor a schedule exists. */
  | { readonly outcome: 'absent' }
  /** Concurrent changes exhausted the attempts. */
  | { readonly outcome: 'contended' };

const ROUNDS = 5;

/**
 * Creates, changes, disables or removes the schedule to match the stored spec. Reads the pruner again afterwards: of
 * several concurrent callers, the last one leaves the schedule of the newest spec.
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

/** Returns null if the pruner was created again: its schedule has to return. */
async function removeSchedule(
  { table, schedules }: ReconcileDependencies,
  name: string,
): Promise<PrunerReconciliation | null> {
  const failure = await failureOf(() => schedules.remove(name));
  if (failure !== null) return { outcome: 'failed', message: failure, pruner: null };
  await forgetPruner(table, name);
  return (await readPruner(table, name)) === null ? { outcome: 'absent' } : null;
}

/** Returns null if the spec changed. */
async function settle(
  { table, schedules, clock }: ReconcileDependencies,
  { name, record: { uid, generation, spec } }: StoredPruner,
): Promise<PrunerReconciliation | null> {
  let wasPut = false;
  const message = await failureOf(async () => {
    const definition = definitionOf(spec);
    // Leaves a matching schedule alone: every put restarts an interval.
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
  // It was valid when it was stored.
  if (!reading.ok) throw new RangeError(`it is no longer accepted: ${reading.problem}`);
  return { schedule: reading.schedule, timeZone, suspend, startingDeadlineSeconds };
}

async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
