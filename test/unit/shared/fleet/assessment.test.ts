import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { assessedUpgradeOf, troubleOf } from '@cairn/shared/fleet/assessment';
import { describe, expect, it } from 'vitest';
import { using } from '../../../helpers/cluster/api-use.ts';
import { aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const known = releases({
  'stable-4.14': ['4.14.8 > 4.14.20'],
  'stable-4.15': ['4.14.8 > 4.14.20', '4.14.8 > 4.15.3 SlowBoot', '4.14.20 > 4.15.7'],
});

async function outlook(facts: ClusterFacts, to: string) {
  const answer = await ask(known, facts.clusterVersion!.desired.version, to, []);
  return assessedUpgradeOf(to, reportOn(facts, answer, {}), answer, '4.14.20');
}

describe('what lies ahead of a cluster', () => {
  it('is the way, the verdict and how long it takes', async () => {
    expect(await outlook(aCluster(), '4.15')).toMatchObject({
      from: '4.14.8',
      question: '4.15',
      target: '4.15.7',
      verdict: 'ready',
      path: [
        { from: '4.14.8', to: '4.14.20', risks: [] },
        { from: '4.14.20', to: '4.15.7', risks: [] },
      ],
      noPath: null,
      channels: ['stable-4.15'],
      newerPatch: '4.14.20',
      blockers: [],
      minutes: { expected: expect.any(Number) as number, max: expect.any(Number) as number },
    });
  });

  it('is nothing to do for a cluster that is there', async () => {
    expect(await outlook(aCluster({}, '4.15.7'), '4.15')).toMatchObject({ path: [], verdict: 'ready' });
  });

  it('is why there is no way', async () => {
    expect(await outlook(aCluster({}, '4.15.7'), '4.16')).toMatchObject({
      path: null,
      noPath: expect.stringMatching(/^[a-z_]+$/) as string,
      verdict: 'blocked',
    });
  });

  it('lists each type of blocker once, in order', async () => {
    const not = [aCondition('Upgradeable', 'False', 'Broken', 'no')];
    const clusterOperators = ['etcd', 'dns'].map((name) => aClusterOperator(name, not));
    const apiUse = [using('flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', '1.28', 9)];
    expect(await outlook(aCluster({ clusterOperators, apiUse }), '4.15')).toMatchObject({
      verdict: 'blocked',
      blockers: ['APIRemovals', 'ClusterOperatorsUpgradeable'],
      removedApis: ['flowschemas.v1beta2.flowcontrol.apiserver.k8s.io'],
    });
  });
});

describe('an update that was planned', () => {
  it.each([
    ['is as it was', '4.14.20', '4.15.7', null],
    ['has risks now', '4.14.8', '4.15.3', { now: 'conditional', risks: ['SlowBoot'] }],
    ['was withdrawn', '4.14.8', '4.15.7', { now: 'withdrawn', risks: [] }],
    ['is not known here', '4.14.8', '4.16.1', null],
  ])('%s', async (_what, from, to, expected) => {
    const graph = await known.prepare(['stable-4.15']);
    expect(troubleOf(graph, { from, to })).toEqual(expected && { from, to, ...expected });
  });
});
