import type { ClusterVersionFacts, HistoryEntry } from '../cluster/facts.ts';
import type { UpdateTarget } from './answer.ts';
import { versionCondition } from './conditions.ts';
import { isoTime, momentOf, sinceOf, transitionOf } from './times.ts';

const UNKNOWN = 'unknown';

/** The update that the ClusterVersion describes. */
export interface Update {
  readonly clusterVersion: ClusterVersionFacts;
  readonly version: string;
  /** Start in milliseconds, as `startedAt`. */
  readonly begin: number;
  readonly startedAt: string;
  /** Milliseconds; null while the history does not show the completion. */
  readonly completed: number | null;
  readonly isMigration: boolean;
  readonly isRunning: boolean;
}

export function updateOf(clusterVersion: ClusterVersionFacts, at: number): Update {
  const { history, desired } = clusterVersion;
  const [current] = history;
  const progressing = versionCondition(clusterVersion, 'Progressing')!;
  return {
    clusterVersion,
    version: current?.version ?? desired.version,
    begin: momentOf(current?.startedTime ?? null) ?? transitionOf(progressing, at),
    startedAt: current?.startedTime ?? sinceOf(progressing, at) ?? isoTime(at),
    completed: current?.state === 'Completed' ? momentOf(current.completionTime) : null,
    isMigration: isMigration(history),
    isRunning: progressing.status === 'True',
  };
}

/** To the multi-arch release image of the same version. */
function isMigration([current, previous]: readonly HistoryEntry[]): boolean {
  return previous !== undefined && current!.version === previous.version && current!.image !== previous.image;
}

export function targetOf({ clusterVersion, version, isMigration }: Update): UpdateTarget {
  const { history } = clusterVersion;
  const isInstallation = history.length === 1;
  const before = history.length === 0 ? UNKNOWN : (history[1]?.version ?? null);
  const previousIncomplete = history[1]?.state === 'Partial';
  const words = {
    install: `${version} (a new install)`,
    incomplete: `${version} (from incomplete ${before})`,
    'multi-arch': `${version} to Multi-Architecture`,
    update: `${version} (from ${before})`,
  };
  const kind = isInstallation ? 'install' : isMigration ? 'multi-arch' : 'update';
  return {
    version,
    previous: before,
    kind,
    previousIncomplete,
    text: words[previousIncomplete ? 'incomplete' : kind],
  };
}

/** Version of the newest completed update before the previous one. */
export function lastCompletedOf({ clusterVersion: { history } }: Update): string {
  return history.slice(2).find(({ state }) => state === 'Completed')?.version ?? UNKNOWN;
}
