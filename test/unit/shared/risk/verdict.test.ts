import type { Outcome } from '@cairn/shared/risk/evaluate/evaluation';
import type { LiveAnswers } from '@cairn/shared/risk/live-answer';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { type CompiledRule, riskVerdict } from '@cairn/shared/risk/verdict';
import { describe, expect, it } from 'vitest';
import { type WrittenFamily, writtenFamilies } from '../../../helpers/risk/written-families.ts';

const ALWAYS: CompiledRule = { type: 'Always' };
const SKIPPED: CompiledRule = { type: 'Skipped' };

function rule(promql: string): CompiledRule {
  return { type: 'PromQL', promql, query: compileQuery(promql) };
}

const PLATFORM = 'cluster_infrastructure_provider';
const AWS: Readonly<Record<string, WrittenFamily>> = {
  [PLATFORM]: { series: "{type='AWS'} 1", horizon: 'birth' },
  csv_succeeded: { series: "{name='a.v1'} 1", labels: ['name'], readFrom: ['operators'] },
  sriov: { series: '', labels: ['name'], covered: [] },
  cluster_version: {
    series:
      "{type='initial',version='4.9.1'} 5; {type='current',version='4.15.3'} 5; {type='updating',version='4.16.0'} 5",
    labels: ['type', 'version'],
    covered: [{ type: ['initial', 'current'] }],
    horizon: 'version',
    readFrom: ['clusterVersion'],
  },
  ipsec: { series: '{} 1', horizon: 'version', readFrom: ['clusterOperators'] },
};
const families = writtenFamilies(AWS);

const YES = rule(`group(${PLATFORM})`);
const NO = rule(`0 * group(${PLATFORM})`);
const FAILS = rule(`2 * group(${PLATFORM})`);
const MAYBE = rule('group(sriov) or on () vector(0)');
const YES_OR_FAILS = rule('group(sriov)');
const NO_OR_FAILS = rule('0 * group(sriov)');
const BROKEN = rule('group(');

const applies = (...rules: readonly CompiledRule[]) => riskVerdict(rules, families).applies;
const possible = (...rules: readonly CompiledRule[]) => riskVerdict(rules, families).possible?.join();

describe('riskVerdict', () => {
  it('is the answer of the first rule that works', () => {
    expect(applies(ALWAYS)).toBe('yes');
    expect(applies(YES)).toBe('yes');
    expect(applies(NO)).toBe('no');
    expect(applies(ALWAYS, NO)).toBe('yes');
    expect(applies(NO, ALWAYS)).toBe('no');
    expect(applies(YES, NO)).toBe('yes');
    expect(applies(NO, YES)).toBe('no');
  });

  it('goes on after an error only', () => {
    expect(applies(FAILS, ALWAYS)).toBe('yes');
    expect(applies(FAILS, NO)).toBe('no');
    expect(applies(FAILS, FAILS, YES, NO)).toBe('yes');
    expect(applies(YES_OR_FAILS, ALWAYS)).toBe('yes');
    expect(applies(NO_OR_FAILS, NO)).toBe('no');
    expect(applies(NO_OR_FAILS, ALWAYS)).toBe('unknown');
    expect(possible(NO_OR_FAILS, ALWAYS)).toBe('yes,no');
    expect(possible(MAYBE, ALWAYS)).toBe('yes,no');
    expect(possible(YES_OR_FAILS, FAILS)).toBe('yes,fails');
    expect(possible(YES_OR_FAILS, NO_OR_FAILS)).toBe('yes,no,fails');
    // A query that is not supported may have an answer.
    expect(possible(BROKEN, ALWAYS)).toBe('yes,no');
  });

  it('skips rules of a type that nobody knows', () => {
    expect(applies(SKIPPED, ALWAYS)).toBe('yes');
    expect(applies(SKIPPED, NO, YES)).toBe('no');
    expect(riskVerdict([SKIPPED], families)).toMatchObject({
      applies: 'unknown',
      reason: 'UnsupportedQuery',
    });
    expect(riskVerdict([], families)).toMatchObject({ applies: 'unknown', reason: 'UnsupportedQuery' });
  });

  it('says why it is unknown', () => {
    expect(riskVerdict([MAYBE], families)).toMatchObject({
      applies: 'unknown',
      possible: ['yes', 'no'],
      reason: 'MissingFacts',
      missing: [{ metric: 'sriov', documents: ['infrastructures.config.openshift.io'] }],
    });
    expect(riskVerdict([rule('group(up)')], families)).toMatchObject({
      reason: 'MissingFacts',
      missing: [{ metric: 'up', documents: [] }],
    });
    expect(riskVerdict([FAILS], families)).toMatchObject({ possible: ['fails'], reason: 'EvaluationFails' });
    expect(riskVerdict([BROKEN], families)).toMatchObject({
      possible: ['yes', 'no', 'fails'],
      reason: 'UnsupportedQuery',
      unsupported: expect.stringContaining('line 1') as string,
    });
  });

  it('names what decided it, and what it read', () => {
    expect(riskVerdict([YES], families)).toEqual({
      applies: 'yes',
      decidedBy: [`${PLATFORM}{type="AWS"} 1`],
      source: 'facts',
      readFrom: ['infrastructure'],
    });
    expect(
      riskVerdict([rule('group(csv_succeeded{name=~"b.*"}) or 0 * group(csv_succeeded)')], families),
    ).toEqual({
      applies: 'no',
      decidedBy: ['csv_succeeded{name=~"b.*"} → none', 'csv_succeeded{name="a.v1"} 1'],
      source: 'facts',
      readFrom: ['operators'],
    });
    expect(riskVerdict([FAILS, ALWAYS], families).decidedBy).toEqual(['Always']);
  });

  it('notes a text that looks like a pattern, and answers what the cluster answers', () => {
    const listed = rule(`group(${PLATFORM}{type="AWS|GCP"}) or 0 * group(${PLATFORM})`);
    expect(riskVerdict([listed], families)).toMatchObject({ applies: 'no', notes: ['QueryLooksWrong'] });
    const pattern = rule(`group(${PLATFORM}{type=~"AWS|GCP"}) or 0 * group(${PLATFORM})`);
    expect(riskVerdict([pattern], families)).not.toHaveProperty('note');
  });
});

describe('riskVerdict on later hops', () => {
  const later = (promql: string) => riskVerdict([rule(promql)], families, undefined, 'later');

  it('uses what never changes', () => {
    expect(later(`group(${PLATFORM})`)).toMatchObject({ applies: 'yes' });
    expect(later(`group(${PLATFORM})`)).not.toHaveProperty('assumes');
    const born = later('group(cluster_version{type="initial",version=~"4[.]9[.].*"}) or on () vector(0)');
    expect(born).toMatchObject({ applies: 'yes' });
    expect(born).not.toHaveProperty('assumes');
  });

  it('assumes that the configuration stays', () => {
    expect(later('group(csv_succeeded)')).toMatchObject({ applies: 'yes', assumes: 'unchanged' });
  });

  it.each([
    'group(ipsec) or on () vector(0)',
    'group(cluster_version{type="current"}) or on () vector(0)',
    'group(cluster_version{type="current",version="4.15.3"}) or on () vector(0)',
    'group(cluster_version{version=~"4[.]15.*"}) or on () vector(0)',
    'group(cluster_version{type=~"initial|current",version="4.15.3"}) or on () vector(0)',
  ])('knows nothing that changes with the version: %s', (promql) => {
    expect(later(promql)).toMatchObject({ applies: 'unknown', reason: 'MissingFacts' });
    expect(riskVerdict([rule(promql)], families).applies).toBe('yes');
  });

  it('knows that a cluster has versions', () => {
    expect(later('group(cluster_version)')).toMatchObject({ applies: 'yes' });
    expect(later('group(cluster_version) or on () vector(0)')).toMatchObject({ applies: 'yes' });
  });
});

describe('riskVerdict with answers of the cluster', () => {
  const HOUR = 3_600_000;
  const query = 'group(sriov) or on () vector(0)';
  const answered = (promql: string, outcome: Outcome, now: number | null = HOUR): LiveAnswers => ({
    byQuery: new Map([[promql, { at: 0, outcome }]]),
    now,
  });

  it('takes them before facts', () => {
    for (const outcome of ['yes', 'no'] as const) {
      expect(riskVerdict([rule(query)], families, answered(query, outcome))).toMatchObject({
        applies: outcome,
        source: 'live',
        answeredAt: 0,
      });
    }
    const fails = riskVerdict([rule(query)], families, answered(query, 'fails'));
    expect(fails).toMatchObject({ applies: 'unknown', reason: 'EvaluationFails' });
  });

  it('goes on to the next rule after an error of the cluster', () => {
    expect(riskVerdict([rule(query), ALWAYS], families, answered(query, 'fails')).applies).toBe('yes');
    expect(riskVerdict([rule(query), ALWAYS], families, answered(query, 'no')).applies).toBe('no');
  });

  it('takes only those for the same text', () => {
    expect(riskVerdict([rule(query)], families, answered(`${query} `, 'yes')).applies).toBe('unknown');
  });

  it('takes none that is a day old, unless it was posted', () => {
    const at = (now: number | null) => riskVerdict([rule(query)], families, answered(query, 'yes', now));
    expect(at(24 * HOUR - 1)).toMatchObject({ applies: 'yes' });
    expect(at(24 * HOUR)).toMatchObject({
      applies: 'unknown',
      reason: 'MissingFacts',
      askedTooLongAgo: true,
    });
    expect(at(null)).toMatchObject({ applies: 'yes' });
    // Facts that decide it need no answer.
    const known = `group(${PLATFORM})`;
    expect(riskVerdict([rule(known)], families, answered(known, 'no', 24 * HOUR))).toMatchObject({
      applies: 'yes',
      source: 'facts',
    });
  });

  it('takes them for later hops only if nothing changes with the version', () => {
    const later = (promql: string) => riskVerdict([rule(promql)], families, answered(promql, 'yes'), 'later');
    expect(later(query)).toMatchObject({ applies: 'yes', source: 'live' });
    expect(later('group(ipsec == 5) or on () vector(0)').applies).toBe('unknown');
    expect(later('group(up) or on () vector(0)').applies).toBe('unknown');
    expect(later('group(cluster_version{type="initial"} > 9) or on () vector(0)').applies).toBe('yes');
    expect(later('group(cluster_version{type="current"} > 9) or on () vector(0)').applies).toBe('unknown');
  });
});
