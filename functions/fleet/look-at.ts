import { messageOf } from '@cairn/shared/text/quote';
import { isInFuture } from '@cairn/shared/time/future';
import { readClusterSince } from '../clusters/store.ts';
import {
  addConcerns,
  type Ahead,
  type FleetEntry,
  forgetFleetEntry,
  markReported,
  readFleetEntry,
  removeConcerns,
  type ReportMark,
  type StoredAhead,
  unmarkReported,
  writeAhead,
} from './store.ts';
import type { FleetRun } from './job.ts';
import { lookAhead, type Sight } from './assess-cluster.ts';

export type Look =
  | { readonly kind: 'seen'; readonly id: string; readonly ahead: StoredAhead }
  /** It is gone, or does not say what it runs. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly id: string };

/** A writer that has not come to its end by now has died. */
const WRITER_DEAD_MS = 3600_000;
const RETRY_AFTER_MS = 5 * 60_000;
const ATTEMPTS = 3;

/** Looks at one cluster again. One that fails does not stop the others, and is looked at again later. */
export async function lookAt(run: FleetRun, id: string): Promise<Look> {
  const { table, log } = run.dependencies;
  run.lookedAt.add(id);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const look = await tryLook(run, id);
      if (look !== null) return look;
    }
    throw new Error('what lies ahead of it is being written by another run');
  } catch (error) {
    log.warn('cluster not looked at', { cluster: id, reason: messageOf(error), error });
    const at = new Date(Date.parse(run.slot) + RETRY_AFTER_MS).toISOString();
    await markReported(table, id, { revision: '0', at });
    return { kind: 'failed', id };
  }
}

/**
 * Has all looked at again that a run has looked at which was overtaken: it may have written what it had seen before, over
 * what the newer one found to be as it was, or of a cluster that is gone.
 */
export async function lookAgain({ dependencies: { table }, slot, lookedAt }: FleetRun): Promise<void> {
  for (const id of lookedAt) await markReported(table, id, { revision: '0', at: slot });
}

/** Null when another run has written meanwhile. */
async function tryLook(run: FleetRun, id: string): Promise<Look | null> {
  const { table } = run.dependencies;
  // The mark is read before the cluster: a report that comes between the two sets another one.
  const entry = await readFleetEntry(table, id);
  const { cluster, isPast } = await readClusterSince(table, id);
  const isSettled = (mark: ReportMark): boolean =>
    isPast(mark.revision) || Date.parse(run.slot) - Date.parse(mark.at) > WRITER_DEAD_MS;
  const { reported } = entry;
  if (reported !== null && !isSettled(reported) && isInFuture(reported.at, Date.parse(run.slot))) {
    // Whether the writer is dead can only be known from a time that comes.
    await markReported(table, id, { revision: reported.revision, at: run.slot });
  }
  if (cluster === null) {
    if (reported === null || isSettled(reported)) await forgetFleetEntry(table, id, entry);
    return { kind: 'nothing' };
  }
  const sight = await lookAhead(run, cluster, entry);
  const ahead = sight && (await keep(run, id, sight, entry));
  if (sight !== null && ahead === null) return null;
  if (reported !== null && isSettled(reported)) await unmarkReported(table, id, reported);
  return ahead === null ? { kind: 'nothing' } : { kind: 'seen', id, ahead };
}

/** On the lists of channels first: what changes from now on finds it there. */
async function keep(
  { dependencies: { table } }: FleetRun,
  id: string,
  { ahead, pairs }: Sight,
  former: FleetEntry,
): Promise<StoredAhead | null> {
  const isNew = (pair: string): boolean => !former.pairs.includes(pair);
  await addConcerns(table, id, pairs.filter(isNew));
  const kept =
    former.ahead !== null && isSame(former.ahead, ahead)
      ? former.ahead
      : await writeAhead(table, id, ahead, former.ahead);
  if (kept === null) return null;
  const left = former.pairs.filter((pair) => !pairs.includes(pair));
  if (left.length > 0) await removeConcerns(table, id, left);
  return kept;
}

function isSame({ revision: _revision, ...stored }: StoredAhead, ahead: Ahead): boolean {
  return JSON.stringify(stored) === JSON.stringify(ahead);
}
