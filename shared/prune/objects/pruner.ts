import { messageOf } from '../../text/quote.ts';
import { deleteAll, deleteNone, type Deletion, refuseAll } from './deletion.ts';
import { type PrunerOptions, RunLog } from './options.ts';
import { makePlan, type Plan } from './plan.ts';
import { type Judged, PruneError, type PruneReport } from './report.ts';
import { readSettings, type Settings } from './validate-options.ts';

export type { PrunerOptions, Store } from './options.ts';
export type { Judged, PruneReport } from './report.ts';

export interface Pruner<T> {
  /**
   * Plans for all kinds, then deletes, oldest first. Failures are in the report; it rejects only if the strategy
   * (PruneError) or `now` fails. Runs can overlap.
   */
  run(signal?: AbortSignal): Promise<PruneReport<T>>;
}

/**
 * Throws a TypeError or a RangeError for invalid options.
 * `await createPruner({ store, kinds: ['v1/Pod'], strategy: keepNewest(5), now: new Date() }).run()`
 */
export function createPruner<T>(options: PrunerOptions<T>): Pruner<T> {
  const settings = readSettings(options);
  return { run: async (signal) => runOnce(settings, signal) };
}

async function runOnce<T>(settings: Settings<T>, signal: AbortSignal | undefined): Promise<PruneReport<T>> {
  const plan = await makePlan(settings, settings.now(), signal);
  const log = new RunLog(settings.logger, plan.resources);
  logPlan(plan, log);
  const deletion = await carryOut(settings, plan, log, signal);
  const report = makeReport(settings, plan, deletion, signal);
  logReport(report, log);
  if (plan.strategyFault === null) return report;
  const { message, cause } = plan.strategyFault;
  throw new PruneError(message, report, { cause });
}

async function carryOut<T>(
  settings: Settings<T>,
  plan: Plan<T>,
  log: RunLog<T>,
  signal: AbortSignal | undefined,
): Promise<Deletion<T>> {
  const { selected, strategyFault, failed, problems } = plan;
  if (strategyFault !== null) return refuseAll(selected, strategyFault.message);
  if (signal?.aborted) return refuseAll(selected, 'the run was aborted');
  const isFlawed = failed.length > 0 || problems.length > 0;
  if (isFlawed && settings.stopsOnError) return refuseAll(selected, 'a failure stopped the run');
  return settings.dryRun ? deleteNone(settings, selected, log) : deleteAll(settings, selected, log, signal);
}

function makeReport<T>(
  { dryRun }: Settings<T>,
  plan: Plan<T>,
  deletion: Deletion<T>,
  signal: AbortSignal | undefined,
): PruneReport<T> {
  const { filtered, skipped, kept, selected, problems } = plan;
  // Concurrent deletions finish in any order.
  const place = new Map([...plan.resources.keys()].map((object, index) => [object, index]));
  const inOrder = <Item extends Judged<T>>(items: readonly Item[]): Item[] =>
    items.toSorted((a, b) => place.get(a.object)! - place.get(b.object)!);
  const failed = inOrder([...plan.failed, ...deletion.failed]);
  const isWhole = failed.length === 0 && problems.length === 0 && !deletion.isCutShort;
  return {
    dryRun,
    outcome: isWhole ? 'completed' : signal?.aborted ? 'aborted' : 'incomplete',
    examined: plan.resources.size,
    filtered,
    skipped,
    kept,
    selected,
    deleted: inOrder(deletion.deleted),
    absent: inOrder(deletion.absent),
    notTried: inOrder(deletion.notTried),
    failed,
    problems,
  };
}

function logPlan<T>({ skipped, kept, failed, problems }: Plan<T>, log: RunLog<T>): void {
  for (const { kind, namespace, error } of problems) {
    log.run('error', 'list failed, nothing of the kind is deleted', {
      kind,
      namespace,
      reason: messageOf(error),
    });
  }
  for (const { object, stage, reason } of failed) log.object('warn', `${stage} failed`, object, reason);
  for (const { object, reason } of skipped) log.object('debug', 'protected', object, reason);
  for (const { object, reason } of kept) log.object('debug', 'kept', object, reason);
}

function logReport<T>(report: PruneReport<T>, log: RunLog<T>): void {
  log.run('info', 'pruned', {
    outcome: report.outcome,
    dryRun: report.dryRun,
    examined: report.examined,
    skipped: report.skipped.length,
    kept: report.kept.length,
    selected: report.selected.length,
    deleted: report.deleted.length,
    absent: report.absent.length,
    notTried: report.notTried.length,
    failed: report.failed.length,
    problems: report.problems.length,
  });
}
