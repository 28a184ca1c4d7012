/** Separate from the readers: the HTTP schema imports these values alone. */

export const CHANNEL_NAMES = ['candidate', 'fast', 'stable', 'eus', 'prerelease'] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** Order for lists and preference: channels for most clusters first. */
export const CHANNEL_ORDER = [
  'stable',
  'eus',
  'fast',
  'candidate',
  'prerelease',
] as const satisfies readonly ChannelName[];
