import { clusterImagesFromJson } from '@cairn/shared/prune/images/cluster/cluster-images';
import { type InUse, inUseFromJson } from '@cairn/shared/prune/images/in-use/facts';
import { isInFuture } from '@cairn/shared/time/future';
import { RUN_FILE, type RunFiles } from '../pruners/files.ts';
import { readPruner } from '../pruners/store.ts';
import type { Table } from '../store/table.ts';

interface ReportPlace {
  readonly table: Table;
  readonly files: RunFiles;
  readonly pruner: string;
  readonly now: number;
}

/** Returns null if no in-use report was sent. */
export async function loadInUse(place: ReportPlace): Promise<InUse | null> {
  return (await loadReport(place, async () => null))?.inUse ?? null;
}

/** `more` is null if the report contained no Images. */
export function loadClusterReport(place: ReportPlace) {
  return loadReport(place, async (revision) => {
    const bytes = await place.files.read(RUN_FILE.clusterImages(revision));
    return bytes === null ? null : clusterImagesFromJson(new TextDecoder().decode(bytes));
  });
}

/** Retries with the newer report if one replaces the report during the read. */
async function loadReport<More>(
  { table, files, pruner, now }: ReportPlace,
  readMore: (revision: string) => Promise<More>,
): Promise<{ readonly inUse: InUse; readonly more: More } | null> {
  let former: string | undefined;
  for (;;) {
    const summary = (await readPruner(table, pruner))?.record.inUse;
    if (!summary) return null;
    const { revision } = summary;
    // Reads in reverse order of removal: if the second file exists, the first was not removed yet.
    const more = await readMore(revision);
    const bytes = await files.read(RUN_FILE.inUse(revision));
    if (bytes !== null) {
      const inUse = inUseFromJson(new TextDecoder().decode(bytes));
      // A later report without changes can have renewed the collection time.
      const collectedAt = Date.parse(summary.collectedAt);
      const isFromFuture = isInFuture(collectedAt, now) && ({ isFromFuture: true } as const);
      return { inUse: { ...inUse, collectedAt, ...isFromFuture }, more };
    }
    if (revision === former) throw new Error(`what is in use, ${revision}, is gone`);
    former = revision;
  }
}
