import { evaluateQuery } from '@cairn/shared/risk/evaluate/evaluate-query';
import type { Families, Family, Series } from '@cairn/shared/risk/family';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { describe, expect, it } from 'vitest';

const TOO_MUCH = {
  outcomes: ['yes', 'no', 'fails'],
  unsupported: 'a query that takes too much work on this cluster',
};

function manySeries(count: number, labelsOf: (at: number) => Series['labels']): Families {
  const series = Array.from({ length: count }, (_, at) => ({ labels: labelsOf(at), value: at % 2 }));
  const family: Family = {
    series,
    covered: 'all',
    labels: { names: ['l', 'm', 'n'] },
    exists: true,
    horizon: 'configuration',
    readFrom: [],
    documents: [],
  };
  return (metric) => (metric === 'unknown' ? null : { ...family });
}

function evaluated(promql: string, families: Families) {
  const query = compileQuery(promql);
  if ('unsupported' in query) throw new Error(query.unsupported);
  return evaluateQuery(query.expression, families);
}

const some = (count: number, part: string, between: string) =>
  Array.from({ length: count }, () => part).join(between);
const numbered = (count: number) => manySeries(count, (at) => ({ l: `${at}`, m: `${at % 7}` }));

describe('evaluateQuery', () => {
  it.each([
    [
      'patterns on long texts',
      `a{${Array.from({ length: 60 }, (_, at) => `l=~".*.*.*.*.*.*.*.*${at}x"`).join(',')}}`,
      manySeries(3000, () => ({ l: 'a'.repeat(1000) })),
    ],
    [
      'patterns that replace labels',
      Array.from({ length: 20 }, () => 'label_replace(').join('') +
        'a' +
        ', "l", "$1", "l", "(.*)(.*)(.*)(.*)a?")'.repeat(20),
      manySeries(3000, (at) => ({ l: 'a'.repeat(1000), m: `${at}` })),
    ],
    [
      'matching of many samples',
      Array.from({ length: 50 }, () => 'group(a * on (l) a)').join(' or '),
      numbered(20_000),
    ],
  ])('gives up on %s', (_, promql, families) => {
    expect(evaluated(promql, families)).toMatchObject(TOO_MUCH);
  });

  it.each([
    [
      'a choice that is matched',
      'topk by (m) (3, a) * on (m) group_left () topk by (m) (1, a)',
      'yes,no,fails',
    ],
    ['ties of all', 'count(topk(390, 0 * a) * on (l) a) == bool 390', 'yes,no,fails'],
    ['a choice of a choice', 'topk(9, bottomk(99, topk(199, 0 * a) or 1 * a))', 'yes,no,fails'],
    [
      'a text that doubles',
      `${'label_replace('.repeat(18)}a${', "l", "$1$1", "l", "(.*)")'.repeat(18)}`,
      'yes,no,fails',
    ],
    ['many possible vectors', some(40, '(group(unknown) or on () vector(0))', ' + '), 'yes,no,fails'],
    ['many values', some(40, '(0 * unknown - 1)', ' * on () '), 'yes,fails'],
    ['choices of choices', some(30, 'topk(1, group by (l) (a))', ' + on (l) '), 'fails'],
    ['all labels of many metrics', 'group(a or b or c or d or e or f) * on () (a and b)', 'yes,no,fails'],
  ])('bounds its work on %s', (_, promql, outcomes) => {
    expect(evaluated(promql, numbered(400)).outcomes.join()).toBe(outcomes);
  });

  it('answers of a large cluster', () => {
    const families = numbered(5000);
    expect(evaluated('group(a{l=~"[0-9]+7"}) * on () group(a)', families).outcomes).toEqual(['yes']);
    expect(evaluated('topk(1, 0 * group by (l) (a))', families).outcomes).toEqual(['no']);
  });

  it('leaves texts open that are too long to be matched', () => {
    const families = manySeries(1, () => ({ l: 'a'.repeat(2000) }));
    expect(evaluated('group(a{l=~"b.*"}) or on () vector(0)', families).outcomes).toEqual(['yes', 'no']);
    expect(evaluated('group(a{l="b"}) or on () vector(0)', families).outcomes).toEqual(['no']);
  });

  it('names what it rests on', () => {
    const families: Families = (metric) =>
      metric === 'a' ? { ...numbered(1)('a')!, readFrom: ['nodes'], horizon: 'birth' } : null;
    expect(
      evaluated('group(a{l="0",_id=""}) * on () (group(b) or on () group(a{l="9"}) or on () a)', families),
    ).toEqual({
      outcomes: ['yes', 'no'],
      decidedBy: ['a{l="0",m="0"} 0'],
      unknown: ['b'],
      horizon: 'birth',
      readFrom: ['nodes'],
    });
  });
});
