import { CLOCK_SKEW_MS, isInFuture } from '@cairn/shared/time/future';
import { type Item, writeItem } from './item.ts';
import type { Key } from './keys.ts';
import { RUN_TRIGGERS } from './run-records.ts';
import type { Table } from './table.ts';

/** Holder of a job and the slots it has finished, in one item that can also contain job state. */
export interface Lease {
  /** Only grows. Publications carry it, so a run that lost its lease unnoticed is fenced off. */
  readonly token: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number;
  readonly lastSlot: string | null;
  readonly lastByHand: boolean;
  /** Last finished scheduled slot. */
  readonly finishedSlot: string | null;
  /** Last finished runs, newest first: they identify a repeated event independent of clocks. */
  readonly doneRuns: readonly string[];
}

export interface LeaseRequest {
  readonly slot: string;
  /**
   * A manual run is a duplicate only of itself, independent of finished scheduled slots.
   * @default false
   */
  readonly byHand?: boolean;
  /** Unique per run: identifies its own lease. */
  readonly owner: string;
  readonly now: number;
  readonly durationMs: number;
}

/** Slots that the end of a run marks as done; a manual run does not change the scheduled slot. */
export type DoneSlots = Pick<Lease, 'doneRuns'> & { readonly finishedSlot?: string };

/** Stored time that a wrong clock wrote. */
export interface FutureTime {
  readonly field: string;
  readonly at: string;
}

export type LeaseOutcome =
  | {
      readonly acquired: true;
      readonly token: number;
      readonly item: Item;
      readonly done: DoneSlots;
      /** Stored future times that this run replaces. */
      readonly future: readonly FutureTime[];
    }
  | { readonly acquired: false; readonly reason: 'Duplicate' | 'Concurrent' };

/** Allowed difference between the clocks of two holders; it affects only how soon a dead run is replaced. */
const CLOCK_TOLERANCE_MS = 5000;
/** No job takes a longer lease: a later end comes from a wrong clock and is ignored. */
export const LONGEST_LEASE_MS = 16 * 60_000;
const DONE_RUNS_KEPT = 20;

/**
 * Takes the lease for one slot with a single write that also returns the other attributes. A slot or lease
 * from a wrong clock blocks no run.
 */
export async function acquireLease(table: Table, key: Key, lease: LeaseRequest): Promise<LeaseOutcome> {
  const { slot, owner, now, byHand = false } = lease;
  const outcome = await writeItem(table, {
    key,
    write: {
      update: {
        expression:
          'SET #token = if_not_exists(#token, :zero) + :one, leaseOwner = :owner, leaseUntil = :until, lastSlot = :slot, lastByHand = :byHand',
        names: { '#token': 'token' },
        values: {
          ':zero': 0,
          ':one': 1,
          ':owner': owner,
          ':until': now + lease.durationMs,
          ':slot': slot,
          ':byHand': byHand,
        },
      },
      // The former item also shows what a wrong clock wrote.
      returnsFormer: true,
    },
    condition: {
      expression: `${byHand ? NEW_RUN : `${NEW_RUN} AND ${NEW_SLOT}`} AND (attribute_not_exists(leaseUntil) OR leaseUntil < :expired OR leaseUntil > :wrong)`,
      values: {
        ':run': runName(slot, byHand),
        ':expired': now - CLOCK_TOLERANCE_MS,
        ':wrong': lastLeaseEnd(latestOf(lease)),
        ...(!byHand && { ':future': new Date(latestOf(lease) + CLOCK_SKEW_MS).toISOString() }),
      },
    },
    isApplied: (found) => found?.['leaseOwner'] === owner,
  });
  if (outcome.applied && outcome.found === null) {
    const former = outcome.former ?? {};
    return acquired(lease, leaseOf(former).token + 1, former);
  }
  const item = outcome.found ?? {};
  const found = leaseOf(item);
  if (outcome.applied) {
    return acquired(lease, found.token, { ...item, leaseOwner: undefined, leaseUntil: undefined });
  }
  const isUnderWay = found.lastSlot === slot && found.lastByHand === byHand;
  const isDone = found.doneRuns.includes(runName(slot, byHand)) || (!byHand && isSlotDone(found, lease));
  return { acquired: false, reason: isUnderWay || isDone ? 'Duplicate' : 'Concurrent' };
}

const NEW_SLOT = '(attribute_not_exists(finishedSlot) OR finishedSlot < :slot OR finishedSlot > :future)';
const NEW_RUN = '(attribute_not_exists(doneRuns) OR NOT contains(doneRuns, :run))';

function acquired(lease: LeaseRequest, token: number, item: Item): LeaseOutcome {
  const { slot, byHand = false } = lease;
  const former = leaseOf(item);
  const future = futureTimesOf(former, latestOf(lease));
  const isSlotInvalid = future.some(({ field }) => field === 'finishedSlot');
  const done = {
    ...withRun(former, slot, byHand),
    ...((!byHand || isSlotInvalid) && { finishedSlot: slot }),
  };
  return { acquired: true, token, item, done, future };
}

/** A manual and a scheduled run can have the same second. */
function runName(slot: string, byHand: boolean): string {
  return byHand ? `${slot} by hand` : slot;
}

export function withRun(
  { doneRuns }: Pick<Lease, 'doneRuns'>,
  slot: string,
  byHand: boolean,
): Pick<Lease, 'doneRuns'> {
  const name = runName(slot, byHand);
  const others = doneRuns.filter((other) => other !== name);
  return { doneRuns: [name, ...others].slice(0, DONE_RUNS_KEPT) };
}

function isSlotDone({ finishedSlot }: Lease, lease: LeaseRequest): boolean {
  return finishedSlot !== null && finishedSlot >= lease.slot && !isInFuture(finishedSlot, latestOf(lease));
}

/** Includes the slot: a run with a slow clock must not take current times for future ones. */
function latestOf({ slot, now }: LeaseRequest): number {
  return Math.max(now, Date.parse(slot));
}

function lastLeaseEnd(now: number): number {
  return now + LONGEST_LEASE_MS + CLOCK_SKEW_MS;
}

/** Marks the slots of a run as done and releases the lease in one write. False if a newer run has the lease. */
export async function finishLease(
  table: Table,
  key: Key,
  run: { readonly token: number; readonly done: DoneSlots },
  kept: Item = {},
): Promise<boolean> {
  return change(table, key, run, {
    set: { ...kept, ...run.done },
    ends: true,
    isDone: ({ doneRuns }) => doneRuns[0] === run.done.doneRuns[0],
  });
}

/** Stores the attributes and extends the lease; false if a newer run has it. */
export async function renewLease(
  table: Table,
  key: Key,
  run: { readonly token: number; readonly until: number },
  kept: Item = {},
): Promise<boolean> {
  return change(table, key, run, {
    set: { ...kept, leaseUntil: run.until },
    ends: false,
    isDone: ({ leaseUntil }) => leaseUntil === run.until,
  });
}

/** Releases the lease without finishing the slot, so that a retry of the event can run. */
export async function releaseLease(
  table: Table,
  key: Key,
  run: { readonly token: number },
  kept: Item = {},
): Promise<boolean> {
  return change(table, key, run, { set: kept, ends: true, isDone: ({ leaseOwner }) => leaseOwner === null });
}

export const EVENT_TRIGGERS = [...RUN_TRIGGERS, 'resume'] as const;
export type EventTrigger = (typeof EVENT_TRIGGERS)[number];

export const SKIP_REASONS = [
  'Missed',
  'Duplicate',
  'Concurrent',
  'Superseded',
  'Suspended',
  'Stopped',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Run that did nothing, with the reason. */
export interface SkippedRun {
  readonly slot: string;
  readonly trigger: EventTrigger;
  readonly reason: SkipReason;
}

/** Stores the last skip beside the lease, whichever run holds it. */
export async function recordSkip(table: Table, key: Key, skip: SkippedRun): Promise<void> {
  const update = { expression: 'SET lastSkip = :skip', values: { ':skip': skip } };
  await writeItem(table, { key, write: { update } });
}

export function lastSkipIn(item: Item): SkippedRun | null {
  return (item['lastSkip'] as SkippedRun | undefined) ?? null;
}

/** Takes the lease from a dead holder. The raised token fences off its pending writes. */
export async function breakLease(table: Table, key: Key): Promise<void> {
  await writeItem(table, {
    key,
    write: {
      update: {
        expression: 'SET #token = #token + :one REMOVE leaseOwner, leaseUntil',
        names: { '#token': 'token' },
        values: { ':one': 1 },
      },
    },
    condition: { expression: 'attribute_exists(leaseOwner)' },
  });
}

/** Sets the attributes if the run still has the lease. */
async function change(
  table: Table,
  key: Key,
  run: { readonly token: number },
  write: { readonly set: Item; readonly ends: boolean; readonly isDone: (lease: Lease) => boolean },
): Promise<boolean> {
  // Alias every name: DynamoDB reserves many common words.
  const attributes = Object.entries(write.set).map(([name, value], index) => ({
    name,
    value,
    alias: `kept${index}`,
  }));
  const assignments = attributes.map(({ alias }) => `#${alias} = :${alias}`);
  const { applied } = await writeItem(table, {
    key,
    write: {
      update: {
        expression: [
          ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
          ...(write.ends ? ['REMOVE leaseOwner, leaseUntil'] : []),
        ].join(' '),
        names: Object.fromEntries(attributes.map(({ alias, name }) => [`#${alias}`, name])),
        values: Object.fromEntries(attributes.map(({ alias, value }) => [`:${alias}`, value])),
      },
    },
    condition: {
      expression: '#token = :token AND attribute_exists(leaseOwner)',
      names: { '#token': 'token' },
      values: { ':token': run.token },
    },
    isApplied(item) {
      const found = leaseOf(item ?? {});
      return item !== null && found.token === run.token && write.isDone(found);
    },
  });
  return applied;
}

export function leaseOf(item: Item): Lease {
  return {
    token: Number(item['token'] ?? 0),
    leaseOwner: (item['leaseOwner'] as string | undefined) ?? null,
    leaseUntil: Number(item['leaseUntil'] ?? 0),
    lastSlot: (item['lastSlot'] as string | undefined) ?? null,
    lastByHand: item['lastByHand'] === true,
    finishedSlot: (item['finishedSlot'] as string | undefined) ?? null,
    doneRuns: (item['doneRuns'] as string[] | undefined) ?? [],
  };
}

export function isLeaseHeld({ leaseOwner, leaseUntil }: Lease, now: number): boolean {
  return leaseOwner !== null && leaseUntil >= now - CLOCK_TOLERANCE_MS && leaseUntil <= lastLeaseEnd(now);
}

/** Times in a lease that a wrong clock wrote. */
export function futureTimesOf({ finishedSlot, leaseOwner, leaseUntil }: Lease, now: number): FutureTime[] {
  return [
    ...(finishedSlot !== null && isInFuture(finishedSlot, now)
      ? [{ field: 'finishedSlot', at: finishedSlot }]
      : []),
    ...(leaseOwner !== null && leaseUntil > lastLeaseEnd(now)
      ? [{ field: 'leaseUntil', at: new Date(leaseUntil).toISOString() }]
      : []),
  ];
}
