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
} from './conditions.ts';
import type { PrunerSpec } from './spec.ts';

export interface InUseSummary {
  /** Name of the stored report. */
  readonly revision: string;
  readonly collectedAt: string;
  /** Covers every kind that protects images. */
  readonly complete: boolean;
  readonly missing: readonly string[];
  readonly images: number;
  readonly tags: number;
  readonly digests: number;
  readonly imageStreams: number | null;
  readonly invalidReferences: number;
  /** Detects an unchanged report; absent in older records. */
  readonly digest?: string;
  /** Reporting cluster, if named: a report must not replace that of another cluster. */
  readonly source?: string;
}

export interface PrunerRecord extends Omit<PrunerFacts, 'stopped'> {
  /** Changes if a pruner is recreated under the same name. */
  readonly uid: string;
  /** Generation that was last applied to the schedule, or failed to apply. */
  readonly observedGeneration: number;
  readonly spec: PrunerSpec;
  readonly inUse: InUseSummary | null;
  /** Conditions at the last change; the base for transition times. */
  readonly conditions: readonly PrunerCondition[];
}

const LONGEST_MESSAGE = 500;

/** Returns the same record for an equal spec. Conditions wait for the schedule, so that a fast change flips none. */
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

/** `wasPut`: the schedule was changed now. A start in the future is corrected to now. */
export function scheduleSettled(
  record: PrunerRecord,
  { wasPut, now }: { readonly wasPut: boolean; readonly now: string },
): PrunerRecord {
  const { generation, schedule } = record;
  const isChanged =
    wasPut ||
    schedule.inForce === null ||
    schedule.error !== null ||
    isInFuture(schedule.inForce.since, Date.parse(now));
  if (!isChanged && schedule.inForce.generation === generation) return record;
  const inForce = { generation, since: isChanged ? now : schedule.inForce.since };
  return withConditions(
    { ...record, observedGeneration: generation, schedule: { inForce, error: null } },
    now,
  );
}

/** A continuing error keeps the time of its first occurrence. */
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

/** Idempotent. */
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

/** Some conditions depend on elapsed time. */
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

export interface PrunerHealth {
  /** 0 not scheduled as the spec requires, 1 suspended, 2 scheduled. */
  readonly installStatus: 0 | 1 | 2;
  readonly activeRunAgeSeconds: number;
  /** Scheduled, but no run has finished within two periods. */
  readonly isOverdue: boolean;
  readonly hasFailed: boolean;
  /** The last run stopped before any deletion because its input was not trustworthy. */
  readonly isBlocked: boolean;
}

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

/** Two scheduled starts since the last run have passed, plus the starting deadline. */
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
