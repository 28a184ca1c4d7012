import type { ClusterVersionFacts } from '../../../cluster/facts.ts';
import { listInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { ordinalOf, updateTypeOf } from '../../../version/release-line.ts';
import type { ReleaseVersion } from '../../../version/release-version.ts';
import {
  type Finding,
  asExpected,
  finding,
  invalidCurrentVersion,
  inputMissing,
  type Check,
} from '../../condition.ts';
import {
  isCompleted,
  lastCompleted,
  pastReleases,
  runOfMinor,
  signsOfProgress,
  type PastRelease,
  type ProgressSign,
  historyNotes,
  historyObject,
} from '../../evidence/history.ts';
import type { HopContext } from '../../hop.ts';

const TYPE = 'NoUpdateInProgress';
const MINOR_INCOMPLETE = 'MinorUpdateIncomplete';

/**
 * A minor update requires a completed release of the current minor. The history decides: a cluster can take several
 * patches without completing one and still report Progressing=False.
 */
export const noUpdateInProgress: Check = (context) => {
  const { clusterVersion } = context.facts;
  if (clusterVersion === null) {
    return [inputMissing(TYPE, 'the ClusterVersion was', ['oc get clusterversion -o json'])];
  }
  const notes = context.hop.index === 0 ? historyNotes(TYPE, clusterVersion, context.current) : [];
  const found = conditionOf(context, clusterVersion);
  // Once the minor is Completed, the requested release still blocks the next one.
  const isRequested =
    found.reason === MINOR_INCOMPLETE && signsOfProgress(clusterVersion).includes('pending');
  return [found, ...(isRequested ? [inProgress(clusterVersion, ['pending'])] : []), ...notes];
};

function conditionOf({ current, hop, hops }: HopContext, clusterVersion: ClusterVersionFacts): Finding {
  if (hops.slice(0, hop.index).some(({ minorDistance }) => minorDistance > 0)) {
    const message = `To be taken once ${hop.from.raw} is Completed; read the cluster again then`;
    return finding({ type: TYPE, status: 'True', reason: 'AfterPreviousHop', message, effect: 'ok' });
  }
  const signs = signsOfProgress(clusterVersion);
  if (current === null) {
    return signs.length > 0
      ? inProgress(clusterVersion, signs)
      : invalidCurrentVersion(
          TYPE,
          clusterVersion.desired.version,
          'its history does not show the completed version',
        );
  }
  const last = lastCompleted(clusterVersion);
  if (last === null) {
    if (signs.length > 0) return inProgress(clusterVersion, signs);
    const message = `The history of the cluster names no version, so it is not known whether ${current.raw} was completed`;
    return finding({ type: TYPE, status: 'Unknown', reason: 'NoHistory', message, effect: 'warn' });
  }
  const updateType = updateTypeOf(current, hop.to);
  if (updateType === 'same' && signs.length > 0) return inProgress(clusterVersion, signs);
  if (updateType !== 'minor' && updateType !== 'major') return forPatch(current, last.version);
  const run = runOfMinor(clusterVersion, current);
  if (!run.some(isCompleted)) return minorIncomplete(current, run, last.assumed ? null : last.version);
  if (signs.length > 0) return inProgress(clusterVersion, signs);
  const { version } = run.find(isCompleted)!;
  return asExpected(TYPE, `${version!.raw} is Completed`);
}

/** Another patch of the minor in progress is the proper fix for a bad one. */
function forPatch(current: ReleaseVersion, completed: ReleaseVersion): Finding {
  if (ordinalOf(completed) >= ordinalOf(current)) {
    return asExpected(TYPE, 'Patch updates do not wait for a completed update');
  }
  const reason =
    completed.major < current.major
      ? 'MajorVersionClusterUpdateInProgress'
      : 'MinorVersionClusterUpdateInProgress';
  const message = `The update from ${completed.raw} to ${minorOf(current)} is in progress; another patch of ${minorOf(current)} replaces it`;
  return finding({ type: TYPE, status: 'True', reason, message, effect: 'warn' });
}

function minorIncomplete(
  current: ReleaseVersion,
  run: readonly PastRelease[],
  completed: ReleaseVersion | null,
): Finding {
  const minor = minorOf(current);
  const tried = run.map(({ entry, version }) => `${version!.raw} ${entry.state}`);
  const history = tried.length > 0 ? listInWords(tried) : 'its history does not end with this minor';
  const before = completed
    ? `the last completed version is ${completed.raw}`
    : 'its history has no completed version';
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: MINOR_INCOMPLETE,
      message: `The cluster has not completed a version of ${minor} since it entered that minor (${history}); ${before}`,
      effect: 'block',
    }),
    notAcceptable: true,
    objects: run.map(historyObject),
    remediation: [
      `Wait for the update to ${current.raw} to complete, or update to another patch of ${minor} and wait for that one`,
      'oc get clusterversion version',
    ],
  };
}

function inProgress(clusterVersion: ClusterVersionFacts, signs: readonly ProgressSign[]): Finding {
  const { desired, desiredUpdate } = clusterVersion;
  const reconciled = desired.version || desired.image;
  const asked = desiredUpdate?.version || desiredUpdate?.image || '';
  const isPending = signs.includes('pending');
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'UpdateInProgress',
      message: [
        ...runningInWords(clusterVersion, signs),
        ...(isPending ? [`${asked} was requested while the cluster is at ${reconciled}`] : []),
      ].join('; '),
      effect: 'block',
    }),
    objects: [
      { kind: 'ClusterVersion', name: 'version', detail: { signs, ...(isPending && { pending: asked }) } },
    ],
    remediation: [
      ...waitInWords(clusterVersion, signs),
      ...(isPending
        ? [`Wait for the update to ${asked} to complete, or cancel it: oc adm upgrade --clear`]
        : []),
    ],
  };
}

/** The newest release of the history, if it is not Completed. */
function partialRelease(clusterVersion: ClusterVersionFacts): string | null {
  const [newest] = pastReleases(clusterVersion);
  if (!newest || isCompleted(newest)) return null;
  const { entry, version } = newest;
  return version?.raw ?? (entry.version || entry.image);
}

/** A cluster can report Progressing=True for a release that is Completed. */
function runningInWords(clusterVersion: ClusterVersionFacts, signs: readonly ProgressSign[]): string[] {
  const partial = partialRelease(clusterVersion);
  if (partial !== null) return [`The update to ${partial} is not Completed`];
  return signs.includes('progressing') ? ['The cluster reports Progressing=True'] : [];
}

function waitInWords(clusterVersion: ClusterVersionFacts, signs: readonly ProgressSign[]): string[] {
  const partial = partialRelease(clusterVersion);
  if (partial === null && !signs.includes('progressing')) return [];
  const text =
    partial === null
      ? 'Wait until the cluster reports Progressing=False'
      : `Wait for the update to ${partial} to complete`;
  return [text, 'oc get clusterversion version'];
}
