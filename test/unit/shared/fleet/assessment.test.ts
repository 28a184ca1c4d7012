import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { assessedUpgradeOf, troubleOf } from '@cairn/shared/fleet/assessment';
import { clusterStandings } from '@cairn/shared/notifications/topics';
import { removedAhead } from '@cairn/shared/safety/evidence/api-use';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { using } from '../../../helpers/cluster/api-use.ts';
import { ALL_SUPPORTED, aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import { CALENDAR } from '../../../helpers/path/builders.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const known = releases({
  'stable-4.14': ['4.14.8 > 4.14.20'],
  'stable-4.15': ['4.14.8 > 4.14.20', '4.14.8 > 4.15.3 SlowBoot', '4.14.20 > 4.15.7'],
});

async function outlook(facts: ClusterFacts, to: string, calendar = ALL_SUPPORTED) {
  const answer = await ask(known, facts.clusterVersion!.desired.version, to, []);
  const plan = reportOn(facts, answer, {}, { calendar });
  return assessedUpgradeOf({ question: to, plan, answer, newerPatch: '4.14.20', removedAhead: [] });
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

  it('case 65: covers the whole path: a 4.6 cluster on its way to 4.10 shows what 4.9 removes', async () => {
    const far = releases({
      'eus-4.8': ['4.6.1 > 4.7.60', '4.7.60 > 4.8.57'],
      'eus-4.10': ['4.8.57 > 4.9.59', '4.9.59 > 4.10.67'],
      'eus-4.12': ['4.10.67 > 4.11.59', '4.11.59 > 4.12.94'],
    });
    const ingresses = 'ingresses.v1beta1.networking.k8s.io';
    const facts = aCluster({ apiUse: [using(ingresses, '1.22', 9)] }, '4.6.1');
    const answer = await ask(far, '4.6.1', '4.10', []);
    const plan = reportOn(facts, answer, {}, { calendar: CALENDAR });
    const assessed = assessedUpgradeOf({
      question: '4.10',
      plan,
      answer,
      newerPatch: null,
      removedAhead: [],
    });
    expect(assessed).toMatchObject({
      target: '4.10.67',
      removedApis: [ingresses],
      unsupportedStops: ['4.7', '4.8', '4.9'],
    });
    const further = await ask(far, '4.6.1', '4.12', []);
    expect(
      assessedUpgradeOf({
        question: '4.12',
        plan: reportOn(facts, further, {}, { calendar: CALENDAR }),
        answer: further,
        newerPatch: null,
        removedAhead: [],
      }).unsupportedStops,
    ).toEqual(['4.7', '4.8', '4.9', '4.10', '4.11']);
    expect(assessed.blockers).not.toContain('APIRemovals');
    expect(assessed.upcomingBlockers).toContain('APIRemovals');
    const before = clusterStandings({}, { ...assessed, removedApis: [] }, () => null);
    const told = Object.fromEntries(before.map(({ topic, value }) => [topic, { value, at: null }]));
    const news = clusterStandings(told, assessed, () => null).flatMap((topic) => topic.news ?? []);
    expect(news).toEqual([
      { type: 'RemovedApiInUse', version: '4.6.1', target: '4.10.67', apis: [ingresses] },
    ]);
  });

  it('adds what is removed up to the next EUS minor or the target, also without a path', async () => {
    const facts = aCluster({
      apiUse: [using('flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', '1.29', 9)],
    });
    const ahead = removedAhead(facts, mustParseVersion('4.14.8'), null);
    expect(ahead).toEqual(['flowschemas.v1beta2.flowcontrol.apiserver.k8s.io']);
    expect(removedAhead(facts, mustParseVersion('4.16.1'), null)).toEqual([]);
    expect(removedAhead(facts, mustParseVersion('4.12.1'), null)).toEqual([]);
    for (const [minor, expected] of [
      [15, []],
      [16, ahead],
      [18, ahead],
    ] as const) {
      expect(removedAhead(facts, mustParseVersion('4.12.1'), { major: 4, minor })).toEqual(expected);
    }
    const answer = await ask(known, '4.14.8', '4.14', []);
    const plan = reportOn(facts, answer);
    const question = { question: '4.14', plan, answer, newerPatch: '4.14.20' };
    expect(assessedUpgradeOf({ ...question, removedAhead: ahead }).removedApis).toEqual(ahead);
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
    expect(troubleOf(graph, { from, to }, () => 'unknown')).toEqual(expected && { from, to, ...expected });
  });
});
