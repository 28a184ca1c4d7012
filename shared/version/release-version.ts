/** Strict semver 2 without build metadata. */
export interface ReleaseVersion {
  readonly raw: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Empty for a GA release, `['rc', 1]` for `4.14.0-rc.1`. */
  readonly prerelease: readonly (string | number)[];
}

/**
 * Semver 2 without build metadata. Not the `semver` package: it would add 3 kB to 45 in every Lambda function and the
 * console. A test compares both.
 */
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?$/;
const MAX_LENGTH = 64;
const MAX_NUMBER = 2 ** 31 - 1;

/**
 * Accepts `4.14.3` and `4.14.0-rc.1`; rejects `v4.14.3`, `4.14`, `04.14.3`, `4.14.3+amd64`. Returns null, because most
 * callers skip an invalid version.
 */
export function parseVersion(raw: string): ReleaseVersion | null {
  const match = raw.length > MAX_LENGTH ? null : VERSION.exec(raw);
  if (match === null) return null;
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const prerelease = match[4]?.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) ?? [];
  const numbers = [major, minor, patch, ...prerelease];
  if (numbers.some((part) => typeof part === 'number' && part > MAX_NUMBER)) return null;
  return { raw, major, minor, patch, prerelease };
}

/** For input that was already validated. */
export function mustParseVersion(raw: string): ReleaseVersion {
  const version = parseVersion(raw);
  if (version === null) throw new TypeError(`"${raw}" is not a version such as 4.14.3`);
  return version;
}

/** Semver precedence: negative if `a` is older. `4.14.0-rc.1` precedes `4.14.0`. */
export function compareVersions(a: ReleaseVersion, b: ReleaseVersion): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePrerelease(a.prerelease, b.prerelease)
  );
}

export function isPrerelease(version: ReleaseVersion): boolean {
  return version.prerelease.length > 0;
}

/**
 * Text whose character order is semver order, as a table sort key. Numbers are padded; `~` (GA) sorts after `-`
 * (pre-release); `!` ends an identifier and sorts below its characters. `versionSortKey(parseVersion('4.9.0-rc.1'))` is
 * `0000000004.0000000009.0000000000-1rc!00000000001!`.
 */
export function versionSortKey(version: ReleaseVersion): string {
  const core = [version.major, version.minor, version.patch].map(pad).join('.');
  if (!isPrerelease(version)) return `${core}~`;
  const identifiers = version.prerelease.map((part) =>
    typeof part === 'number' ? `0${pad(part)}!` : `1${part}!`,
  );
  return `${core}-${identifiers.join('')}`;
}

function pad(part: number): string {
  return String(part).padStart(10, '0');
}

function comparePrerelease(a: ReleaseVersion['prerelease'], b: ReleaseVersion['prerelease']): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const order = compareIdentifier(a[index]!, b[index]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifier(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
