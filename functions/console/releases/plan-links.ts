import { compareMinors, minorOf, parseMinor } from '@cairn/shared/version/minor';
import { compareVersions, parseVersion } from '@cairn/shared/version/release-version';
import type { UrlState } from '../state/url-state.ts';

/** What a plan that begins elsewhere leaves behind. */
const AFRESH = { cluster: '', alt: 0, sel: '', open: '', find: '', channel: '' } as const;

/** A plan that starts from a version; where it goes stays, unless that is not newer. */
export function planFrom(version: string, { to }: Pick<UrlState, 'to'>): Partial<UrlState> {
  return { ...AFRESH, from: version, ...(!isNewer(to, version) && { to: '' }) };
}

/** A plan that goes to a version; where it starts stays, unless that is not older. */
export function planTo(version: string, { from }: Pick<UrlState, 'from'>): Partial<UrlState> {
  return { ...AFRESH, to: version, ...(!isNewer(version, from) && { from: '' }) };
}

/** Whether a target, a version or a minor, is ahead of a version; the minor of a version holds what is ahead of it. */
function isNewer(target: string, than: string): boolean {
  const start = parseVersion(than);
  if (start === null) return true;
  const minor = parseMinor(target);
  if (minor !== null) return compareMinors(minor, minorOf(start)) >= 0;
  const version = parseVersion(target);
  return version === null || compareVersions(version, start) > 0;
}
