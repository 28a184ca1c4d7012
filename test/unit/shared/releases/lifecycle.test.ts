import {
  DEFAULT_SUPPORT,
  listedCalendar,
  listSupport,
  supportCalendar,
  supportInWords,
} from '@cairn/shared/releases/lifecycle';
import { parseReleaseConfig } from '@cairn/shared/releases/sources';
import type { EusTerms } from '@cairn/shared/releases/values';
import type { Minor } from '@cairn/shared/version/minor';
import { describe, expect, it } from 'vitest';
import { CALENDAR, configOf } from '../../../helpers/path/builders.ts';

const on = (today: string, eusTerms: EusTerms = 2) =>
  supportCalendar({ ...DEFAULT_SUPPORT, eusTerms }, today);

describe('support of a minor', () => {
  it.each<[Minor, string, string | null, string | null, boolean]>([
    ['4.6', 'ended', null, null, false],
    ['4.12', 'ended', '2026-01-17', 'eus2', false],
    ['4.13', 'ended', '2024-11-17', 'maintenance', false],
    ['4.14', 'ended', '2026-10-31', 'eus2', false],
    ['4.15', 'ended', '2025-08-27', 'maintenance', false],
    ['4.16', 'eus2', '2027-06-27', 'eus2', false],
    ['4.17', 'ended', '2026-04-01', 'maintenance', false],
    ['4.18', 'eus1', '2028-02-25', 'eus2', false],
    ['4.19', 'maintenance', '2026-12-17', 'maintenance', false],
    ['4.20', 'maintenance', '2028-10-21', 'eus2', false],
    ['4.21', 'maintenance', '2027-08-03', 'maintenance', false],
    ['4.22', 'full', '2029-06-09', 'eus2', true],
    ['4.23', 'full', null, null, true],
    ['5.0', 'full', null, null, true],
  ])('%s on 2026-11-17', (minor, phase, supportedUntil, restsOn, assumed) => {
    expect(CALENDAR(minor)).toMatchObject({ minor, phase, supportedUntil, restsOn, assumed });
  });

  it.each<[string, Minor, string, EusTerms, string]>([
    ['the last day counts', '4.14', '2026-10-31', 2, 'eus2'],
    ['the day after does not', '4.14', '2026-11-01', 2, 'ended'],
    ['the first term ends', '4.16', '2026-06-27', 2, 'eus1'],
    ['the second begins', '4.16', '2026-06-28', 2, 'eus2'],
    ['without terms', '4.16', '2025-12-28', 0, 'ended'],
    ['with one term', '4.16', '2026-06-28', 1, 'ended'],
    ['a third term that nobody publishes adds nothing', '4.16', '2027-06-28', 3, 'ended'],
    ['full support lasts for 90 days of the next minor', '4.20', '2026-05-04', 2, 'full'],
    ['and no longer', '4.20', '2026-05-05', 2, 'maintenance'],
    ['full support of the newest is open', '4.22', '2027-03-01', 2, 'full'],
  ])('%s', (_what, minor, today, terms, phase) => {
    expect(on(today, terms)(minor).phase).toBe(phase);
  });

  it('names the term it rests on', () => {
    const words = (['4.6', '4.15', '4.16', '4.19', '4.22', '5.0'] as const).map((minor) =>
      supportInWords(CALENDAR(minor)),
    );
    expect(words).toEqual([
      'end of life',
      'end of life since 2025-08-27',
      'supported until 2027-06-27 (EUS term 2)',
      'supported until 2026-12-17 (end of maintenance)',
      'supported until 2029-06-09 (EUS term 2, assumed)',
      'assumed to be supported, without published dates',
    ]);
    expect(supportInWords(on('2026-11-17', 0)('4.20'))).toBe(
      'supported until 2027-04-21 (end of maintenance)',
    );
  });

  it('is the same from the list of a service', () => {
    const calendar = listedCalendar(listSupport(DEFAULT_SUPPORT, '2026-11-17', ['4.10', '5.1']));
    for (const minor of ['4.5', '4.10', '4.13', '4.16', '4.22', '5.1', '5.2'] as const) {
      expect(calendar(minor)).toEqual(CALENDAR(minor));
    }
  });
});

describe('support_dates', () => {
  it('replace a row, and add one', () => {
    const { supportDates } = configOf({
      support_dates: {
        '5.0': { ga: '2026-11-01', maintenance: '2028-05-01', eus: [] },
        '4.14': {
          ga: '2023-10-31',
          maintenance: '2025-05-01',
          eus: ['2025-10-31', '2026-10-31', '2027-10-31'],
        },
      },
    });
    const calendar = supportCalendar({ eusTerms: 3, dates: supportDates }, '2026-11-17');
    expect(calendar('4.14')).toMatchObject({ phase: 'eus3', supportedUntil: '2027-10-31', assumed: false });
    expect(calendar('5.0')).toMatchObject({ phase: 'full', supportedUntil: '2028-05-01', assumed: false });
    expect(calendar('5.1').assumed).toBe(true);
    expect(calendar('4.16')).toEqual(on('2026-11-17', 3)('4.16'));
  });

  it.each([
    [
      'a key that is no minor',
      { four: { ga: '2026-01-01', maintenance: '2027-01-01' } },
      '/support_dates/four',
    ],
    [
      'a day that is none',
      { '5.0': { ga: '2026-13-01', maintenance: '2027-01-01' } },
      '/support_dates/5.0/ga',
    ],
    ['a missing end', { '5.0': { ga: '2026-01-01' } }, '/support_dates/5.0/maintenance'],
    ['days out of order', { '5.0': { ga: '2027-01-01', maintenance: '2026-01-01' } }, '/support_dates/5.0'],
    [
      'four terms',
      { '5.0': { ga: '2026-01-01', maintenance: '2026-01-01', eus: Array(4).fill('2027-01-01') } },
      '/support_dates/5.0/eus',
    ],
    ['a list', [], '/support_dates'],
  ])('refuse %s', (_what, support_dates, pointer) => {
    const reading = parseReleaseConfig({ support_dates });
    expect(reading).toMatchObject({ ok: false, mistakes: [{ pointer }] });
  });
});
