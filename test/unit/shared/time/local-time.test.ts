import { localInWords, localIso, spanInWords } from '@cairn/shared/time/local-time';
import { offsetsOf } from '@cairn/shared/time/time-zone';
import { describe, expect, it } from 'vitest';

describe('local times', () => {
  it.each([
    ['UTC', '2026-06-06T22:00:00Z', '2026-06-06T22:00:00+00:00', 'Sat 2026-06-06 22:00 +00:00'],
    ['Europe/Berlin', '2026-06-06T22:00:00Z', '2026-06-07T00:00:00+02:00', 'Sun 2026-06-07 00:00 +02:00'],
    ['America/New_York', '2026-01-01T04:59:00Z', '2025-12-31T23:59:00-05:00', 'Wed 2025-12-31 23:59 -05:00'],
    ['America/St_Johns', '2026-01-01T12:00:00Z', '2026-01-01T08:30:00-03:30', 'Thu 2026-01-01 08:30 -03:30'],
    ['Asia/Kolkata', '2026-06-01T18:30:00Z', '2026-06-02T00:00:00+05:30', 'Tue 2026-06-02 00:00 +05:30'],
    ['Asia/Kathmandu', '2026-06-01T00:00:00Z', '2026-06-01T05:45:00+05:45', 'Mon 2026-06-01 05:45 +05:45'],
  ])('in %s, %s', (timeZone, instant, iso, words) => {
    const at = Date.parse(instant);
    const offset = offsetsOf(timeZone)(at);
    expect(localIso(at, offset)).toBe(iso);
    expect(Date.parse(iso)).toBe(at);
    expect(localInWords(at, offset)).toBe(words);
  });

  it.each([
    ['2026-06-06T20:00Z', '2026-06-07T02:00Z', 'Sat 2026-06-06 22:00 to Sun 2026-06-07 04:00 +02:00'],
    ['2026-03-28T21:00Z', '2026-03-29T02:00Z', 'Sat 2026-03-28 22:00 +01:00 to Sun 2026-03-29 04:00 +02:00'],
  ])('from %s to %s, with the offset once unless it changes', (start, end, words) => {
    const span = { start: Date.parse(start), end: Date.parse(end) };
    expect(spanInWords(span, offsetsOf('Europe/Berlin'))).toBe(words);
  });
});
