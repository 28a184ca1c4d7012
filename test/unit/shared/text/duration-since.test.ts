import { parseSince } from '@cairn/shared/text/duration';
import { describe, expect, it } from 'vitest';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');

describe('parseSince', () => {
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
