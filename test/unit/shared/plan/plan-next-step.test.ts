import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { planReport } from '@cairn/shared/plan/report';
import { DEFAULT_SUPPORT, supportCalendar } from '@cairn/shared/releases/lifecycle';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { asText } from '@cairn/shared/text/as-text';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aNode,
  aClusterVersion,
  aClusterOperator,
  aCondition,
  anOperator,
  aPool,
  historyOf,
} from '../../../helpers/cluster/clusters.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../../helpers/cluster/hosted.ts';
import { aPodGroup } from '../../../helpers/cluster/workloads.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';
import { foundAlong } from '../../../helpers/plan/assumed-plans.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const known = releases({
  'stable-4.16': [
    '4.14.8 > 4.14.30',
    '4.14.8 > 4.15.3',
    '4.15.3 > 4.15.20',
    '4.15.3 > 4.16.9',
    '4.15.20 > 4.16.9',
    '4.12.1',
  ],
  'stable-4.15': ['4.14.9 > 4.14.30', '4.14.30 > 4.15.20'],
});

async function nextStepOf(
  facts: Partial<ClusterFacts>,
  to: string,
  options: Partial<SafetyOptions> = {},
  newestPatch: string | null = '4.14.30',
  from = '4.14.8',
): Promise<[string, string]> {
  const answer = await ask(known, from, to);
  const { verdict, nextStep } = reportOn(aCluster(facts, from), answer, options, { newestPatch });
  return [verdict, nextStep];
}

const limited = (max: string) =>
  anOperator('x', { properties: [{ type: 'olm.maxOpenShiftVersion', value: max }] });
const outdated = aPool('worker', { paused: true, machines: { ...aPool('worker').machines, total: 5 } });

describe('the next step', () => {
  it.each<[string, Partial<ClusterFacts>, string, Partial<SafetyOptions>, string, string]>([
    ['nothing', {}, '4.15.3', {}, 'ready', 'Update to 4.15.3. No blockers or warnings'],
    [
      'what was accepted',
      { operators: [limited('4.14')] },
      '4.15.3',
      { accept: ['OperatorsCompatible'] },
      'ready',
      'Update to 4.15.3. No blockers or warnings',
    ],
    [
      'warnings',
      { pools: [aPool('master'), outdated] },
      '4.15.3',
      {},
      'ready-with-warnings',
      'Review the warnings, then update to 4.15.3: PoolPausedOutdated',
    ],
    [
      'what comes later',
      { operators: [limited('4.15')] },
      '4.16.9',
      { accept: ['AdminAckRequired'] },
      'action-required',
      'You can update to 4.15.3. Fix 1 upcoming blocker before 4.16: 1 operator does not support OpenShift 4.16: openshift-x/x: newest supported OpenShift is 4.15',
    ],
    [
      'what stands in the way',
      { adminGates: [{ key: 'ack-4.14-subject', value: 'why' }] },
      '4.15.3',
      {},
      'blocked',
      '4.15 is blocked: An administrator has to acknowledge: ack-4.14-subject; you can still update to 4.14.30, because patch updates are not blocked',
    ],
    [
      'the first item of a list, without its mark',
      {
        clusterOperators: ['dns', 'console'].map((name) =>
          aClusterOperator(name, [aCondition('Upgradeable', 'False', 'Old', 'It is old')]),
        ),
      },
      '4.15.3',
      {},
      'blocked',
      '4.15 is blocked: 2 cluster operators are not upgradeable: console: Old: It is old; you can still update to 4.14.30, because patch updates are not blocked',
    ],
    [
      'the cluster itself',
      {
        clusterVersion: aClusterVersion({
          conditions: [aCondition('Upgradeable', 'False', 'Deleting', 'dns is being deleted')],
        }),
      },
      '4.15.3',
      {},
      'blocked',
      '4.15 is blocked: dns is being deleted; you can still update to 4.14.30, because patch updates are not blocked',
    ],
    [
      'what is missing',
      { operators: null },
      '4.15.3',
      {},
      'unknown',
      '4.15 may be blocked: Not known, because the installed operators were not supplied; send what `oc get clusterserviceversions -A -o json` prints; you can still update to 4.14.30, because patch updates are not blocked',
    ],
    [
      'what is missing, when strict',
      { operators: null },
      '4.15.3',
      { strict: true },
      'blocked',
      '4.15 is blocked: Not known, because the installed operators were not supplied; send what `oc get clusterserviceversions -A -o json` prints; you can still update to 4.14.30, because patch updates are not blocked',
    ],
    [
      'a lost control plane, whatever else there is',
      {
        adminGates: [{ key: 'ack-4.14-subject', value: 'why' }],
        nodes: [aNode('master-0', { ready: 'False' }, 'master'), aNode('worker-0')],
      },
      '4.15.3',
      {},
      'blocked',
      '4.15 is blocked: 1 of 1 control plane node is not ready: pool master, Ready is False: master-0; patch updates are blocked too',
    ],
    [
      'a lost control plane, on the way to a patch',
      { nodes: [aNode('master-0', { ready: 'False' }, 'master'), aNode('worker-0')] },
      '4.14.30',
      {},
      'blocked',
      '4.14.30 is blocked: 1 of 1 control plane node is not ready: pool master, Ready is False: master-0; patch updates are blocked too',
    ],
    [
      'an invalid ClusterVersion',
      {
        clusterVersion: aClusterVersion({
          conditions: [aCondition('Invalid', 'True', 'InvalidClusterVersion', 'no such upstream')],
        }),
      },
      '4.15.3',
      {},
      'blocked',
      '4.15 is blocked: The ClusterVersion is invalid: no such upstream; patch updates are blocked too',
    ],
    [
      'a limit, on the way to a patch',
      { operators: [limited('4.13')] },
      '4.14.30',
      {},
      'ready-with-warnings',
      'Review the warnings, then update to 4.14.30: IncompatibleOperatorsInstalled',
    ],
  ])('with %s against it', async (_name, facts, to, options, verdict, sentence) => {
    expect(await nextStepOf(facts, to, options)).toEqual([verdict, sentence]);
  });

  it('says that patches are open when none is newer', async () => {
    const [, sentence] = await nextStepOf({ operators: [limited('4.14')] }, '4.15.3', {}, null);
    expect(sentence).toMatch(/^4\.15 is blocked: .*; patch updates of 4\.14 are not blocked$/);
  });

  it('names the patch that comes first on the way', async () => {
    const held = await nextStepOf(
      { adminGates: [{ key: 'ack-4.14-subject', value: 'why' }] },
      '4.15.20',
      {},
      '4.14.30',
      '4.14.9',
    );
    expect(held).toEqual([
      'blocked',
      '4.15 is blocked: An administrator has to acknowledge: ack-4.14-subject; you can update to 4.14.30',
    ]);
  });

  it('names the blocker, not the missing input beside it', async () => {
    const facts = { nodes: null, adminGates: [{ key: 'ack-4.14-subject', value: 'why' }] };
    const [verdict, sentence] = await nextStepOf(facts, '4.16.9');
    expect(verdict).toBe('blocked');
    expect(sentence).toContain('4.15 is blocked: An administrator has to acknowledge');
  });

  it('is nothing at the target', async () => {
    expect(await nextStepOf({ operators: [limited('4.13')] }, '4.14.8')).toEqual([
      'ready',
      'Nothing to do: the cluster is at 4.14.8',
    ]);
  });

  it('at the target does not depend on the order of the history', async () => {
    const clusterVersion = aClusterVersion({ history: historyOf('4.14.8 P', '4.14.3 C') });
    const history = clusterVersion.history.toReversed();
    const drainedPods = [{ ...aPodGroup('lab', {}, ['worker-0']), owner: null }];
    const facts = { pools: [aPool('master'), aPool('worker')], budgets: [], drainedPods };
    const answer = await ask(known, '4.14.8', '4.14.8');
    const plans = [clusterVersion, { ...clusterVersion, history }].map((version) =>
      reportOn(aCluster({ ...facts, clusterVersion: version }), answer),
    );
    expect(plans[0]!.conditions!.map(({ reason }) => reason)).toContain('UnownedPods');
    expect(plans[1]).toEqual(plans[0]);
  });

  it('at the target is to repair the cluster, or to review its warnings', async () => {
    const down = { nodes: [aNode('master-0', { ready: 'Unknown' }, 'master')] };
    expect(await nextStepOf(down, '4.14.8')).toEqual([
      'blocked',
      'Repair the cluster: 1 of 1 control plane node is not ready: pool master, Ready is Unknown: master-0; patch updates are blocked too',
    ]);
    expect(await nextStepOf({ pools: [aPool('master'), outdated] }, '4.14.8')).toEqual([
      'ready-with-warnings',
      'Nothing to update: the cluster is at 4.14.8. Review the warnings: PoolPausedOutdated',
    ]);
  });

  it.each<[string, object, string]>([
    ['is out of support', { calendar: supportCalendar(DEFAULT_SUPPORT, '2026-11-17') }, 'TargetUnsupported'],
    ['is excluded', { excluded: true }, 'CurrentVersionExcluded'],
  ])('at the target is not nothing if its release %s', async (_, changes, reason) => {
    const { excluded = false, ...more } = changes as { readonly excluded?: boolean };
    const answer = { ...(await ask(known, '4.14.8', '4.14.8')), sourceExcluded: excluded };
    const plan = reportOn(aCluster(), answer, {}, more);
    expect(plan).toMatchObject({ verdict: 'ready-with-warnings', conditions: [{ reason }] });
    expect(plan.nextStep).toContain(reason);
    expect(plan.plan.steps[0]).toMatchObject({ resolves: [{ reason }] });
    expect(asText(planReport(plan))).toContain(plan.conditions![0]!.message);
  });

  it('is no patch while reconciliation of the hosted cluster is paused', () => {
    const facts = hostedFacts(aHostedCluster({ pausedUntil: 'true' }), [aNodePool('a', '4.18.10')]);
    for (const path of [
      ['4.18.10', '4.19.5'],
      ['4.18.10', '4.18.20', '4.19.5'],
    ]) {
      const answer = foundAlong(path);
      expect(reportOn(facts, answer, { policy: 'hosted' }, { newestPatch: '4.18.20' }).nextStep).toBe(
        '4.19 is blocked: Reconciliation of clusters/guest is paused, so no update starts; resume reconciliation first',
      );
    }
  });

  it('without a path is to see why, and what is open', async () => {
    const answer = await ask(known, '4.14.8', '4.12.1');
    if (answer.found) throw new Error('there is a path');
    const { message, suggestion } = answer.explanation;
    const told = suggestion === null ? message : `${message}; ${suggestion}`;
    expect(await nextStepOf({}, '4.12.1', {}, null)).toEqual(['blocked', told]);
    expect(await nextStepOf({}, '4.12.1')).toEqual([
      'blocked',
      `${told}; you can still update to 4.14.30, because patch updates are not blocked`,
    ]);
    const nodes = [aNode('master-0', { ready: 'Unknown' }, 'master')];
    expect(await nextStepOf({ nodes }, '4.12.1')).toEqual(['blocked', told]);
  });

  it('without a path to the newest patch is not that patch', async () => {
    const answer = await ask(known, '4.12.1', '4.14.30');
    expect(answer.found).toBe(false);
    const [, next] = await nextStepOf({}, '4.14.30', {}, '4.14.30', '4.12.1');
    expect(next).not.toContain('you can still update');
    expect((await nextStepOf({}, '4.14.30', {}, '4.12.9', '4.12.1'))[1]).toContain(
      'you can still update to 4.12.9',
    );
  });
});
