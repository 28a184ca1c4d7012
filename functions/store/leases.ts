import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** Who runs a job, and which slots it has had. It is one item, in which the job may keep more. */
export interface Lease {
  /** Only grows; whatever a run publishes carries it, so one that lost its lease without noticing is kept out. */
  readonly token: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number;
  readonly lastSlot: string | null;
  readonly finishedSlot: string | null;
}

export interface LeaseRequest {
  readonly slot: string;
  /** Another one for each run: by it a run knows its own lease again. */
  readonly owner: string;
  readonly now: number;
  readonly durationMs: number;
}

type Item = Readonly<Record<string, unknown>>;

export type LeaseOutcome =
  | { readonly acquired: true; readonly token: number; readonly item: Item }
  | { readonly acquired: false; readonly reason: 'Duplicate' | 'Concurrent' };

/** Allowed difference between the clocks of two holders; it decides only how soon a dead run is replaced. */
const CLOCK_TOLERANCE_MS = 5000;

export async function readLeaseItem(
  table: Table,
  key: Key,
  options: { readonly consistent: boolean } = { consistent: true },
): Promise<Item | null> {
  const { Item: item } = await table.client.send(
    new GetItemCommand({
      TableName: table.name,
      Key: marshall(key),
      ConsistentRead: options.consistent,
    }),
  );
  return item ? unmarshall(item) : null;
}

/** Takes the lease for one slot: a single write that also brings back whatever else the item holds. */
export async function acquireLease(table: Table, key: Key, lease: LeaseRequest): Promise<LeaseOutcome> {
  try {
    const { Attributes } = await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(key),
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
    const item = unmarshall(Attributes ?? {});
    return { acquired: true, token: leaseOf(item).token, item };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const item = (await readLeaseItem(table, key)) ?? {};
  const found = leaseOf(item);
  if (found.leaseOwner === lease.owner) return { acquired: true, token: found.token, item };
  const isDuplicate = (found.finishedSlot ?? '') >= lease.slot || found.lastSlot === lease.slot;
  return { acquired: false, reason: isDuplicate ? 'Duplicate' : 'Concurrent' };
}

/**
 * Ends a run: marks the slot done and gives the lease back, keeping these attributes in the same write. False when a newer
 * run has taken over.
 */
export async function finishLease(
  table: Table,
  key: Key,
  run: { readonly token: number; readonly slot: string },
  kept: Item = {},
): Promise<boolean> {
  return change(table, key, run, {
    set: { ...kept, finishedSlot: run.slot },
    ends: true,
    isDone: ({ finishedSlot }) => finishedSlot === run.slot,
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

/** Takes the lease of a holder known to be dead. The raised token keeps out whatever it may still have under way. */
export async function breakLease(table: Table, key: Key): Promise<void> {
  try {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(key),
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
  try {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(key),
        ConditionExpression: '#token = :token AND attribute_exists(leaseOwner)',
        UpdateExpression: [
          ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
          ...(write.ends ? ['REMOVE leaseOwner, leaseUntil'] : []),
        ].join(' '),
        ExpressionAttributeNames: {
          '#token': 'token',
          ...Object.fromEntries(attributes.map(({ alias, name }) => [`#${alias}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ':token': run.token,
          ...Object.fromEntries(attributes.map(({ alias, value }) => [`:${alias}`, value])),
        }),
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = await readLeaseItem(table, key);
    if (item === null) return false;
    const found = leaseOf(item);
    return found.token === run.token && write.isDone(found);
  }
}

export function leaseOf(item: Item): Lease {
  return {
    token: Number(item['token'] ?? 0),
    leaseOwner: (item['leaseOwner'] as string | undefined) ?? null,
    leaseUntil: Number(item['leaseUntil'] ?? 0),
    lastSlot: (item['lastSlot'] as string | undefined) ?? null,
    finishedSlot: (item['finishedSlot'] as string | undefined) ?? null,
  };
}

export function isLeaseHeld(lease: Lease, now: number): boolean {
  return lease.leaseOwner !== null && lease.leaseUntil >= now - CLOCK_TOLERANCE_MS;
}
