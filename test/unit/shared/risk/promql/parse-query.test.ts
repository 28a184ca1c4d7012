import { type CompiledQuery, selectorsOf } from '@cairn/shared/risk/promql/expression';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { describe, expect, it } from 'vitest';
import { shippedVectors } from '../../../../helpers/risk/vectors.ts';

const reasonOf = (query: CompiledQuery) => ('unsupported' in query ? query.unsupported : null);

describe('compileQuery', () => {
  it('reads every query that was published', () => {
    const { queries } = shippedVectors();
    expect(queries.filter((query) => reasonOf(compileQuery(query)) !== null)).toEqual([]);
    expect(queries.length).toBeGreaterThanOrEqual(106);
  });

  it('makes plain data, which stays the same when it is stored', () => {
    for (const query of shippedVectors().queries) {
      const compiled = compileQuery(query);
      expect(JSON.parse(JSON.stringify(compiled))).toEqual(compiled);
    }
  });

  it('keeps matchers, texts and precedence', () => {
    expect(compileQuery(`0 * a{x="\\"\\u0041", y!~'b\\\\.c'} > 1 or on (z) b`)).toEqual({
      expression: {
        op: 'or',
        on: ['z'],
        left: {
          op: '>',
          left: {
            op: '*',
            left: { op: 'number', value: 0 },
            right: {
              op: 'select',
              metric: 'a',
              where: [
                ['x', '=', '"A'],
                ['y', '!~', String.raw`b\.c`],
              ],
            },
          },
          right: { op: 'number', value: 1 },
        },
        right: { op: 'select', metric: 'b', where: [] },
      },
    });
  });

  it.each([
    ['1 * a', 1],
    ['-1 * a', -1],
    ['- 1.5 * a', -1.5],
    ['a * -2', -2],
    ['a * - 2', -2],
    ['a * +2e1', 20],
    ['(1 - 2) * a', -1],
    ['(2 * 3 / 4) * a', 1.5],
  ])('reads the number of %s', (query, value) => {
    const { expression } = compileQuery(query) as Extract<CompiledQuery, { expression: unknown }>;
    const sides = expression as unknown as Record<'left' | 'right', { op: string }>;
    expect([sides.left, sides.right]).toContainEqual({ op: 'number', value });
  });

  it('takes a minus of a vector for a product', () => {
    expect(compileQuery('-a')).toEqual(compileQuery('-1 * a'));
  });

  it('ignores comments and white space', () => {
    expect(compileQuery('a # or b\n  or\t# c\nb')).toEqual(compileQuery('a or b'));
  });

  it('finds every selector', () => {
    const { expression } = compileQuery(
      'topk(1, max_over_time(a[1h]) or label_replace(b, "x", "", "", "")) * c',
    ) as {
      readonly expression: never;
    };
    expect(selectorsOf(expression).map(({ metric }) => metric)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['', 'a syntax error at line 1, column 1'],
    ['# nothing', 'a syntax error at line 1'],
    ['a{', 'a syntax error at line 1'],
    ['a or', 'a syntax error at line 1'],
    ['a\n  or\n  (b', 'a syntax error at line 3'],
    ['a b', 'a syntax error at line 1, column 3'],
    ['group by (a b) (c)', 'a syntax error'],
    ['a{x="1"', 'a syntax error'],
    ['rate(a[5m])', 'the function rate at line 1, column 1'],
    ['a offset 1h', 'offset'],
    ['a @ 1', '@'],
    ['max_over_time(a[1h:5m])', 'a subquery'],
    ['a[1h]', 'a range'],
    ['"text"', 'a text'],
    ['max_over_time(a[1m])', 'the range'],
    ['max_over_time(a)', 'VectorSelector'],
    ['sum without (x) (a)', 'without'],
    ['a * ignoring (x) b', 'ignoring'],
    ['quantile(0.5, a)', 'the aggregation quantile'],
    ['count_values("x", a)', 'the aggregation count_values'],
    ['a ^ 2', 'the operator ^'],
    ['a % 2', 'the operator %'],
    ['a atan2 b', 'the operator atan2'],
    ['1 == bool 1', 'a comparison of numbers'],
    ['1 / 0 * a', 'the number'],
    ['a * Inf', 'the number'],
    ['a * 0x1f', 'the number'],
    ['{x="1"}', 'a selector without the name of a metric'],
    ['{__name__="a"}', 'a selector without the name of a metric'],
    ['a{__name__="b"}', 'the label'],
    ['a{x=~"(?=b)"}', '`(?` in a pattern at line 1, column 6'],
    [String.raw`a{x=~"(b)\\1"}`, String.raw`\1`],
    [String.raw`a{x="\8"}`, 'the text'],
    ['a{x=~"b**"}', 'a repetition of a repetition'],
    ['label_replace(a, "x", "y", "z", "(")', 'a group without an end in a pattern'],
    ['label_replace(a, "x-", "y", "z", "")', 'the label'],
    ['label_replace(a, "x", "y", "z")', 'the parameters'],
    ['topk(a, 1)', 'a vector instead of a number'],
    ['group(1)', 'a number instead of a vector'],
    ['scalar(a)', 'the function scalar'],
    ['time()', 'the function time'],
    ['a or bool b', 'this use of or'],
    ['a * on (x) group_left (x) b', 'a label in both lists'],
  ])('refuses %j with the place', (query, reason) => {
    expect(reasonOf(compileQuery(query))).toContain(reason);
  });

  it.each([
    ['a text of more than 16 KB', `a{x="${'y'.repeat(17_000)}"}`],
    ['a deep expression', '('.repeat(2000) + 'a' + ')'.repeat(2000)],
    ['a deep range', `max_over_time(${'('.repeat(2000)}a[1h]${')'.repeat(2000)})`],
    ['many minus signs', `${'-'.repeat(4000)}a`],
    ['many parts', Array.from({ length: 600 }, () => 'a').join(' or ')],
    ['a deep product', Array.from({ length: 200 }, () => 'a').join(' * ')],
    ['a large pattern', `a{x=~"(${'b{1000}'.repeat(20)}){1000}"}`],
    ['a long pattern', `a{x=~"${'b'.repeat(2000)}"}`],
    ['brackets without end', '['.repeat(16_000)],
    ['braces without end', '{'.repeat(16_000)],
    ['quotes', '"'.repeat(16_001)],
    ['nulls', '\0'.repeat(1000)],
    ['half a surrogate', 'a{x="\ud800"} +'],
  ])('refuses %s', (_, query) => {
    expect(reasonOf(compileQuery(query))).toEqual(expect.any(String));
  });

  it('keeps names of properties of objects apart', () => {
    const { expression } = compileQuery('group by (constructor) (toString{__proto__="hasOwnProperty"})') as {
      readonly expression: never;
    };
    expect(selectorsOf(expression)).toEqual([
      { op: 'select', metric: 'toString', where: [['__proto__', '=', 'hasOwnProperty']] },
    ]);
  });
});
