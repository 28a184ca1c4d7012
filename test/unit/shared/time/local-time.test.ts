import { clocksOf, localInWords, localIso, spanInWords } from '@cairn/shared/time/local-time';
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

function shownAt(timeZone: string, date: string, time: string) {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const clocksOn = clocksOf(offsetsOf(timeZone));
  const { instant, isSkipped } = clocksOn(Date.parse(date))((hours * 60 + minutes) * 60_000);
  return `${isSkipped ? 'skipped ' : ''}${new Date(instant).toISOString().replace(':00.000Z', 'Z')}`;
}

describe('clocks', () => {
  it.each([
    ['UTC', '2026-06-01', '12:00', '2026-06-01T12:00Z'],
    ['Asia/Kolkata', '2026-06-01', '00:15', '2026-05-31T18:45Z'],
    ['Europe/Berlin', '2026-06-01', '24:00', '2026-06-01T22:00Z'],
    // At 2:00 the clocks of Berlin go on to 3:00.
    ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59Z'],
    ['Europe/Berlin', '2026-03-29', '02:00', 'skipped 2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-03-29', '02:59', 'skipped 2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00Z'],
    // At 3:00 they go back to 2:00.
    ['Europe/Berlin', '2026-10-25', '01:59', '2026-10-24T23:59Z'],
    ['Europe/Berlin', '2026-10-25', '02:00', '2026-10-25T00:00Z'],
    ['Europe/Berlin', '2026-10-25', '02:59', '2026-10-25T00:59Z'],
    ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00Z'],
    ['America/New_York', '2026-03-08', '02:30', 'skipped 2026-03-08T07:00Z'],
    ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30Z'],
    ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-10-04', '02:15', 'skipped 2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45Z'],
    ['Australia/Lord_Howe', '2026-04-05', '02:00', '2026-04-04T15:30Z'],
    // Midnight itself is skipped.
    ['Asia/Beirut', '2026-03-29', '00:00', 'skipped 2026-03-28T22:00Z'],
    // A day that Samoa left out.
    ['Pacific/Apia', '2011-12-30', '12:00', 'skipped 2011-12-30T10:00Z'],
    ['Pacific/Apia', '2011-12-31', '00:00', '2011-12-30T10:00Z'],
  ])('of %s on %s at %s', (timeZone, date, time, shown) => {
    expect(shownAt(timeZone, date, time)).toBe(shown);
  });
});
