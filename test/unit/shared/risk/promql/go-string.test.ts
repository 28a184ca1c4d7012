import { unquoteGo } from '@cairn/shared/risk/promql/go-string';
import { describe, expect, it } from 'vitest';

describe('unquoteGo', () => {
  it.each([
    ['"a"', 'a'],
    ["'a'", 'a'],
    ['`a\\n`', String.raw`a\n`],
    ['`a\nb`', 'a\nb'],
    [String.raw`"a\\b"`, String.raw`a\b`],
    [String.raw`"\"\n\t\r\v\f\a\b"`, '"\n\t\r\v\f\u0007\b'],
    [String.raw`'\''`, "'"],
    [String.raw`"\x41\101\u0041\U0001F600"`, 'AAA\u{1f600}'],
    ['"ä"', 'ä'],
    ['""', ''],
  ])('%s', (literal, text) => {
    expect(unquoteGo(literal)).toBe(text);
  });

  it.each([
    String.raw`"\'"`,
    String.raw`'\"'`,
    String.raw`"\d"`,
    String.raw`"\8"`,
    String.raw`"\x4"`,
    String.raw`"\xff"`,
    String.raw`"\377"`,
    String.raw`"\ud800"`,
    String.raw`"\U00110000"`,
    '"a\nb"',
    '"',
    '"a',
  ])('%j is an error', (literal) => {
    expect(unquoteGo(literal)).toBeNull();
  });
});
