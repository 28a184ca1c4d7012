import { CLOCK_SKEW_MS, isInFuture } from '@cairn/shared/time/future';
import { type Item, readItem, writeItem } from './item.ts';
import type { Key } from './keys.ts';
import { RUN_TRIGGERS } from './run-records.ts';
import type { Table } from './table.ts';

/** Who runs a job, and which slots it has had. It is one item, in which the job may keep more. */
export interface Lease {
  /** Only grows; whatever a run publishes carries it, so one that lost its lease without noticing is kept out. */
  readonly token: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number;
  readonly lastSlot: string | null;
  readonly lastByHand: boolean;
  /** The last scheduled slot that is done. */
  readonly finishedSlot: string | null;
  /** Names of the last runs that are done, newest first: by these an event that comes again is known whatever clocks show. */
  readonly doneRuns: readonly string[];
}

export interface LeaseRequest {
  readonly slot: string;
  /**
   * A run by hand is a duplicate only of itself, whichever scheduled slot is done.
   * @default false
   */
  readonly byHand?: boolean;
  /** Another one for each run: by it a run knows its own lease again. */
  readonly owner: string;
  readonly now: number;
  readonly durationMs: number;
}

/** What a run marks done when it ends; a run by hand leaves the scheduled slot as it is. */
export type DoneSlots = Pick<Lease, 'doneRuns'> & { readonly finishedSlot?: string };

/** A stored time that a wrong clock wrote. */
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
      /** What was stored of the runs before, which this run replaces. */
      readonly future: readonly FutureTime[];
    }
  | { readonly acquired: false; readonly reason: 'Duplicate' | 'Concurrent' };

/** Allowed difference between the clocks of two holders; it decides only how soon a dead run is replaced. */
const CLOCK_TOLERANCE_MS = 5000;
/** No job takes a longer lease: one that ends later than this from now was written by a wrong clock, and holds nothing. */
export const LONGEST_LEASE_MS = 16 * 60_000;
const DONE_RUNS_KEPT = 20;

export const readLeaseItem = readItem;

/**
 * Takes the lease for one slot: a single write that also brings back whatever else the item holds. A slot or lease that a
 * wrong clock wrote stops no run.
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
      // What was there before also shows what a wrong clock wrote.
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

/** A run by hand and a scheduled one may be of the same second. */
function runName(slot: string, byHand: boolean): string {
  return byHand ? `${slot} by hand` : slot;
}

/** With one more run done. */
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

/** By the slot as well: a run whose clock is behind must not take what is of today for something of the future. */
function latestOf({ slot, now }: LeaseRequest): number {
  return Math.max(now, Date.parse(slot));
}

function lastLeaseEnd(now: number): number {
  return now + LONGEST_LEASE_MS + CLOCK_SKEW_MS;
}

/**
 * Ends a run: marks its slots done and gives the lease back, keeping these attributes in the same write. False when a newer
 * run has taken over.
 */
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

/** Keeps these attributes and prolongs the lease; false when a newer run has taken over, which must then be left alone. */
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

/** Gives the lease back without marking the slot done, so that a retry of the same event may run. */
export async function releaseLease(
  table: Table,
  key: Key,
  run: { readonly token: number },
  kept: Item = {},
): Promise<boolean> {
  return change(table, key, run, { set: kept, ends: true, isDone: ({ leaseOwner }) => leaseOwner === null });
}

/** How an event that starts a run came about. */
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

/** A run that did nothing, and why. */
export interface SkippedRun {
  readonly slot: string;
  readonly trigger: EventTrigger;
  readonly reason: SkipReason;
}

/** Keeps the last run that was skipped beside the lease, whoever holds it. */
export async function recordSkip(table: Table, key: Key, skip: SkippedRun): Promise<void> {
  const update = { expression: 'SET lastSkip = :skip', values: { ':skip': skip } };
  await writeItem(table, { key, write: { update } });
}

export function lastSkipIn(item: Item): SkippedRun | null {
  return (item['lastSkip'] as SkippedRun | undefined) ?? null;
}

/** Takes the lease of a holder known to be dead. The raised token keeps out whatever it may still have under way. */
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

/** Sets these attributes, if the lease is still this run's, and ends it or not. */
async function change(
  table: Table,
  key: Key,
  run: { readonly token: number },
  write: { readonly set: Item; readonly ends: boolean; readonly isDone: (lease: Lease) => boolean },
): Promise<boolean> {
  // By other names, as the table keeps many common words to itself.
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

/** What of a lease a wrong clock wrote. */
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
