import { runStarted } from '@cairn/shared/prune/images/pruner/record';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { messageOf } from '@cairn/shared/text/quote';
import { isInFuture } from '@cairn/shared/time/future';
import type { CountedMetrics } from '../jobs/middleware/count-outcome.ts';
import {
  type Ended,
  type HeldLease,
  type LeasedJob,
  LeaseLost,
  reportFutureTimes,
  runUnderLease,
  SKIP_NOTES,
  type SkippedJob,
} from '../jobs/run-under-lease.ts';
import { readPruner, revisePruner, type StoredPruner } from '../pruners/store.ts';
import { prunerLeaseKey } from '../store/keys.ts';
import type { EventTrigger } from '../store/leases.ts';
import { recordRun } from '../store/run-records.ts';
import type { RunEnd } from './cluster-images.ts';
import { finishRun } from './finish.ts';
import { advance } from './phases.ts';
import {
  beganAt,
  type FormerRun,
  jobOf,
  type PruneProgress,
  pruneProgressCodec,
  type PruneState,
} from './progress.ts';
import { PruneSession, type PruneDependencies, PRUNE_LIMITS } from './session.ts';

export interface PruneRequest {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: EventTrigger;
  /** Manual runs only: makes this run a dry run, whatever the spec says. */
  readonly dryRun?: boolean | undefined;
  /** Manual runs only: hash of a plan that may exceed the deletion limit. */
  readonly agree?: string | undefined;
}

type PruneEvent = PruneRequest & { readonly slot: string };

export type PruneResult =
  | SkippedJob
  | { readonly status: 'Skipped'; readonly reason: 'Unknown' }
  /** Time is up, or pruning is stopped. The progress is stored and another invocation continues. */
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

type PruneEnding = Exclude<PruneResult, { readonly status: 'Skipped' }>;
type Ending = Ended<PruneState, PruneEnding>;

/** A failed invocation is retried, but a run that keeps failing has to end. */
const MOST_FAILED_INVOCATIONS = 3;

/** Starts a prune run, or continues an interrupted one. */
export async function runPruner(
  dependencies: PruneDependencies,
  request: PruneRequest,
): Promise<PruneResult> {
  const { table, log } = dependencies;
  const { trigger } = request;
  const pruner = await readPruner(table, request.pruner);
  const slot = slotOf(request);
  if (pruner === null) {
    const reason = 'Unknown';
    log.warn('prune run skipped', { pruner: request.pruner, slot, trigger, reason });
    return { status: 'Skipped', reason };
  }
  const event = { ...request, slot };
  const opened: { session?: PruneSession; condemned?: string } = {};
  const job: LeasedJob<PruneState, PruneEnding> = {
    name: 'prune run',
    fields: { pruner: pruner.name },
    key: prunerLeaseKey(pruner.name),
    leaseMs: PRUNE_LIMITS.leaseMs,
    extendsLease: true,
    stoppedBy: 'prune',
    // The deadline of the pruner applies to new runs only; `refusalOf` checks it.
    startingDeadlineMs: null,
    state: pruneProgressCodec,
    async run(lease) {
      const session = await openRun(dependencies, pruner, event, lease);
      if (!(session instanceof PruneSession)) return session;
      opened.session = session;
      const ending = await work(session);
      opened.condemned = ending.state.condemned ?? '';
      return ending;
    },
    async onSkipped(reason, stop) {
      // The unfinished run has its own record.
      if (trigger === 'resume') return;
      const note = stop === null ? SKIP_NOTES[reason]! : `pruning is stopped: ${stop.reason}`;
      await recordSkipped(dependencies, event, note);
    },
    onFailed: async () => opened.session && { progress: opened.session.progress },
  };
  const result = await runUnderLease(dependencies, event, job);
  if (result.status === 'Done') await opened.session?.tidyUp(opened.condemned ?? '');
  return result;
}

/** Returns the session of a new or continued run, or the reason for neither. */
async function openRun(
  dependencies: PruneDependencies,
  pruner: StoredPruner,
  event: PruneEvent,
  lease: HeldLease<PruneState>,
): Promise<PruneSession | Ending> {
  const { trigger, slot } = event;
  const { startedAt: now, state } = lease;
  const open = (progress: PruneProgress) => new PruneSession(dependencies, lease, pruner.name, progress);
  const unfinished = state.progress?.uid === pruner.record.uid ? state.progress : null;
  // A resume event takes its slot from the run, so the slot proves nothing about the clock.
  const latest = trigger === 'resume' ? now : Math.max(now, Date.parse(slot));
  const isWrong = unfinished !== null && isInFuture(beganAt(unfinished), latest);
  reportFutureTimes(dependencies, { pruner: pruner.name, slot }, [
    ...lease.futureTimes,
    ...(isWrong ? [{ field: 'progress.slot', at: unfinished.slot }] : []),
  ]);
  const former = isWrong ? await stopWrongRun(open(unfinished)) : unfinished;
  if (former !== null) {
    if (former.slot !== slot) {
      await recordSkipped(dependencies, event, `the run ${former.slot} was under way and goes on`);
    }
    lease.continueRun(former, { isSlotWrong: isWrong });
    return open(former);
  }
  const reason = refusalOf(pruner, event, now);
  if (reason === null) return open(newProgress(pruner, event, now));
  if (reason !== 'Duplicate') await recordSkipped(dependencies, event, REFUSALS[reason]);
  // A resume event must not complete the slot: the run itself could no longer be resumed.
  return { kind: 'refused', reason, state: { progress: null }, isSlotOpen: trigger === 'resume' };
}

/**
 * Ends a run with a time in the future, because its ages are wrong. Returns null if it ended. A run that deleted
 * something first restores what came into use, and deletes nothing more.
 */
async function stopWrongRun(session: PruneSession): Promise<PruneProgress | null> {
  const { phase, slot } = session.progress;
  const message = `the time of the run, ${slot}, is in the future: a clock was wrong`;
  if (phase === 'delete' || phase === 'revive') {
    session.note({ phase: 'revive', stopped: message });
    return session.progress;
  }
  await finishRun(session, { outcome: 'Failed', reason: 'Error', message, isWhole: false });
  return null;
}

async function work(session: PruneSession): Promise<Ending> {
  const { table, log } = session.dependencies;
  const { pruner } = session;
  const { slot: run, startedAt, trigger, dryRun, uid } = session.progress;
  try {
    // After this write, a run that dies counts as unfinished.
    await session.checkpoint({});
    await revisePruner(table, pruner, uid, (record) =>
      record.activeRun?.id === run ? record : runStarted(record, { id: run, startedAt, trigger, dryRun }),
    );
    const step = await advance(session, storageRoot(session.progress.spec.target.prefix));
    if (step.status === 'ended') return await end(session, step.end);
    const { progress } = session;
    const reason = session.isStopped() ? 'Stopped' : 'OutOfTime';
    log.info('prune run paused', { pruner, run, reason });
    return {
      kind: 'paused',
      state: { progress },
      result: { status: 'Paused', run, phase: progress.phase, reason },
    };
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    log.error('prune run failed', { pruner, run, error });
    const message = giveUp(session, error);
    if (message === null) throw error;
    return end(session, { outcome: 'Failed', reason: 'Error', message, isWhole: false });
  }
}

/** Counts a failure. Returns a message if the run has to end. */
function giveUp(session: PruneSession, error: unknown): string | null {
  const { phase } = session.progress;
  const failures = session.progress.failures + 1;
  session.note({ failures });
  if (failures < MOST_FAILED_INVOCATIONS) return null;
  if (phase === 'inventory' || phase === 'decide') {
    return `${failures} invocations failed, the last one: ${messageOf(error)}`;
  }
  // Deleted objects can have come into use, so the run ends only after a successful restore.
  if (phase === 'delete') session.note({ phase: 'revive', stopped: messageOf(error) });
  return null;
}

async function end(session: PruneSession, ended: RunEnd): Promise<Ending> {
  const { slot: run } = session.progress;
  const { outcome, reason } = ended;
  const condemned = await finishRun(session, ended);
  return {
    kind: 'done',
    state: { progress: null, condemned, former: formerAfter(session, ended) },
    result: { status: 'Done', run, outcome, reason },
  };
}

/** Rounds to the minute: AWS fires within it, and two expressions of one schedule can meet in it. */
function slotOf({ scheduledTime, trigger }: PruneRequest): string {
  const time = Date.parse(scheduledTime);
  return new Date(trigger === 'schedule' ? Math.floor(time / 60_000) * 60_000 : time).toISOString();
}

const REFUSALS = {
  Suspended: 'the pruner is suspended',
  Missed: 'it came later than startingDeadlineSeconds allows',
} as const;

function refusalOf(
  { record }: StoredPruner,
  { trigger, slot }: PruneEvent,
  now: number,
): keyof typeof REFUSALS | 'Duplicate' | null {
  if (trigger === 'resume') return 'Duplicate';
  if (trigger === 'manual') return null;
  if (record.spec.suspend) return 'Suspended';
  return now - Date.parse(slot) > record.spec.startingDeadlineSeconds * 1000 ? 'Missed' : null;
}

function newProgress(
  { record }: StoredPruner,
  { slot, trigger, dryRun, agree }: PruneEvent,
  now: number,
): PruneProgress {
  const { spec, uid } = record;
  return {
    slot,
    uid,
    trigger: trigger === 'schedule' ? 'schedule' : 'manual',
    // A request can do less than the pruner, never more, even if the pruner changed since.
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

/** The next run checks this plan again for objects that came into use. */
function formerAfter({ progress, former }: PruneSession, { isCondemning }: RunEnd): FormerRun | null {
  const { slot, startedAt, planBy, planned } = progress;
  const own: FormerRun | null = planned > 0 ? { slot, startedAt, planBy } : null;
  return isCondemning ? own : former;
}

async function recordSkipped(
  { table, clock }: PruneDependencies,
  { pruner, slot, trigger }: PruneEvent,
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

/** `finishRun` counts completed runs. */
export function pruneMetrics(pruner: string, { status }: PruneResult): readonly CountedMetrics[] {
  return status === 'Skipped' ? [[{ pruneRunSkipped: 1 }, { Pruner: pruner }]] : [];
}
