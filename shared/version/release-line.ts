import { type Minor, minorOf } from './minor.ts';
import { compareVersions, type ReleaseVersion } from './release-version.ts';

/**
 * Kubernetes minor of each OpenShift minor, 27 for 1.27. Source: modules vendored on the release branches of
 * cluster-kube-apiserver-operator, up to 5.0; release notes before 4.6. Only 4.2 to 4.3 crosses two.
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

/** 4.23 and 5.0 are one release with two names. */
const FIRST_OF_FIVE = 23;

/** Minors in one line across majors: 4.22 → 22, 4.23 → 23, 5.0 → 23, 5.1 → 24. Not defined before major 4. */
export function ordinalOf({ major, minor }: MinorRelease): number {
  return major <= 4 ? minor : FIRST_OF_FIVE * (major - 4) + minor;
}

/** EUS minor, a valid target of a Control Plane Only update. */
export function isExtendedSupport({ major, minor }: MinorRelease): boolean {
  if (major === 4) return (minor >= 6 && minor % 2 === 0) || minor === FIRST_OF_FIVE;
  return major > 4 && minor % 3 === 2;
}

/** Ends of a Control Plane Only update. 4.23 is EUS, but its nodes must not be two minors behind. */
export function isEusToEus(from: MinorRelease, to: MinorRelease): boolean {
  return (
    isExtendedSupport(from) &&
    isExtendedSupport(to) &&
    ordinalOf(to) > ordinalOf(from) &&
    !(to.major === 4 && to.minor === FIRST_OF_FIVE)
  );
}

/** `{major: 4, minor: 16}` of `4.16`, `4.16.3`; null for others, such as `latest`. */
export function minorReleaseOf(text: string): MinorRelease | null {
  const [major = Number.NaN, minor = Number.NaN] = text.split('.', 2).map(Number);
  return Number.isNaN(major + minor) ? null : { major, minor };
}

export interface KubernetesMinor {
  readonly minor: number;
  /** Expected only: no release with it exists yet. */
  readonly assumed: boolean;
}

/** 4.14 → 1.27. Beyond the table it counts on: 5.1 → 1.37, assumed. */
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
