import { execFileSync } from 'node:child_process';
import {
  escapeForLog,
  messageOf,
  quoteValue,
  SENT,
  shellWord,
  singleLine,
  singleLineCommand,
  singleLines,
  truncate,
} from '@cairn/shared/text/quote';
import { describe, expect, it } from 'vitest';

it.each([
  ['worker', 'worker'],
  ['ip-10-0-1-2.ec2.internal', 'ip-10-0-1-2.ec2.internal'],
  ['a; reboot', "'a; reboot'"],
  ['$(reboot)', "'$(reboot)'"],
  ["it's", String.raw`'it'\''s'`],
  ['-A', "'-A'"],
  ['', "''"],
])('writes %j as %s', (name, word) => {
  expect(shellWord(name)).toBe(word);
});

describe('texts of any origin', () => {
  it.each([
    ['a\n\u001b[1;31mb\u001b[0m', 'a b'],
    ['\u001b]8;;https://evil.example\u0007here\u001b]8;;\u001b\\', 'here'],
    ['\u001b]0;never closed', '0;never closed'],
    ['\u001bPq#0\u001b\\sixel', 'sixel'],
    ['\u009b31mc\u0000d\u007f\u009dtitle\u009ce', 'c d e'],
    ['a\u202eb\u200bc\u2066', 'a b c'],
    ['  é  😀\t日本 ', 'é 😀 日本'],
  ])('%j is shown as %j', (text, shown) => {
    expect(singleLine(text)).toBe(shown);
  });

  it('keeps lines apart and leaves out empty ones', () => {
    expect(singleLines('a\r\nb\n\n \rc')).toEqual(['a', 'b', 'c']);
  });

  it.each([
    "\u001b['; echo pwned; '",
    "'; echo pwned #",
    '\u001b]0;\n$(echo pwned)',
    "a\u0000'\u001b'\nb",
    '`x`',
  ])('a command with the name %j stays one command', (name) => {
    const command = singleLineCommand(`printf '<%s>' mcp/${shellWord(name)}`);
    expect(command).not.toMatch(/\p{C}/u);
    const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(printed).toMatch(/^<mcp\/[^>]*>$/);
  });
});

describe('a value in a message', () => {
  it.each<[unknown, string]>([
    ['4.14', '"4.14"'],
    [4.14, '4.14'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['a'], 'an array'],
    [{}, 'an object'],
    ['x'.repeat(80), `"${'x'.repeat(80)}"`],
    ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
    ['a\u202eb', '"a\u202eb"'],
  ])('%j is quoted as %s', (value, quoted) => {
    expect(quoteValue(value)).toBe(quoted);
  });

  it('is cut and escaped as the options say', () => {
    expect(quoteValue('x'.repeat(101), SENT)).toBe(`"${'x'.repeat(100)}…"`);
    expect(quoteValue('a\u202eb\u2028\u0001', { escapesUnseen: true })).toBe(
      String.raw`"a\u202eb\u2028\u0001"`,
    );
  });
});

it('truncates what is longer than the limit', () => {
  expect(truncate('x'.repeat(100))).toBe('x'.repeat(100));
  expect(truncate('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
  expect(truncate('abc', 2)).toBe('ab…');
});

it('escapes foreign text for a log line', () => {
  expect(escapeForLog('say "a\nb"\u0000')).toBe(String.raw`say "a\nb"\u0000`);
  expect(escapeForLog('x'.repeat(121))).toBe(`${'x'.repeat(120)}…`);
});

it.each<[unknown, string]>([
  [new Error('no route'), 'no route'],
  [new TypeError(''), 'TypeError'],
  ['text', '"text"'],
])('the message of %j is %s', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
