import { itemsOf, membersOf, sourceItems, sourceMembers } from '@cairn/shared/json/members';
import { endOfValue, jsonExcess, NestedJson, scanJson } from '@cairn/shared/json/scan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../helpers/size.ts';

const RUNS = { numRuns: sized(300, 3000) };

/** Strings full of what a scanner could take for structure. */
const tricky = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', 'a', '/', '~') }),
  fc.string({ unit: 'binary' }),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    tricky,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(tricky, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const json = fc
  .tuple(value, fc.constantFrom(undefined, 1, 2, 4, 8, '\t'))
  .map(([of, indentation]) => JSON.stringify(of, null, indentation));

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parsedAt = (bytes: Uint8Array, { start, end }: { start: number; end: number }): unknown =>
  JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)));

/** Brackets that open, and commas, as somebody would count them who has the parsed value. */
function countValues(of: unknown): number {
  if (typeof of !== 'object' || of === null) return 0;
  const members = Object.values(of) as unknown[];
  return (
    1 + Math.max(members.length - 1, 0) + members.reduce<number>((sum, each) => sum + countValues(each), 0)
  );
}

function depthOf(of: unknown): number {
  if (typeof of !== 'object' || of === null) return 0;
  return 1 + Math.max(0, ...Object.values(of).map(depthOf));
}

describe('walking any JSON', () => {
  it('ends a value where it ends, whatever comes after it', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', ',', ']', '}', ',"x":[', '\n{'), (text, rest) => {
        expect(endOfValue(bytesOf(text + rest), 0)).toBe(bytesOf(text).length);
      }),
      RUNS,
    );
  });

  it('finds the members and items that a parser finds', () => {
    fc.assert(
      fc.property(json, (text) => {
        const bytes = bytesOf(`\ufeff \n${text} `);
        const parsed = JSON.parse(text) as unknown;
        const isList = Array.isArray(parsed);
        const isObject = typeof parsed === 'object' && parsed !== null && !isList;
        expect(Array.from(itemsOf(bytes), (item) => parsedAt(bytes, item))).toEqual(isList ? parsed : []);
        const members = Array.from(membersOf(bytes), (member) => [member.key, parsedAt(bytes, member)]);
        expect(members).toEqual(
          isObject ? Object.entries(parsed).map(([key, each]) => [tooLong(key) ? '' : key, each]) : [],
        );
      }),
      RUNS,
    );
  });

  it('passes over a value in pieces as in one, from any offset in memory', () => {
    fc.assert(
      fc.property(
        json.filter((text) => /^[[{]/.test(text)),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 3 }),
        (text, size, offset) => {
          const bytes = bytesOf(' '.repeat(offset) + text).subarray(offset);
          const nested = new NestedJson();
          nested.start();
          for (let from = 1; from < bytes.length; from += size) {
            const piece = bytes.slice(from, from + size);
            nested.use(piece);
            expect(nested.isOver).toBe(false);
            expect(nested.pass(0, Infinity, Infinity)).toBe(piece.length);
          }
          expect(nested.isOver).toBe(true);
          expect(nested.values).toBe(countValues(JSON.parse(text)));
        },
      ),
      RUNS,
    );
  });

  it('counts the values and the depth that a parser would make', () => {
    fc.assert(
      fc.property(json, (text) => {
        const parsed = JSON.parse(text) as unknown;
        const bytes = bytesOf(text);
        const values = countValues(parsed);
        expect(jsonExcess(bytes, values)).toBeNull();
        expect(jsonExcess(bytes, Math.max(values - 1, 0))).toBe(values > 0 ? 'values' : null);
        const limits = { depth: depthOf(parsed), stringBytes: 1e6, keysPerObject: 5, values: 1e6 };
        expect(scanJson(bytes, limits)).toEqual({ ok: true });
        expect(scanJson(bytes, { ...limits, depth: Math.max(limits.depth - 1, 0) })).toMatchObject(
          limits.depth > 0 ? { code: 'TooDeep' } : { ok: true },
        );
      }),
      RUNS,
    );
  });

  it('finds the first byte that is not UTF-8, at any place and from any offset in memory', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€', '😀') }),
        fc.string({ unit: fc.constantFrom('a', ' ', 'é') }),
        fc.constantFrom([0xff], [0x80], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f]),
        fc.integer({ min: 0, max: 3 }),
        (before, after, broken, offset) => {
          const start = bytesOf(`["${before}`);
          const memory = [...bytesOf(' '.repeat(offset)), ...start, ...broken, ...bytesOf(`${after}"]`)];
          expect(scanJson(Uint8Array.from(memory).subarray(offset))).toEqual({
            ok: false,
            code: 'NotUtf8',
            detail: `byte ${start.length} does not belong to a UTF-8 sequence`,
          });
        },
      ),
      RUNS,
    );
  });

  it('gives parts as they stand in the text', () => {
    fc.assert(
      fc.property(fc.array(json), (texts) => {
        expect(sourceItems(`[ ${texts.join(' , ')} ]`)).toEqual(texts.map(wellFormed));
        const members = texts.map((text, index) => `"${index}" : ${text}`);
        expect([...sourceMembers(`{${members.join()}}`).values()]).toEqual(texts.map(wellFormed));
      }),
      RUNS,
    );
    expect(sourceItems('[4.10, "a", {"b":[1]}]')).toEqual(['4.10', '"a"', '{"b":[1]}']);
    expect([...sourceMembers('{"a":1,"a":4.10}')]).toEqual([['a', '4.10']]);
  });
});

function tooLong(key: string): boolean {
  return bytesOf(JSON.stringify(key)).length > 256;
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}
