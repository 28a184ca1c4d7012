import { setTimeout as sleep } from 'node:timers/promises';
import { type PlannedDeletion, plannedDeletion, readPlan } from './decide.ts';
import type { DeletionCounts } from './progress.ts';
import type { RefusedDeletion, RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS, type PruneSession } from './session.ts';

/** S3 error codes that a retry can resolve. */
const PASSING: ReadonlySet<string> = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'NotAnswered',
  'OperationAborted',
]);
const ATTEMPTS = 6;
const LONGEST_PAUSE_MS = 5000;

/**
 * Deletes planned lines in order and never mixes kinds: a referenced object goes only after every reference to it is
 * gone. Progress is stored after the deletion, because deleting a line twice is harmless. Returns the deletions that
 * were refused, after which it stops, or null if time is up.
 */
export async function deletePlanned(session: PruneSession): Promise<readonly RefusedDeletion[] | null> {
  const { storage, files, progress } = session;
  const lines = await readPlan(files, progress);
  let { deletedLines, deleted } = progress;
  while (deletedLines < lines.length) {
    // Detects a lost lease as late as possible before the deletion.
    await session.checkpoint({ deletedLines, deleted });
    if (session.isTimeUp()) return null;
    const batch = nextBatch(lines, deletedLines);
    const refused = await removeAll(
      storage,
      batch.map(({ key }) => key),
    );
    if (refused.length > 0) return refused;
    deletedLines += batch.length;
    deleted = countedWith(deleted, batch);
  }
  await session.checkpoint({ deletedLines, deleted });
  return [];
}

function nextBatch(lines: readonly string[], from: number): readonly PlannedDeletion[] {
  const first = plannedDeletion(lines[from]!);
  const batch = [first];
  for (let index = from + 1; index < lines.length && batch.length < PRUNE_LIMITS.keysPerDeletion; index++) {
    const next = plannedDeletion(lines[index]!);
    if (next.kind !== first.kind) break;
    batch.push(next);
  }
  return batch;
}

async function removeAll(
  storage: RegistryStorage,
  keys: readonly string[],
): Promise<readonly RefusedDeletion[]> {
  let left = keys;
  for (let attempt = 1; ; attempt++) {
    const refused = await storage.remove(left);
    const isPassing = refused.every(({ code }) => PASSING.has(code));
    if (refused.length === 0 || !isPassing || attempt === ATTEMPTS) return refused;
    left = refused.map(({ key }) => key);
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 50 * 2 ** attempt));
  }
}

function countedWith(deleted: DeletionCounts, batch: readonly PlannedDeletion[]): DeletionCounts {
  const { kind } = batch[0]!;
  const { count, bytes } = deleted[kind] ?? { count: 0, bytes: 0 };
  const sum = batch.reduce((total, item) => total + item.bytes, bytes);
  return { ...deleted, [kind]: { count: count + batch.length, bytes: sum } };
}
