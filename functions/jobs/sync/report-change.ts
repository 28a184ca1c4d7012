import type { GraphDiff } from '@cairn/shared/graph/diff';
import type { AbsenceReport } from '@cairn/shared/releases/absence';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import type { CairnEvent } from '../../runtime/events.ts';
import { type ChannelChange, listChanges, recordChange } from '../../store/changes.ts';
import type { SyncRun } from './context.ts';

/** Lists in a change record are cut here; the counts beside them stay true. */
const CHANGE_LIST_LENGTH = 200;

/** Told once: a run that died after it had recorded them leaves the record, which the next one finds. */
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
  const change = { ...changeOf(pair, run.slot, 'withdrawn', null), versionsWithdrawn: withdrawn };
  if (fresh.length > 0) await recordChange(table, { ...change, versionsWithdrawn: fresh });
  return [
    {
      ...changeEvent(change),
      id: `${pair.channel}/${pair.arch}/${since}/withdrawn`,
      type: 'VersionsWithdrawn',
    },
  ];
}

export function changeOf(pair: ConfigPair, at: string, id: string, diff: GraphDiff | null): ChannelChange {
  const cut = <T>(list: readonly T[] = []) => list.slice(0, CHANGE_LIST_LENGTH);
  return {
    channel: pair.channel,
    arch: pair.arch,
    at,
    id,
    versionsAdded: cut(diff?.versionsAdded),
    versionsWithdrawn: [],
    turnedConditional: cut(diff?.turnedConditional),
    turnedPlain: cut(diff?.turnedPlain),
    edgesAdded: diff?.edgesAdded ?? 0,
    edgesRemoved: diff?.edgesRemoved ?? 0,
    risksNew: cut(diff?.risksNew),
    risksGone: cut(diff?.risksGone),
  };
}

export function changeEvent(change: ChannelChange): CairnEvent {
  const { at, id, ...detail } = change;
  return { id: `${change.channel}/${change.arch}/${at}/${id}`, type: 'ChannelChanged', at, detail };
}
