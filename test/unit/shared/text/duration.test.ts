import { durationInMilliseconds, durationText, parseDuration, parseSince } from '@cairn/shared/text/duration';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['60m', HOUR],
    ['1h30m', 90 * MINUTE],
    ['1h0m0s', HOUR],
    ['7d', 7 * DAY],
    ['2w', 14 * DAY],
    ['1w1d1h1m1s1ms', 8 * DAY + HOUR + MINUTE + 1001],
    ['250ms', 250],
    ['0s', 0],
    ['P7D', 7 * DAY],
    ['P2W', 14 * DAY],
    ['PT1H30M', 90 * MINUTE],
    ['P1DT12H', 36 * HOUR],
    ['PT36H', 36 * HOUR],
    ['PT0S', 0],
  ])('%s is %i milliseconds', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each([
    '',
    '7',
    'd',
    '-7d',
    '7 d',
    ' 7d',
    '1.5h',
    '7y',
    '30m1h',
    '1h1h',
    '7D',
    'P',
    'PT',
    'P1DT',
    'P1Y',
    'P1M',
    'P7d',
    'p7d',
    'P1H',
    '7d\n',
    '99999999999999999d',
    'constructor',
  ])('%j is no duration', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('durationInMilliseconds', () => {
  it.each([
    ['7d', 7 * DAY],
    [1500, 1500],
    [0, 0],
    [-1, null],
    [Number.NaN, null],
    [Infinity, null],
    ['soon', null],
  ])('%j is %j', (duration, expected) => {
    expect(durationInMilliseconds(duration)).toBe(expected);
  });
});

describe('durationText', () => {
  it.each([
    [0, '0s'],
    [0.5, '0s'],
    [999, '999ms'],
    [90_000, '1m30s'],
    [90 * MINUTE, '1h30m'],
    [7 * DAY, '7d'],
    [14 * DAY, '14d'],
    [41 * DAY + 3 * HOUR, '41d3h'],
    [-90_000, '-1m30s'],
  ])('%d milliseconds are %s', (milliseconds, expected) => {
    expect(durationText(milliseconds)).toBe(expected);
  });

  it.each([
    [1, '41d'],
    [2, '41d5m'],
    [3, '41d5m1s'],
  ])('with %i units cuts off the rest', (units, expected) => {
    expect(durationText(41 * DAY + 5 * MINUTE + 1000, units)).toBe(expected);
  });

  it('is read back as it was', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e15 }), (milliseconds) => {
        expect(parseDuration(durationText(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});

describe('parseSince', () => {
  const NOW = Date.parse('2026-11-16T12:00:00.000Z');

  it.each([
    ['24h', '2026-11-15T12:00:00.000Z'],
    ['90m', '2026-11-16T10:30:00.000Z'],
    ['7d', '2026-11-09T12:00:00.000Z'],
    ['2w', '2026-11-02T12:00:00.000Z'],
    ['0d', '2026-11-16T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:00Z', '2026-11-01T08:00:00.000Z'],
    ['2026-11-01T08:00:00Z', '2026-11-01T08:00:00.000Z'],
    ['2026-11-01T08:00:00.123Z', '2026-11-01T08:00:00.123Z'],
    ['2026-11-01T08:00:00+02:00', '2026-11-01T06:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseSince(text, NOW)).toBe(expected);
  });

  it.each([
    '',
    '7',
    'd',
    '7 d',
    '-7d',
    '7y',
    '1.5d',
    '999999d',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-11-01T25:00:00Z',
    '2026-11-01T08:00:00',
    '11/01/2026',
  ])('%j is neither a time nor a duration', (text) => {
    expect(parseSince(text, NOW)).toBeNull();
  });
});
