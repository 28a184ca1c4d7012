import type { HistoryEntry } from '../../cluster/facts.ts';

type Begun = Pick<HistoryEntry, 'startedTime' | 'image'>;

/**
 * Two views of the history of one cluster as one, newest first: what either has, once. An entry is the same when it began
 * at the same time with the same image, and then has the most that was ever said of it: a completed update stays
 * completed. Of entries that began at the same time, those that are told come first, in their order.
 *
 * `4.16.2 Partial, 4.16.1 Completed` and then `4.16.2 Completed` alone is `4.16.2 Completed, 4.16.1 Completed`.
 */
export function joinHistories(
  known: readonly HistoryEntry[],
  told: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const former = byIdentity(known, new Map());
  const joined = byIdentity(told, former);
  for (const [identity, entry] of former) {
    if (!joined.has(identity)) joined.set(identity, entry);
  }
  return [...joined.values()].toSorted(newestFirst);
}

/** Each entry once, in their order, joined with what was known of it before. */
function byIdentity(
  entries: readonly HistoryEntry[],
  before: ReadonlyMap<string, HistoryEntry>,
): Map<string, HistoryEntry> {
  const found = new Map<string, HistoryEntry>();
  for (const entry of entries) {
    const identity = identityOf(entry);
    const known = found.get(identity) ?? before.get(identity);
    found.set(identity, known ? joinEntries(known, entry) : entry);
  }
  return found;
}

/** What makes an entry this one and no other. */
export function identityOf(entry: Begun): string {
  return `${momentOf(entry)} ${entry.image}`;
}

/** When it began; what does not tell it is taken to be the oldest. */
function momentOf({ startedTime }: Begun): number {
  return startedTime === null ? -Infinity : Date.parse(startedTime);
}

function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  const [one, other] = [momentOf(a), momentOf(b)];
  return one === other ? 0 : other - one;
}

function joinEntries(known: HistoryEntry, told: HistoryEntry): HistoryEntry {
  return {
    state: known.state === 'Completed' ? 'Completed' : told.state,
    version: told.version || known.version,
    image: known.image,
    startedTime: known.startedTime,
    completionTime: endOf(known, told),
    verified: known.verified || told.verified,
    acceptedRisks: told.acceptedRisks || known.acceptedRisks,
  };
}

/** The first that was told. That of an update given up is when the next one began, so a time of completion takes its place. */
function endOf(known: HistoryEntry, told: HistoryEntry): string | null {
  if (known.state === told.state) return known.completionTime ?? told.completionTime;
  const [completed, other] = known.state === 'Completed' ? [known, told] : [told, known];
  return completed.completionTime ?? other.completionTime;
}
