import { parseMinor } from '@cairn/shared/version/minor';
import { isExtendedSupport, ordinalOf } from '@cairn/shared/version/release-line';
import { parseVersion } from '@cairn/shared/version/release-version';
import { CHANNEL_ORDER } from '@cairn/shared/releases/release-sources';

/** Those that clusters follow; others are asked for by name. */
const FOLLOWED = CHANNEL_ORDER.filter((prefix) => prefix !== 'candidate' && prefix !== 'prerelease');
/** More minors than any way crosses. */
const MOST_MINORS = 12;

interface MinorRelease {
  readonly major: number;
  readonly minor: number;
}

/**
 * The channels in which a way from one version to a version or minor may be: from 4.14.20 to 4.16 those of 4.14, 4.15 and
 * 4.16. Without an end that is known, those of the minor it begins in.
 */
export function channelsBetween(from: string, to: string | undefined): readonly string[] {
  const first = parseVersion(from);
  if (!first) return [];
  const last = (to === undefined ? null : minorIn(to)) ?? first;
  const minors: MinorRelease[] = [];
  for (let next: MinorRelease = first; ordinalOf(next) <= ordinalOf(last); next = after(next, last)) {
    minors.push(next);
    if (minors.length === MOST_MINORS) break;
  }
  return minors.flatMap((release) =>
    FOLLOWED.filter((prefix) => prefix !== 'eus' || isExtendedSupport(release)).map(
      (prefix) => `${prefix}-${release.major}.${release.minor}`,
    ),
  );
}

function minorIn(text: string): MinorRelease | null {
  const minor = parseMinor(text);
  if (!minor) return parseVersion(text);
  const [major = 0, number = 0] = minor.split('.').map(Number);
  return { major, minor: number };
}

/** The line goes on as 4.23 or as 5.0, which are one release under two names. */
function after({ major, minor }: MinorRelease, last: MinorRelease): MinorRelease {
  const next = { major, minor: minor + 1 };
  const isOver = major < last.major && ordinalOf(next) >= ordinalOf({ major: major + 1, minor: 0 });
  return isOver ? { major: major + 1, minor: 0 } : next;
}
