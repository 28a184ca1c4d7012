import { readJson } from '@cairn/shared/json/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../helpers/size.ts';

describe('readJson', () => {
  it.each([
    ['{"a": 1,}', 1, 9, 'expected a key'],
    ['[1, 2', 1, 6, 'the text ends before "," or "]"'],
    ['', 1, 1, 'the text ends before a value'],
    [' \n\t', 2, 2, 'the text ends before a value'],
    ['abc', 1, 1, 'expected a value'],
    ['{\n  "a": [1, 2],\n  b: 2\n}', 3, 3, 'expected a key'],
    ['{"a" 1}', 1, 6, 'expected ":"'],
    ['{"a": 1 "b": 2}', 1, 9, 'expected "," or "}"'],
    ['[1 2]', 1, 4, 'expected "," or "]"'],
    ['[1,]', 1, 4, 'expected a value'],
    ['[1}', 1, 3, 'expected "," or "]"'],
    ['{,}', 1, 2, 'expected a key or "}"'],
    ['[,]', 1, 2, 'expected a value or "]"'],
    ['{} {}', 1, 4, 'expected nothing more'],
    ['"4.14', 1, 1, 'expected a value'],
    ['"\t"', 1, 1, 'expected a value'],
    ['"\\x"', 1, 1, 'expected a value'],
    ['01', 1, 2, 'expected nothing more'],
    ['\uFEFF{}', 1, 1, 'expected a value'],
    ["{'a': 1}", 1, 2, 'expected a key or "}"'],
    ['["ä€😀\n", "é😀"', 1, 2, 'expected a value or "]"'],
    ['[\n"é€😀" x', 2, 8, 'expected "," or "]"'],
    ['{"4.11": {},\n "4.11": {}}', 2, 2, 'the key "4.11" is given twice'],
    ['{"a": 1, "\\u0061": 2}', 1, 10, 'the key "\\u0061" is given twice'],
  ])('%j goes wrong at line %i, column %i: %s', (text, line, column, problem) => {
    expect(readJson(text)).toEqual({ ok: false, where: `line ${line}, column ${column}`, problem });
  });

  it('keeps keys of different objects apart, __proto__ included', () => {
    const reading = readJson('[{"a": 1}, {"a": {"a": 2}}, {"__proto__": 3}]');
    expect(reading.ok && JSON.stringify(reading.value)).toBe('[{"a":1},{"a":{"a":2}},{"__proto__":3}]');
  });

  it('does not depend on the call stack', () => {
    expect(readJson('['.repeat(100_000))).toMatchObject({ ok: false, where: 'line 1, column 100001' });
  });

  it('accepts what JSON.parse accepts, and nothing else', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '1', ' ', '\\', ':', '-', '.', 'e'))
      .map(([text, at, piece]) => {
        const offset = at % (text.length + 1);
        return text.slice(0, offset) + piece + text.slice(offset + (at % 2));
      });
    fc.assert(
      fc.property(damaged, (text) => {
        const reading = readJson(text);
        if (!reading.ok && reading.problem.endsWith('is given twice')) return;
        expect(reading.ok ? reading : { ok: false }).toEqual(parseLoosely(text));
      }),
      { numRuns: sized(1000, 5000) },
    );
  });
});

function parseLoosely(text: string): { ok: boolean; value?: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}
