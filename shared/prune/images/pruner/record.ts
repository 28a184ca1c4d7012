import { singleLine, truncate } from '../../../text/quote.ts';
import { isInFuture } from '../../../time/future.ts';
import { nextTimes } from '../../schedule/next-times.ts';
import { readSchedule } from '../../schedule/read-schedule.ts';
import { BREAKER_REASONS } from '../plan/breakers.ts';
import {
  type ActiveRunFacts,
  type FinishedRunFacts,
  type PrunerCondition,
  prunerConditions,
  type PrunerFacts,
  type ScheduleFacts,
} from './conditions.ts';
import type { PrunerSpec } from './spec.ts';

/** What is known of the images in use, in short. */
export interface InUseSummary {
  /** Names what is stored of it. */
  readonly revision: string;
  readonly collectedAt: string;
  /** Every kind of object that protects images was in it. */
  readonly complete: boolean;
  /** Kinds that were not. */
  readonly missing: readonly string[];
  readonly images: number;
  readonly tags: number;
  readonly digests: number;
  /** Null when none were sent. */
  readonly imageStreams: number | null;
  readonly invalidReferences: number;
  /** Tells whether another report says the same; not there of one that was stored before this was noted. */
  readonly digest?: string;
  /** Who reported it, where they said so: what one cluster uses must not take the place of what another does. */
  readonly source?: string;
}

/** A pruner: what it shall do, and how it stands. */
export interface PrunerRecord {
  /** Another one when it is made anew under the same name. */
  readonly uid: string;
  readonly createdAt: string;
  /** When the spec last changed. */
  readonly changedAt: string;
  /** Counts changes of the spec, from 1. */
  readonly generation: number;
  /** The generation that the schedule was last brought in line with, or could not be. */
  readonly observedGeneration: number;
  readonly spec: PrunerSpec;
  readonly schedule: ScheduleFacts;
  readonly lastRun: FinishedRunFacts | null;
  readonly activeRun: ActiveRunFacts | null;
  readonly consecutiveFailures: number;
  readonly inUse: InUseSummary | null;
  /** As of the last change of what they follow from: the former ones for the next. */
  readonly conditions: readonly PrunerCondition[];
}

const LONGEST_MESSAGE = 500;

/**
 * The pruner with another spec; the very same record when the spec is the one it has. The conditions wait for the
 * schedule, so that a change that goes through at once flips nothing.
 */
export function takeSpec(
  former: PrunerRecord | null,
  spec: PrunerSpec,
  { now, uid }: { readonly now: string; readonly uid: string },
): PrunerRecord {
  if (former === null) {
    return {
      uid,
      createdAt: now,
      changedAt: now,
      generation: 1,
      observedGeneration: 0,
      spec,
      schedule: { inForce: null, error: null },
      lastRun: null,
      activeRun: null,
      consecutiveFailures: 0,
      inUse: null,
      conditions: [],
    };
  }
  if (JSON.stringify(former.spec) === JSON.stringify(spec)) return former;
  return { ...former, spec, generation: former.generation + 1, changedAt: now };
}

/**
 * The schedule is as the spec of this record has it; `wasPut` tells whether it has become so only now. One that is in force
 * from a time in the future on is so from now on.
 */
export function scheduleSettled(
  record: PrunerRecord,
  { wasPut, now }: { readonly wasPut: boolean; readonly now: string },
): PrunerRecord {
  const { generation, schedule } = record;
  const isNews =
    wasPut ||
    schedule.inForce === null ||
    schedule.error !== null ||
    isInFuture(schedule.inForce.since, Date.parse(now));
  if (!isNews && schedule.inForce.generation === generation) return record;
  const inForce = { generation, since: isNews ? now : schedule.inForce.since };
  return withConditions(
    { ...record, observedGeneration: generation, schedule: { inForce, error: null } },
    now,
  );
}

/** The schedule could not be brought in line; an error that goes on is as old as its first. */
export function scheduleFailed(record: PrunerRecord, message: string, now: string): PrunerRecord {
  const { generation, schedule } = record;
  const since = schedule.error?.since ?? now;
  const error = { message: shortened(message), since: isInFuture(since, Date.parse(now)) ? now : since };
  const isKnown = schedule.error?.message === error.message && since === error.since;
  if (isKnown && record.observedGeneration === generation) return record;
  return withConditions({ ...record, observedGeneration: generation, schedule: { ...schedule, error } }, now);
}

export function runStarted(record: PrunerRecord, activeRun: ActiveRunFacts): PrunerRecord {
  return withConditions({ ...record, activeRun }, activeRun.startedAt);
}

/** A run came to an end; told again it changes nothing. */
export function runFinished(record: PrunerRecord, run: FinishedRunFacts): PrunerRecord {
  const activeRun = record.activeRun?.id === run.id ? null : record.activeRun;
  if (record.lastRun?.id === run.id) return withConditions({ ...record, activeRun }, run.finishedAt);
  const consecutiveFailures = run.outcome === 'Failed' ? record.consecutiveFailures + 1 : 0;
  const lastRun = { ...run, message: shortened(run.message) };
  return withConditions({ ...record, activeRun, lastRun, consecutiveFailures }, run.finishedAt);
}

export function inUseTaken(record: PrunerRecord, inUse: InUseSummary): PrunerRecord {
  return { ...record, inUse };
}

/** The conditions of now: some follow from how long something has lasted. */
export function conditionsNow(
  record: PrunerRecord,
  now: number,
  stopped: PrunerFacts['stopped'] = null,
): PrunerCondition[] {
  return prunerConditions({ ...record, stopped }, record.conditions, now);
}

function withConditions(record: PrunerRecord, now: string): PrunerRecord {
  return { ...record, conditions: conditionsNow(record, Date.parse(now)) };
}

function shortened(message: string): string {
  return truncate(singleLine(message).replace(/\.$/, ''), LONGEST_MESSAGE);
}

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
  const [, second] = nextTimes(reading.schedule, spec.timeZone, { after: from, count: 2, since });
  return second !== undefined && now > second + spec.startingDeadlineSeconds * 1000;
}
