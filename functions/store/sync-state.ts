import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Absence } from '@cairn/shared/releases/absence';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SYNC_STATE_KEY } from './keys.ts';
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
  upstream: null,
  pairs: {},
  runs: [],
  retired: {},
  retirementHeld: null,
  catalogueInputs: null,
  indexRevisions: {},
  undelivered: [],
};

export interface SyncState {
  readonly token: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number;
  readonly lastSlot: string | null;
  readonly finishedSlot: string | null;
  readonly lastSkip: { readonly slot: string; readonly reason: string } | null;
  readonly book: SyncBook;
}

export type LeaseOutcome =
  | { readonly acquired: true; readonly token: number; readonly book: SyncBook }
  | { readonly acquired: false; readonly reason: 'Duplicate' | 'Concurrent' };

/** Allowed difference between the clocks of two holders; it decides only how soon a dead run is replaced. */
const CLOCK_TOLERANCE_MS = 5000;

export async function readSyncState(
  table: Table,
  options: { readonly consistent: boolean } = { consistent: true },
): Promise<SyncState | null> {
  const { Item } = await table.client.send(
    new GetItemCommand({
      TableName: table.name,
      Key: marshall(SYNC_STATE_KEY),
      ConsistentRead: options.consistent,
    }),
  );
  return Item ? stateOf(unmarshall(Item)) : null;
}

/**
 * Takes the lease for one slot: a single write that also brings back the book. The token only grows; every
 * published document carries it, so a run that lost its lease without noticing publishes nothing any more.
 */
export async function acquireSyncLease(
  table: Table,
  lease: { readonly slot: string; readonly owner: string; readonly now: number; readonly durationMs: number },
): Promise<LeaseOutcome> {
  try {
    const { Attributes } = await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(SYNC_STATE_KEY),
        UpdateExpression:
          'SET #token = if_not_exists(#token, :zero) + :one, leaseOwner = :owner, leaseUntil = :until, lastSlot = :slot',
        ConditionExpression:
          '(attribute_not_exists(finishedSlot) OR finishedSlot < :slot) AND (attribute_not_exists(leaseUntil) OR leaseUntil < :expired)',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: marshall({
          ':zero': 0,
          ':one': 1,
          ':owner': lease.owner,
          ':until': lease.now + lease.durationMs,
          ':slot': lease.slot,
          ':expired': lease.now - CLOCK_TOLERANCE_MS,
        }),
        ReturnValues: 'ALL_NEW',
      }),
    );
    const { token, book } = stateOf(unmarshall(Attributes ?? {}));
    return { acquired: true, token, book };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const found = await readSyncState(table);
  if (found?.leaseOwner === lease.owner) return { acquired: true, token: found.token, book: found.book };
  const isDuplicate = (found?.finishedSlot ?? '') >= lease.slot || found?.lastSlot === lease.slot;
  return { acquired: false, reason: isDuplicate ? 'Duplicate' : 'Concurrent' };
}

/** Ends a run: keeps the book, marks the slot done and gives the lease back. False when a newer run has taken over. */
export async function finishSyncRun(
  table: Table,
  run: { readonly token: number; readonly slot: string; readonly book: SyncBook },
): Promise<boolean> {
  return ifStillHolder(table, run, {
    update: 'SET book = :book, finishedSlot = :slot REMOVE leaseOwner, leaseUntil',
    values: { ':book': gzipSync(JSON.stringify(run.book)), ':slot': run.slot },
    isDone: (state) => state.finishedSlot === run.slot,
  });
}

/** Gives the lease back without marking the slot done, so that a retry of the same event may run. */
export async function releaseSyncLease(table: Table, run: { readonly token: number }): Promise<boolean> {
  return ifStillHolder(table, run, {
    update: 'REMOVE leaseOwner, leaseUntil',
    values: {},
    isDone: (state) => state.leaseOwner === null,
  });
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

/** Takes the lease of a holder known to be dead. The raised token keeps out whatever it may still have under way. */
export async function breakSyncLease(table: Table): Promise<void> {
  try {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(SYNC_STATE_KEY),
        ConditionExpression: 'attribute_exists(leaseOwner)',
        UpdateExpression: 'SET #token = #token + :one REMOVE leaseOwner, leaseUntil',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: marshall({ ':one': 1 }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

async function ifStillHolder(
  table: Table,
  run: { readonly token: number },
  write: {
    readonly update: string;
    readonly values: Record<string, unknown>;
    readonly isDone: (state: SyncState) => boolean;
  },
): Promise<boolean> {
  try {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(SYNC_STATE_KEY),
        ConditionExpression: '#token = :token AND attribute_exists(leaseOwner)',
        UpdateExpression: write.update,
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: marshall({ ':token': run.token, ...write.values }),
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = await readSyncState(table);
    return found !== null && found.token === run.token && write.isDone(found);
  }
}

function stateOf(item: Record<string, unknown>): SyncState {
  return {
    token: Number(item['token'] ?? 0),
    leaseOwner: (item['leaseOwner'] as string | undefined) ?? null,
    leaseUntil: Number(item['leaseUntil'] ?? 0),
    lastSlot: (item['lastSlot'] as string | undefined) ?? null,
    finishedSlot: (item['finishedSlot'] as string | undefined) ?? null,
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

export function isLeaseHeld(state: SyncState, now: number): boolean {
  return state.leaseOwner !== null && state.leaseUntil >= now - CLOCK_TOLERANCE_MS;
}
