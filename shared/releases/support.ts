import type { InputValue } from '../input/input-value.ts';
import { quoteValue } from '../text/quote.ts';
import { type Minor, compareMinors, minorOf, parseMinor } from '../version/minor.ts';
import { isPrerelease, type ReleaseVersion } from '../version/release-version.ts';
import { isForTesters } from './channel.ts';
import type { SupportCalendar } from './lifecycle.ts';
import type { SupportPhase } from './values.ts';

export const SUPPORT_LEVELS = ['beta', 'production', 'maintenance', 'end-of-life'] as const;
export type SupportLevel = (typeof SUPPORT_LEVELS)[number];

/** By minor. A plain object: the configuration is stored and compared as JSON, and a minor is a safe key. */
export type SupportLevelTable = Readonly<Partial<Record<Minor, SupportLevel>>>;

/** `assumed`: no table has the minor, which is worth an alarm. */
export type SupportLevelSource = 'static' | 'prerelease' | 'candidate-only' | 'table' | 'assumed';

const LEVELS: Readonly<Record<SupportPhase, SupportLevel>> = {
  full: 'production',
  maintenance: 'maintenance',
  eus1: 'maintenance',
  eus2: 'maintenance',
  eus3: 'maintenance',
  ended: 'end-of-life',
};

/**
 * Level without a static entry: pre-releases and candidate-only releases are `beta`, else `overrides` or the life cycle
 * decides. `channels` are those of the version's own minor.
 */
export function supportLevelOf(
  version: ReleaseVersion,
  channels: readonly string[],
  overrides: SupportLevelTable,
  calendar: SupportCalendar,
): { readonly level: SupportLevel; readonly source: SupportLevelSource } {
  if (isPrerelease(version)) return { level: 'beta', source: 'prerelease' };
  if (channels.length > 0 && channels.every(isForTesters)) return { level: 'beta', source: 'candidate-only' };
  const minor = minorOf(version);
  const { phase, assumed, supportEnds } = calendar(minor);
  const isUnknown = assumed && supportEnds === null && overrides[minor] === undefined;
  return { level: overrides[minor] ?? LEVELS[phase], source: isUnknown ? 'assumed' : 'table' };
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
