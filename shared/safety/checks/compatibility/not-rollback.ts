import type { ClusterVersionFacts } from '../../../cluster/facts.ts';
import { minorOf } from '../../../version/minor.ts';
import { compareVersions, type ReleaseVersion } from '../../../version/release-version.ts';
import { asExpected, finding, invalidCurrentVersion, type Check } from '../../condition.ts';
import { pastReleases } from '../../evidence/history.ts';

const TYPE = 'NotRollback';

/** A cluster can roll back only to its previous version, within the same minor. */
export const notRollback: Check = ({ facts: { clusterVersion }, current, hop }) => {
  const isFirst = hop.index === 0;
  if (isFirst && clusterVersion !== null && current === null) {
    const { version } = clusterVersion.desired;
    return [invalidCurrentVersion(TYPE, version, 'it is not known whether this goes back')];
  }
  const { from, to } = hop;
  if (compareVersions(to, from) >= 0) {
    return [asExpected(TYPE, `${to.raw} is not older than ${from.raw}`)];
  }
  const previous = isFirst && clusterVersion ? previousRelease(clusterVersion) : null;
  if (previous?.raw === to.raw && minorOf(to) === minorOf(from)) {
    const message = `${to.raw} is older than ${from.raw}, but it is what the cluster had right before, and in the same minor`;
    return [finding({ type: TYPE, status: 'True', reason: 'RollbackToPrevious', message, effect: 'info' })];
  }
  return [
    {
      ...finding({
        type: TYPE,
        status: 'False',
        reason: 'LowDesiredVersion',
        message: refusal(from, to, previous),
        effect: 'block',
      }),
      evenForPatches: true,
      remediation: [`Choose a version newer than ${from.raw}`],
    },
  ];
};

/** Newest entry other than the desired release, completed or not; null if it has no version. */
function previousRelease(clusterVersion: ClusterVersionFacts): ReleaseVersion | null {
  const { version, image } = clusterVersion.desired;
  const previous = pastReleases(clusterVersion).find(
    ({ entry }) => entry.version !== version || entry.image !== image,
  );
  return previous?.version ?? null;
}

function refusal(from: ReleaseVersion, to: ReleaseVersion, previous: ReleaseVersion | null): string {
  const why =
    previous === null
      ? 'no version before it is known'
      : previous.raw === to.raw
        ? `${to.raw} is of another minor`
        : `before it the cluster had ${previous.raw}`;
  return `${to.raw} is older than ${from.raw}, and clusters only go back to the version right before, in the same minor; ${why}`;
}
