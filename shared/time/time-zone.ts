import { nearestName } from '../text/nearest.ts';
import { quoteValue } from '../text/quote.ts';

export type TimeZoneReading =
  | { readonly ok: true; readonly timeZone: string }
  | { readonly ok: false; readonly problem: string };

const AREA_AND_PLACE = /^[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z0-9_+-]*)+$/;

/**
 * Accepts `UTC` and IANA names such as `Europe/Berlin`. Rejects `+02:00`, `CET` and `PST`: Kubernetes, EventBridge and
 * browsers disagree about them.
 */
export function readTimeZone(text: string): TimeZoneReading {
  const listed = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  const sameLetters = listed.find((name) => name.toLowerCase() === text.toLowerCase());
  // Names such as Europe/Kyiv and US/Eastern are valid but not listed.
  const isOther = sameLetters === undefined && AREA_AND_PLACE.test(text) && canonicalName(text) !== null;
  if (sameLetters === text || isOther) return { ok: true, timeZone: text };
  // An offset such as UTC+2 or +02:00 does not determine a place.
  const meant = sameLetters ?? (/\d/.test(text) ? null : (canonicalName(text) ?? nearestName(text, listed)));
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  return {
    ok: false,
    problem: `the time zone ${quoteValue(text)} is not known; accepted are UTC and names such as Europe/Berlin${hint}`,
  };
}

const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** Offset from UTC in milliseconds: 7,200,000 in Berlin in summer. */
export function offsetsOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign, hours, minutes, seconds = '0'] = OFFSET.exec(format.format(instant)) ?? [];
    if (sign === undefined) return 0;
    const size = Number(hours) * 3600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
    return sign === '+' ? size : -size;
  };
}

function canonicalName(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
