import { notRollback } from '@cairn/shared/safety/checks/compatibility/not-rollback';
import { settleFinding } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, context, withHistory } from '../../../../../helpers/cluster/clusters.ts';

describe('notRollback', () => {
  const cases: readonly (readonly [string, readonly string[], string, string])[] = [
    ['a patch', ['1.0.0 C'], '1.0.1', 'AsExpected'],
    ['the same version', ['1.0.0 C'], '1.0.0', 'AsExpected'],
    ['a release after its candidate', ['4.14.0-rc.1 C'], '4.14.0', 'AsExpected'],
    ['back without anything before', ['1.0.1 C'], '1.0.0', 'LowDesiredVersion'],
    ['back without a history', [], '4.14.7', 'LowDesiredVersion'],
    ['back to the version before', ['1.0.1 C', '1.0.0 C'], '1.0.0', 'RollbackToPrevious'],
    ['back to a partial version before', ['1.0.1 P', '1.0.0 P'], '1.0.0', 'RollbackToPrevious'],
    ['back beyond the version before', ['1.0.2 P', '1.0.1 P', '1.0.0 C'], '1.0.0', 'LowDesiredVersion'],
    [
      'back beyond another image of the same version',
      ['1.0.1@b C', '1.0.1@a C', '1.0.0 C'],
      '1.0.0',
      'LowDesiredVersion',
    ],
    ['back over a major', ['2.0.0 C', '1.0.0 C'], '1.0.0', 'LowDesiredVersion'],
    ['back over a minor', ['4.15.1 C', '4.14.8 C'], '4.14.8', 'LowDesiredVersion'],
    ['back when the one before has no version', ['1.0.1 C', ' C', '1.0.0 C'], '1.0.0', 'LowDesiredVersion'],
    ['back when the one before is no version', ['1.0.1 C', 'v1 C', '1.0.0 C'], '1.0.0', 'LowDesiredVersion'],
  ];
  it.each(cases)('%s', (_, history, to, reason) => {
    const clusterVersion = withHistory(history);
    const given = context(aCluster({ clusterVersion }), [clusterVersion.desired.version, to]);
    const found = notRollback(given);
    expect(found).toHaveLength(1);
    const refused = reason === 'LowDesiredVersion';
    expect(found[0]).toMatchObject({ type: 'NotRollback', status: refused ? 'False' : 'True', reason });
    // A refusal stands although the hop stays in its minor.
    expect(settleFinding(found[0]!, given.hop, given.options).effect).toBe(
      refused ? 'block' : reason === 'AsExpected' ? 'ok' : 'info',
    );
  });

  it('explains why the version before does not help', () => {
    const clusterVersion = withHistory(['1.0.2 P', '1.0.1 P', '1.0.0 C']);
    const [found] = notRollback(context(aCluster({ clusterVersion }), ['1.0.2', '1.0.0']));
    expect(found?.message).toBe(
      '1.0.0 is older than 1.0.2, and clusters only go back to the version right before, in the same minor; before it the cluster had 1.0.1',
    );
  });

  it('does not go back further on the way', () => {
    const clusterVersion = withHistory(['1.0.1 C', '1.0.0 C']);
    const given = context(aCluster({ clusterVersion }), ['1.0.1', '1.0.2', '1.0.0']);
    expect(notRollback(given)).toMatchObject([{ status: 'False', reason: 'LowDesiredVersion' }]);
  });

  it('does not trap a cluster that runs no version', () => {
    const facts = aCluster({ clusterVersion: aClusterVersion({}, '') });
    expect(notRollback(context(facts, ['4.14.8', '4.14.7']))).toMatchObject([
      { status: 'Unknown', reason: 'InvalidCurrentVersion', effect: 'warn' },
    ]);
  });
});
