import { ARCHES } from '@cairn/shared/version/arch';
import { readHeads } from '../store/published.ts';
import type { FleetBook } from '../notifications/state.ts';
import { DOCUMENT } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** What each channel is made from now, as its index tells: `stable-4.14/amd64` → a text that is another with every change. */
export type Fingerprints = ReadonlyMap<string, string>;

/** Five small reads, however many channels and clusters there are. */
export async function readFingerprints(table: Table): Promise<Fingerprints> {
  const heads = await readHeads(
    table,
    ARCHES.map((arch) => DOCUMENT.channelIndex(arch)),
  );
  return new Map(
    ARCHES.flatMap((arch) => {
      const sources = heads.get(DOCUMENT.channelIndex(arch))?.summary['sources'] ?? {};
      return Object.entries(sources).map(([channel, source]): [string, string] => [
        `${channel}/${arch}`,
        JSON.stringify(source),
      ]);
    }),
  );
}

/** The pairs that are not as they were seen, also those that are no longer followed; one that was cut goes first. */
export function changedPairs(now: Fingerprints, { seen, cut }: FleetBook): string[] {
  const pairs = new Set([...now.keys(), ...Object.keys(seen)]);
  const changed = [...pairs].filter((pair) => now.get(pair) !== seen[pair]).toSorted();
  return changed.toSorted((a, b) => Number(b === cut?.pair) - Number(a === cut?.pair));
}
