import type { HistoryEntry } from '../../cluster/facts.ts';
import { minorOf } from '../../version/minor.ts';
import { parseVersion } from '../../version/release-version.ts';
import { momentOf } from '../times.ts';

const LONGEST_SAMPLE_MINUTES = 24 * 60;

/** An update of the control plane that a cluster has completed. */
export interface PastUpdate {
  readonly minutes: number;
  readonly kind: 'patch' | 'minor';
  /** `4.14 4.15`; null if a version is no semantic version. */
  readonly minors: string | null;
  readonly entry: HistoryEntry;
}

/** Before the newest one: no installation, no new image of the same version, none of over a day. */
export function pastUpdates(history: readonly HistoryEntry[]): PastUpdate[] {
  return completedUpdates(history).filter(({ entry }) => entry !== history[0]);
}

/** Newest first, likewise. */
export function completedUpdates(history: readonly HistoryEntry[]): PastUpdate[] {
  return history.slice(0, -1).flatMap((entry, index) => {
    const before = history[index + 1]!;
    const [from, to] = [momentOf(entry.startedTime), momentOf(entry.completionTime)];
    if (entry.state !== 'Completed' || from === null || to === null || entry.version === before.version)
      return [];
    const minutes = (to - from) / 60_000;
    if (minutes <= 0 || minutes > LONGEST_SAMPLE_MINUTES) return [];
    return [{ minutes, kind: kindOf(entry, before), minors: minorsOf(entry, before), entry }];
  });
}

export function kindOf(entry: HistoryEntry | undefined, before: HistoryEntry | undefined): 'patch' | 'minor' {
  const [from, to] = minorsOf(entry, before)?.split(' ') ?? [];
  return from !== undefined && from === to ? 'patch' : 'minor';
}

export function minorsOf(entry: HistoryEntry | undefined, before: HistoryEntry | undefined): string | null {
  const [from, to] = [parseVersion(before?.version ?? ''), parseVersion(entry?.version ?? '')];
  return from === null || to === null ? null : `${minorOf(from)} ${minorOf(to)}`;
}
