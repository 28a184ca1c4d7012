import { unknownKeys } from '@cairn/shared/prune/images/plan/breakers';
import type { PrunePlan } from '@cairn/shared/prune/images/plan/plan';
import type { PRUNE_PHASES } from '@cairn/shared/prune/images/values';
import { isInFuture } from '@cairn/shared/time/future';
import { LeaseLost } from '../jobs/run-under-lease.ts';
import { RUN_FILE } from '../pruners/files.ts';
import { judgeCluster, type RunEnd } from './cluster-images.ts';
import { decide, writePlan } from './decide.ts';
import { deletePlanned } from './delete.ts';
import { planOutcome } from './finish.ts';
import { takeInventory } from './inventory.ts';
import { beganAt } from './progress.ts';
import { restore, type RestoreOutcome } from './restore.ts';
import { type PruneSession, UPLOAD_MAX_AGE_MS } from './session.ts';

export type Step = { readonly status: 'paused' } | { readonly status: 'ended'; readonly end: RunEnd };

/** Runs phase after phase until the run ends or time is up. */
export async function advance(session: PruneSession, root: string): Promise<Step> {
  if (session.progress.spec.managementState !== 'Managed') {
    return { status: 'ended', end: await judgeCluster(session) };
  }
  const unfit = await whyUnfit(session);
  if (unfit !== null) return { status: 'ended', end: unfit };
  const step = await goThroughPhases(session, root);
  const { phase } = session.progress;
  const hasDeleted = phase === 'delete' || phase === 'revive';
  if (step.status === 'paused' && hasDeleted && session.isStopped() && !session.isOutOfTime()) {
    // The stop can last for days, so restore now what came into use.
    const { revived, lost } = await restore(session, root);
    session.dependencies.log.info('restore finished', { pruner: session.pruner, revived, lost });
  }
  return step;
}

async function goThroughPhases(session: PruneSession, root: string): Promise<Step> {
  for (;;) {
    const step = await PHASES[session.progress.phase](session, root);
    if (step !== null) return step;
    if (session.isTimeUp()) return { status: 'paused' };
  }
}

/** Blocks deletion in a bucket without versioning. */
async function whyUnfit({ progress, storage }: PruneSession): Promise<RunEnd | null> {
  const { spec, dryRun } = progress;
  if (dryRun || spec.acknowledgeUnversioned || (await storage.isVersioned())) return null;
  return {
    outcome: 'Failed',
    reason: 'Unversioned',
    message: `the bucket ${spec.target.bucket} keeps no versions, so that nothing could be brought back; enable versioning, or set acknowledgeUnversioned and keep the registry read-only while it runs`,
    isWhole: false,
  };
}

/** Returns null to continue with the next phase. */
type Phase = (session: PruneSession, root: string) => Promise<Step | null>;

const PHASES: Readonly<Record<(typeof PRUNE_PHASES)[number], Phase>> = {
  async inventory(session, root) {
    const { files, progress, token } = session;
    const { inventory, listing, listed } = await takeInventory(session, root);
    await files.write(RUN_FILE.inventory(progress.slot, token), inventory.toBytes());
    const next = listing === null ? ({ phase: 'decide' } as const) : {};
    await session.checkpoint({ listing, inventoryBy: token, listed, ...next });
    return listing === null ? null : { status: 'paused' };
  },

  async decide(session, root) {
    const { files, progress, token } = session;
    const plan = await decide(session, root);
    if (plan === null) return { status: 'paused' };
    const run = { slot: progress.slot, planBy: token };
    await files.write(RUN_FILE.outcome(run.slot, token), JSON.stringify(planOutcome(plan)), { json: true });
    const planned = await writePlan(files, run, plan);
    const ended = endOfPlan(session, plan);
    // A resumed run in phase `delete` deletes, so a run that must not delete never enters it.
    const next = ended === null ? ({ phase: 'delete' } as const) : {};
    await session.checkpoint({ planned, planBy: token, ...next });
    return ended;
  },

  async delete(session, root) {
    if (session.progress.dryRun) throw new Error('a dry run came to the phase of deletion');
    try {
      const refused = await deletePlanned(session);
      if (refused === null) return { status: 'paused' };
      await session.checkpoint({ phase: 'revive', refused: refused.slice(0, 100) });
      return null;
    } catch (error) {
      // The last batch can be deleted after the new lease holder has checked.
      if (error instanceof LeaseLost) await restore(session, root);
      throw error;
    }
  },

  async revive(session, root) {
    const { progress, storage, dependencies } = session;
    const outcome = await restore(session, root);
    // With a time in the future, active uploads would count as old.
    if (!isInFuture(beganAt(progress), dependencies.clock())) {
      await storage.abortUploads(`${root}repositories/`, Date.parse(progress.slot) - UPLOAD_MAX_AGE_MS);
    }
    return { status: 'ended', end: endOfDeletion(session, outcome) };
  },
};

/** Ends a dry run, and a run that a circuit breaker blocks. */
function endOfPlan({ progress }: PruneSession, plan: PrunePlan): Step | null {
  const { breaker } = plan.verdict;
  if (progress.dryRun) {
    const stopped = breaker === null ? '' : `; another run would be stopped, as ${breaker.message}`;
    const message = `a dry run: nothing was deleted and nothing condemned${stopped}`;
    return { status: 'ended', end: { outcome: 'Succeeded', reason: 'DryRun', message, isWhole: false } };
  }
  if (breaker === null) return null;
  const { reason, message } = breaker;
  return { status: 'ended', end: { outcome: 'Failed', reason, message, isWhole: false, isBlocked: true } };
}

function endOfDeletion(session: PruneSession, { revived, lost, unknown }: RestoreOutcome): RunEnd {
  const { refused = [], stopped } = session.progress;
  const failed = (reason: string, message: string): RunEnd => ({
    outcome: 'Failed',
    reason,
    message,
    isWhole: false,
    isCondemning: true,
    revived,
  });
  if (lost.length > 0) {
    const message = `${lost.length} objects that came into use meanwhile were deleted and cannot be brought back, the first is ${lost[0]}`;
    return { ...failed('Lost', message), lost };
  }
  const [example] = unknown;
  if (example !== undefined) {
    const { reason, message } = unknownKeys({ count: unknown.length, example });
    return failed(reason, message);
  }
  if (stopped !== undefined) {
    return failed('Error', `deleting kept failing: ${stopped}; what was planned after it was left`);
  }
  const [first] = refused;
  if (first !== undefined) {
    return failed(
      'Refused',
      `${first.key} could not be deleted: ${first.code}; what comes after it was left`,
    );
  }
  return { outcome: 'Succeeded', reason: 'Pruned', message: '', isWhole: true, isCondemning: true, revived };
}
