import { evaluateQuery } from '@cairn/shared/risk/evaluate/evaluate-query';
import type { Families, Family } from '@cairn/shared/risk/family';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { describe, expect, it } from 'vitest';

const FAMILY: Family = {
  series: [],
  covered: 'all',
  labels: { names: [] },
  exists: false,
  horizon: 'configuration',
  readFrom: [],
  documents: [],
};
const KNOWN: Readonly<Record<string, Family>> = {
  platform: { ...FAMILY, labels: { names: ['type'] }, series: [{ labels: { type: 'AWS' }, value: 1 }] },
  two: {
    ...FAMILY,
    labels: { names: ['type'] },
    series: [
      { labels: { type: 'a' }, value: 1 },
      { labels: { type: 'b' }, value: 1 },
    ],
  },
  images: {
    ...FAMILY,
    labels: { names: ['image'] },
    isRepeated: true,
    series: [{ labels: { image: 'quay.io/a' }, value: 1 }],
  },
};
const families: Families = (metric) => KNOWN[metric] ?? null;

function outcomesOf(promql: string): readonly string[] {
  const compiled = compileQuery(promql);
  if (!('expression' in compiled)) throw new Error(compiled.unsupported);
  return evaluateQuery(compiled.expression, families).outcomes;
}

const ANYTHING = ['yes', 'no', 'fails'];

describe('evaluate: labels that group_left copies', () => {
  it.each([
    ['platform * on () group_left (pod, image) topk(1, images)', ['yes']],
    ['0 * (platform * on () group_left (pod) topk(1, images))', ['no']],
    // The answer depends on what is not shown.
    ['group by (pod) (two * on () group_left (pod) topk(1, images))', ['yes', 'fails']],
    ['platform * on () group_left (pod) topk(1, images) == on (pod) platform', ANYTHING],
    ['max(two * on () group_left (image) topk(1, images))', ['yes']],
  ])('%s', (promql, outcomes) => {
    expect(outcomesOf(promql)).toEqual(outcomes);
  });
});

describe('evaluate: a metric that is not known', () => {
  it('can have a label that makes two of its samples the same', () => {
    expect(outcomesOf('group(label_replace(something, "name", "x", "", "")) or on () vector(1)')).toEqual([
      'yes',
      'fails',
    ]);
  });
});
