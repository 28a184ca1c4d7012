import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { type PrunerHealth, prunerHealth } from '@cairn/shared/prune/images/pruner/record';
import { messageOf } from '@cairn/shared/text/quote';
import { unfinishedRun } from '../prune-runs/progress.ts';
import { reconcilePruner } from '../pruners/reconcile-schedule.ts';
import { prunerNames } from '../pruners/store.ts';
import type { MetricName } from '../runtime/names.ts';
import type { HousekeepingPruning, HousekeepingRun } from './run.ts';
import { seedPruners } from './seed-pruners.ts';

export type WatchedPruners = Awaited<ReturnType<typeof watchPruners>>;

/** Creates, schedules and resumes pruners. A failure does not stop the others and gives one sentence. */
export async function watchPruners(run: HousekeepingRun, pruning: HousekeepingPruning) {
  const { dependencies, limits } = run;
  const seeding = await seedPruners(run, pruning);
  const names: string[] = [];
  for await (const name of prunerNames(dependencies.table)) names.push(name);
  const outcomes = await mapConcurrent(names, limits.prunersAtOnce, (name) =>
    maintainPruner(run, pruning, name),
  );
  countWorst(
    dependencies.count,
    outcomes.flatMap(({ health }) => health ?? []),
  );
  return {
    counts: {
      prunersWatched: outcomes.filter(({ health }) => health !== null).length,
      prunersSeeded: seeding.seeded,
      prunersScheduled: outcomes.filter(({ wasScheduled }) => wasScheduled).length,
      prunerRunsResumed: outcomes.filter(({ wasResumed }) => wasResumed).length,
    },
    failures: [...seeding.failures, ...outcomes.flatMap(({ failures }) => failures)],
  };
}

async function maintainPruner(run: HousekeepingRun, pruning: HousekeepingPruning, name: string) {
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
    const record = 'pruner' in outcome ? outcome.pruner?.record : undefined;
    if (record !== undefined) {
      health = prunerHealth(record, clock());
      count(metricsOf(health), { Pruner: name, DryRun: record.spec.dryRun ? 'yes' : 'no' });
      wasResumed = await resumeCutRun(run, pruning, name);
    }
  } catch (error) {
    failed('looked after', messageOf(error), { error });
  }
  return { health, wasScheduled, wasResumed, failures };
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
