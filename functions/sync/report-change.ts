import type { GraphDiff } from '@cairn/shared/graph/diff';
import { pairName } from '@cairn/shared/releases/channel';
import type { AbsenceReport } from '@cairn/shared/releases/retirement';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { type ChannelChange, listChanges, recordChange } from '../channels/changes.ts';
import type { CairnEvent } from '../runtime/events.ts';
import type { SyncRun } from './run.ts';

/** A record is part of an item of at most 400 KB; ten events share one call of at most 256 KB. */
const RECORD_LIST_BYTES = 16 * 1024;
const EVENT_LIST_BYTES = 2 * 1024;

/** Records a withdrawal once: after an interrupted run, the next one finds the record. */
export async function reportWithdrawals(
  run: SyncRun,
  pair: ConfigPair,
  { missing, withdrawn }: AbsenceReport,
): Promise<CairnEvent[]> {
  if (withdrawn.length === 0) return [];
  const { table } = run.dependencies;
  const since = withdrawn.map((version) => missing[version]!.since).toSorted()[0]!;
  const recorded = await listChanges(table, pair.channel, pair.arch, since);
  const known = new Set(recorded.flatMap((change) => change.versionsWithdrawn));
  const fresh = withdrawn.filter((version) => !known.has(version));
  if (fresh.length > 0) await recordChange(table, withdrawalOf(pair, run.slot, fresh));
  return [
    {
      ...changeEvent(withdrawalOf(pair, run.slot, withdrawn)),
      id: `${pairName(pair.channel, pair.arch)}/${since}/withdrawn`,
      type: 'VersionsWithdrawn',
    },
  ];
}

const LISTS = [
  'versionsAdded',
  'versionsWithdrawn',
  'turnedConditional',
  'turnedPlain',
  'risksNew',
  'risksGone',
] as const;
type Lists = Pick<ChannelChange, (typeof LISTS)[number]>;

function cutLists(change: Lists, bytes: number): Lists {
  return Object.fromEntries(
    LISTS.map((name) => [name, withinBytes<unknown>(change[name], bytes)]),
  ) as unknown as Lists;
}

/** Cuts the lists to the item size; `counts` stay complete. */
export function changeOf(pair: ConfigPair, at: string, id: string, diff: GraphDiff): ChannelChange {
  const { versionsAdded, turnedConditional, turnedPlain } = diff;
  return {
    ...emptyChange(pair, at, id),
    ...cutLists({ ...diff, versionsWithdrawn: [] }, RECORD_LIST_BYTES),
    counts: {
      versionsAdded: versionsAdded.length,
      versionsWithdrawn: 0,
      turnedConditional: turnedConditional.length,
      turnedPlain: turnedPlain.length,
      edgesAdded: diff.edgesAdded,
      edgesRemoved: diff.edgesRemoved,
    },
  };
}

export function changeEvent(change: ChannelChange): CairnEvent<'ChannelChanged'> {
  const { at, id, channel, arch, counts } = change;
  const detail = { channel, arch, counts, ...cutLists(change, EVENT_LIST_BYTES) };
  return { id: `${pairName(channel, arch)}/${at}/${id}`, type: 'ChannelChanged', at, detail };
}

function withdrawalOf(pair: ConfigPair, at: string, versions: readonly string[]): ChannelChange {
  const empty = emptyChange(pair, at, 'withdrawn');
  return {
    ...empty,
    versionsWithdrawn: withinBytes(versions, RECORD_LIST_BYTES),
    counts: { ...empty.counts, versionsWithdrawn: versions.length },
  };
}

function emptyChange({ channel, arch }: ConfigPair, at: string, id: string): ChannelChange {
  return {
    channel,
    arch,
    at,
    id,
    versionsAdded: [],
    versionsWithdrawn: [],
    turnedConditional: [],
    turnedPlain: [],
    risksNew: [],
    risksGone: [],
    counts: {
      versionsAdded: 0,
      versionsWithdrawn: 0,
      turnedConditional: 0,
      turnedPlain: 0,
      edgesAdded: 0,
      edgesRemoved: 0,
    },
  };
}

/** Returns the longest prefix that fits. */
function withinBytes<Item>(list: readonly Item[], limit: number): readonly Item[] {
  let bytes = 0;
  const tooMany = list.findIndex((item) => (bytes += JSON.stringify(item).length) > limit);
  return tooMany === -1 ? list : list.slice(0, tooMany);
}
