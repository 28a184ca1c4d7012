import type { ClusterVersionFacts, HistoryEntry } from '../../cluster/facts.ts';
import { listInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { type ReleaseVersion, parseVersion } from '../../version/release-version.ts';
import { type ConditionObject, type Finding, finding } from '../condition.ts';

/** Notes on past updates; none of them blocks. */
export function historyNotes(
  type: string,
  clusterVersion: ClusterVersionFacts,
  current: ReleaseVersion | null,
): readonly Finding[] {
  return [
    ...(current === null ? [] : superseded(type, clusterVersion, current)),
    ...leftIncomplete(type, clusterVersion),
    ...forced(type, clusterVersion),
  ];
}

export function historyObject({ entry }: PastRelease): ConditionObject {
  const { version, image, state, startedTime, acceptedRisks } = entry;
  return {
    kind: 'HistoryEntry',
    name: version || image,
    detail: {
      state,
      ...(startedTime !== null && { startedTime }),
      ...(acceptedRisks !== '' && { acceptedRisks }),
    },
  };
}

function superseded(
  type: string,
  clusterVersion: ClusterVersionFacts,
  current: ReleaseVersion,
): readonly Finding[] {
  const run = runOfMinor(clusterVersion, current);
  const newest = run.findIndex(isCompleted);
  const partial = newest === -1 ? [] : run.slice(newest).filter((past) => !isCompleted(past));
  if (partial.length === 0) return [];
  const completed = new Set(run.filter(isCompleted).map(({ version }) => version!.raw));
  // A release can have several images, of which one completed.
  const nameOf = ({ entry, version }: PastRelease): string =>
    completed.has(version!.raw) ? `${version!.raw} with image ${entry.image}` : version!.raw;
  const names = [...new Set(partial.map(nameOf))];
  const message = `${listInWords(names)} ${names.length === 1 ? 'was' : 'were'} replaced before completion; ${run[newest]!.version!.raw} is Completed`;
  return [
    {
      ...finding({ type, status: 'True', reason: 'PartialSuperseded', message, effect: 'info' }),
      objects: partial.map(historyObject),
    },
  ];
}

function leftIncomplete(type: string, clusterVersion: ClusterVersionFacts): readonly Finding[] {
  const minors = [...new Set(skippedIncomplete(clusterVersion).map(minorOf))];
  if (minors.length === 0) return [];
  const message = `The cluster went past ${listInWords(minors)} without completing a version of ${minors.length === 1 ? 'it' : 'them'}`;
  return [finding({ type, status: 'True', reason: 'MinorSkippedIncomplete', message, effect: 'info' })];
}

/** Updates that were forced past the cluster's own checks. */
function forced(type: string, clusterVersion: ClusterVersionFacts): readonly Finding[] {
  const { desiredUpdate } = clusterVersion;
  const overruled = pastReleases(clusterVersion).filter(({ entry }) => entry.acceptedRisks !== '');
  const told = [
    ...(desiredUpdate?.force
      ? [`${desiredUpdate.version || desiredUpdate.image || 'an update'} was requested with force`]
      : []),
    ...overruled.map(
      ({ entry }) => `${entry.version || entry.image} was installed despite ${entry.acceptedRisks}`,
    ),
  ];
  if (told.length === 0) return [];
  const message = `Checks of the cluster were overridden: ${listInWords(told)}`;
  return [
    {
      ...finding({ type, status: 'True', reason: 'PastForcedUpdate', message, effect: 'info' }),
      origin: 'reported',
      objects: overruled.map(historyObject),
    },
  ];
}

/** `version` is null for an image without a version, and for an invalid one. */
export interface PastRelease {
  readonly entry: HistoryEntry;
  readonly version: ReleaseVersion | null;
}

/** Newest first by start time; in the given order if an entry lacks one. */
export function pastReleases({ history, desired }: ClusterVersionFacts): readonly PastRelease[] {
  const timed = history.map((entry) => ({ entry, started: Date.parse(entry.startedTime ?? '') }));
  const ordered = timed.some(({ started }) => Number.isNaN(started))
    ? timed
    : timed.toSorted((a, b) => b.started - a.started);
  return ordered.map(({ entry }) => {
    const isDesired = entry.version === '' && entry.image !== '' && entry.image === desired.image;
    return { entry, version: parseVersion(isDesired ? desired.version : entry.version) };
  });
}

export function isCompleted({ entry }: PastRelease): boolean {
  return entry.state === 'Completed';
}

/**
 * The last fully applied version: 4.6.40 for `4.7.16 Partial, 4.6.40 Completed`. If no entry is completed, the oldest
 * is assumed to be: earlier entries were pruned.
 */
export function lastCompleted(
  clusterVersion: ClusterVersionFacts,
): { readonly version: ReleaseVersion; readonly assumed: boolean } | null {
  const versioned = versionedReleases(clusterVersion);
  const completed = versioned.find(isCompleted);
  if (completed) return { version: completed.version, assumed: false };
  const oldest = versioned.at(-1);
  return oldest ? { version: oldest.version, assumed: true } : null;
}

/** Newest entries since the cluster entered its minor. Skips images without a version: their minor is unknown. */
export function runOfMinor(
  clusterVersion: ClusterVersionFacts,
  current: ReleaseVersion,
): readonly PastRelease[] {
  const versioned = versionedReleases(clusterVersion);
  const end = versioned.findIndex(({ version }) => ordinalOf(version) !== ordinalOf(current));
  return end === -1 ? versioned : versioned.slice(0, end);
}

export type ProgressSign =
  /** The ClusterVersion condition. */
  | 'progressing'
  /** The newest history entry is Partial, whatever the condition says. */
  | 'partial'
  /** The requested release differs from the one being reconciled. */
  | 'pending';

export function signsOfProgress(clusterVersion: ClusterVersionFacts): readonly ProgressSign[] {
  const { conditions, desired, desiredUpdate } = clusterVersion;
  const newest = pastReleases(clusterVersion)[0];
  const differs = (asked: string, reconciled: string): boolean => asked !== '' && asked !== reconciled;
  const signs: ProgressSign[] = [];
  if (conditions.some(({ type, status }) => type === 'Progressing' && status === 'True')) {
    signs.push('progressing');
  }
  if (newest && !isCompleted(newest)) signs.push('partial');
  if (
    desiredUpdate &&
    (differs(desiredUpdate.version, desired.version) || differs(desiredUpdate.image, desired.image))
  ) {
    signs.push('pending');
  }
  return signs;
}

/** Minors that were passed without a completed release: 4.7.10 in 4.8.2 Completed, 4.7.10 Partial, 4.6.40 Completed. */
export function skippedIncomplete(clusterVersion: ClusterVersionFacts): readonly ReleaseVersion[] {
  const versioned = versionedReleases(clusterVersion);
  const completed = versioned.filter(isCompleted).map(({ version }) => ordinalOf(version));
  const everCompleted = new Set(completed);
  const lowest = completed.reduce((low, ordinal) => Math.min(low, ordinal), Infinity);
  const skipped: ReleaseVersion[] = [];
  let highestSince = -Infinity;
  for (const past of versioned) {
    const ordinal = ordinalOf(past.version);
    if (isCompleted(past)) highestSince = Math.max(highestSince, ordinal);
    if (!everCompleted.has(ordinal) && lowest < ordinal && ordinal < highestSince) skipped.push(past.version);
  }
  return skipped;
}

function versionedReleases(
  clusterVersion: ClusterVersionFacts,
): readonly (PastRelease & { readonly version: ReleaseVersion })[] {
  return pastReleases(clusterVersion).flatMap(({ entry, version }) => (version ? [{ entry, version }] : []));
}
