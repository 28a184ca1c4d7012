import { compareMinors, type Minor, parseMinor } from '../version/minor.ts';
import { type ChannelName, CHANNEL_ORDER } from './values.ts';

export interface Channel {
  readonly prefix: ChannelName;
  readonly minor: Minor;
}

/** `stable-4.14` → `{prefix: 'stable', minor: '4.14'}`; null if no configuration can follow the name. */
export function parseChannel(text: string): Channel | null {
  const dash = text.indexOf('-');
  const prefix = CHANNEL_ORDER.find((name) => name === text.slice(0, dash));
  const minor = parseMinor(text.slice(dash + 1));
  return prefix && minor ? { prefix, minor } : null;
}

/** Name of a pair in states, events and texts: `stable-4.14/amd64`. Stored, so it is frozen. */
export function pairName(channel: string, arch: string): string {
  return `${channel}/${arch}`;
}

/** By minor, then as in {@link CHANNEL_ORDER}: stable-4.9, stable-4.10, eus-4.10, fast-4.10. */
export function compareChannels(a: Channel, b: Channel): number {
  return compareMinors(a.minor, b.minor) || CHANNEL_ORDER.indexOf(a.prefix) - CHANNEL_ORDER.indexOf(b.prefix);
}

/** Holds releases before they are tested; `prerelease` was the name of candidate channels in 4.1. */
export function isForTesters(channel: string): boolean {
  return channel.startsWith('candidate-') || channel.startsWith('prerelease-');
}

/** `candidate-4.16 (not supported for production)`; other channels by their name. */
export function labelledChannel(channel: string): string {
  return isForTesters(channel) ? `${channel} (${NOT_FOR_PRODUCTION})` : channel;
}

export const NOT_FOR_PRODUCTION = 'not supported for production';
