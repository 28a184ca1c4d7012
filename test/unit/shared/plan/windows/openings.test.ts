import { minutesOf, openingsBetween } from '@cairn/shared/plan/windows/openings';
import { spanInWords } from '@cairn/shared/time/local-time';
import { offsetsOf } from '@cairn/shared/time/time-zone';
import { describe, expect, it } from 'vitest';
import { windowsOf } from '../../../../helpers/plan/windows.ts';

/** Each with its minutes: `Sun 2026-03-15 02:00 to Sun 2026-03-15 03:00 -04:00 (60)`. */
function opened(text: string, timeZone: string, from: string, until: string): string[] {
  const offsetAt = offsetsOf(timeZone);
  const { windows } = windowsOf(text, timeZone);
  const openings = openingsBetween(windows, offsetAt, Date.parse(from), Date.parse(until));
  return openings.map((opening) => `${spanInWords(opening, offsetAt)} (${minutesOf(opening)})`);
}

describe('windows open', () => {
  /** Windows by time zone and the times between which they are listed. */
  it.each<[string, string, string, Record<string, string[]>]>([
    [
      'Europe/Berlin',
      '2026-06-01T12:00Z',
      '2026-06-15T12:00Z',
      {
        'Sat 22:00-04:00': [
          'Sat 2026-06-06 22:00 to Sun 2026-06-07 04:00 +02:00 (360)',
          'Sat 2026-06-13 22:00 to Sun 2026-06-14 04:00 +02:00 (360)',
        ],
      },
    ],
    // Across the end of the week, in a zone of half hours.
    [
      'Asia/Kolkata',
      '2026-06-01T12:00Z',
      '2026-06-08T12:00Z',
      { 'Sun 23:30-00:30': ['Sun 2026-06-07 23:30 to Mon 2026-06-08 00:30 +05:30 (60)'] },
    ],
    // Clocks go on: in the middle, at the start, at the end, all through.
    [
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-29T12:00Z',
      {
        'Sat 22:00-04:00': ['Sat 2026-03-28 22:00 +01:00 to Sun 2026-03-29 04:00 +02:00 (300)'],
        'Sun 02:30-04:00': ['Sun 2026-03-29 03:00 to Sun 2026-03-29 04:00 +02:00 (60)'],
      },
    ],
    [
      'America/New_York',
      '2026-03-08T00:00Z',
      '2026-03-08T12:00Z',
      { 'Sun 01:00-02:30': ['Sun 2026-03-08 01:00 -05:00 to Sun 2026-03-08 03:00 -04:00 (60)'] },
    ],
    [
      'America/New_York',
      '2026-03-08T00:00Z',
      '2026-03-15T12:00Z',
      { 'Sun 02:00-03:00': ['Sun 2026-03-15 02:00 to Sun 2026-03-15 03:00 -04:00 (60)'] },
    ],
    // Clocks go back: in the middle, at the start, at the end.
    [
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-25T12:00Z',
      { 'Sat 22:00-04:00': ['Sat 2026-10-24 22:00 +02:00 to Sun 2026-10-25 04:00 +01:00 (420)'] },
    ],
    [
      'America/New_York',
      '2026-11-01T00:00Z',
      '2026-11-01T12:00Z',
      {
        'Sun 01:30-02:30': ['Sun 2026-11-01 01:30 -04:00 to Sun 2026-11-01 02:30 -05:00 (120)'],
        'Sun 00:30-01:30': ['Sun 2026-11-01 00:30 to Sun 2026-11-01 01:30 -04:00 (60)'],
      },
    ],
    // The same by half an hour.
    [
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      '2026-10-04T00:00Z',
      {
        'Sun 01:00-03:00': ['Sun 2026-10-04 01:00 +10:30 to Sun 2026-10-04 03:00 +11:00 (90)'],
        'Sun 02:10-02:40': ['Sun 2026-10-04 02:30 to Sun 2026-10-04 02:40 +11:00 (10)'],
      },
    ],
    [
      'Australia/Lord_Howe',
      '2026-04-04T00:00Z',
      '2026-04-05T00:00Z',
      { 'Sun 01:00-03:00': ['Sun 2026-04-05 01:00 +11:00 to Sun 2026-04-05 03:00 +10:30 (150)'] },
    ],
    // A whole day, and one that clocks make longer.
    [
      'Europe/Berlin',
      '2026-10-18T12:00Z',
      '2026-10-25T12:00Z',
      {
        'Sun 00:00-24:00': [
          'Sun 2026-10-18 00:00 to Mon 2026-10-19 00:00 +02:00 (1440)',
          'Sun 2026-10-25 00:00 +02:00 to Mon 2026-10-26 00:00 +01:00 (1500)',
        ],
      },
    ],
  ])('in %s from %s to %s', (timeZone, from, until, expected) => {
    const found = Object.keys(expected).map((text) => [text, opened(text, timeZone, from, until)]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    [
      'Sun 00:00-06:00, Fri 22:00-24:00, Sat 00:00-24:00',
      ['Fri 2026-06-05 22:00 to Sun 2026-06-07 06:00 +00:00 (1920)'],
    ],
    ['Sat 20:00-23:00, Sat 22:00-01:00', ['Sat 2026-06-06 20:00 to Sun 2026-06-07 01:00 +00:00 (300)']],
    ['Sat 20:00-04:00, Sat 22:00-23:00', ['Sat 2026-06-06 20:00 to Sun 2026-06-07 04:00 +00:00 (480)']],
    [
      'Sat 20:00-21:00, Sat 21:01-22:00',
      [
        'Sat 2026-06-06 20:00 to Sat 2026-06-06 21:00 +00:00 (60)',
        'Sat 2026-06-06 21:01 to Sat 2026-06-06 22:00 +00:00 (59)',
      ],
    ],
  ])('as one where they touch: %s', (text, openings) => {
    expect(opened(text, 'UTC', '2026-06-01T12:00Z', '2026-06-08T12:00Z')).toEqual(openings);
  });

  it('as one where they touch in the hour that is skipped', () => {
    expect(
      opened('Sun 01:00-02:10,Sun 02:50-04:00', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T06:00Z'),
    ).toEqual(['Sun 2026-03-29 01:00 +01:00 to Sun 2026-03-29 04:00 +02:00 (120)']);
  });

  it('with their true start when they are open already', () => {
    const open = ['Fri 2026-06-05 22:00 to Sun 2026-06-07 06:00 +00:00 (1920)'];
    const text = 'Fri 22:00-24:00,Sat 00:00-24:00,Sun 00:00-06:00';
    expect(opened(text, 'UTC', '2026-06-07T05:59Z', '2026-06-08T00:00Z')).toEqual(open);
    expect(opened(text, 'UTC', '2026-06-07T06:00Z', '2026-06-08T00:00Z')).toEqual([]);
    expect(opened(text, 'UTC', '2026-06-01T00:00Z', '2026-06-05T22:00Z')).toEqual([]);
  });

  it.each([
    'Mon-Sun 00:00-24:00',
    'Mon-Sun 22:00-10:00,Mon-Sun 10:00-22:00',
    'Sun-Sat 12:00-11:59,Mon-Sun 11:00-13:00',
  ])('from now on when they never close: %s', (text) => {
    const [from, until] = [Date.parse('2026-03-01T00:00Z'), Date.parse('2026-12-01T00:00Z')];
    const { windows } = windowsOf(text, 'Europe/Berlin');
    expect(openingsBetween(windows, offsetsOf('Europe/Berlin'), from, until)).toEqual([
      { start: from, end: Infinity },
    ]);
  });

  it('for up to two weeks when clocks skip the hour that they leave out', () => {
    const text = 'Mon-Sat 00:00-24:00,Sun 00:00-02:00,Sun 03:00-24:00';
    expect(opened(text, 'Europe/Berlin', '2026-03-29T12:00Z', '2026-04-05T00:30Z')).toEqual([
      `Sun 2026-03-22 03:00 +01:00 to Sun 2026-04-05 02:00 +02:00 (${2 * 7 * 24 * 60 - 120})`,
    ]);
  });

  it('never when there are none', () => {
    expect(openingsBetween([], offsetsOf('UTC'), 0, 1e10)).toEqual([]);
  });
});
