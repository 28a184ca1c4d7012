import { expect, it } from 'vitest';
import { ageInWords, sentence, shortDigest } from '../../../../../functions/console/ui/text.ts';

it.each([
  ['no updates lead from 4.14.1', 'No updates lead from 4.14.1.'],
  ['stable-4.15 leads to 4.15.3', 'stable-4.15 leads to 4.15.3.'],
  ['4.14.3 is older', '4.14.3 is older.'],
  ['Ready.', 'Ready.'],
  ['', '.'],
])('%j reads %j', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

it('shortens a digest in the middle', () => {
  expect(shortDigest(`sha256:${'0123456789abcdef'.repeat(4)}`)).toBe('sha256:0123456789ab…abcdef');
  expect(shortDigest('sha256:abc')).toBe('sha256:abc');
});

it.each([
  [-30 * 24 * 60, 'dated in the future'],
  [-15, 'just now'],
  [4, '4 min old'],
  [180, '3 h old'],
])('data of %i minutes ago is %s', (minutes, expected) => {
  const now = Date.parse('2026-11-16T10:00:00.000Z');
  expect(ageInWords(new Date(now - minutes * 60_000).toISOString(), now)).toBe(expected);
});
