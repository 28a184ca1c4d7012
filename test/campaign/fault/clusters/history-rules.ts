import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import type { HistoryArchive } from '@cairn/shared/prune/history/archive';

const FINAL = 5;

/** What is promised of the history of a cluster whenever it changes; gives what is broken. */
export function historyFaults(
  before: HistoryArchive,
  told: readonly HistoryEntry[],
  after: HistoryArchive,
  limit: number,
): readonly string[] {
  const faults: string[] = [];
  const known = byIdentity(before.entries);
  const sent = byIdentity(told);
  const kept = byIdentity(after.entries);
  const gone = new Map(after.removed.recent.map((removal) => [identityOf(removal), removal]));
  const wasGone = new Set(before.removed.recent.map(identityOf));

  if (after.entries.length > limit) faults.push(`${after.entries.length} entries, the limit is ${limit}`);
  if (kept.size !== after.entries.length) faults.push('an entry is there twice');
  for (const identity of kept.keys()) {
    if (!known.has(identity) && !sent.has(identity)) faults.push(`${identity} was never told`);
  }
  const all = new Map([...sent, ...known]);
  for (const identity of all.keys()) {
    if (kept.has(identity)) continue;
    const removal = gone.get(identity);
    if (removal === undefined) faults.push(`${identity} is gone and nothing tells why`);
    else if (removal.reason === '') faults.push(`${identity} went without a reason`);
  }
  for (const [identity, entry] of kept) {
    const former = known.get(identity);
    if (former !== undefined && isWorse(entry, former)) faults.push(`${identity} went back`);
  }
  if (!isNewestFirst(after.entries)) faults.push('the entries are not in order');
  if (!isSubsequence(orderOf(after.entries, known), orderOf(before.entries, kept))) {
    faults.push('entries changed places');
  }
  // What went before may be told again for long, and need not come back.
  const news = [...all.entries()].filter(([identity]) => known.has(identity) || !wasGone.has(identity));
  const sorted = news.map(([, entry]) => entry).toSorted((one, other) => timeOf(other) - timeOf(one));
  const stateOf = (entry: HistoryEntry) =>
    [known, sent].some((list) => list.get(identityOf(entry))?.state === 'Completed')
      ? 'Completed'
      : 'Partial';
  const isTie = new Set(sorted.map(timeOf)).size < sorted.length;
  const mustStay = isTie
    ? []
    : [
        ...sorted.slice(0, FINAL),
        ...sorted.slice(-1),
        ...sorted.filter((entry) => stateOf(entry) === 'Completed').slice(0, 1),
      ];
  for (const entry of mustStay) {
    if (!kept.has(identityOf(entry))) faults.push(`${identityOf(entry)} is protected and gone`);
  }
  return faults;
}

function byIdentity(entries: readonly HistoryEntry[]): ReadonlyMap<string, HistoryEntry> {
  return new Map(entries.map((entry) => [identityOf(entry), entry]));
}

/** When it began, and with which image. */
function identityOf({ startedTime, image }: Pick<HistoryEntry, 'startedTime' | 'image'>): string {
  return `${startedTime} ${image}`;
}

function timeOf({ startedTime }: HistoryEntry): number {
  return startedTime === null ? -Infinity : Date.parse(startedTime);
}

function isWorse(now: HistoryEntry, former: HistoryEntry): boolean {
  if (former.state === 'Completed' && now.state !== 'Completed') return true;
  if (former.completionTime !== null && now.completionTime === null) return true;
  return former.verified && !now.verified;
}

function isNewestFirst(entries: readonly HistoryEntry[]): boolean {
  return entries.every((entry, index) => index === 0 || timeOf(entries[index - 1]!) >= timeOf(entry));
}

function orderOf(entries: readonly HistoryEntry[], among: ReadonlyMap<string, unknown>): readonly string[] {
  return entries.map(identityOf).filter((identity) => among.has(identity));
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const item of whole) if (item === part[at]) at++;
  return at === part.length;
}
