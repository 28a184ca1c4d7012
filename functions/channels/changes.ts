import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { parseSince } from '@cairn/shared/text/duration';
import type { Arch } from '@cairn/shared/version/arch';
import { decodeCursor, encodeCursor } from '../http/pagination.ts';
import type { Output } from '../runtime/lazy.ts';
import { writeItem } from '../store/item.ts';
import { changeKey, changePartition, KEY_CONDITION } from '../store/keys.ts';
import { queryPartition } from '../store/query.ts';
import type { Table } from '../store/table.ts';
import type { ChannelChangePage } from './schema.ts';

const DEFAULT_SINCE = '7d';

interface ChangesPlace {
  readonly since: string;
  /** End of the previous page. */
  readonly before: ChangePlace | null;
}

/** A cursor keeps the start time of its first page: "7d" must not move between pages. */
export function changesPlace(
  query: { readonly since?: string | undefined; readonly cursor?: string | undefined },
  now: number,
): ChangesPlace {
  if (query.cursor !== undefined) return decodeCursor(query.cursor, readParts);
  return { since: parseSince(query.since ?? DEFAULT_SINCE, now)!, before: null };
}

export function changesCursor(since: string, { at, id }: ChangePlace): string {
  return encodeCursor([since, at, id]);
}

function readParts([since = '', at = '', id = '', ...more]: readonly string[]): ChangesPlace | null {
  const isWhole = [since, at].every((time) => parseSince(time, 0) === time) && /^[\w-]{1,64}$/.test(id);
  return isWhole && more.length === 0 && since <= at ? { since, before: { at, id } } : null;
}

/** Changes of one publication, or versions found withdrawn. */
export type ChannelChange = Output<typeof ChannelChangePage>['changes'][number] & {
  readonly channel: string;
  readonly arch: Arch;
  /** Distinguishes changes of the same time; a rewrite of the same change keeps its ID. */
  readonly id: string;
};

/** Oldest first. */
export async function listChanges(
  table: Table,
  channel: string,
  arch: Arch,
  since: string,
): Promise<ChannelChange[]> {
  const items = await queryPartition(table, changePartition(channel, arch), { from: since });
  return items.map((item) => item['change'] as ChannelChange);
}

export type ChangePlace = Pick<ChannelChange, 'at' | 'id'>;

/**
 * Returns changes since a time, newest first, older than `before`. A page also ends where DynamoDB ends one (1 MB), so
 * it fits into a response; `last` is the start of the next page.
 */
export async function listChangesBefore(
  table: Table,
  { channel, arch }: Pick<ChannelChange, 'channel' | 'arch'>,
  page: { readonly since: string; readonly before: ChangePlace | null; readonly limit: number },
): Promise<{ readonly changes: readonly ChannelChange[]; readonly last: ChangePlace | null }> {
  const { since, before, limit } = page;
  let start = before ? marshall(changeKey(channel, arch, before.at, before.id)) : undefined;
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: KEY_CONDITION.partitionFrom,
        ExpressionAttributeValues: marshall({ ':partition': changePartition(channel, arch), ':from': since }),
        ScanIndexForward: false,
        // One extra item shows whether a next page exists.
        Limit: limit + 1,
        ExclusiveStartKey: start,
      }),
    );
    const found = Items.map((item) => unmarshall(item)['change'] as ChannelChange);
    const changes = found.slice(0, limit);
    const hasMore = found.length > limit || LastEvaluatedKey !== undefined;
    // A DynamoDB page can be empty without being the last.
    if (changes.length > 0 || !hasMore) return { changes, last: hasMore ? changes.at(-1)! : null };
    start = LastEvaluatedKey;
  }
}

export async function recordChange(table: Table, change: ChannelChange): Promise<void> {
  const key = changeKey(change.channel, change.arch, change.at, change.id);
  await writeItem(table, { key, write: { put: { change } } });
}
