import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { aCluster } from '../../../../../helpers/cluster/clusters.ts';
import { evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';
import { aHealthCheck } from '../../../../../helpers/cluster/workloads.ts';

const HOSTED = { infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' } };
const nodeCheck = (isPaused = false) =>
  aHealthCheck('nodes', isPaused, { kind: 'NodeHealthCheck', namespace: '' });

function found(changes: Partial<ClusterFacts>) {
  return evaluateHop(aCluster(changes), ['4.14.8', '4.15.3']).conditions.filter(
    ({ type }) => type === 'MachineHealthChecks',
  );
}
const outcome = (changes: Partial<ClusterFacts>) =>
  found(changes).map(({ reason, effect, objects = [] }) =>
    [reason, effect, ...objects.map(({ name }) => name)].join(' '),
  );

describe('health checks', () => {
  it('case 48: that are active are a note, and paused ones a warning', () => {
    expect(
      outcome({ healthChecks: [aHealthCheck('b'), aHealthCheck('a'), aHealthCheck('c', true)] }),
    ).toEqual(['HealthChecksActive info a b', 'HealthCheckLeftPaused warn c']);
  });

  it('of nodes stop on their own, except on hosted clusters', () => {
    expect(outcome({ healthChecks: [nodeCheck()] })).toEqual(['AsExpected ok']);
    expect(outcome({ ...HOSTED, healthChecks: [nodeCheck()] })).toEqual(['HealthChecksActive info nodes']);
    expect(outcome({ healthChecks: [nodeCheck(true)] })).toEqual(['HealthCheckLeftPaused warn nodes']);
  });

  it('that are none are as expected, and not checked if they were not sent', () => {
    expect(outcome({ healthChecks: [] })).toEqual(['AsExpected ok']);
    expect(found({ healthChecks: null })).toMatchObject([{ reason: 'NotChecked', effect: 'info' }]);
  });
});
