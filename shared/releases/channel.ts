import { compareMinors, type Minor, parseMinor } from '../version/minor.ts';
import { nearestName } from '../text/nearest.ts';
import { type ChannelName, CHANNEL_ORDER } from './values.ts';

/** A channel name taken apart: `stable-4.14` is `stable` of `4.14`. */
export interface Channel {
  readonly prefix: ChannelName;
  readonly minor: Minor;
}

/** `stable-4.14` → `{prefix: 'stable', minor: '4.14'}`; null for a name that no configuration can follow. */
export function parseChannel(text: string): Channel | null {
  const dash = text.indexOf('-');
  const prefix = CHANNEL_ORDER.find((name) => name === text.slice(0, dash));
  const minor = parseMinor(text.slice(dash + 1));
  return prefix && minor ? { prefix, minor } : null;
}

/** By minor, then as in {@link CHANNEL_ORDER}: stable-4.9, stable-4.10, eus-4.10, fast-4.10. */
export function compareChannels(a: Channel, b: Channel): number {
  return compareMinors(a.minor, b.minor) || CHANNEL_ORDER.indexOf(a.prefix) - CHANNEL_ORDER.indexOf(b.prefix);
}

/**
 * Up to three known channels for one that is not known, nearest first: other prefixes of its minor, then its prefix in
 * the minors around it. Of stable-4.14, stable-4.16 and fast-4.15, `stable-4.15` is nearest to fast-4.15. A name
 * that is not a channel's at all gets the one it was most likely mistyped from.
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
  return candidates
    .toSorted((a, b) => distance(a) - distance(b) || compareChannels(a, b))
    .slice(0, 3)
    .map(({ name }) => name);
}
