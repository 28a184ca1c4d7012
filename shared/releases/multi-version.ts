const SUFFIX = '-multi';

/** True for `4.14.1-multi`, the way assisted-service tells a multi release from its single-architecture twins. */
export function isMultiVersion(version: string): boolean {
  return version.endsWith(SUFFIX);
}

/** The version as the update service spells it: `4.14.1-multi` → `4.14.1`. */
export function withoutMulti(version: string): string {
  return isMultiVersion(version) ? version.slice(0, -SUFFIX.length) : version;
}

/** Nightlies say it inside already and stay as they are: `4.16.0-0.nightly-multi-2024-05-01-101010`. */
export function withMulti(version: string): string {
  return /-multi(?:-|$)/.test(version) ? version : `${version}${SUFFIX}`;
}
