import { offsetsOf, readTimeZone } from '@cairn/shared/time/time-zone';
import { describe, expect, it } from 'vitest';

const HOUR = 3600_000;

describe('readTimeZone', () => {
  it.each([
    'UTC',
    'Etc/UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Europe/Kyiv',
    'US/Eastern',
    'Etc/GMT+5',
  ])('%s is accepted as it is', (timeZone) => {
    expect(readTimeZone(timeZone)).toEqual({ ok: true, timeZone });
  });

  it.each([
    ['europe/berlin', '; did you mean Europe/Berlin?'],
    ['Europe/Berln', '; did you mean Europe/Berlin?'],
    ['utc', '; did you mean UTC?'],
    ['PST', '; did you mean America/Los_Angeles?'],
    ['us/eastern', '; did you mean America/New_York?'],
    ['UTC+2', ''],
    ['+02:00', ''],
    ['Local', ''],
    ['Mars/Olympus_Mons', ''],
    ['', ''],
  ])('%j is refused%s', (text, hint) => {
    const accepted = 'accepted are UTC and names such as Europe/Berlin';
    const problem = `the time zone ${JSON.stringify(text)} is not known; ${accepted}${hint}`;
    expect(readTimeZone(text)).toEqual({ ok: false, problem });
  });
});

describe('offsetsOf', () => {
  it.each([
    ['UTC', '2026-07-01T00:00Z', 0],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', HOUR],
    ['Europe/Berlin', '2026-03-29T01:00Z', 2 * HOUR],
    ['America/New_York', '2026-11-01T05:59:59Z', -4 * HOUR],
    ['America/New_York', '2026-11-01T06:00Z', -5 * HOUR],
    ['Asia/Kathmandu', '2026-01-01T00:00Z', 5.75 * HOUR],
    ['Africa/Monrovia', '1960-01-01T00:00Z', -44.5 * 60_000],
  ])('%s at %s', (timeZone, instant, offset) => {
    expect(offsetsOf(timeZone)(Date.parse(instant))).toBe(offset);
  });
});
