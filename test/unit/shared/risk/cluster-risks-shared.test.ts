import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { clusterRisks, type SharedVerdicts } from '@cairn/shared/risk/cluster-risks';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode } from '../../../helpers/cluster/clusters.ts';
import { aRisk } from '../../../helpers/path/answers.ts';
import { sized } from '../../../helpers/size.ts';

const QUERIES = [
  'max(cluster_infrastructure_provider{type="AWS"}) or 0 * max(cluster_infrastructure_provider)',
  'group(kube_node_labels{label_kubernetes_io_arch="arm64"}) or 0 * group(kube_node_labels)',
  'group(cluster_feature_set{name=""}) or 0 * group(cluster_feature_set)',
  'max(ceph_health_status)',
];
const queries = Object.fromEntries(QUERIES.map((promql) => [promql, compileQuery(promql)]));
const risks = QUERIES.map((promql, index) =>
  aRisk(`R${index}`, { matchingRules: [{ type: 'PromQL', promql: { promql } }] }),
);
const newShared = (): SharedVerdicts => ({ hash: (text) => text, verdicts: new Map() });
const answersOf = (facts: ClusterFacts, shared?: SharedVerdicts) => {
  const answerOf = clusterRisks({ facts, queries, ...(shared && { shared }) });
  return risks.flatMap((risk) => [answerOf(risk, 'first'), answerOf(risk, 'later')]);
};

const clusters = fc.array(
  fc.record({
    platform: fc.constantFrom('AWS', 'None', null),
    featureSet: fc.constantFrom('', 'TechPreviewNoUpgrade', null),
    arches: fc.option(fc.array(fc.constantFrom('amd64', 'arm64'), { maxLength: 2 }), { nil: null }),
    minute: fc.integer({ min: 0, max: 59 }),
  }),
  { minLength: 2, maxLength: 6 },
);

describe('shared verdicts', () => {
  it('are those that each cluster has alone, with its own times', () => {
    fc.assert(
      fc.property(clusters, (drawn) => {
        const shared = newShared();
        for (const { platform, featureSet, arches, minute } of drawn) {
          const facts = aCluster({
            collectedAt: new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString(),
            infrastructure: platform && { platform, controlPlaneTopology: 'HighlyAvailable' },
            featureSet,
            nodes:
              arches?.map((arch, at) => aNode(`n${at}`, { labels: { 'kubernetes.io/arch': arch } })) ?? null,
          });
          expect(answersOf(facts, shared)).toEqual(answersOf(facts));
        }
      }),
      { numRuns: sized(200, 5000) },
    );
  });

  it('of clusters with the same series are evaluated once', () => {
    const shared = newShared();
    answersOf(aCluster(), shared);
    const { size } = shared.verdicts;
    answersOf(aCluster({ pools: [] }), shared);
    expect(shared.verdicts.size).toBe(size);
    answersOf(aCluster({ featureSet: 'TechPreviewNoUpgrade' }), shared);
    expect(shared.verdicts.size).toBe(size + 2);
  });
});
