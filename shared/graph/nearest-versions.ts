import { minorOf } from '../version/minor.ts';
import { compareVersions, parseVersion, type ReleaseVersion } from '../version/release-version.ts';

/**
 * The known versions around one that is not known, in release order: up to two below and two above, of its own minor
 * where that has any. Of 4.14.1, 4.14.2, 4.14.5 and 4.15.0, those nearest to 4.14.3 are 4.14.1, 4.14.2 and 4.14.5.
 */
export function nearestVersions(names: Iterable<string>, asked: ReleaseVersion): string[] {
  const known = [...new Set(names)].flatMap((name) => parseVersion(name) ?? []);
  const siblings = known.filter((version) => minorOf(version) === minorOf(asked));
  const ordered = (siblings.length > 0 ? siblings : known).toSorted(compareVersions);
  const above = ordered.findIndex((version) => compareVersions(version, asked) > 0);
  const place = above === -1 ? ordered.length : above;
  return ordered.slice(Math.max(0, place - 2), place + 2).map(({ raw }) => raw);
}
