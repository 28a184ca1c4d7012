import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../../../helpers/prune/schedules.ts';

function next(text: string, timeZone: string, after: string, count: number): string[] {
  return nextTimes(scheduleOf(text), timeZone, { after: Date.parse(after), count }).map((time) =>
    new Date(time).toISOString().replace(':00.000Z', 'Z'),
  );
}

describe('nextTimes', () => {
  it('is strictly after the instant', () => {
    expect(next('0 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-02T00:00Z']);
    expect(next('0 0 * * *', 'UTC', '2025-12-31T23:59:59.999Z', 1)).toEqual(['2026-01-01T00:00Z']);
    expect(next('0 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 0)).toEqual([]);
  });

  it.each<[string, string, string, string[]]>([
    // Skipped: at 2:00 the clocks of Berlin go on to 3:00.
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['2026-03-28T01:30Z', '2026-03-30T00:30Z', '2026-03-31T00:30Z'],
    ],
    ['0 * * * *', 'Europe/Berlin', '2026-03-29T00:00Z', ['2026-03-29T01:00Z', '2026-03-29T02:00Z']],
    // Twice: at 3:00 they go back to 2:00; the first one counts.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30Z', ['2026-10-26T01:30Z']],
    [
      '30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:00Z',
      ['2026-10-24T23:30Z', '2026-10-25T00:30Z', '2026-10-25T02:30Z'],
    ],
    ['0 3 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T02:00Z']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-09T06:30Z']],
    // Half an hour, and far from UTC on either side.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-04T15:15Z']],
    ['0 0 * * *', 'Pacific/Kiritimati', '2026-01-01T09:59Z', ['2026-01-01T10:00Z', '2026-01-02T10:00Z']],
    ['0 0 * * *', 'Pacific/Pago_Pago', '2026-01-01T10:59Z', ['2026-01-01T11:00Z', '2026-01-02T11:00Z']],
    // Midnight itself is skipped in Beirut, and shown twice in Havana an hour later.
    ['0 0 * * *', 'Asia/Beirut', '2026-03-28T00:00Z', ['2026-03-29T21:00Z']],
    ['30 0 * * *', 'America/Havana', '2026-10-31T12:00Z', ['2026-11-01T04:30Z', '2026-11-02T05:30Z']],
    // A day that Samoa left out.
    ['0 12 30 12 *', 'Pacific/Apia', '2010-12-31T12:00Z', ['2012-12-29T22:00Z']],
  ])('%s in %s after %s', (text, timeZone, after, times) => {
    expect(next(text, timeZone, after, times.length)).toEqual(times);
  });

  it('goes from leap year to leap year, and over 2100', () => {
    const years = next('0 0 29 2 *', 'Europe/Berlin', '2090-01-01T00:00Z', 4).map((time) => time.slice(0, 4));
    expect(years).toEqual(['2092', '2096', '2104', '2108']);
  });

  it('fires by dates or by weekdays when both are given', () => {
    expect(next('0 0 13 * 5', 'UTC', '2026-02-10T00:00Z', 4)).toEqual([
      '2026-02-13T00:00Z',
      '2026-02-20T00:00Z',
      '2026-02-27T00:00Z',
      '2026-03-06T00:00Z',
    ]);
  });

  it('counts intervals from their begin, in any zone', () => {
    const every = scheduleOf('@every 90m');
    const minutes = (after: number, since?: number) =>
      nextTimes(every, 'Europe/Berlin', {
        after: after * 60_000,
        count: 2,
        ...(since !== undefined && { since: since * 60_000 }),
      }).map((time) => time / 60_000);
    expect(minutes(7)).toEqual([97, 187]);
    expect(minutes(7, 0)).toEqual([90, 180]);
    expect(minutes(90, 0)).toEqual([180, 270]);
    expect(minutes(89, 0)).toEqual([90, 180]);
    expect(minutes(0, 1000)).toEqual([1090, 1180]);
  });
});
