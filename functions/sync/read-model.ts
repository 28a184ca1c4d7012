import pLimit from 'p-limit';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { allDone } from '@cairn/shared/collection/map-concurrent';
import { claimDocument, type DocumentHead, readHeads } from '../store/published.ts';
import { DOCUMENT } from '../store/keys.ts';
import type { SyncBook } from '../releases/sync-state.ts';
import type { SyncRun } from './job.ts';

type Heads = ReadonlyMap<string, DocumentHead>;

/**
 * Keeps earlier runs that stand still from what this one may find unchanged, and so will not publish: from everything
 * after a run that did not come to its end, from graphs that one may be about to delete when their minor is back. Gives
 * the heads as they are then, as it may just have done so.
 */
export async function claimHeads(
  run: SyncRun,
  pairs: readonly ConfigPair[],
  heads: Heads,
  { finishedBy, retired }: Pick<SyncBook, 'finishedBy' | 'retired'>,
): Promise<Heads> {
  const { table } = run.dependencies;
  const isSomebodyLeft = finishedBy !== run.token - 1;
  const returned = new Set(
    pairs.filter(({ minor }) => minor in retired).map(({ channel, arch }) => DOCUMENT.graph(channel, arch)),
  );
  const limit = pLimit(run.limits.rowWritesAtOnce);
  const lost = await allDone(
    [...heads.values()]
      .filter(({ name }) => isSomebodyLeft || returned.has(name))
      .map((head) => limit(async () => ((await claimDocument(table, head, run.token)) ? [] : [head.name]))),
  );
  const names = lost.flat();
  if (names.length === 0) return heads;
  const untouched = [...heads].filter(([name]) => !names.includes(name));
  return new Map([...untouched, ...(await readHeads(table, names))]);
}
