import type { Mistake } from '@cairn/shared/input/input-value';
import { SPLIT_LIMITS, type SplitLimits } from '@cairn/shared/json/frames';
import { DocumentSplitter } from '@cairn/shared/json/splitter';
import { describe, expect, it } from 'vitest';

interface Found {
  readonly objects: string[];
  readonly lists: string[];
  readonly fault: Omit<Mistake, 'offset'> | null;
  readonly offset: number | null;
  readonly documents: number;
}

/** Objects as `document pointer kind text`, lists as `document pointer kind count`. */
function split(text: string, { pieceSize = Infinity, limits = {} }: SplitOptions = {}): Found {
  const objects: string[] = [];
  const lists: string[] = [];
  const splitter = new DocumentSplitter(
    {
      object: ({ document, pointer, kind, bytes }) =>
        objects.push(
          `${document} ${pointer} ${kind} ${bytes === null ? null : new TextDecoder().decode(bytes)}`,
        ),
      list: ({ document, pointer, kind, extent }, items) =>
        lists.push(`${document} ${pointer} ${kind} ${items}${extent === 'page' ? ' of more' : ''}`),
    },
    { ...SPLIT_LIMITS, ...limits },
  );
  const bytes = new TextEncoder().encode(text);
  let fault: Mistake | null = null;
  for (let at = 0; at < bytes.length && fault === null; at += pieceSize) {
    fault = splitter.push(bytes.subarray(at, at + pieceSize));
  }
  fault ??= splitter.end();
  if (fault === null) return { objects, lists, fault, offset: null, documents: splitter.documents };
  const { offset = null, ...rest } = fault;
  return { objects, lists, fault: rest, offset, documents: splitter.documents };
}

interface SplitOptions {
  readonly pieceSize?: number;
  readonly limits?: Partial<SplitLimits>;
}

const NODE = '{"kind":"Node","a":"}]\\"\\\\"}';

const SHAPES: [string, string, string[], string[]][] = [
  ['one object', NODE, [`0  Node ${NODE}`], []],
  ['objects without space between them', `${NODE}${NODE}`, [`0  Node ${NODE}`, `1  Node ${NODE}`], []],
  ['objects on lines of their own', `\n${NODE}\r\n\t${NODE}\n`, [`0  Node ${NODE}`, `1  Node ${NODE}`], []],
  ['a mark before the text', `\uFEFF${NODE}`, [`0  Node ${NODE}`], []],
  ['an array', `[${NODE} , ${NODE}]`, [`0 /0 Node ${NODE}`, `0 /1 Node ${NODE}`], ['0  null 2']],
  ['an empty array', '[ ]', [], ['0  null 0']],
  ['a list', `{"items":[${NODE}],"kind":"List"}`, [`0 /items/0 Node ${NODE}`], ['0  List 1']],
  [
    'a list that says its kind first',
    '{"kind":"NodeList","apiVersion":"v1","items":[{"b":1}]}',
    ['0 /items/0 Node {"b":1}'],
    ['0  NodeList 1'],
  ],
  [
    'a list that says its kind last',
    '{"apiVersion":"v1","items":[{"b":1}],"kind":"NodeList"}',
    ['0 /items/0 Node {"b":1}'],
    ['0  NodeList 1'],
  ],
  [
    'a page, from its metadata before the items',
    '{"kind":"NodeList","apiVersion":"v1","metadata":{"continue":"a\\"}"},"items":[{"b":1}]}',
    ['0 /items/0 Node {"b":1}'],
    ['0  NodeList 1 of more'],
  ],
  [
    'a page, from its metadata after the items',
    `{"apiVersion":"v1","items":[${NODE}],"kind":"List","metadata":{"resourceVersion":"","continue" : "abc"}}`,
    [`0 /items/0 Node ${NODE}`],
    ['0  List 1 of more'],
  ],
  [
    'a last page',
    '{"kind":"NodeList","apiVersion":"v1","metadata":{"continue":"","resourceVersion":"7"},"items":[]}',
    [],
    ['0  NodeList 0'],
  ],
  [
    'objects that continue on their own',
    '{"items":[{"metadata":{"continue":"x"}}],"kind":"NodeList"}',
    ['0 /items/0 Node {"metadata":{"continue":"x"}}'],
    ['0  NodeList 1'],
  ],
  [
    'items that say their kind in another list',
    `{"kind":"PodList","apiVersion":"v1","items":[${NODE}]}`,
    [`0 /items/0 Node ${NODE}`],
    ['0  PodList 1'],
  ],
  ['items whose kind nobody says', '{"items":[{}],"kind":"List"}', ['0 /items/0 null {}'], ['0  List 1']],
  [
    'an item that is no object',
    `{"items":[5, "a", null],"kind":"List"}`,
    ['0 /items/0 null null', '0 /items/1 null null', '0 /items/2 null null'],
    ['0  List 3'],
  ],
  [
    'lists in an array',
    `[{"kind":"List","items":[${NODE}]},{"kind":"NodeList","apiVersion":"v1","items":[]}]`,
    [`0 /0/items/0 Node ${NODE}`],
    ['0 /0 List 1', '0 /1 NodeList 0', '0  null 2'],
  ],
  [
    'null for the items',
    '{"kind":"NodeList","items":null}',
    ['0  NodeList {"kind":"NodeList","items":null}'],
    [],
  ],
  [
    'items deeper down',
    '{"kind":"Pod","spec":{"items":[{}]}}',
    ['0  Pod {"kind":"Pod","spec":{"items":[{}]}}'],
    [],
  ],
  ['items of what is no list', '{"kind":"Foo","items":[1]}', ['0  Foo {"kind":"Foo","items":[1]}'], []],
  ['items of what turns out to be no list', '{"items":[1,{}],"kind":"Foo"}', [], ['0  Foo 2']],
  [
    'a kind in other letters',
    '{"k\\u0069nd":"N\\u006fde","x":"é"}',
    ['0  Node {"k\\u0069nd":"N\\u006fde","x":"é"}'],
    [],
  ],
  ['a kind that is no string', '{"kind":5}', ['0  null {"kind":5}'], []],
  [
    'a key that is too long to matter',
    `{"${'\\u0041'.repeat(100)}":1,"kind":"Node"}`,
    [`0  Node {"${'\\u0041'.repeat(100)}":1,"kind":"Node"}`],
    [],
  ],
];

describe('a splitter', () => {
  it.each(SHAPES)('cuts %s, wherever the pieces end', (_title, text, objects, lists) => {
    const whole = split(text);
    expect(whole).toMatchObject({ objects, lists, fault: null });
    for (let pieceSize = 1; pieceSize < 12; pieceSize++) expect(split(text, { pieceSize })).toEqual(whole);
  });

  it.each([
    ['hello', 0, '', 0, 'expected an object or an array, as `oc get … -o json` prints them'],
    ['{} true', 1, '', 3, 'expected an object or an array, as `oc get … -o json` prints them'],
    ['\0{', 0, '', 0, 'expected UTF-8, this looks like UTF-16'],
    ['{"kind" "Node"}', 0, '/kind', 8, 'expected ":"'],
    ['{"kind":"Node"', 0, '', 14, 'the text ends before "," or "}"'],
    ['{"kind":"Node",}', 0, '', 15, 'expected a key'],
    ['{,}', 0, '', 1, 'expected a key or "}"'],
    ['{"a":}', 0, '/a', 5, 'expected a value'],
    ['{"a":1 "b":2}', 0, '', 7, 'expected "," or "}"'],
    ['{"\\x":1}', 0, '', 4, 'expected a string with valid escapes before this quote'],
    ['[{} {}]', 0, '/1', 4, 'expected "," or "]"'],
    ['[{},]', 0, '/1', 4, 'expected an object'],
    ['[,]', 0, '/0', 1, 'expected an object or "]"'],
    ['[}', 0, '/0', 1, 'expected an object or "]"'],
    ['{} {"items":[{"a":[1', 1, '/items/0/a', 20, 'the text ends in the middle of a value'],
    ['{"items":[{"a":"b', 0, '/items/0/a', 17, 'the text ends in the middle of a value'],
    ['{"items":[{"a":"b"}', 0, '/items/1', 19, 'the text ends before "," or "]"'],
  ])('says where %j goes wrong', (text, document, pointer, offset, detail) => {
    for (const pieceSize of [Infinity, 1]) {
      expect(split(text, { pieceSize })).toMatchObject({ fault: { document, pointer, detail }, offset });
    }
  });

  it.each<[Partial<SplitLimits>, string, string, string]>([
    [{ depth: 3 }, '{"a":[[]]}', '{"a":[[{}]]}', 'nesting is deeper than 3 levels'],
    [{ depth: 3 }, '[[[]]]', '[[[[]]]]', 'nesting is deeper than 3 levels'],
    [{ depth: 3 }, '[{"a":{}}]', '[[{"a":{}}]]', 'nesting is deeper than 3 levels'],
    [{ lists: 2 }, '[[]]', '[[[]]]', 'lists are nested deeper than 2 levels'],
    [{ lists: 1 }, '{"items":[{"a":[[[]]]}]}', '[{"items":[]}]', 'lists are nested deeper than 1 levels'],
    [{ objects: 2 }, '{}{}', '{}{}{}', 'there are more than 2 objects and lists'],
    [{ objects: 2 }, '[5]', '[5,5]', 'there are more than 2 objects and lists'],
    [{ objects: 2 }, '[[]]', '[[],[]]', 'there are more than 2 objects and lists'],
    [{ objects: 2 }, '[][]', '[][][]', 'there are more than 2 objects and lists'],
    [
      { objects: 2 },
      '{"items":[]}{"items":[]}',
      '{"items":[]}{"items":[]}{"items":[]}',
      'there are more than 2 objects and lists',
    ],
    [{ objectValues: 3 }, '{"a":[0]}', '{"a":[0,0,0]}', 'an object has more than 3 values'],
    [{ objectValues: 3 }, '{"a":{"b":{}}}', '{"a":{"b":{"c":{}}}}', 'an object has more than 3 values'],
    [
      { objectValues: 3 },
      '{"a":0,"b":0,"c":0}',
      '{"a":0,"b":0,"c":0,"d":0}',
      'an object has more than 3 values',
    ],
    [{ objectValues: 3 }, '{"a":{},"b":0}', '{"a":{},"b":{}}', 'an object has more than 3 values'],
    [
      { objectValues: 3 },
      '{"items":[{},{},{},{}]}',
      '{"b":[0,0],"items":[]}',
      'an object has more than 3 values',
    ],
    [{ objectValues: 3 }, '{"a":["{[,,,,,\\",,"]}', '{"a":["\\",",[]]}', 'an object has more than 3 values'],
    [{ objectBytes: 8 }, '[{"a":10},{"a":10}]', '[{"a":100}]', 'an object is longer than 8 bytes'],
  ])('keeps the limit %o', (limits, accepted, refused, detail) => {
    for (const pieceSize of [Infinity, 1]) {
      expect(split(accepted, { limits, pieceSize }).fault).toBeNull();
      expect(split(refused, { limits, pieceSize }).fault).toMatchObject({ detail });
    }
  });

  it('keeps no more than the object at hand', () => {
    // An object that is too long is refused before its end comes.
    const splitter = new DocumentSplitter(
      { object: () => {}, list: () => {} },
      { ...SPLIT_LIMITS, objectBytes: 100 },
    );
    const piece = new TextEncoder().encode('"a":"0123456789",');
    expect(splitter.push(new TextEncoder().encode('{'))).toBeNull();
    let pieces = 0;
    while (splitter.push(piece) === null) pieces++;
    expect(pieces).toBe(5);
  });

  it.each([
    ['lists in an array', '[', '[],', 298],
    ['items that are no objects', '[', '0,', 199],
    ['documents', '', '{}', 201],
    ['lists', '', '[]', 200],
    ['values in an object', '{"a":[', '[],', 154],
    ['members of an object', '{', '"":0,', 500],
  ])('reads no further than the limit: %s', (_name, start, unit, offset) => {
    const limits = { objects: 100, objectValues: 100 };
    for (const pieceSize of [Infinity, 1000]) {
      const found = split(`${start}${unit.repeat(1_000_000)}`, { limits, pieceSize });
      expect([found.fault?.isExcess, found.offset]).toEqual([true, offset]);
    }
  });

  it('does not read bytes outside of its piece', () => {
    // Indentation is passed in words of four bytes: here it goes on in memory after the piece, which begins at an odd place.
    const memory = new TextEncoder().encode('   {"a":[        ]}        ');
    expect(objectsIn([memory.subarray(3, 12), memory.subarray(17, 19)])).toEqual(['{"a":[   ]}']);
  });

  it('does not need a piece once it is read', () => {
    const text = new TextEncoder().encode('{"items":[{"a":"0123456789"},{"b":1}],"kind":"NodeList"}');
    const memory = new Uint8Array(8);
    const pieces = function* () {
      for (let at = 0; at < text.length; at += memory.length) {
        memory.set(text.subarray(at, at + memory.length));
        yield memory.subarray(0, text.length - at);
      }
    };
    expect(objectsIn(pieces())).toEqual(['{"a":"0123456789"}', '{"b":1}']);
    // One that is whole in its piece, but waits for the kind of its list.
    expect(objectsIn(overwritten('{"items":[{"b":1}]', ',"kind":"NodeList"}'))).toEqual(['{"b":1}']);
  });
});

function* overwritten(...texts: readonly string[]): Generator<Uint8Array> {
  for (const text of texts) {
    // A Buffer, as the pieces of an upload are: its `slice` is no copy.
    const piece = Buffer.from(text);
    yield piece;
    piece.fill(0);
  }
}

function objectsIn(pieces: Iterable<Uint8Array>): string[] {
  const found: string[] = [];
  const splitter = new DocumentSplitter({
    object: ({ bytes }) => found.push(new TextDecoder().decode(bytes ?? undefined)),
    list: () => {},
  });
  for (const piece of pieces) expect(splitter.push(piece)).toBeNull();
  expect(splitter.end()).toBeNull();
  return found;
}
