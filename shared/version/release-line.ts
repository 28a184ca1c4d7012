import { type Minor, minorOf } from './minor.ts';
import { compareVersions, type ReleaseVersion } from './release-version.ts';

/**
 * The Kubernetes minor, 27 for 1.27, that each OpenShift minor is built on. Source: what the release branches of
 * cluster-kube-apiserver-operator vendor, up to 5.0; before 4.6 the release notes. 4.2 to 4.3 is the one step of two.
 */
const KUBERNETES_MINORS: ReadonlyMap<Minor, number> = new Map([
  ['4.1', 13],
  ['4.2', 14],
  ['4.3', 16],
  ['4.4', 17],
  ['4.5', 18],
  ['4.6', 19],
  ['4.7', 20],
  ['4.8', 21],
  ['4.9', 22],
  ['4.10', 23],
  ['4.11', 24],
  ['4.12', 25],
  ['4.13', 26],
  ['4.14', 27],
  ['4.15', 28],
  ['4.16', 29],
  ['4.17', 30],
  ['4.18', 31],
  ['4.19', 32],
  ['4.20', 33],
  ['4.21', 34],
  ['4.22', 35],
  ['4.23', 36],
  ['5.0', 36],
]);

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
