import { setTimeout as sleep } from 'node:timers/promises';
import { type PlannedDeletion, plannedDeletion } from './decide.ts';
import type { DeletionCounts } from './progress.ts';
import type { RefusedDeletion, RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS } from './session.ts';

interface DeleteWork {
  readonly storage: RegistryStorage;
  /** The plan, and how many of its lines are done. */
  readonly lines: readonly string[];
  readonly done: number;
  readonly deleted: DeletionCounts;
  readonly isTimeUp: () => boolean;
  /** Stores how far it is; throws when another run has taken over. */
  readonly checkpoint: (done: number, deleted: DeletionCounts) => Promise<void>;
}

type DeleteOutcome =
  | { readonly status: 'done' | 'out-of-time' }
  | { readonly status: 'refused'; readonly refused: readonly RefusedDeletion[] };

/** Another attempt may go better. */
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
 * Deletes what the plan says, in its order and never two kinds at once: what is referred to goes only after all that
 * refers to it is certainly gone. Deleting a line twice does no harm, so it is noted afterwards.
 */
export async function deletePlanned(work: DeleteWork): Promise<DeleteOutcome> {
  let { done } = work;
  let deleted = work.deleted;
  while (done < work.lines.length) {
    // The last moment to notice that somebody else is at it.
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
