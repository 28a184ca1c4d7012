import type { ClusterVersionFacts } from '../../cluster/facts.ts';
import { listInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import { ordinalOf, updateTypeOf } from '../../version/release-line.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import {
  type Finding,
  asExpected,
  finding,
  invalidCurrentVersion,
  inputMissing,
  type Check,
} from '../condition.ts';
import {
  isCompleted,
  lastCompleted,
  runOfMinor,
  signsOfProgress,
  type PastRelease,
  type ProgressSign,
  historyNotes,
  historyObject,
} from '../evidence/history.ts';
import type { HopContext } from '../hop.ts';

const TYPE = 'NoUpdateInProgress';

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
  return [conditionOf(context, clusterVersion), ...notes];
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
          'its history does not tell what was completed',
        );
  }
  const last = lastCompleted(clusterVersion);
  if (last === null) {
    if (signs.length > 0) return inProgress(clusterVersion, signs);
    const message = `The history of the cluster names no version, so it is not known whether ${current.raw} was completed`;
    return finding({ type: TYPE, status: 'Unknown', reason: 'NoHistory', message, effect: 'warn' });
  }
  const updateType = updateTypeOf(current, hop.to);
  if (updateType !== 'minor' && updateType !== 'major') return forPatch(current, last.version);
  const run = runOfMinor(clusterVersion, current);
  if (!run.some(isCompleted)) return minorIncomplete(current, run, last.assumed ? null : last.version);
  if (signs.length > 0) return inProgress(clusterVersion, signs);
  return asExpected(TYPE, `${current.raw} is Completed`);
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
  const message = `The update from ${completed.raw} to ${minorOf(current)} is still under way; another patch of ${minorOf(current)} takes its place`;
  return finding({ type: TYPE, status: 'True', reason, message, effect: 'warn' });
}

function minorIncomplete(
  current: ReleaseVersion,
  run: readonly PastRelease[],
  completed: ReleaseVersion | null,
): Finding {
  const minor = minorOf(current);
  const tried = run.map(({ entry, version }) => `${version!.raw} ${entry.state}`);
  const history = tried.length > 0 ? listInWords(tried) : `${current.raw} is not in its history yet`;
  const before = completed
    ? `the last completed version is ${completed.raw}`
    : 'nothing in its history was completed';
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'MinorUpdateIncomplete',
      message: `The cluster never completed a version of ${minor} (${history}); ${before}`,
      effect: 'block',
    }),
    notAcceptable: true,
    objects: run.map(historyObject),
    remediation: [
      `Wait until ${current.raw} is Completed, or go to another patch of ${minor} and wait for that one`,
      'oc get clusterversion version',
    ],
  };
}

function inProgress(clusterVersion: ClusterVersionFacts, signs: readonly ProgressSign[]): Finding {
  const { desired, desiredUpdate } = clusterVersion;
  const reconciled = desired.version || desired.image;
  const asked = desiredUpdate?.version || desiredUpdate?.image || '';
  const isPending = signs.includes('pending');
  const isRunning = signs.some((sign) => sign !== 'pending');
  const running = isRunning ? [`The update to ${reconciled} is not Completed`] : [];
  const pending = isPending ? [`${asked} was asked for while the cluster is at ${reconciled}`] : [];
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'UpdateInProgress',
      message: [...running, ...pending].join('; '),
      effect: 'block',
    }),
    objects: [
      { kind: 'ClusterVersion', name: 'version', detail: { signs, ...(isPending && { pending: asked }) } },
    ],
    remediation: [
      ...(isRunning ? [`Wait until ${reconciled} is Completed`, 'oc get clusterversion version'] : []),
      ...(isPending ? [`Wait until ${asked} is Completed, or take it back: oc adm upgrade --clear`] : []),
    ],
  };
}
