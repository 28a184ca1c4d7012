import type { HopRisk } from '../risk/cluster-risks.ts';
import type { Condition } from '../safety/condition.ts';
import type { HopVerdict, Verdict } from '../safety/verdict.ts';
import { countInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import { mustParseVersion } from '../version/release-version.ts';

export interface Minutes {
  readonly min: number;
  readonly expected: number;
  readonly max: number;
}

export interface PathMinutes extends Minutes {
  /** Sum of the maximum of every hop. */
  readonly worst: number;
}

export function eachMinutes(calculate: (bound: keyof Minutes) => number): Minutes {
  return { min: calculate('min'), expected: calculate('expected'), max: calculate('max') };
}

/** Rounds to the precision of an estimate: 12.4 → 12, 41.7 → 40, 88.5 → 90. */
export function roundMinutes(minutes: number): number {
  return minutes > 30 ? Math.round(minutes / 5) * 5 : Math.round(minutes);
}

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  ready: 'Ready',
  'ready-with-warnings': 'Ready with warnings',
  'action-required': 'Action required',
  blocked: 'Blocked',
  unknown: 'Unknown: missing input',
};

export const HOP_VERDICT_WORDS: Readonly<Record<HopVerdict, string>> = {
  allowed: 'Allowed',
  'allowed-with-warnings': 'Allowed with warnings',
  blocked: 'Blocked',
  'will-block': 'Blocked later',
  unknown: 'Unknown',
};

const EFFECT_WORDS: Readonly<Record<Condition['effect'], string>> = {
  ok: 'OK',
  info: 'Note',
  warn: 'Warning',
  inform: 'Upcoming blocker',
  block: 'Blocker',
};

export function effectInWords({ effect, accepted }: Pick<Condition, 'effect' | 'accepted'>): string {
  return accepted ? 'Accepted' : EFFECT_WORDS[effect];
}

const HOURS_FROM = 100;

/** `45 min`; from 100 minutes in hours: `2 h`, `2 h 5 min`. */
export function minutesInWords(minutes: number): string {
  if (minutes < HOURS_FROM) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** `30 min (15 to 60)`, `60 min (45 min to 2 h 5 min)` */
export function rangeInWords({ min, expected, max }: Minutes): string {
  const least = max < HOURS_FROM ? String(min) : minutesInWords(min);
  const most = max < HOURS_FROM ? String(max) : minutesInWords(max);
  return `${minutesInWords(expected)} (${least} to ${most})`;
}

/** `2 h (90 min to 3 h 30 min), 4 h 10 min at worst`; omits the worst case if it equals the maximum. */
export function totalInWords(total: PathMinutes): string {
  const worst = total.worst > total.max ? `, ${minutesInWords(total.worst)} at worst` : '';
  return `${rangeInWords(total)}${worst}`;
}

/** `2 blockers, 1 upcoming blocker, 3 warnings`; omits zero counts. */
export function countsInWords(blockers: number, informs: number, warnings: number): string {
  const parts = [
    ...(blockers > 0 ? [countInWords(blockers, 'blocker')] : []),
    ...(informs > 0 ? [countInWords(informs, 'upcoming blocker')] : []),
    ...(warnings > 0 ? [countInWords(warnings, 'warning')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No blockers or warnings';
}

/** 0.0943 → `9.43%`. */
export function shareInWords(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

export interface OtherTarget {
  readonly version: string;
  readonly reason: string;
}

/** The newest patch of the current minor, unless it is the target or the cluster runs it. */
export function alsoPossible(newestPatch: string | null, target: string | null): OtherTarget[] {
  if (newestPatch === null || newestPatch === target) return [];
  return [{ version: newestPatch, reason: `Newest patch of ${minorOf(mustParseVersion(newestPatch))}` }];
}

export function alsoPossibleInWords(others: readonly OtherTarget[]): string[] {
  return others.map(({ version, reason }) => `Also possible: ${version}. ${reason}`);
}

type Exposed = Pick<HopRisk, 'applies' | 'accepted'>;

/** Risks that apply, unknown and accepted ones; those that do not apply are in no group. Omits empty groups. */
export function risksByExposure<Risk extends Exposed>(
  risks: readonly Risk[],
): readonly (readonly [words: string, risks: readonly Risk[]])[] {
  const open = risks.filter(({ accepted }) => accepted === undefined);
  const exposed = open.filter(({ applies }) => applies === 'yes');
  const groups: readonly (readonly [string, readonly Risk[]])[] = [
    [exposed.length === 1 ? 'applies' : 'apply', exposed],
    ['unknown', open.filter(({ applies }) => applies === 'unknown')],
    ['accepted', risks.filter(({ applies, accepted }) => accepted !== undefined && applies !== 'no')],
  ];
  return groups.filter(([, some]) => some.length > 0);
}
