import type { Condition } from '../safety/condition.ts';
import type { HopVerdict, Verdict } from '../safety/verdict.ts';
import { countInWords } from '../text/words.ts';

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
  'ready-with-warnings': 'Ready, with warnings',
  'action-required': 'Action required',
  blocked: 'Blocked',
  unknown: 'Unknown, input is missing',
};

export const HOP_VERDICT_WORDS: Readonly<Record<HopVerdict, string>> = {
  allowed: 'open',
  'allowed-with-warnings': 'open, with warnings',
  blocked: 'blocked',
  'will-block': 'will be blocked',
  unknown: 'not known',
};

/** Upper case, to stand out in a list. */
export function effectInWords({ effect, accepted }: Pick<Condition, 'effect' | 'accepted'>): string {
  if (accepted) return 'ACCEPTED';
  const words = { ok: 'OK', info: 'NOTE', warn: 'WARNING', inform: 'WILL BLOCK', block: 'BLOCKS' } as const;
  return words[effect];
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

/** `2 blockers, 1 that will block, 3 warnings`; omits zero counts. */
export function countsInWords(blockers: number, informs: number, warnings: number): string {
  const parts = [
    ...(blockers > 0 ? [countInWords(blockers, 'blocker')] : []),
    ...(informs > 0 ? [`${informs} that will block`] : []),
    ...(warnings > 0 ? [countInWords(warnings, 'warning')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'nothing stands against it';
}

/** 0.0943 → `9.43%`. */
export function shareInWords(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
