import type { ClusterVersionFacts } from '@cairn/shared/cluster/facts';
import { reportedRisks } from '@cairn/shared/risk/reported-risks';
import { describe, expect, it } from 'vitest';
import { aClusterVersion, aCondition } from '../../../helpers/cluster/clusters.ts';

type Update = ClusterVersionFacts['conditionalUpdates'][number];

const update = (risks: readonly string[], status: string, reason = ''): Update => ({
  version: '4.15.3',
  risks,
  recommended: aCondition('Recommended', status, reason),
});

function found(changes: Partial<ClusterVersionFacts>): Record<string, string> {
  const risks = reportedRisks(aClusterVersion(changes));
  return Object.fromEntries([...risks].map(([name, { applies }]) => [name, applies]));
}

describe('reportedRisks', () => {
  it.each<[string, readonly Update[], Record<string, string>]>([
    ['a recommended update has risks that do not apply', [update(['A', 'B'], 'True')], { A: 'no', B: 'no' }],
    ['the only risk of another applies', [update(['A'], 'False', 'ExposedToRisks')], { A: 'yes' }],
    ['a reason names the risk that applies', [update(['A', 'B'], 'False', 'B')], { B: 'yes' }],
    ['several reasons name none', [update(['A', 'B'], 'False', 'MultipleReasons')], {}],
    ['accepted risks may apply', [update(['A'], 'True', 'AllExposedRisksAccepted')], {}],
    ['an evaluation that failed decides nothing', [update(['A'], 'Unknown', 'EvaluationFailed')], {}],
    ['an update without a condition decides nothing', [{ ...update(['A'], ''), recommended: null }], {}],
  ])('%s', (_, conditionalUpdates, expected) => {
    expect(found({ conditionalUpdates })).toEqual(expected);
  });

  it('take the condition of each risk where the cluster has one, and nothing else', () => {
    const known = (name: string, status: string | null) => ({
      name,
      url: '',
      message: '',
      applies: status === null ? null : aCondition('Applies', status, 'Match'),
    });
    const knownRisks = [known('A', 'True'), known('B', 'False'), known('C', 'Unknown'), known('D', null)];
    const conditionalUpdates = [update(['A', 'B', 'C', 'D'], 'True')];
    expect(found({ conditionalUpdates, knownRisks })).toEqual({ A: 'yes', B: 'no' });
    expect(reportedRisks(aClusterVersion({ knownRisks })).get('A')?.evidence).toBe('Applies=True (Match)');
  });

  it('are none without a ClusterVersion', () => {
    expect(reportedRisks(null).size).toBe(0);
  });
});
