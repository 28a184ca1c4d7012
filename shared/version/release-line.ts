import { KUBERNETES_MINORS } from './kubernetes-minors.ts';
import { minorOf } from './minor.ts';
import { compareVersions, type ReleaseVersion } from './release-version.ts';

type MinorRelease = Pick<ReleaseVersion, 'major' | 'minor'>;

/** Where 5.0 stands in the line of minors: 4.23 and 5.0 are the same release under two names. */
const FIRST_OF_FIVE = 23;

/** Minors as one line across majors: 4.22 → 22, 4.23 → 23, 5.0 → 23, 5.1 → 24; of majors before 4 nothing is known. */
export function ordinalOf({ major, minor }: MinorRelease): number {
  return major <= 4 ? minor : FIRST_OF_FIVE * (major - 4) + minor;
}

/** Whether the minor has extended support, so that workers may skip minors on the way to it. */
export function isExtendedSupport({ major, minor }: MinorRelease): boolean {
  if (major === 4) return (minor >= 6 && minor % 2 === 0) || minor === FIRST_OF_FIVE;
  return major > 4 && minor % 3 === 2;
}

export interface KubernetesMinor {
  /** 27 for Kubernetes 1.27. */
  readonly minor: number;
  /** Whether it is only expected, because no release of that line was built on it yet. */
  readonly assumed: boolean;
}

/**
 * The Kubernetes minor that an OpenShift minor is built on: 4.14 → 1.27. Beyond the table one follows the other: 5.1 →
 * 1.37, assumed.
 */
export function kubernetesMinorOf(version: MinorRelease): KubernetesMinor {
  const known = KUBERNETES_MINORS.get(minorOf(version));
  return known === undefined
    ? { minor: ordinalOf(version) + 13, assumed: true }
    : { minor: known, assumed: false };
}

export const UPDATE_TYPES = ['major', 'minor', 'patch', 'same', 'rollback'] as const;
export type UpdateType = (typeof UPDATE_TYPES)[number];

/** 4.22.3 → 5.0.0 is `major`, 4.14.3 → 4.15.0 `minor`, 4.14.0-rc.1 → 4.14.0 `patch`. */
export function updateTypeOf(from: ReleaseVersion, to: ReleaseVersion): UpdateType {
  const order = compareVersions(to, from);
  if (order < 0) return 'rollback';
  if (order === 0) return 'same';
  if (to.major > from.major) return 'major';
  return to.minor > from.minor ? 'minor' : 'patch';
}
