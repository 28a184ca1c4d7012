import { countInWords } from '../../../text/words.ts';
import type { PrunerConditionType, PruneTrigger, PruneOutcome } from '../values.ts';
import type { PrunerSpec } from './spec.ts';

export interface PrunerCondition {
  readonly type: PrunerConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** Times are ISO 8601 in UTC. */
export interface ScheduleFacts {
  /** Start and generation of the active schedule; null if none was ever created. */
  readonly inForce: { readonly generation: number; readonly since: string } | null;
  /** Error of the last attempts to apply the spec, with its first time. */
  readonly error: { readonly message: string; readonly since: string } | null;
}

export interface FinishedRunFacts {
  readonly id: string;
  readonly trigger: PruneTrigger;
  readonly dryRun: boolean;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly outcome: PruneOutcome;
  /** One word, such as `TooMuch`. */
  readonly reason: string;
  readonly message: string;
}

export type ActiveRunFacts = Pick<FinishedRunFacts, 'id' | 'trigger' | 'dryRun' | 'startedAt'>;

export interface PrunerFacts {
  readonly spec: Pick<PrunerSpec, 'schedule' | 'timeZone' | 'suspend' | 'dryRun' | 'managementState'>;
  /** Counts changes of the spec, from 1. */
  readonly generation: number;
  readonly createdAt: string;
  readonly changedAt: string;
  readonly schedule: ScheduleFacts;
  readonly lastRun: FinishedRunFacts | null;
  readonly activeRun: ActiveRunFacts | null;
  readonly consecutiveFailures: number;
  /** Kill switch that stops all pruners; null or absent if not stopped. */
  readonly stopped?: { readonly reason: string; readonly since: string } | null;
}

type Verdict = Pick<PrunerCondition, 'status' | 'reason' | 'message'> & {
  /** Start of the underlying fact. */
  readonly since: string;
};

/** A single failure can be chance. */
const FAILURES_TO_DEGRADE = 2;
/** Delay for errors that the next attempt fixes, to avoid false alarms. */
const PATIENCE_MS = 2 * 60_000;

/**
 * A condition with an unchanged status keeps its transition time, even if reason or message change. A changed status
 * gets the time of its cause.
 */
export function prunerConditions(
  facts: PrunerFacts,
  former: readonly PrunerCondition[],
  now: number,
): PrunerCondition[] {
  const verdicts: readonly (readonly [PrunerConditionType, Verdict])[] = [
    ['Available', available(facts)],
    ['Scheduled', scheduled(facts)],
    ['Failed', failed(facts)],
    ['Degraded', degraded(facts, now)],
    ['Progressing', progressing(facts)],
  ];
  return verdicts.map(([type, { since, status, reason, message }]) => {
    const before = former.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : since;
    return { type, status, lastTransitionTime, reason, message };
  });
}

function available({ spec, schedule, createdAt }: PrunerFacts): Verdict {
  const { inForce, error } = schedule;
  if (inForce !== null) {
    const message = `Periodic image pruner has been created.${effectOf(spec)}`;
    return { status: 'True', reason: 'Ready', message, since: inForce.since };
  }
  if (error !== null) {
    return {
      status: 'False',
      reason: 'Error',
      message: `The schedule of the image pruner could not be made: ${error.message}`,
      since: error.since,
    };
  }
  return {
    status: 'Unknown',
    reason: 'Pending',
    message: 'The schedule of the image pruner has not been made yet.',
    since: createdAt,
  };
}

/** Warns users who expect the pruner to delete images. */
function effectOf({ dryRun, managementState }: PrunerFacts['spec']): string {
  if (managementState !== 'Managed') {
    return ` The registry is ${managementState}: nothing is deleted from its storage, reports hold oc commands for what the cluster keeps.`;
  }
  return dryRun ? ' Dry run: it reports what would go and deletes nothing until dryRun is false.' : '';
}

function scheduled({ spec, schedule, generation, changedAt, stopped }: PrunerFacts): Verdict {
  const { inForce, error } = schedule;
  if (stopped) {
    const { reason, since } = stopped;
    return { status: 'False', reason: 'Stopped', message: `All image pruners are stopped: ${reason}`, since };
  }
  if (error !== null) {
    const stays = inForce === null ? '' : ' The former schedule stays in force.';
    return {
      status: 'False',
      reason: 'Error',
      message: `The image pruner could not be scheduled: ${error.message}.${stays}`,
      since: error.since,
    };
  }
  if (inForce?.generation !== generation) {
    return {
      status: 'Unknown',
      reason: 'Pending',
      message: 'The schedule has not been brought in line with the spec yet.',
      since: changedAt,
    };
  }
  const { since } = inForce;
  return spec.suspend
    ? { status: 'False', reason: 'Suspended', message: 'The image pruner has been suspended.', since }
    : {
        status: 'True',
        reason: 'Scheduled',
        message: `Image pruner job has been scheduled: ${spec.schedule} in ${spec.timeZone}.`,
        since,
      };
}

function failed({ lastRun, createdAt }: PrunerFacts): Verdict {
  if (lastRun === null) {
    return {
      status: 'Unknown',
      reason: 'NeverRun',
      message: 'No image pruning job has finished yet.',
      since: createdAt,
    };
  }
  const since = lastRun.finishedAt;
  if (lastRun.outcome === 'Failed') {
    return { status: 'True', reason: lastRun.reason, message: lastRun.message, since };
  }
  const deleted = lastRun.dryRun ? ' It was a dry run, nothing was deleted.' : '';
  return {
    status: 'False',
    reason: 'Succeeded',
    message: `Most recent image pruning job succeeded.${deleted}`,
    since,
  };
}

function degraded({ schedule, lastRun, consecutiveFailures, createdAt }: PrunerFacts, now: number): Verdict {
  const { error } = schedule;
  if (error !== null && now - Date.parse(error.since) >= PATIENCE_MS) {
    return {
      status: 'True',
      reason: 'SyncError',
      message: `The schedule cannot be brought in line with the spec: ${error.message}`,
      since: new Date(Date.parse(error.since) + PATIENCE_MS).toISOString(),
    };
  }
  if (lastRun !== null && consecutiveFailures >= FAILURES_TO_DEGRADE) {
    return {
      status: 'True',
      reason: 'JobFailed',
      message: `${countInWords(consecutiveFailures, 'run')} failed in a row, the last one: ${lastRun.message}`,
      since: lastRun.finishedAt,
    };
  }
  const since = latest(createdAt, schedule.inForce?.since, lastRun?.finishedAt);
  return { status: 'False', reason: 'AsExpected', message: '', since };
}

function progressing({ activeRun, lastRun, createdAt, stopped }: PrunerFacts): Verdict {
  if (activeRun !== null && stopped) {
    return {
      status: 'False',
      reason: 'Stopped',
      message: `The run ${activeRun.id} pauses until image pruners work again.`,
      since: latest(stopped.since, activeRun.startedAt),
    };
  }
  if (activeRun !== null) {
    const dry = activeRun.dryRun ? ' It is a dry run.' : '';
    return {
      status: 'True',
      reason: 'Running',
      message: `The run ${activeRun.id} is under way.${dry}`,
      since: activeRun.startedAt,
    };
  }
  return {
    status: 'False',
    reason: 'Idle',
    message: 'No run is under way.',
    since: lastRun?.finishedAt ?? createdAt,
  };
}

/** ISO times sort as text. */
function latest(...times: readonly (string | undefined)[]): string {
  return times.reduce<string>((last, time) => (time !== undefined && time > last ? time : last), '');
}
