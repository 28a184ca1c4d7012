import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { EdgeChange } from '@cairn/shared/graph/diff';
import { parseSince } from '@cairn/shared/text/duration';
import type { Arch } from '@cairn/shared/version/arch';
import { decodeCursor, encodeCursor } from '../http/pagination.ts';
import { changeKey, changePartition, KEY_CONDITION } from '../store/keys.ts';
import { queryPartition } from '../store/query.ts';
import type { Table } from '../store/table.ts';

const DEFAULT_SINCE = '7d';

interface ChangesPlace {
  readonly since: string;
  /** Where the page before ended. */
  readonly before: ChangePlace | null;
}

/** What to list. A cursor keeps the beginning that its first page had: "7d" must not move from page to page. */
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

/** What changed in a channel at one publication, or which versions were found withdrawn. */
export interface ChannelChange {
  readonly channel: string;
  readonly arch: Arch;
  readonly at: string;
  /** Tells apart changes of the same time; the same change written again has the same one. */
  readonly id: string;
  readonly versionsAdded: readonly string[];
  readonly versionsWithdrawn: readonly string[];
  readonly turnedConditional: readonly EdgeChange[];
  readonly turnedPlain: readonly EdgeChange[];
  readonly risksNew: readonly string[];
  readonly risksGone: readonly string[];
  /** Lists may be cut, these are not. */
  readonly counts: {
    readonly versionsAdded: number;
    readonly versionsWithdrawn: number;
    readonly turnedConditional: number;
    readonly turnedPlain: number;
    readonly edgesAdded: number;
    readonly edgesRemoved: number;
  };
}

/** The changes of a channel from a time on, oldest first. */
export async function listChanges(
  table: Table,
  channel: string,
  arch: Arch,
  since: string,
): Promise<ChannelChange[]> {
  const items = await queryPartition(table, changePartition(channel, arch), { from: since });
  return items.map((item) => item['change'] as ChannelChange);
}

/** Which change of a channel. */
export type ChangePlace = Pick<ChannelChange, 'at' | 'id'>;

/**
 * A page of the changes from a time on, newest first, older than `before`. It ends early where the table ends a page
 * of its own (1 MB), so that it fits in an answer; `last` is where the next one goes on.
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
        // One more than wanted tells whether there is a next page.
        Limit: limit + 1,
        ExclusiveStartKey: start,
      }),
    );
    const found = Items.map((item) => unmarshall(item)['change'] as ChannelChange);
    const changes = found.slice(0, limit);
    const hasMore = found.length > limit || LastEvaluatedKey !== undefined;
    // A page of the table may be empty and not the last.
    if (changes.length > 0 || !hasMore) return { changes, last: hasMore ? changes.at(-1)! : null };
    start = LastEvaluatedKey;
  }
}

export async function recordChange(table: Table, change: ChannelChange): Promise<void> {
  const item = { ...changeKey(change.channel, change.arch, change.at, change.id), change };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(item) }));
}
