/** Values of fields, apart from what reads releases: the interface lists them as well. */

export const CHANNEL_NAMES = ['candidate', 'fast', 'stable', 'eus', 'prerelease'] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** The order in which channels are listed and preferred: what most clusters should follow comes first. */
export const CHANNEL_ORDER = [
  'stable',
  'eus',
  'fast',
  'candidate',
  'prerelease',
] as const satisfies readonly ChannelName[];
