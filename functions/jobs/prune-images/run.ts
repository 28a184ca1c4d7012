import { randomUUID } from 'node:crypto';
import { runStarted } from '@cairn/shared/prune/images/pruner-record';
import { storageRoot } from '@cairn/shared/prune/images/storage-layout';
import { messageOf } from '@cairn/shared/text/message-of';
import { prunerLeaseKey } from '../../store/keys.ts';
import { acquireLease, finishLease, releaseLease } from '../../store/leases.ts';
import { jobOf } from '../../store/prune-runs.ts';
import { readPruner, revisePruner, type StoredPruner } from '../../store/pruners.ts';
import { recordRun } from '../../store/runs.ts';
import { SwitchReader } from '../../store/switches.ts';
import { PRUNE_LIMITS, type PruneDependencies, type PruneRequest } from './context.ts';
import { finishRun, type RunEnd } from './finish.ts';
import { advance } from './phases.ts';
import type { PruneProgress } from './progress.ts';
import { type FormerRun, PruneSession } from './session.ts';

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

/** Runs a pruner, or goes on with a run that was cut. A duplicate event does nothing, and two never run at once. */
export async function runPruner(
  dependencies: PruneDependencies,
  request: PruneRequest,
): Promise<PruneResult> {
  const { table, clock } = dependencies;
  const pruner = await readPruner(table, request.pruner);
  const slot = slotOf(request);
  if (pruner === null) return skip(dependencies, request, 'Unknown');
  const switches = new SwitchReader(table, clock);
  const stop = await switches.get('prune');
  if (stop !== null) {
    // A run that is under way is told of by its own record.
    if (request.trigger !== 'resume') {
      await recordSkipped(dependencies, pruner, request, slot, `pruning is stopped: ${stop.reason}`);
    }
    return skip(dependencies, request, 'Stopped');
  }

  const key = prunerLeaseKey(pruner.name);
  const lease = { slot, owner: randomUUID(), now: clock(), durationMs: PRUNE_LIMITS.leaseMs };
  const acquired = await acquireLease(table, key, lease);
  if (!acquired.acquired) {
    if (acquired.reason === 'Concurrent' && request.trigger !== 'resume') {
      await recordSkipped(dependencies, pruner, request, slot, 'another run is under way');
    }
    return skip(dependencies, request, acquired.reason);
  }
  const { token, item } = acquired;
  const former = progressIn(item, pruner);
  if (former === null) {
    const refusal = refusalOf(pruner, request, slot, clock());
    if (refusal !== null) {
      if (refusal !== 'Duplicate')
        await recordSkipped(dependencies, pruner, request, slot, REFUSALS[refusal]);
      await finishLease(table, key, { token, slot }, { progress: '' });
      return skip(dependencies, request, refusal);
    }
  } else if (former.slot !== slot) {
    await recordSkipped(
      dependencies,
      pruner,
      request,
      slot,
      `the run ${former.slot} was under way and goes on`,
    );
  }
  const session = new PruneSession(dependencies, {
    switches,
    pruner: pruner.name,
    token,
    condemned: textOf(item['condemned']),
    former: formerIn(item),
    progress: former ?? newProgress(pruner, request, slot, clock()),
  });
  return work(session, dependencies, {
    pruner,
    slot: former !== null && former.slot > slot ? former.slot : slot,
  });
}

async function work(
  session: PruneSession,
  dependencies: PruneDependencies,
  { pruner, slot }: { readonly pruner: StoredPruner; readonly slot: string },
): Promise<PruneResult> {
  const { table, log } = dependencies;
  const { name } = pruner;
  const key = prunerLeaseKey(name);
  try {
    // From here on a run that dies is known to be unfinished.
    if (!(await session.checkpoint({}))) return skip(dependencies, { pruner: name }, 'Superseded');
    const { slot: run, startedAt, trigger, dryRun, uid } = session.progress;
    await revisePruner(table, name, uid, (record) =>
      record.activeRun?.id === run ? record : runStarted(record, { id: run, startedAt, trigger, dryRun }),
    );
    const step = await advance(session, storageRoot(session.progress.spec.target.prefix));
    if (step.status === 'superseded') return skip(dependencies, { pruner: name }, 'Superseded');
    if (step.status === 'paused') {
      await releaseLease(table, key, { token: session.token }, session.attributes());
      const reason = session.isStopped() ? 'Stopped' : 'OutOfTime';
      log.info('prune run paused', { pruner: name, run, reason });
      return { status: 'Paused', run, phase: session.progress.phase, reason };
    }
    return await end(session, dependencies, slot, step.end);
  } catch (error) {
    log.error('prune run failed', { pruner: name, run: session.progress.slot, error });
    const failures = session.progress.failures + 1;
    const isLast = failures >= MOST_FAILED_INVOCATIONS;
    const { phase } = session.progress;
    if (isLast && (phase === 'inventory' || phase === 'decide')) {
      const message = `${failures} invocations failed, the last one: ${messageOf(error)}`;
      return end(session, dependencies, slot, {
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
  slot: string,
  ended: RunEnd,
): Promise<PruneResult> {
  const run = session.progress.slot;
  const condemned = await finishRun(session, dependencies, ended);
  const key = prunerLeaseKey(session.pruner);
  const isOurs = await finishLease(
    dependencies.table,
    key,
    { token: session.token, slot },
    { progress: '', condemned, former: formerAfter(session, ended) },
  );
  if (!isOurs) return skip(dependencies, { pruner: session.pruner }, 'Superseded');
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

/** How far a run of this very pruner is that was not finished; null when there is none. */
function progressIn(item: Readonly<Record<string, unknown>>, { record }: StoredPruner): PruneProgress | null {
  const text = textOf(item['progress']);
  if (text === null) return null;
  const progress = JSON.parse(text) as PruneProgress;
  return progress.uid === record.uid ? progress : null;
}

function formerIn(item: Readonly<Record<string, unknown>>): FormerRun | null {
  const text = textOf(item['former']);
  return text === null ? null : (JSON.parse(text) as FormerRun);
}

/** What the next run looks at once more: still the former one where this one has not looked. */
function formerAfter({ progress, former }: PruneSession, { isCondemning }: RunEnd): string {
  const { slot, startedAt, planBy, planned } = progress;
  const own: FormerRun | null = planned > 0 ? { slot, startedAt, planBy } : null;
  const next = isCondemning ? own : former;
  return next === null ? '' : JSON.stringify(next);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

async function recordSkipped(
  { table, clock }: PruneDependencies,
  { name }: StoredPruner,
  { trigger }: PruneRequest,
  slot: string,
  note: string,
): Promise<void> {
  await recordRun(table, {
    job: jobOf(name),
    slot,
    trigger: trigger === 'schedule' ? 'schedule' : 'manual',
    outcome: 'Skipped',
    durationMs: Math.max(0, clock() - Date.parse(slot)),
    counts: null,
    notes: [note],
  });
}

function skip(
  { log, count }: PruneDependencies,
  { pruner }: Pick<PruneRequest, 'pruner'>,
  reason: Extract<PruneResult, { status: 'Skipped' }>['reason'],
): PruneResult {
  log.warn('prune run skipped', { pruner, reason });
  count({ pruneRunSkipped: 1 }, { Pruner: pruner });
  return { status: 'Skipped', reason };
}
