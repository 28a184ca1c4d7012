import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import { hopRisks } from '@cairn/shared/safety/evidence/risks';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, anUpdate, context } from '../../../../helpers/cluster/clusters.ts';
import { aRisk } from '../../../../helpers/path/answers.ts';

const PATH = ['4.14.8', '4.15.3', '4.16.5'];
const UPDATE = anUpdate({ conditional: true, risks: [aRisk('B'), aRisk('A')] });
const answer = (applies: RiskAnswer['applies']): RiskAnswer => ({
  applies,
  decidedBy: [],
  source: 'facts',
  asOf: null,
});

describe('hopRisks', () => {
  const hopAt = (index: number) => context(aCluster(), PATH, { index, updates: [UPDATE, UPDATE] }).hop;
  const inShort = (risks: ReturnType<typeof hopRisks>) =>
    risks.map(({ name, applies, accepted }) => `${name} ${applies}${accepted ? ' accepted' : ''}`);

  it('ask for the place of the hop, and are sorted by name', () => {
    const places: string[] = [];
    const clusterRisks = ({ name }: { readonly name: string }, place: string) => {
      places.push(place);
      return answer(name === 'A' ? 'no' : 'yes');
    };
    expect(inShort(hopRisks(hopAt(0), aCluster(), { clusterRisks }))).toEqual(['A no', 'B yes']);
    expect(inShort(hopRisks(hopAt(1), aCluster(), { clusterRisks }))).toEqual(['A no', 'B yes']);
    expect(places).toEqual(['first', 'first', 'later', 'later']);
  });

  it('are unknown without facts', () => {
    expect(inShort(hopRisks(hopAt(0), aCluster(), {}))).toEqual(['A unknown', 'B unknown']);
  });

  it('have the acceptance of the question, and of the cluster for its own hop only', () => {
    const facts = aCluster({ clusterVersion: aClusterVersion({ acceptedRisks: ['A', 'B'] }) });
    const acceptedRisks = new Map([
      ['A', { reason: 'no such disks', owner: 'storage', until: '2026-12-31T00:00:00.000Z' }],
    ]);
    expect(hopRisks(hopAt(0), facts, { acceptedRisks })).toMatchObject([
      { name: 'A', accepted: { owner: 'storage' } },
      { name: 'B', accepted: { owner: null, source: 'cluster' } },
    ]);
    expect(inShort(hopRisks(hopAt(1), facts, { acceptedRisks }))).toEqual([
      'A unknown accepted',
      'B unknown',
    ]);
  });

  it('include those that only the cluster names', () => {
    const conditionalUpdates = [{ version: '4.15.3', risks: ['C'], recommended: null }];
    const facts = aCluster({ clusterVersion: aClusterVersion({ conditionalUpdates }) });
    expect(inShort(hopRisks(hopAt(0), facts, {}))).toEqual(['A unknown', 'B unknown', 'C unknown']);
  });
});
