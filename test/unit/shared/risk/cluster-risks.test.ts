import { type ClusterFacts, NO_FACTS } from '@cairn/shared/cluster/facts';
import type { Risk } from '@cairn/shared/graph/graph';
import { clusterRisks } from '@cairn/shared/risk/cluster-risks';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { describe, expect, it } from 'vitest';

const PLATFORM =
  'max(cluster_infrastructure_provider{type="AWS"}) or 0 * max(cluster_infrastructure_provider)';
const PROXY = 'max(cluster_proxy_enabled{type="http"})';
const IPSEC = 'max(ovnkube_controller_ipsec_enabled)';
const VERSION = 'group(cluster_version{type="current"})';

const queries = Object.fromEntries(
  [PLATFORM, PROXY, IPSEC, VERSION].map((promql) => [promql, compileQuery(promql)]),
);

function risk(name: string, promql: string): Risk {
  const url = `https://example.com/${name}`;
  return { name, url, message: name, matchingRules: [{ type: 'PromQL', promql: { promql } }] };
}

const T0 = '2026-06-01T00:00:00.000Z';
const T1 = '2026-06-02T00:00:00.000Z';
const T2 = '2026-06-03T00:00:00.000Z';
const facts: ClusterFacts = {
  ...NO_FACTS,
  collectedAt: T2,
  infrastructure: { platform: 'AWS', controlPlaneTopology: 'HighlyAvailable' },
  proxy: { http: false, https: false, trustedCa: false },
};
const answered = (promql: string, outcome: 'yes' | 'no' | 'fails'): ClusterFacts => ({
  ...facts,
  riskAnswers: [{ promql, at: T1, outcome }],
});
const DAY = 24 * 60 * 60 * 1000;

describe('cluster-risks: what decides', () => {
  it('are the facts, as old as the oldest of them', () => {
    const stored = clusterRisks({
      facts,
      queries,
      stored: { collected: { infrastructure: T0, proxy: T1 }, now: Date.parse(T2) },
    });
    expect(stored(risk('Platform', PLATFORM), 'first')).toMatchObject({
      applies: 'yes',
      source: 'facts',
      asOf: T0,
    });
    expect(stored(risk('Proxy', PROXY), 'first')).toMatchObject({ applies: 'no', asOf: T1 });
    const posted = clusterRisks({ facts, queries });
    expect(posted(risk('Proxy', PROXY), 'first')).toMatchObject({ applies: 'no', asOf: T2 });
    expect(posted(risk('Proxy', PROXY), 'later')).toMatchObject({ applies: 'no', assumes: 'unchanged' });
    expect(posted(risk('Ipsec', IPSEC), 'first')).toMatchObject({
      applies: 'unknown',
      reason: 'MissingFacts',
      missing: [{ metric: 'ovnkube_controller_ipsec_enabled', documents: [] }],
      asOf: null,
    });
  });

  it.each(['yes', 'no'] as const)('is the answer of the cluster before the facts: %s', (outcome) => {
    for (const promql of [IPSEC, PLATFORM]) {
      const risks = clusterRisks({ facts: answered(promql, outcome), queries });
      expect(risks(risk('Live', promql), 'first')).toMatchObject({
        applies: outcome,
        source: 'live',
        asOf: T1,
      });
    }
  });

  it('is no answer to another text', () => {
    const risks = clusterRisks({ facts: answered(`${IPSEC} `, 'no'), queries });
    expect(risks(risk('Live', IPSEC), 'first')).toMatchObject({ applies: 'unknown' });
  });

  it('fails if the cluster fails', () => {
    const risks = clusterRisks({ facts: answered(PLATFORM, 'fails'), queries });
    expect(risks(risk('Live', PLATFORM), 'first')).toMatchObject({
      applies: 'unknown',
      reason: 'EvaluationFails',
    });
  });

  it('is not an answer that is a day old, of a stored cluster', () => {
    const at = (now: number) =>
      clusterRisks({ facts: answered(IPSEC, 'no'), queries, stored: { collected: {}, now } })(
        risk('Live', IPSEC),
        'first',
      );
    expect(at(Date.parse(T1) + DAY - 1)).toMatchObject({ applies: 'no' });
    expect(at(Date.parse(T1) + DAY)).toMatchObject({ applies: 'unknown', askedTooLongAgo: true });
    const posted = clusterRisks({ facts: { ...answered(IPSEC, 'no'), collectedAt: T2 }, queries });
    expect(posted(risk('Live', IPSEC), 'first')).toMatchObject({ applies: 'no' });
  });

  it('does not hold after an update if the metric changes with the version', () => {
    const later = (promql: string) =>
      clusterRisks({ facts: answered(promql, 'no'), queries })(risk('Live', promql), 'later').applies;
    expect([PLATFORM, PROXY, IPSEC, VERSION].map(later)).toEqual(['no', 'no', 'unknown', 'unknown']);
  });
});

describe('cluster-risks: work', () => {
  it('is done once for a risk, and for another object that says the same', () => {
    let reads = 0;
    const watched = {
      ...facts,
      get infrastructure() {
        reads++;
        return facts.infrastructure;
      },
    };
    const risks = clusterRisks({ facts: watched, queries });
    const first = risks(risk('Platform', PLATFORM), 'first');
    const before = reads;
    const one = risk('Platform', PLATFORM);
    expect([risks(one, 'first'), risks(one, 'first')]).toEqual([first, first]);
    expect(risks(one, 'first')).toBe(first);
    expect(reads).toBe(before);
    expect(risks(risk('Other', PROXY), 'first')).not.toBe(first);
  });
});
