import type { InputValue } from '../input/input-value.ts';
import { quoteValue } from '../text/quote.ts';
import { type Minor, compareMinors, minorOf, parseMinor } from '../version/minor.ts';
import { isPrerelease, type ReleaseVersion } from '../version/release-version.ts';

export interface SupportEnd {
  /** With every subscription. */
  readonly maintenance: string;
  /** With the last available Extended Update Support term; null if there is none. */
  readonly extended: string | null;
}

/** Red Hat life cycle, November 2026. Other minors have no date yet, or ended long ago. */
export const SUPPORT_ENDS: Readonly<Partial<Record<Minor, SupportEnd>>> = {
  '4.12': { maintenance: '2024-07-17', extended: '2026-01-17' },
  '4.13': { maintenance: '2024-11-17', extended: null },
  '4.14': { maintenance: '2025-05-01', extended: '2026-10-31' },
  '4.15': { maintenance: '2025-08-27', extended: null },
  '4.16': { maintenance: '2025-12-27', extended: '2027-06-27' },
  '4.17': { maintenance: '2026-04-01', extended: null },
  '4.18': { maintenance: '2026-08-25', extended: '2028-02-25' },
  '4.19': { maintenance: '2026-12-17', extended: null },
  '4.20': { maintenance: '2027-04-21', extended: '2028-10-21' },
  '4.21': { maintenance: '2027-08-03', extended: null },
};

export const SUPPORT_LEVELS = ['beta', 'production', 'maintenance', 'end-of-life'] as const;
export type SupportLevel = (typeof SUPPORT_LEVELS)[number];

/** By minor. A plain object: the configuration is stored and compared as JSON, and a minor is a safe key. */
export type SupportLevelTable = Readonly<Partial<Record<Minor, SupportLevel>>>;

/** `assumed`: no table has the minor, which is worth an alarm. */
export type SupportLevelSource = 'static' | 'prerelease' | 'candidate-only' | 'table' | 'assumed';

/**
 * Red Hat life cycle, November 2026: full support is `production`; maintenance support and Extended Update Support are
 * `maintenance`. 4.14 ended with its last extended term on 2026-10-31.
 */
const DEFAULT_SUPPORT_LEVELS: SupportLevelTable = {
  // 4.1 to 4.15
  ...Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`4.${index + 1}`, 'end-of-life'])),
  '4.16': 'maintenance',
  '4.17': 'end-of-life',
  '4.18': 'maintenance',
  '4.19': 'maintenance',
  '4.20': 'maintenance',
  '4.21': 'maintenance',
  '4.22': 'production',
};

/**
 * Level without a static entry: pre-releases and candidate-only releases are `beta`, else `overrides` or the default
 * table decides, else `production` is assumed. `channels` are those of the version's own minor.
 */
export function supportLevelOf(
  version: ReleaseVersion,
  channels: readonly string[],
  overrides: SupportLevelTable,
): { readonly level: SupportLevel; readonly source: SupportLevelSource } {
  if (isPrerelease(version)) return { level: 'beta', source: 'prerelease' };
  if (channels.length > 0 && channels.every(isUnreleased)) return { level: 'beta', source: 'candidate-only' };
  const minor = minorOf(version);
  const level = overrides[minor] ?? DEFAULT_SUPPORT_LEVELS[minor];
  return level ? { level, source: 'table' } : { level: 'production', source: 'assumed' };
}

export function parseSupportLevel(text: string): SupportLevel | null {
  return SUPPORT_LEVELS.find((level) => level === text) ?? null;
}

/** Reads the `support_levels` of the configuration, `{"4.20": "maintenance"}`. */
export function readSupportLevels(node: InputValue): SupportLevelTable {
  const levels: [Minor, SupportLevel][] = [];
  for (const [key, item] of node.entries('an object such as {"4.20": "maintenance"}')) {
    const minor = parseMinor(key);
    if (minor === null)
      item.refuse(`the key ${quoteValue(key)} is not a minor`, 'a minor such as "4.14"', key);
    const level = item.parsedText(parseSupportLevel, 'a support level', SUPPORT_LEVELS);
    if (minor !== null && level !== null) levels.push([minor, level]);
  }
  return Object.fromEntries(levels.toSorted(([a], [b]) => compareMinors(a, b)));
}

/** `prerelease` was the name of candidate channels in 4.1. */
function isUnreleased(channel: string): boolean {
  return channel.startsWith('candidate-') || channel.startsWith('prerelease-');
}
