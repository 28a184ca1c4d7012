import { gunzipSync, gzipSync } from 'node:zlib';
import type { Absence } from '@cairn/shared/releases/retirement';
import { isInFuture } from '@cairn/shared/time/future';
import { ExpectedError } from '../runtime/errors.ts';
import { readItem } from '../store/item.ts';
import { SYNC_STATE_KEY } from '../store/keys.ts';
import {
  type FutureTime,
  futureTimesOf,
  lastSkipIn,
  type Lease,
  leaseOf,
  type SkippedRun,
} from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import { CACHE_LIMITS } from '../store/publication-cache.ts';
import type { RunOutcome, RunTrigger } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';

export interface SyncSettings {
  /** A pair without a good response for two intervals is stale. */
  readonly intervalMs: number;
  readonly retirementGraceMs: number;
}

/** Upstream graph held for review. */
export interface HeldGraph {
  readonly hash: string;
  readonly since: string;
  readonly rounds: number;
  readonly reason: string;
  readonly detail: string;
}

/** The hash is for the sync only. */
export function heldView(held: HeldGraph | null): Omit<HeldGraph, 'hash'> | null {
  return held && { reason: held.reason, detail: held.detail, since: held.since, rounds: held.rounds };
}

export interface PairState {
  readonly outcome: 'Published' | 'Unchanged' | 'Held' | 'Failed' | 'Skipped';
  /** Known revision of the published graph; a different one means that a run died before it stored its state. */
  readonly revision: string | null;
  /** First run that was due to follow the pair, even if it had no time; absent in states of older releases. */
  readonly followedSince?: string;
  readonly lastAttemptAt: string;
  readonly lastSuccessAt: string | null;
  readonly lastChangeAt: string | null;
  readonly nodes: number;
  readonly edges: number;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly held: HeldGraph | null;
  readonly missing: Readonly<Record<string, Absence>>;
  readonly repairs: readonly {
    readonly code: string;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
  /** Versions whose payload upstream changed; the first payload stays. */
  readonly payloadConflicts: readonly string[];
}

export interface RunRecord {
  readonly slot: string;
  readonly trigger: RunTrigger;
  readonly outcome: RunOutcome;
  readonly durationMs: number;
  readonly pairs: Readonly<Record<Lowercase<PairState['outcome']>, number>>;
  readonly versionsAdded: number;
  readonly notes: readonly string[];
}

export const UPSTREAM_KINDS = ['live', 'demo'] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** State of the sync between runs. Its loss loses no release: pairs are then read from their publications. */
export interface SyncState {
  /** Token of the run that wrote this. If it is not the previous one, a run in between may still be active. */
  readonly finishedBy: number | null;
  readonly upstream: { readonly kind: UpstreamKind; readonly url: string } | null;
  readonly pairs: Readonly<Record<string, PairState>>;
  readonly runs: readonly RunRecord[];
  /** Minors that left the configuration, with the time. */
  readonly retired: Readonly<Record<string, string>>;
  /** Why retired minors keep their rows after the grace period. */
  readonly retirementHeld: string | null;
  /** Fingerprint of the catalogue's inputs at its last publication. */
  readonly catalogueInputs: string | null;
  /** Revision of each channel index; a different one means that a run died before it stored its state. */
  readonly indexRevisions: Readonly<Record<string, string>>;
  /** Revision of the index of risks; absent in states of older releases. */
  readonly riskRevision: string | null;
  /** Undelivered events. */
  readonly undelivered: readonly unknown[];
}

export const EMPTY_STATE: SyncState = {
  finishedBy: null,
  upstream: null,
  pairs: {},
  runs: [],
  retired: {},
  retirementHeld: null,
  catalogueInputs: null,
  indexRevisions: {},
  riskRevision: null,
  undelivered: [],
};

export interface SyncItem extends Lease {
  readonly lastSkip: SkippedRun | null;
  readonly book: SyncState;
}

export async function readSyncState(
  table: Table,
  options?: { readonly consistent: boolean },
): Promise<SyncItem | null> {
  const item = await readItem(table, SYNC_STATE_KEY, options);
  return item && { ...leaseOf(item), lastSkip: lastSkipIn(item), book: syncStateCodec.view(item) };
}

/** The state is stored gzipped in the attribute `book`. */
export const syncStateCodec = storedCodec<SyncState>('syncState', {
  write: (state) => ({ book: gzipSync(JSON.stringify(state)) }),
  // States of older releases may lack fields.
  read: ({ book }) =>
    book && { ...EMPTY_STATE, ...JSON.parse(gunzipSync(book as Uint8Array).toString('utf8')) },
  none: EMPTY_STATE,
});

export function notSyncedYet(): ExpectedError {
  return new ExpectedError('not-synced-yet', 'the first sync has not finished yet, try again in a minute', {
    retryAfterSeconds: 60,
  });
}

/** Caches the state of every followed pair in a warm function for the trust window. */
export class PairStates {
  readonly #table: Table;
  readonly #clock: () => number;
  #held: { readonly readAt: number; readonly pairs: Promise<ReadonlyMap<string, PairState>> } | undefined;

  constructor(table: Table, clock: () => number) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Undefined for a pair that is not synced yet, such as `get('stable-4.14/amd64')`. */
  async get(pair: string): Promise<PairState | undefined> {
    const now = this.#clock();
    if (!this.#held || Math.abs(now - this.#held.readAt) >= CACHE_LIMITS.trustMs) {
      this.#held = { readAt: now, pairs: this.#read() };
    }
    const { pairs } = this.#held;
    try {
      return (await pairs).get(pair);
    } catch (error) {
      if (this.#held?.pairs === pairs) this.#held = undefined;
      throw error;
    }
  }

  async #read(): Promise<ReadonlyMap<string, PairState>> {
    const state = await readSyncState(this.#table, { consistent: false });
    return new Map(Object.entries(state?.book.pairs ?? {}));
  }
}

export type KnownPairs = Pick<PairStates, 'get'>;

/** A last success in the future proves nothing, so the pair is stale too. */
export function isStale(
  { lastSuccessAt }: Pick<PairState, 'lastSuccessAt'>,
  now: number,
  intervalMs: number,
): boolean {
  if (lastSuccessAt === null || isInFuture(lastSuccessAt, now)) return true;
  return now - Date.parse(lastSuccessAt) > 2 * intervalMs;
}

/** Stored times from a wrong clock, which the next run replaces. */
export function futureTimesIn(state: SyncItem, now: number): readonly FutureTime[] {
  return [...futureTimesOf(state, now), ...futureTimesOfState(state.book, now)];
}

export function futureTimesOfState({ runs, pairs }: SyncState, now: number): readonly FutureTime[] {
  const times = [
    { field: 'lastRun.slot', at: runs[0]?.slot },
    ...Object.entries(pairs).flatMap(([pair, { lastAttemptAt, lastSuccessAt }]) => [
      { field: `${pair} lastAttemptAt`, at: lastAttemptAt },
      { field: `${pair} lastSuccessAt`, at: lastSuccessAt },
    ]),
  ];
  return times.filter((time): time is FutureTime => Boolean(time.at) && isInFuture(time.at!, now));
}

/**
 * Removes times from a wrong clock: a last success counts as none, and lasting states start with this slot.
 * Otherwise withdrawals and held graphs would wait for that time. Retirement times stay: rows may be kept too
 * long, never too short.
 */
export function withoutFutureTimes(book: SyncState, slot: string, now: number): SyncState {
  const isFuture = (time: string | null | undefined): boolean => Boolean(time) && isInFuture(time!, now);
  const begun = (since: string): string => (isFuture(since) ? slot : since);
  const absence = ({ since, rounds, withdrawnAt }: Absence): Absence => ({
    since: begun(since),
    rounds,
    ...(withdrawnAt !== undefined && { withdrawnAt: begun(withdrawnAt) }),
  });
  const pair = (state: PairState): PairState => ({
    ...state,
    ...(isFuture(state.followedSince) && { followedSince: slot }),
    ...(isFuture(state.lastAttemptAt) && { lastAttemptAt: '' }),
    ...(isFuture(state.lastSuccessAt) && { lastSuccessAt: null }),
    ...(isFuture(state.lastChangeAt) && { lastChangeAt: null }),
    held: state.held && { ...state.held, since: begun(state.held.since) },
    missing: mapValues(state.missing, absence),
  });
  return { ...book, pairs: mapValues(book.pairs, pair) };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
