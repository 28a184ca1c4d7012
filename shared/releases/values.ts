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

/** Names that assisted-service accepts in a release source. */
export const ASSISTED_CHANNELS = [
  'candidate',
  'fast',
  'stable',
  'eus',
] as const satisfies readonly ChannelName[];
export const ASSISTED_ARCHITECTURES = ['x86_64', 'aarch64', 'arm64', 'ppc64le', 's390x'] as const;
export const ASSISTED_SOURCE_ARCHITECTURES = [...ASSISTED_ARCHITECTURES, 'multi'] as const;

/** Setting that lists the excluded versions. */
export const EXCLUDING_SETTING = 'ignored_openshift_versions';

/** Whether a served graph has updates to excluded versions. */
export const EXCLUDED_IN_GRAPH = ['withhold', 'serve'] as const;
export type ExcludedInGraph = (typeof EXCLUDED_IN_GRAPH)[number];
/** Extended Update Support terms follow maintenance, each with its own subscription. */
export const SUPPORT_PHASES = ['full', 'maintenance', 'eus1', 'eus2', 'eus3', 'ended'] as const;
export type SupportPhase = (typeof SUPPORT_PHASES)[number];
export type SupportTerm = Exclude<SupportPhase, 'full' | 'ended'>;

/** Extended Update Support terms that the clusters have. */
export const EUS_TERMS = [0, 1, 2, 3] as const;
export type EusTerms = (typeof EUS_TERMS)[number];
