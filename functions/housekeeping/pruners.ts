import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { type PrunerHealth, prunerHealth } from '@cairn/shared/prune/images/pruner/record';
import { messageOf } from '@cairn/shared/text/quote';
import { unfinishedRun } from '../prune-runs/progress.ts';
import { type PrunerReconciliation, reconcilePruner } from '../pruners/reconcile-schedule.ts';
import { prunerNames } from '../pruners/store.ts';
import type { MetricName } from '../runtime/names.ts';
import type { HousekeepingPruning, HousekeepingRun } from './run.ts';
import { seedPruners } from './seed-pruners.ts';

export interface WatchedPruners {
  readonly watched: number;
  readonly seeded: number;
  /** Repaired schedules. */
  readonly scheduled: number;
  readonly resumed: number;
  /** One sentence per failure. */
  readonly failures: readonly string[];
}

interface Sight {
  readonly health: PrunerHealth | null;
  readonly wasScheduled: boolean;
  readonly wasResumed: boolean;
  readonly failures: readonly string[];
}

/** Creates, schedules and resumes pruners. A failure does not stop the others. */
export async function watchPruners(
  run: HousekeepingRun,
  pruning: HousekeepingPruning,
): Promise<WatchedPruners> {
  const { dependencies, limits } = run;
  const seeding = await seedPruners(run, pruning);
  const names: string[] = [];
  for await (const name of prunerNames(dependencies.table)) names.push(name);
  const sights = await mapConcurrent(names, limits.prunersAtOnce, (name) => lookAfter(run, pruning, name));
  countWorst(
    dependencies.count,
    sights.flatMap(({ health }) => health ?? []),
  );
  return {
    watched: sights.filter(({ health }) => health !== null).length,
    seeded: seeding.seeded,
    scheduled: sights.filter(({ wasScheduled }) => wasScheduled).length,
    resumed: sights.filter(({ wasResumed }) => wasResumed).length,
    failures: [...seeding.failures, ...sights.flatMap(({ failures }) => failures)],
  };
}

async function lookAfter(run: HousekeepingRun, pruning: HousekeepingPruning, name: string): Promise<Sight> {
  const { table, log, clock, count } = run.dependencies;
  const failures: string[] = [];
  const failed = (
    what: 'scheduled' | 'looked after',
    reason: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): void => {
    log.warn(`pruner ${what === 'scheduled' ? 'scheduling' : 'maintenance'} failed`, {
      pruner: name,
      reason,
      ...fields,
    });
    failures.push(`the pruner ${name} was not ${what}: ${reason}`);
  };
  let health: PrunerHealth | null = null;
  let wasScheduled = false;
  let wasResumed = false;
  try {
    const outcome = await reconcilePruner({ table, schedules: pruning.schedules, clock }, name);
    if (outcome.outcome === 'failed') failed('scheduled', outcome.message);
    if (outcome.outcome === 'contended')
      failed('scheduled', 'others keep changing it, the next run tries again');
    wasScheduled = outcome.outcome === 'settled' && outcome.wasPut;
    if (wasScheduled) log.info('pruner scheduled', { pruner: name });
    const record = recordIn(outcome);
    if (record !== null) {
      health = prunerHealth(record, clock());
      count(metricsOf(health), { Pruner: name, DryRun: record.spec.dryRun ? 'yes' : 'no' });
      wasResumed = await resumeCutRun(run, pruning, name);
    }
  } catch (error) {
    failed('looked after', messageOf(error), { error });
  }
  return { health, wasScheduled, wasResumed, failures };
}

function recordIn(outcome: PrunerReconciliation) {
  return 'pruner' in outcome ? (outcome.pruner?.record ?? null) : null;
}

/** Resumes an unfinished run that holds no lease. */
async function resumeCutRun(
  { dependencies: { table, log, clock }, switches }: HousekeepingRun,
  { resume }: HousekeepingPruning,
  name: string,
): Promise<boolean> {
  if ((await switches.get('prune')) !== null) return false;
  const unfinished = await unfinishedRun(table, name, clock());
  if (unfinished === null || unfinished.isHeld) return false;
  await resume(name, unfinished.slot);
  log.info('prune run resumed', { pruner: name, run: unfinished.slot, startedAt: unfinished.startedAt });
  return true;
}

function metricsOf(health: PrunerHealth): Partial<Record<MetricName, number>> {
  const { installStatus, activeRunAgeSeconds, isOverdue, hasFailed, isBlocked } = health;
  return {
    installStatus,
    activeRunAgeSeconds,
    prunerOverdue: Number(isOverdue),
    lastRunFailed: Number(hasFailed),
    lastRunBlocked: Number(isBlocked),
  };
}

/** Emits the worst value of all pruners: alarms cannot know the names of future pruners. */
function countWorst(count: HousekeepingRun['dependencies']['count'], all: readonly PrunerHealth[]): void {
  count(
    metricsOf({
      installStatus: all.reduce<PrunerHealth['installStatus']>(
        (worst, { installStatus }) => (installStatus < worst ? installStatus : worst),
        2,
      ),
      activeRunAgeSeconds: Math.max(0, ...all.map(({ activeRunAgeSeconds }) => activeRunAgeSeconds)),
      isOverdue: all.some(({ isOverdue }) => isOverdue),
      hasFailed: all.some(({ hasFailed }) => hasFailed),
      isBlocked: all.some(({ isBlocked }) => isBlocked),
    }),
  );
}
