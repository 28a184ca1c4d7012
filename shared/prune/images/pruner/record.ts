import { isInFuture } from '../../../time/future.ts';
import { nextTimes } from '../../schedule/next-times.ts';
import { readSchedule } from '../../schedule/read-schedule.ts';
import { BREAKER_REASONS } from '../plan/breakers.ts';
import type { PrunerRecord } from './pruner-record.ts';

/** How a pruner stands, in numbers that alarms can be made of. */
export interface PrunerHealth {
  /** 0 when it is not scheduled as its spec has it, 1 when it is suspended, 2 when it is scheduled. */
  readonly installStatus: 0 | 1 | 2;
  readonly activeRunAgeSeconds: number;
  /** It is scheduled, and no run has finished within two of its periods. */
  readonly isOverdue: boolean;
  readonly hasFailed: boolean;
  /** The last run stopped before it deleted anything, as what it found was not to be trusted. */
  readonly isBlocked: boolean;
}

/** `{ installStatus: 2, activeRunAgeSeconds: 0, isOverdue: false, … }` for a pruner that does what it should. */
export function prunerHealth(record: PrunerRecord, now: number): PrunerHealth {
  const { activeRun, lastRun } = record;
  const age = activeRun === null ? 0 : Math.floor((now - Date.parse(activeRun.startedAt)) / 1000);
  const hasFailed = lastRun?.outcome === 'Failed';
  return {
    installStatus: installStatusOf(record),
    activeRunAgeSeconds: Math.max(0, age),
    isOverdue: isOverdue(record, now),
    hasFailed,
    isBlocked: hasFailed && BREAKER_REASONS.some((reason) => reason === lastRun.reason),
  };
}

function installStatusOf({ spec, schedule, generation }: PrunerRecord): PrunerHealth['installStatus'] {
  if (schedule.error !== null || schedule.inForce?.generation !== generation) return 0;
  return spec.suspend ? 1 : 2;
}

/** The second time at which it should have begun since its last run has passed, and so has the time to begin late. */
function isOverdue(record: PrunerRecord, now: number): boolean {
  const { spec, schedule, lastRun } = record;
  const reading = readSchedule(spec.schedule);
  if (installStatusOf(record) !== 2 || schedule.inForce === null || !reading.ok) return false;
  const since = Date.parse(schedule.inForce.since);
  const isKnown = lastRun !== null && !isInFuture(lastRun.finishedAt, now);
  const from = isKnown ? Math.max(since, Date.parse(lastRun.finishedAt)) : since;
  const [, second] = nextTimes(reading.schedule, spec.timeZone, from, 2, since);
  return second !== undefined && now > second + spec.startingDeadlineSeconds * 1000;
}
