import { setTimeout as sleep } from 'node:timers/promises';
import { type PlannedDeletion, plannedDeletion } from './decide.ts';
import type { DeletionCounts } from './progress.ts';
import type { RefusedDeletion, RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS } from './session.ts';

interface DeleteWork {
  readonly storage: RegistryStorage;
  /** Lines of the prune plan; `done` counts the completed ones. */
  readonly lines: readonly string[];
  readonly done: number;
  readonly deleted: DeletionCounts;
  readonly isTimeUp: () => boolean;
  /** Stores the progress. Throws if another run holds the lease. */
  readonly checkpoint: (done: number, deleted: DeletionCounts) => Promise<void>;
}

type DeleteOutcome =
  | { readonly status: 'done' | 'out-of-time' }
  | { readonly status: 'refused'; readonly refused: readonly RefusedDeletion[] };

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
 * gone. Progress is stored after the deletion, because deleting a line twice is harmless.
 */
export async function deletePlanned(work: DeleteWork): Promise<DeleteOutcome> {
  let { done } = work;
  let deleted = work.deleted;
  while (done < work.lines.length) {
    // Detects a lost lease as late as possible before the deletion.
    await work.checkpoint(done, deleted);
    if (work.isTimeUp()) return { status: 'out-of-time' };
    const batch = nextBatch(work.lines, done);
    const refused = await removeAll(
      work.storage,
      batch.map(({ key }) => key),
    );
    if (refused.length > 0) return { status: 'refused', refused };
    done += batch.length;
    deleted = countedWith(deleted, batch);
  }
  await work.checkpoint(done, deleted);
  return { status: 'done' };
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
