import { nearestName } from '../text/nearest.ts';
import { compareMinors } from '../version/minor.ts';
import { type Channel, compareChannels, isForTesters, parseChannel } from './channel.ts';

/**
 * Up to three known channels, nearest first: other prefixes of the minor, then the prefix in adjacent minors; candidate
 * channels last, unless one is asked for. Of
 * stable-4.14, stable-4.16 and fast-4.15, fast-4.15 is nearest to `stable-4.15`. An invalid name gets its likely
 * spelling.
 */
export function nearestChannels(asked: string, known: readonly string[]): string[] {
  const channel = parseChannel(asked);
  if (channel === null) {
    const nearest = nearestName(asked, known);
    return nearest === null ? [] : [nearest];
  }
  const candidates = [...new Set(known)].flatMap((name) => {
    const parsed = parseChannel(name);
    return parsed ? [{ name, ...parsed }] : [];
  });
  const minors = [...new Set([channel.minor, ...candidates.map(({ minor }) => minor)])].toSorted(
    compareMinors,
  );
  const place = minors.indexOf(channel.minor);
  const distance = ({ prefix, minor }: Channel): number =>
    2 * Math.abs(minors.indexOf(minor) - place) + (prefix === channel.prefix ? 0 : 1);
  const isLast = ({ name }: { readonly name: string }): boolean => isForTesters(name) && !isForTesters(asked);
  return candidates
    .toSorted(
      (a, b) => Number(isLast(a)) - Number(isLast(b)) || distance(a) - distance(b) || compareChannels(a, b),
    )
    .slice(0, 3)
    .map(({ name }) => name);
}
