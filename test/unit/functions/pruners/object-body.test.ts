import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../functions/http/problem.ts';
import { readResource } from '../../../../functions/pruners/object-body.ts';

const YAML = 'application/yaml';
const read = (text: string, type?: string) => readResource(Buffer.from(text), type);

async function problemOf(text: string, type: string): Promise<string> {
  try {
    await read(text, type);
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('it was read');
}

describe('readResource', () => {
  it.each<[string, string | undefined, string, unknown]>([
    ['JSON', 'application/json; charset=utf-8', ' {"a": 1}', { a: 1 }],
    ['YAML', YAML, 'a: 1\nb: [x]\n', { a: 1, b: ['x'] }],
    ['YAML by its older names', 'text/yaml', 'a: 1', { a: 1 }],
    ['YAML by its older names', 'application/x-yaml', 'a: 1', { a: 1 }],
    ['JSON sent as YAML', YAML, '{"a": 1}', { a: 1 }],
    ['YAML as curl sends it', 'application/x-www-form-urlencoded', 'a: 1', { a: 1 }],
    ['JSON as curl sends it', 'application/x-www-form-urlencoded', '{"a": 1}', { a: 1 }],
    ['YAML without a type', undefined, '# a comment\n---\na: "1"\n---\n', { a: '1' }],
    [
      'no word of YAML 1.1',
      YAML,
      'a: yes\nb: 010\nc: 2019-10-09T03:13:45',
      { a: 'yes', b: 10, c: '2019-10-09T03:13:45' },
    ],
    ['what is unknown by its text', YAML, 'a: !!js/function x', { a: 'x' }],
    ['nothing', YAML, '# nothing\n', null],
  ])('reads %s (%s)', async (_what, type, text, expected) => {
    expect(await read(text, type)).toEqual(expected);
  });

  it('gives a hostile name as it is, and to nothing else', async () => {
    const value = (await read('__proto__: {a: 1}', YAML)) as Record<string, unknown>;
    expect([Object.keys(value), value['a']]).toEqual([['__proto__'], undefined]);
  });

  it.each<[string, string, string, string]>([
    ['what is neither', 'text/html', '{}', 'unsupported-media-type: content type "text/html" was sent, '],
    ['nothing', 'application/json', ' \n', 'invalid-body: the body is empty; '],
    ['no JSON', 'application/json', '{"a": ', 'invalid-body: the body is not JSON: '],
    ['YAML sent as JSON', 'application/json', 'a: 1', 'invalid-body: the body is not JSON: '],
    [
      'a field twice',
      YAML,
      'a: 1\na: 2',
      'invalid-body: the body is not YAML: Map keys must be unique at line 2, column 1',
    ],
    [
      'several documents',
      YAML,
      'a: 1\n---\nb: 2',
      'invalid-body: the body is not YAML: it holds 2 documents, one is accepted',
    ],
    [
      'tabs',
      YAML,
      'a:\n\t- b',
      'invalid-body: the body is not YAML: Tabs are not allowed as indentation at line 2',
    ],
    [
      'nested JSON',
      'application/json',
      '['.repeat(5000),
      'invalid-body: the body is nested deeper than 1000 levels',
    ],
    [
      'nested YAML',
      YAML,
      `a: ${'['.repeat(30_000)}`,
      'invalid-body: the body is not YAML: it is nested too deeply',
    ],
    [
      'nested YAML in blocks',
      YAML,
      `${'- '.repeat(30_000)}a`,
      'invalid-body: the body is not YAML: it is nested too deeply',
    ],
    [
      'too much',
      YAML,
      'a'.repeat(65_537),
      'body-too-large: the body has 65537 bytes, at most 65536 are accepted here',
    ],
    [
      'aliases of aliases',
      YAML,
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghij'.split('').map((name, index) => {
          const before = `*${'abcdefghi'[index]!}`;
          return `${name}: &${name} [${Array.from({ length: 9 }, () => before).join(',')}]`;
        }),
      ].join('\n'),
      'invalid-body: the body is not YAML: Excessive alias count',
    ],
    [
      'an alias within what it stands for',
      YAML,
      'nodeSelector: &a {b: [*a]}',
      'invalid-body: the body is not YAML: an alias stands for what it is in',
    ],
    [
      'aliases of something large',
      YAML,
      `a: &a ${'x'.repeat(40_000)}\nb: [${Array.from({ length: 20 }, () => '*a').join(',')}]`,
      'body-too-large: with its aliases the body comes to ',
    ],
  ])('refuses %s', async (_what, type, text, expected) => {
    expect((await problemOf(text, type)).slice(0, expected.length)).toBe(expected);
  });
});
