import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Arch } from '@cairn/shared/version/arch';
import { changeKey, changePartition } from './keys.ts';
import { queryPartition } from './query.ts';
import type { Table } from './table.ts';

/** What changed in a channel at one publication, or which versions were found withdrawn. */
export interface ChannelChange {
  readonly channel: string;
  readonly arch: Arch;
  readonly at: string;
  /** Tells apart changes of the same time; the same change written again has the same one. */
  readonly id: string;
  readonly versionsAdded: readonly string[];
  readonly versionsWithdrawn: readonly string[];
  readonly turnedConditional: readonly {
    readonly from: string;
    readonly to: string;
    readonly risks: readonly string[];
  }[];
  readonly turnedPlain: readonly { readonly from: string; readonly to: string }[];
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

export async function recordChange(table: Table, change: ChannelChange): Promise<void> {
  const item = { ...changeKey(change.channel, change.arch, change.at, change.id), change };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(item) }));
}
