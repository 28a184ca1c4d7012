import { jsonExcess, scanJson } from '@cairn/shared/json/scan';
import { describe, expect, it } from 'vitest';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const codeOf = (bytes: Uint8Array, limits?: Parameters<typeof scanJson>[1]): string => {
  const scan = scanJson(bytes, limits);
  return scan.ok ? 'ok' : scan.code;
};
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const keys = (count: number): string =>
  `{"a":{${Array.from({ length: count }, (_, number) => `"${number}":0`).join()}}}`;

describe('scanJson', () => {
  it.each([
    [
      'a graph',
      '{"version":1,"nodes":[{"version":"4.1.0","metadata":{"url":"https://e.com"}}],"edges":[[0,1]]}',
    ],
    ['a scalar', '"x"'],
    ['nothing, which the parser refuses', ''],
    ['depth 32', nested(32)],
    ['brackets in strings', `["${'['.repeat(40)}"]`],
    ['an escaped quote before brackets', `["\\"${'['.repeat(40)}"]`],
    ['an escaped backslash at the end of a string', '["\\\\",{"a":1}]'],
    ['colons in strings', `{"a":"${':'.repeat(2000)}"}`],
    ['a string of 64 KiB', `["${'x'.repeat(64 * 1024)}"]`],
    ['1000 keys', keys(1000)],
    ['1000 keys in each of two objects', `[${keys(1000)},${keys(1000)}]`],
    ['a key twice below the top level', '{"a":{"b":1,"b":2}}'],
    ['the same key at the top and below', '{"a":{"a":1},"b":["a"]}'],
    ['text of one to four bytes per character', '["aé€😀\u{10ffff}\ud7ff\ue000"]'],
    ['an escaped lone surrogate', '["\\ud800"]'],
    ['more closing than opening brackets, which the parser refuses', ']]]{"a":1}'],
    ['a string without an end, which the parser refuses', '{"a":"b'],
    ['a key with a broken escape, which the parser refuses', '{"\\x":1,"\\x":2}'],
  ])('lets %s pass', (_, text) => {
    expect(scanJson(bytesOf(text))).toEqual({ ok: true });
  });

  it.each([
    ['depth 33', nested(33), 'TooDeep'],
    ['depth 1,000,000', nested(1_000_000), 'TooDeep'],
    ['depth 33 of objects', `${'{"a":'.repeat(33)}1`, 'TooDeep'],
    ['depth 33 behind a closing bracket', `]${nested(33)}`, 'TooDeep'],
    ['a string over 64 KiB', `["${'x'.repeat(64 * 1024 + 1)}"]`, 'StringTooLong'],
    ['a key over 64 KiB', `{"${'x'.repeat(64 * 1024 + 1)}":1}`, 'StringTooLong'],
    ['PromQL of 100 KB', `{"promql":{"promql":"${'x'.repeat(100_000)}"}}`, 'StringTooLong'],
    ['1001 keys', keys(1001), 'TooManyKeys'],
    ['4,000,001 values', `[${'0,'.repeat(4_000_000)}0]`, 'TooManyValues'],
    ['nodes twice, plainly', '{"nodes":[],"edges":[],"nodes":[]}', 'DuplicateKey'],
    ['nodes twice, once spelled with an escape', '{"nodes":[],"no\\u0064es":[]}', 'DuplicateKey'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'DuplicateKey'],
    ['a byte order mark', '\ufeff{}', 'NotUtf8'],
  ])('refuses %s', (_, text, code) => {
    expect(codeOf(bytesOf(text))).toBe(code);
  });

  const utf16 = (text: string): number[] =>
    Array.from(text, (character) => [character.charCodeAt(0), 0]).flat();
  it.each([
    ['UTF-16 with a mark', [0xff, 0xfe, ...utf16('{}')]],
    ['UTF-16 big-endian with a mark', [0xfe, 0xff, 0, 0x7b]],
    ['UTF-16 without a mark', utf16('{"nodes":[]}')],
    ['UTF-16 big-endian without a mark', [0, 0x7b, 0, 0x7d]],
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form of two bytes', [0x22, 0xc0, 0xaf, 0x22]],
    ['an overlong form of three bytes', [0x22, 0xe0, 0x80, 0xaf, 0x22]],
    ['an overlong form of four bytes', [0x22, 0xf0, 0x80, 0x80, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a character beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a byte that UTF-8 never has', [0x22, 0xff, 0x22]],
    ['a sequence cut by the quote', [0x22, 0xe2, 0x82, 0x22]],
    ['a sequence cut by the end', [0x22, 0xf0, 0x9f]],
    ['a broken sequence outside strings', [0x5b, 0xc3, 0x5d]],
  ])('refuses %s', (_, bytes) => {
    expect(codeOf(Uint8Array.from(bytes))).toBe('NotUtf8');
  });

  it('takes other limits, and says what is accepted', () => {
    const limits = { depth: 1, stringBytes: 2, keysPerObject: 1, values: 3 };
    expect(codeOf(bytesOf('{"a":{}}'), limits)).toBe('TooDeep');
    expect(codeOf(bytesOf('{"a":1,"b":2}'), limits)).toBe('TooManyKeys');
    expect(scanJson(bytesOf('["abc"]'), limits)).toEqual({
      ok: false,
      code: 'StringTooLong',
      detail: 'the string at byte 1 has 3 bytes, at most 2 are accepted',
    });
  });
});

describe('jsonExcess', () => {
  it.each([
    ['', 0, null],
    ['1', 0, null],
    ['[]', 1, null],
    ['[]', 0, 'values'],
    ['[1,2,{"a":[]}]', 5, null],
    ['[1,2,{"a":[]}]', 4, 'values'],
    ['["[,[,[,\\"[,[",1]', 2, null],
    ['"\\\\",[', 1, 'values'],
    [`${'['.repeat(1000)}${']'.repeat(1000)}`, 5000, null],
    [`${'['.repeat(1001)}${']'.repeat(1001)}`, 5000, 'depth'],
    ['[],'.repeat(2000), 5000, null],
  ])('%.30s with at most %i is over in %s', (text, most, expected) => {
    expect(jsonExcess(Buffer.from(text), most)).toBe(expected);
  });
});
