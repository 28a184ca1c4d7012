import { membersOf } from '@cairn/shared/json/members';
import { describe, expect, it } from 'vitest';

const members = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return Array.from(membersOf(bytes), ({ key, start, end }) => [
    key,
    new TextDecoder().decode(bytes.subarray(start, end)),
  ]);
};

describe('the members of an object in a text', () => {
  it.each<[string, (readonly [string, string])[]]>([
    ['{}', []],
    [
      '{"a":1,"b":"x"}',
      [
        ['a', '1'],
        ['b', '"x"'],
      ],
    ],
    [
      '\ufeff { "a" : {"b":[1,{"c":"}"}]} , "d":null }',
      [
        ['a', '{"b":[1,{"c":"}"}]}'],
        ['d', 'null'],
      ],
    ],
    [
      String.raw`{"a\u0062":"\"}","c":[]}`,
      [
        ['ab', String.raw`"\"}"`],
        ['c', '[]'],
      ],
    ],
    // As far as it is one.
    ['{"a":1,b:2}', [['a', '1']]],
    ['{"a":}', []],
    ['{"a":{"b":1', [['a', '{"b":1']]],
  ])('%s', (text, expected) => {
    expect(members(text)).toEqual(expected);
  });
});
