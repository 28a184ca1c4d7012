import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Absence } from '@cairn/shared/releases/absence';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SYNC_STATE_KEY } from './keys.ts';
import {
  acquireLease,
  breakLease,
  finishLease,
  type Lease,
  leaseOf,
  type LeaseOutcome,
  type LeaseRequest,
  readLeaseItem,
  releaseLease,
} from './leases.ts';
import type { Table } from './table.ts';

/** An answer that was not believed yet. */
export interface HeldBack {
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
  readonly held: HeldBack | null;
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
  readonly trigger: 'schedule' | 'manual';
  readonly outcome: 'Succeeded' | 'PartiallySucceeded' | 'Failed';
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

/** Everything the sync remembers between rounds. Losing it loses no release: pairs are then read from their documents. */
export interface SyncBook {
  /** The token of the run that wrote this. If it is not the one before, a run in between may still be under way. */
  readonly finishedBy: number | null;
  readonly upstream: { readonly kind: 'live' | 'demo'; readonly url: string } | null;
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

export const EMPTY_BOOK: SyncBook = {
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

export interface SyncState extends Lease {
  readonly lastSkip: { readonly slot: string; readonly reason: string } | null;
  readonly book: SyncBook;
}

export type SyncLeaseOutcome =
  | { readonly acquired: true; readonly token: number; readonly book: SyncBook }
  | Extract<LeaseOutcome, { readonly acquired: false }>;

export async function readSyncState(
  table: Table,
  options?: { readonly consistent: boolean },
): Promise<SyncState | null> {
  const item = await readLeaseItem(table, SYNC_STATE_KEY, options);
  return item && stateOf(item);
}

/** Takes the lease for one slot: a single write that also brings back the book. */
export async function acquireSyncLease(table: Table, lease: LeaseRequest): Promise<SyncLeaseOutcome> {
  const outcome = await acquireLease(table, SYNC_STATE_KEY, lease);
  if (!outcome.acquired) return outcome;
  return { acquired: true, token: outcome.token, book: stateOf(outcome.item).book };
}

/** Ends a run: keeps the book, marks the slot done and gives the lease back. False when a newer run has taken over. */
export async function finishSyncRun(
  table: Table,
  run: { readonly token: number; readonly slot: string; readonly book: SyncBook },
): Promise<boolean> {
  return finishLease(table, SYNC_STATE_KEY, run, { book: gzipSync(JSON.stringify(run.book)) });
}

/** Gives the lease back without marking the slot done, so that a retry of the same event may run. */
export async function releaseSyncLease(table: Table, run: { readonly token: number }): Promise<boolean> {
  return releaseLease(table, SYNC_STATE_KEY, run);
}

/** Takes the lease of a holder known to be dead. */
export async function breakSyncLease(table: Table): Promise<void> {
  return breakLease(table, SYNC_STATE_KEY);
}

export async function recordSkippedRun(
  table: Table,
  skip: { readonly slot: string; readonly reason: string },
): Promise<void> {
  await table.client.send(
    new UpdateItemCommand({
      TableName: table.name,
      Key: marshall(SYNC_STATE_KEY),
      UpdateExpression: 'SET lastSkip = :skip',
      ExpressionAttributeValues: marshall({ ':skip': skip }),
    }),
  );
}

function stateOf(item: Readonly<Record<string, unknown>>): SyncState {
  return {
    ...leaseOf(item),
    lastSkip: (item['lastSkip'] as SyncState['lastSkip'] | undefined) ?? null,
    book: item['book'] ? { ...EMPTY_BOOK, ...readBook(item['book'] as Uint8Array) } : EMPTY_BOOK,
  };
}

function readBook(packed: Uint8Array): Partial<SyncBook> {
  return JSON.parse(gunzipSync(packed).toString('utf8')) as Partial<SyncBook>;
}

/** Without a good answer for two intervals, a pair is stale. */
export function isStale(
  { lastSuccessAt }: Pick<PairState, 'lastSuccessAt'>,
  now: number,
  intervalMs: number,
): boolean {
  return lastSuccessAt === null || now - Date.parse(lastSuccessAt) > 2 * intervalMs;
}
