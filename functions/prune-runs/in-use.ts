import { type ClusterImages, clusterImagesFromJson } from '@cairn/shared/prune/images/cluster/cluster-images';
import { type InUse, inUseFromJson } from '@cairn/shared/prune/images/in-use/facts';
import { isInFuture } from '@cairn/shared/time/future';
import { RUN_FILE, type RunFiles } from '../pruners/files.ts';
import { readPruner } from '../pruners/store.ts';
import type { Table } from '../store/table.ts';

/** Whose report is read, and when. */
interface ReportPlace {
  readonly table: Table;
  readonly files: RunFiles;
  readonly pruner: string;
  readonly now: number;
}

/** What clusters were last said to use of the registry; null when nobody has said. */
export async function loadInUse(place: ReportPlace): Promise<InUse | null> {
  return (await loadReport(place, async () => null))?.inUse ?? null;
}

/** The same with the Images of the cluster, which are null when they were not sent. */
export function loadClusterReport(
  place: ReportPlace,
): Promise<{ readonly inUse: InUse; readonly more: ClusterImages | null } | null> {
  return loadReport(place, async (revision) => {
    const bytes = await place.files.read(RUN_FILE.clusterImages(revision));
    return bytes === null ? null : clusterImagesFromJson(new TextDecoder().decode(bytes));
  });
}

/** A newer report may take the place of the one that is being read; then that one is. */
async function loadReport<More>(
  { table, files, pruner, now }: ReportPlace,
  readMore: (revision: string) => Promise<More>,
): Promise<{ readonly inUse: InUse; readonly more: More } | null> {
  let former: string | undefined;
  for (;;) {
    const summary = (await readPruner(table, pruner))?.record.inUse;
    if (!summary) return null;
    const { revision } = summary;
    // What is read first is removed last: while the latter is there, nothing of it is gone.
    const more = await readMore(revision);
    const bytes = await files.read(RUN_FILE.inUse(revision));
    if (bytes !== null) {
      const inUse = inUseFromJson(new TextDecoder().decode(bytes));
      // Since it was stored it may have been found to be still so.
      const collectedAt = Date.parse(summary.collectedAt);
      const isFromFuture = isInFuture(collectedAt, now) && ({ isFromFuture: true } as const);
      return { inUse: { ...inUse, collectedAt, ...isFromFuture }, more };
    }
    if (revision === former) throw new Error(`what is in use, ${revision}, is gone`);
    former = revision;
  }
}
