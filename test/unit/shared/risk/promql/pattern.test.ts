import { matchPattern } from '@cairn/shared/risk/promql/match-pattern';
import { parsePattern, type Pattern } from '@cairn/shared/risk/promql/pattern';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';

function parsed(text: string): Pattern {
  const pattern = parsePattern(text);
  if ('unsupported' in pattern) throw new Error(pattern.unsupported);
  return pattern;
}

const match = (text: string, value: string) => matchPattern(parsed(text), value, () => {});

describe('patterns', () => {
  it.each([
    ['4[.]1', '4.1', true],
    ['4[.]1', '4.12', false],
    ['4[.]1', '14.1', false],
    ['a|bc', 'bc', true],
    ['a|bc', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['|a', '', true],
    ['a||b', '', true],
    ['.*', '', true],
    ['.+', '', false],
    ['.', '\u{1f600}', true],
    ['a.c', 'a\rc', true],
    ['^a$', 'a', true],
    ['a^b', 'ab', false],
    ['(?i)AwS', 'aWs', true],
    ['(?i)[a-c]+', 'ABC', true],
    ['(?i)k', '\u212a', true],
    ['(?i)s', '\u017f', true],
    ['k', '\u212a', false],
    ['[^a]', 'b', true],
    ['[^a]', 'a', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    [String.raw`[\d.]+`, '4.1', true],
    [String.raw`[^\d]+`, '4', false],
    [String.raw`\w+\s\S`, 'a_1 b', true],
    [String.raw`\s`, '\v', false],
    [String.raw`\s`, '\u00a0', false],
    [String.raw`\d`, '\u0661', false],
    [String.raw`\.\*\-`, '.*-', true],
    ['a{2}', 'aa', true],
    ['a{2,}', 'aaaa', true],
    ['a{1,2}', 'aaa', false],
    ['a{0}b', 'b', true],
    ['a{0,0}', '', true],
    ['(a|b)c', 'bc', true],
    ['(?:a|b)*?', 'abab', true],
    ['kernel-module(?:.hub|)[.].*', 'kernel-module.v2', true],
    ['x*y?z+', 'xxzz', true],
  ])('%j on %j is %s', (text, value, isHit) => {
    expect(match(text, value) !== null).toBe(isHit);
  });

  it.each([
    ['(a)(b)?', 'a', ['a', 'a', undefined]],
    ['(.*)[.](.*)', 'a.b.c', ['a.b.c', 'a.b', 'c']],
    ['(.*?)[.](.*)', 'a.b.c', ['a.b.c', 'a', 'b.c']],
    ['(a|ab)(c|bcd)?(d*)', 'abcd', ['abcd', 'a', 'bcd', '']],
    ['(?:x)(y)', 'xy', ['xy', 'y']],
  ])('%j finds the groups of %j', (text, value, groups) => {
    expect(match(text, value)).toEqual(groups);
  });

  it.each([
    ['a', ['a']],
    ['a[.]b|c', ['a.b', 'c']],
    [String.raw`a\.b|`, ['a.b', '']],
    ['', ['']],
    ['a.b', null],
    ['a|b*', null],
    ['(a|b)', null],
    ['(?i)a', null],
    ['[ab]', null],
    ['^a', null],
  ])('the literals of %j', (text, literals) => {
    expect(parsed(text).literals).toEqual(literals);
  });

  it.each([
    ['(?=a)', '`(?`'],
    ['(?!a)', '`(?`'],
    ['(?<a>b)', '`(?`'],
    ['(?P<a>b)', '`(?`'],
    ['a(?i)b', '`(?`'],
    [String.raw`(a)\1`, String.raw`\1`],
    [String.raw`\b`, String.raw`\b`],
    [String.raw`\pL`, String.raw`\p`],
    [String.raw`\x41`, String.raw`\x`],
    [String.raw`\Q.\E`, String.raw`\Q`],
    ['a\\', 'at the end'],
    ['[[:alpha:]]', '`[:`'],
    ['[b-a]', 'a range'],
    ['[a', 'without an end'],
    ['(a', 'without an end'],
    ['a)', 'without a group'],
    ['*a', 'without something before it'],
    ['a**', 'a repetition of a repetition'],
    ['(a*)*', 'a repetition of a repetition'],
    ['((a+)b)+', 'a repetition of a repetition'],
    ['(a{2}){3}', 'a repetition of a repetition'],
    ['a{2,1}', '`{`'],
    ['a{', '`{`'],
    ['a{,3}', '`{`'],
    ['a{1001}', '`{`'],
    ['(?i)ä', '(?i)'],
    ['a'.repeat(1025), 'of that length'],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, 'groups of that depth'],
    ['(abcdefghij){900}', 'a pattern of that size'],
  ])('refuses %j', (text, reason) => {
    const pattern = parsePattern(text);
    expect('unsupported' in pattern ? pattern.unsupported : null).toContain(reason);
  });

  it('takes steps in proportion to the value, whatever it is', () => {
    const steps = (text: string, value: string) => {
      let spent = 0;
      matchPattern(parsed(text), value, (some) => (spent += some));
      return spent;
    };
    const hostile = ['(a|a)(a|a)(a|a)a{0,300}b', 'a{0,200}a{300}c', '.*.*.*.*.*.*.*x', 'a?a?a?a?a?a?a{9}b'];
    for (const text of hostile) {
      const { steps: size } = parsed(text);
      expect(steps(text, 'a'.repeat(1024))).toBeLessThanOrEqual(size.length * 1025 * 2);
    }
  });

  it('matches as JavaScript does where both read a pattern in the same way', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab|)',
      String.raw`\d`,
      '[.]',
      '(c)',
    );
    const piece = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?', '+?'))
      .map((parts) => parts.join(''));
    const text = fc.array(
      fc.array(piece, { maxLength: 4 }).map((some) => some.join('')),
      { minLength: 1, maxLength: 3 },
    );
    const value = fc
      .array(fc.constantFrom('a', 'b', 'c', '1', '.'), { maxLength: 7 })
      .map((some) => some.join(''));
    fc.assert(
      fc.property(text, value, (alternatives, value) => {
        const pattern = alternatives.join('|');
        const found = new RegExp(`^(?:${pattern})$`, 'su').exec(value);
        expect(match(pattern, value)).toEqual(found && [...found]);
      }),
      { numRuns: sized(2000, 50_000) },
    );
  });
});
