import {
  CONFIGURATION,
  describeMistake,
  InputValue,
  KUBERNETES,
  type Mistake,
  notesIn,
  SPEC,
  type Wording,
} from '@cairn/shared/input/input-value';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../helpers/size.ts';

/** What a reader notes, as `pointer: detail`. */
function noted(value: unknown, wording: Wording, read: (value: InputValue) => unknown): string[] {
  const mistakes: Mistake[] = [];
  read(new InputValue(value, notesIn(mistakes, wording)));
  return mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`);
}

describe('a value with a place', () => {
  it('knows its pointer, source and document at any depth', () => {
    const mistakes: Mistake[] = [];
    const place = { source: 'file', document: 2, pointer: '/items/3' };
    const root = new InputValue({ 'a/b': { '~c': [1, 'x'] } }, notesIn(mistakes, CONFIGURATION), place);
    root.at('a/b', '~c').items()[1]!.refuse('is wrong', 'another');
    expect(mistakes).toEqual([
      { ...place, pointer: '/items/3/a~1b/~0c/1', value: 'x', detail: 'is wrong', accepted: 'another' },
    ]);
    expect(describeMistake(mistakes[0]!)).toBe('file /items/3/a~1b/~0c/1: is wrong (accepted: another)');
  });

  it('resolves its own pointer to itself', () => {
    const resolve = (root: unknown, pointer: string): unknown =>
      pointer
        .split('/')
        .slice(1)
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], root);
    const everyPart = (value: InputValue): InputValue[] => [
      value,
      ...(Array.isArray(value.value) ? value.items() : value.entries().map(([, member]) => member)).flatMap(
        everyPart,
      ),
    ];
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        for (const part of everyPart(new InputValue(json, notesIn([], KUBERNETES)))) {
          expect(resolve(json, part.place.pointer)).toBe(part.value);
        }
      }),
      { numRuns: sized(200, 2000) },
    );
  });

  it.each<[string, Wording, string[]]>([
    ['missing in Kubernetes', KUBERNETES, []],
    ['missing in a spec', SPEC, []],
    [
      'a value in a configuration',
      CONFIGURATION,
      ['/a: null is not true or false', '/a: null is not an array'],
    ],
  ])('takes null as %s', (_, wording, expected) => {
    const read = (value: InputValue) => [value.at('a').flag(), value.at('a').items()];
    expect(noted({ a: null }, wording, read)).toEqual(expected);
  });

  it.each<[Wording, string[]]>([
    [KUBERNETES, ['/a: expected a string, found 7', '/a: expected an object, found 7']],
    [SPEC, ['/a: is 7, a text is accepted', '/a: is 7, an object is accepted']],
    [CONFIGURATION, ['/a: 7 is not a text', '/a: 7 is not an object']],
  ])('words a mismatch as its input does', (wording, expected) => {
    expect(noted({ a: 7 }, wording, (value) => [value.at('a').text(), value.at('a').object()])).toEqual(
      expected,
    );
  });

  it('reads what is of another type as empty, and goes on', () => {
    const mistakes: Mistake[] = [];
    const root = new InputValue({ a: [] }, notesIn(mistakes, KUBERNETES));
    const value = root.at('a');
    expect([value.text(), value.textOrNull(), value.message(), value.time()]).toEqual(['', null, '', null]);
    expect([value.flag(true), value.count(), value.entries(), value.labels()]).toEqual([true, 0, [], {}]);
    expect([value.oneOf(['x']), value.at('b').isMissing, value.object().at('c').text()]).toEqual([
      null,
      true,
      '',
    ]);
    expect(new Set(mistakes.map(({ pointer }) => pointer))).toEqual(new Set(['/a']));
  });

  it('takes members of the object alone, not of its prototype', () => {
    const root = new InputValue({}, notesIn([], KUBERNETES));
    expect([root.at('toString').isMissing, root.at('__proto__').isMissing]).toEqual([true, true]);
  });

  it('gives known keys in the order of the input, and names others and missing ones', () => {
    const mistakes: Mistake[] = [];
    const root = new InputValue({ port: 1, hots: 2, name: 3 }, notesIn(mistakes, CONFIGURATION));
    const fields = root.fields({ required: ['name', 'host'], optional: ['port'] });
    expect([...fields.keys()]).toEqual(['port', 'name']);
    expect(mistakes).toEqual([
      {
        pointer: '/hots',
        value: 'hots',
        detail: 'unknown key "hots", did you mean "host"?',
        accepted: 'the keys name, host, port',
      },
      {
        pointer: '/host',
        value: undefined,
        detail: 'host is missing',
        accepted: 'the keys name, host, port',
      },
    ]);
    expect(root.otherKeys(['port', 'name'])).toEqual(['hots']);
  });

  it.each([
    [0, []],
    [5, []],
    [6, ['/a: is 6, a whole number from 0 to 5 is accepted: why']],
    [-1, ['/a: is -1, a whole number from 0 to 5 is accepted: why']],
    [1.5, ['/a: is 1.5, a whole number from 0 to 5 is accepted: why']],
    ['1', ['/a: is "1", a whole number from 0 to 5 is accepted: why']],
  ])('takes %j as a whole number of a range or says why not', (a, expected) => {
    const read = (value: InputValue) => value.at('a').integer({ least: 0, most: 5, why: ': why' });
    expect(noted({ a }, SPEC, read)).toEqual(expected);
  });

  it('names the nearest of the accepted names', () => {
    const parse = (text: string) => (text === 'stable' ? text : null);
    const read = (value: InputValue) => value.at('a').parsedText(parse, 'a channel', ['stable', 'fast']);
    expect(noted({ a: 'stabel' }, CONFIGURATION, read)).toEqual([
      '/a: "stabel" is not a channel, did you mean "stable"?',
    ]);
    expect(noted({ a: 'stable' }, CONFIGURATION, read)).toEqual([]);
  });

  it('keeps the beginning of a message, without half a character, and refuses a name that is as long', () => {
    const root = new InputValue(`${'x'.repeat(4095)}😀`, notesIn([], KUBERNETES));
    expect(root.message()).toBe('x'.repeat(4095));
    expect(noted('x'.repeat(4097), KUBERNETES, (value) => value.text())[0]).toContain(
      'at most 4096 characters',
    );
  });
});
