import { gunzipSync, gzipSync } from 'node:zlib';
import type { Absence } from '@cairn/shared/releases/retirement';
import { isInFuture } from '@cairn/shared/time/future';
import { SYNC_STATE_KEY } from '../store/keys.ts';
import {
  type FutureTime,
  futureTimesOf,
  lastSkipIn,
  type Lease,
  leaseOf,
  readLeaseItem,
  type SkippedRun,
} from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import type { RunOutcome, RunTrigger } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';

export interface SyncSettings {
  /** A pair without a good answer for two of these is stale. */
  readonly intervalMs: number;
  readonly retirementGraceMs: number;
}

/** An answer that was not believed yet. */
export interface HeldGraph {
  readonly hash: string;
  readonly since: string;
  readonly rounds: number;
  readonly reason: string;
  readonly detail: string;
}

export interface PairState {
  readonly outcome: 'Published' | 'Unchanged' | 'Held' | 'Failed' | 'Skipped';
  /** Revision of the graph document that this state knows of; another one there means that a run died in between. */
  readonly revision: string | null;
  /** The first run that was to follow it, also if it had no time for it; books of older releases lack it. */
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
  /** Versions whose payload upstream changed; the first one stays. */
  readonly payloadConflicts: readonly string[];
}

export interface RunRecord {
  readonly slot: string;
  readonly trigger: RunTrigger;
  readonly outcome: RunOutcome;
  readonly durationMs: number;
  readonly pairs: {
    readonly published: number;
    readonly unchanged: number;
    readonly held: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly versionsAdded: number;
  readonly notes: readonly string[];
}

export const UPSTREAM_KINDS = ['live', 'demo'] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** Everything the sync remembers between rounds. Losing it loses no release: pairs are then read from their documents. */
export interface SyncState {
  /** The token of the run that wrote this. If it is not the one before, a run in between may still be under way. */
  readonly finishedBy: number | null;
  readonly upstream: { readonly kind: UpstreamKind; readonly url: string } | null;
  readonly pairs: Readonly<Record<string, PairState>>;
  readonly runs: readonly RunRecord[];
  /** Minors gone from the configuration, and since when. */
  readonly retired: Readonly<Record<string, string>>;
  /** Why retired minors past their grace time still have their rows. */
  readonly retirementHeld: string | null;
  /** Fingerprint of all that the catalogue is made from, as of its last publication. */
  readonly catalogueInputs: string | null;
  /** Revision of the channel index of each architecture; another one there means that a run died before it tidied up. */
  readonly indexRevisions: Readonly<Record<string, string>>;
  /** Events that could not be delivered yet. */
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
  const item = await readLeaseItem(table, SYNC_STATE_KEY, options);
  return item && { ...leaseOf(item), lastSkip: lastSkipIn(item), book: syncStateCodec.view(item) };
}

/** The state is stored gzipped in the attribute `book`. */
export const syncStateCodec = storedCodec<SyncState>('syncState', {
  write: (state) => ({ book: gzipSync(JSON.stringify(state)) }),
  // A state of an older release may lack fields that were added since.
  read: ({ book }) =>
    book && { ...EMPTY_STATE, ...JSON.parse(gunzipSync(book as Uint8Array).toString('utf8')) },
  none: EMPTY_STATE,
});

/** Without a good answer for two intervals, a pair is stale; so is one whose answer has a time that nobody can have had. */
export function isStale(
  { lastSuccessAt }: Pick<PairState, 'lastSuccessAt'>,
  now: number,
  intervalMs: number,
): boolean {
  if (lastSuccessAt === null || isInFuture(lastSuccessAt, now)) return true;
  return now - Date.parse(lastSuccessAt) > 2 * intervalMs;
}

/** Every time of the state that a wrong clock wrote and that the next run replaces. */
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
 * The book without what a wrong clock wrote, as nothing is known of when that was: the last answer of a pair counts as none,
 * and what lasts began with this slot. Otherwise a version would not be withdrawn and a held answer not be confirmed until
 * that time has come. When a minor was retired stays: rows may be kept too long, never too short.
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
