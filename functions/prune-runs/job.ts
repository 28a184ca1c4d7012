import { randomUUID } from 'node:crypto';
import { runStarted } from '@cairn/shared/prune/images/pruner/record';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { messageOf } from '@cairn/shared/text/quote';
import { isInFuture } from '@cairn/shared/time/future';
import { readPruner, revisePruner, type StoredPruner } from '../pruners/store.ts';
import { prunerLeaseKey } from '../store/keys.ts';
import {
  type EventTrigger,
  acquireLease,
  type DoneSlots,
  finishLease,
  type FutureTime,
  recordSkip,
  releaseLease,
  withRun,
} from '../store/leases.ts';
import { recordRun } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';
import { SwitchReader } from '../switches/store.ts';
import type { RunEnd } from './cluster-images.ts';
import { finishRun } from './finish.ts';
import { advance, beganAt } from './phases.ts';
import { jobOf, type PruneProgress, type FormerRun, textOf, progressIn, formerIn } from './progress.ts';
import { PruneSession, type PruneDependencies, PRUNE_LIMITS } from './session.ts';

export interface PruneRequest {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: EventTrigger;
  /** Of a run by hand: only tell what would go, whatever the pruner says. */
  readonly dryRun?: boolean | undefined;
  /** Of a run by hand: the hash of a plan that may go although it is large. */
  readonly agree?: string | undefined;
}

export type PruneResult =
  | {
      readonly status: 'Skipped';
      readonly reason:
        | 'Unknown'
        | 'Duplicate'
        | 'Concurrent'
        | 'Suspended'
        | 'Missed'
        | 'Superseded'
        | 'Stopped';
    }
  /** Time was up, or pruning was stopped; what is done is noted, and another invocation goes on. */
  | {
      readonly status: 'Paused';
      readonly run: string;
      readonly phase: PruneProgress['phase'];
      readonly reason: 'OutOfTime' | 'Stopped';
    }
  | {
      readonly status: 'Done';
      readonly run: string;
      readonly outcome: RunEnd['outcome'];
      readonly reason: string;
    };

/** An invocation that fails is followed by others; a run that keeps failing ends. */
const MOST_FAILED_INVOCATIONS = 3;

/** Runs a pruner, or goes on with a run that was cut. A duplicate event is only noted, and two never run at once. */
export async function runPruner(
  dependencies: PruneDependencies,
  request: PruneRequest,
): Promise<PruneResult> {
  const { table, clock } = dependencies;
  const pruner = await readPruner(table, request.pruner);
  const slot = slotOf(request);
  const skip = (reason: SkipReason) => noteSkipped(dependencies, { ...request, slot }, reason);
  const record = (note: string) => recordSkipped(dependencies, { ...request, slot }, note);
  if (pruner === null) return skip('Unknown');
  const switches = new SwitchReader(table, clock);
  const stop = await switches.get('prune');
  if (stop !== null) {
    // A run that is under way is told of by its own record.
    if (request.trigger !== 'resume') await record(`pruning is stopped: ${stop.reason}`);
    return skip('Stopped');
  }
  const now = clock();
  const acquired = await acquireLease(table, prunerLeaseKey(pruner.name), {
    slot,
    byHand: request.trigger !== 'schedule',
    owner: randomUUID(),
    now,
    durationMs: PRUNE_LIMITS.leaseMs,
  });
  if (!acquired.acquired) {
    if (request.trigger !== 'resume') await record(SKIP_NOTES[acquired.reason]);
    return skip(acquired.reason);
  }
  const { token, item, done, future } = acquired;
  const start = {
    switches,
    pruner: pruner.name,
    token,
    condemned: textOf(item['condemned']),
    former: formerIn(item),
  };
  const open = (progress: PruneProgress) => new PruneSession(dependencies, { ...start, progress });
  const unfinished = progressIn(item, pruner);
  // Who resumes a run has its slot from it.
  const latest = request.trigger === 'resume' ? now : Math.max(now, Date.parse(slot));
  const isWrong = unfinished !== null && isInFuture(beganAt(unfinished), latest);
  tellOfFuture(dependencies, { pruner: pruner.name, slot }, [
    ...future,
    ...(isWrong ? [{ field: 'progress.slot', at: unfinished.slot }] : []),
  ]);
  const former = isWrong ? await stopWrongRun(open(unfinished), dependencies) : unfinished;
  if (former === null) {
    const refusal = refusalOf(pruner, request, slot, now);
    if (refusal !== null) {
      if (refusal !== 'Duplicate') await record(REFUSALS[refusal]);
      await giveBack(table, request, { token, done });
      return skip(refusal);
    }
  } else if (former.slot !== slot) {
    await record(`the run ${former.slot} was under way and goes on`);
  }
  const doneAfter = former === null ? done : doneWith(former, done, isWrong);
  return work(open(former ?? newProgress(pruner, request, slot, now)), dependencies, doneAfter);
}

/** Ends an event that starts no run. */
async function giveBack(
  table: Table,
  { pruner, trigger }: PruneRequest,
  { token, done }: { readonly token: number; readonly done: DoneSlots },
): Promise<void> {
  const key = prunerLeaseKey(pruner);
  // To resume is no run of its own: marked as done, it would keep the run itself from being resumed.
  if (trigger === 'resume') await releaseLease(table, key, { token }, { progress: '' });
  else await finishLease(table, key, { token, done }, { progress: '' });
}

function tellOfFuture(
  { log, count }: PruneDependencies,
  run: { readonly pruner: string; readonly slot: string },
  times: readonly FutureTime[],
): void {
  if (times.length === 0) return;
  log.warn('stored times lie in the future', { ...run, times });
  count({ futureTimes: times.length });
}

/**
 * Ends a run that was to be in the future, as what it takes for old is not: null when it is over. One that has deleted
 * something deletes no more, and ends once it has looked at what came into use.
 */
async function stopWrongRun(
  session: PruneSession,
  dependencies: PruneDependencies,
): Promise<PruneProgress | null> {
  const { phase, slot } = session.progress;
  const message = `the time of the run, ${slot}, is in the future: a clock was wrong`;
  if (phase === 'delete' || phase === 'revive') {
    session.note({ phase: 'revive', stopped: message });
    return session.progress;
  }
  await finishRun(session, dependencies, { outcome: 'Failed', reason: 'Error', message, isWhole: false });
  return null;
}

/** The event is done, and so is the run that it carried on. */
function doneWith({ slot, trigger }: PruneProgress, done: DoneSlots, isWrong: boolean): DoneSlots {
  const isScheduled = trigger === 'schedule';
  const isLater = isScheduled && !isWrong && (done.finishedSlot ?? '') < slot;
  return { ...done, ...withRun(done, slot, !isScheduled), ...(isLater && { finishedSlot: slot }) };
}

async function work(
  session: PruneSession,
  dependencies: PruneDependencies,
  done: DoneSlots,
): Promise<PruneResult> {
  const { table, log } = dependencies;
  const { pruner: name } = session;
  const key = prunerLeaseKey(name);
  const superseded = () => noteSkipped(dependencies, { ...session.progress, pruner: name }, 'Superseded');
  try {
    // From here on a run that dies is known to be unfinished.
    if (!(await session.checkpoint({}))) return await superseded();
    const { slot: run, startedAt, trigger, dryRun, uid } = session.progress;
    await revisePruner(table, name, uid, (record) =>
      record.activeRun?.id === run ? record : runStarted(record, { id: run, startedAt, trigger, dryRun }),
    );
    const step = await advance(session, storageRoot(session.progress.spec.target.prefix));
    if (step.status === 'superseded') return await superseded();
    if (step.status === 'paused') {
      await releaseLease(table, key, { token: session.token }, session.attributes());
      const reason = session.isStopped() ? 'Stopped' : 'OutOfTime';
      log.info('prune run paused', { pruner: name, run, reason });
      return { status: 'Paused', run, phase: session.progress.phase, reason };
    }
    return await end(session, dependencies, done, step.end);
  } catch (error) {
    log.error('prune run failed', { pruner: name, run: session.progress.slot, error });
    const failures = session.progress.failures + 1;
    const isLast = failures >= MOST_FAILED_INVOCATIONS;
    const { phase } = session.progress;
    if (isLast && (phase === 'inventory' || phase === 'decide')) {
      const message = `${failures} invocations failed, the last one: ${messageOf(error)}`;
      return end(session, dependencies, done, {
        outcome: 'Failed',
        reason: 'Error',
        message,
        isWhole: false,
      });
    }
    // What was deleted may have come into use: no run ends before that is looked at, however often it takes.
    if (isLast && phase === 'delete') session.note({ phase: 'revive', stopped: messageOf(error) });
    session.note({ failures });
    await releaseLease(table, key, { token: session.token }, session.attributes());
    throw error;
  }
}

async function end(
  session: PruneSession,
  dependencies: PruneDependencies,
  done: DoneSlots,
  ended: RunEnd,
): Promise<PruneResult> {
  const run = session.progress.slot;
  const condemned = await finishRun(session, dependencies, ended);
  const key = prunerLeaseKey(session.pruner);
  const isOurs = await finishLease(
    dependencies.table,
    key,
    { token: session.token, done },
    { progress: '', condemned, former: formerAfter(session, ended) },
  );
  if (!isOurs) {
    return noteSkipped(dependencies, { ...session.progress, pruner: session.pruner }, 'Superseded');
  }
  await session.tidyUp(condemned);
  return { status: 'Done', run, outcome: ended.outcome, reason: ended.reason };
}

/** Events of one minute are one: AWS fires within it, and a schedule may have two expressions that meet. */
function slotOf({ scheduledTime, trigger }: PruneRequest): string {
  const time = Date.parse(scheduledTime);
  return new Date(trigger === 'schedule' ? Math.floor(time / 60_000) * 60_000 : time).toISOString();
}

const REFUSALS = {
  Suspended: 'the pruner is suspended',
  Missed: 'it came later than startingDeadlineSeconds allows',
} as const;

const SKIP_NOTES = {
  Duplicate: 'this slot or a later one is done or under way',
  Concurrent: 'another run is under way',
} as const;

function refusalOf(
  { record }: StoredPruner,
  { trigger }: PruneRequest,
  slot: string,
  now: number,
): keyof typeof REFUSALS | 'Duplicate' | null {
  if (trigger === 'resume') return 'Duplicate';
  if (trigger === 'manual') return null;
  if (record.spec.suspend) return 'Suspended';
  return now - Date.parse(slot) > record.spec.startingDeadlineSeconds * 1000 ? 'Missed' : null;
}

function newProgress(
  { record }: StoredPruner,
  { trigger, dryRun, agree }: PruneRequest,
  slot: string,
  now: number,
): PruneProgress {
  const { spec, uid } = record;
  return {
    slot,
    uid,
    trigger: trigger === 'schedule' ? 'schedule' : 'manual',
    // A request may do less than the pruner, never more, also when the pruner has changed since.
    dryRun: spec.dryRun || dryRun === true,
    agree: agree ?? null,
    spec,
    startedAt: new Date(now).toISOString(),
    phase: 'inventory',
    listing: { done: [], after: {} },
    listed: 0,
    planned: 0,
    deletedLines: 0,
    deleted: {},
    failures: 0,
  };
}

/** What the next run looks at once more: still the former one where this one has not looked. */
function formerAfter({ progress, former }: PruneSession, { isCondemning }: RunEnd): string {
  const { slot, startedAt, planBy, planned } = progress;
  const own: FormerRun | null = planned > 0 ? { slot, startedAt, planBy } : null;
  const next = isCondemning ? own : former;
  return next === null ? '' : JSON.stringify(next);
}

async function recordSkipped(
  { table, clock }: PruneDependencies,
  { pruner, slot, trigger }: SkippedEvent,
  note: string,
): Promise<void> {
  await recordRun(table, {
    job: jobOf(pruner),
    slot,
    trigger: trigger === 'schedule' ? 'schedule' : 'manual',
    outcome: 'Skipped',
    durationMs: Math.max(0, clock() - Date.parse(slot)),
    counts: null,
    notes: [note],
  });
}

type SkippedEvent = Pick<PruneRequest, 'pruner' | 'trigger'> & { readonly slot: string };
type SkipReason = Extract<PruneResult, { status: 'Skipped' }>['reason'];

async function noteSkipped(
  { table, log, count }: PruneDependencies,
  { pruner, slot, trigger }: SkippedEvent,
  reason: SkipReason,
): Promise<PruneResult> {
  // EventBridge delivers some events twice.
  log[reason === 'Duplicate' ? 'info' : 'warn']('prune run skipped', { pruner, slot, trigger, reason });
  count({ pruneRunSkipped: 1 }, { Pruner: pruner });
  if (reason !== 'Unknown') await recordSkip(table, prunerLeaseKey(pruner), { slot, trigger, reason });
  return { status: 'Skipped', reason };
}
