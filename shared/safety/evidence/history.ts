import type { ClusterVersionFacts } from '../../cluster/facts.ts';
import { minorOf } from '../../version/minor.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import type { ConditionObject, Finding } from '../skew-condition.ts';
import { finding } from '../findings.ts';
import {
  isCompleted,
  pastReleases,
  runOfMinor,
  skippedIncomplete,
  type PastRelease,
} from './skew-history.ts';
import { listInWords } from '../../text/words.ts';

/** What is worth knowing of updates that are over; none of it stands in the way. */
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

/** An entry of the history as an object of a condition. */
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
  const names = [...new Set(partial.map(({ entry }) => entry.version || entry.image))];
  const message = `${listInWords(names)} ${names.length === 1 ? 'was' : 'were'} not completed, but ${run[newest]!.version!.raw} after that`;
  return [
    {
      ...finding(type, 'True', 'PartialSuperseded', message, 'info'),
      objects: partial.map(historyObject),
    },
  ];
}

function leftIncomplete(type: string, clusterVersion: ClusterVersionFacts): readonly Finding[] {
  const minors = [...new Set(skippedIncomplete(clusterVersion).map(minorOf))];
  if (minors.length === 0) return [];
  const message = `The cluster went past ${listInWords(minors)} without completing a version of ${minors.length === 1 ? 'it' : 'them'}`;
  return [finding(type, 'True', 'MinorSkippedIncomplete', message, 'info')];
}

/** Guards of the cluster that were overruled, in its own words. */
function forced(type: string, clusterVersion: ClusterVersionFacts): readonly Finding[] {
  const { desiredUpdate } = clusterVersion;
  const overruled = pastReleases(clusterVersion).filter(({ entry }) => entry.acceptedRisks !== '');
  const told = [
    ...(desiredUpdate?.force
      ? [`${desiredUpdate.version || desiredUpdate.image || 'an update'} was asked for with force`]
      : []),
    ...overruled.map(
      ({ entry }) => `${entry.version || entry.image} was taken against ${entry.acceptedRisks}`,
    ),
  ];
  if (told.length === 0) return [];
  const message = `Guards of the cluster were overruled: ${listInWords(told)}`;
  return [
    {
      ...finding(type, 'True', 'PastForcedUpdate', message, 'info'),
      origin: 'reported',
      objects: overruled.map(historyObject),
    },
  ];
}
