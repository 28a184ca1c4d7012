import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { assumedFacts } from '@cairn/shared/plan/assumed-facts';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { ADMIN_GATES } from '@cairn/shared/safety/tables/admin-gates';
import { SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, aPool } from '../../../helpers/cluster/clusters.ts';
import { CHANNELS } from '../../../helpers/path/answers.ts';
import { assumedAlong, foundAlong } from '../../../helpers/plan/assumed-plans.ts';
import { minorsBetween } from '../../../helpers/plan/paths.ts';
import { isDiskCheck, outline } from '../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';
import { sized } from '../../../helpers/size.ts';

const WAY = foundAlong(['4.14.30', '4.15.20', '4.16.5']);

describe('a plan from versions alone', () => {
  it('is ready, as missing input does not block it', () => {
    const { basis, verdict, hops, lastCompleted } = assumedAlong(WAY);
    expect({ basis, verdict, lastCompleted }).toEqual({
      basis: 'assumed',
      verdict: 'ready',
      lastCompleted: null,
    });
    expect(hops.flatMap(({ conditions }) => conditions).map(({ effect }) => effect)).toEqual([
      'info',
      'info',
      'info',
    ]);
  });

  it('names what is to be acknowledged before hops and what they take away, as to do', () => {
    const { hops } = assumedAlong(foundAlong(['4.13.5', '4.13.9', '4.14.30', '4.15.20', '4.16.5']));
    expect(hops.map(({ conditions }) => conditions.map(toDo))).toEqual([
      [],
      [
        'RemovalsOnPath info csistoragecapacities.v1beta1.storage.k8s.io',
        'AdminAckRequired info ack-4.13-kube-1.27-api-removals-in-4.14',
        'AdminAckCannotTell info ack-4.13-kube-127-vsphere-migration-in-4.14',
      ],
      [],
      [
        'RemovalsOnPath info flowschemas.v1beta2.flowcontrol.apiserver.k8s.io ' +
          'prioritylevelconfigurations.v1beta2.flowcontrol.apiserver.k8s.io',
        'AdminAckRequired info ack-4.15-kube-1.29-api-removals-in-4.16',
        'AdminAckCannotTell info ack-4.15-route-config-not-supported-in-4.16',
      ],
    ]);
  });

  it('warns of the risks of a conditional update, with what each is about', () => {
    const { verdict, hops } = assumedAlong(foundAlong(['4.14.30', '4.15.20'], [false, true]));
    expect(verdict).toBe('ready-with-warnings');
    expect(hops[0]!.conditions).toMatchObject([
      { type: 'PathRecommended', effect: 'warn', remediation: [/^Risk A: /, /^Risk B: /].map(matching) },
    ]);
  });

  it('has steps for APIs, backup, pause, channel, update, acknowledgement and the end of the pause', () => {
    const { steps } = assumedAlong(WAY).plan;
    expect(outline(steps)).toEqual([
      'check 1 flowschemas.v1beta2.flowcontrol.apiserver.k8s.io',
      'backup 0',
      'pause 0 worker',
      'update 0 stable-4.14',
      'update 0',
      'verify 0',
      'ack 1 ack-4.15-kube-1.29-api-removals-in-4.16',
      'backup 1',
      'update 1',
      'verify 1',
      'unpause end worker',
      'verify end worker',
      'verify end',
    ]);
    expect(steps[0]).toEqual({
      id: '1-check',
      kind: 'check',
      hop: 1,
      text:
        'Check that nothing uses flowschemas.v1beta2.flowcontrol.apiserver.k8s.io and ' +
        'prioritylevelconfigurations.v1beta2.flowcontrol.apiserver.k8s.io: 4.16.5 does not serve them',
      command: 'oc get apirequestcounts',
      objects: ['flowschemas', 'prioritylevelconfigurations'].map((resource) => ({
        kind: 'APIRequestCount',
        name: `${resource}.v1beta2.flowcontrol.apiserver.k8s.io`,
      })),
      resolves: [{ type: 'APIRemovals', reason: 'RemovalsOnPath' }],
      blocking: false,
    });
    expect(steps.every(({ command }) => command?.startsWith('oc '))).toBe(true);
  });

  it.each([
    ['stable-4.14,eus-4.14', 'oc adm upgrade channel stable-4.14'],
    ['candidate-4.14', 'oc adm upgrade channel stable-4.14 --allow-explicit-channel'],
    [undefined, 'oc adm upgrade channel stable-4.14'],
  ])('names a channel that the release does not list, %s, explicitly', (listed, command) => {
    const [source, ...others] = WAY.upgrade.path;
    const metadata: Record<string, string> = listed === undefined ? {} : { [CHANNELS]: listed };
    const path = [{ ...source!, node: { ...source!.node, metadata } }, ...others];
    const { steps } = assumedAlong({ ...WAY, upgrade: { ...WAY.upgrade, path } }).plan;
    expect(steps.map((step) => step.command)).toContain(command);
  });

  it('has no hops, no steps, and takes no time when the cluster is there', () => {
    const { hops, plan, duration } = assumedAlong(foundAlong(['4.16.5']));
    expect({ hops, ...plan }).toMatchObject({ hops: [], steps: [], workerRollouts: [] });
    expect(duration).toMatchObject({ total: { min: 0, expected: 0, max: 0, worst: 0 }, hops: [] });
  });
});

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

function toDo({ reason, effect, objects = [] }: UpgradePlan['hops'][number]['conditions'][number]): string {
  return [reason, effect, ...objects.map(({ name }) => name)].join(' ');
}

describe('nodes that are assumed', () => {
  it.each([
    [1, 1, 30, 40, 95],
    [2, 2, 35, 50, 105],
    [3, 3, 40, 55, 120],
    [6, 3, 45, 60, 125],
    [24, 3, 50, 65, 135],
    [120, 3, 60, 80, 155],
    [250, 3, 65, 85, 160],
    [500, 3, 70, 90, 170],
  ])('%i, of them %i control plane: %i, %i, %i minutes a hop', (nodes, controlPlane, min, expected, max) => {
    const { plan, hops, duration } = assumedAlong(foundAlong(['4.14.30', '4.15.20']), { nodes });
    expect(plan.pools.map((pool) => [pool.pool, pool.nodes])).toEqual([
      ['master', controlPlane],
      ['worker', nodes - controlPlane],
    ]);
    expect(hops[0]!.duration).toEqual({ min, expected, max, serialNetwork: false });
    expect(duration).toMatchObject({
      total: { min, expected, max },
      assumptions: expect.arrayContaining([expect.stringContaining('control plane, as assumed')]),
    });
  });

  it.each([1, 2, 3])('%i leave no workers: nothing is rolled or paused', (nodes) => {
    for (const strategy of STRATEGIES) {
      const { plan } = assumedAlong(WAY, { nodes, strategy });
      expect(plan.workerRollouts).toEqual([]);
      expect(plan.steps.map(({ command }) => command).join('\n')).not.toContain('mcp/');
    }
  });

  it.each([0, -1, 2.5, Number.NaN])('%d is not a number of them', (nodes) => {
    expect(() => assumedFacts(WAY.upgrade.path, nodes)).toThrow('which is a whole one from 1 on');
  });
});

/** A cluster that reported to be what is assumed. */
function factsOf(nodes: number, version: string): ClusterFacts {
  const pool = (name: string, total: number) =>
    aPool(name, { machines: { total, updated: total, ready: total, unavailable: 0, degraded: 0 } });
  const controlPlane = Math.min(3, nodes);
  const { desired, history } = aClusterVersion({}, version);
  return aCluster(
    {
      clusterVersion: aClusterVersion(
        { channel: null, desired: { ...desired, channels: [] }, history },
        version,
      ),
      nodes: null,
      pools: [pool('master', controlPlane), pool('worker', nodes - controlPlane)],
      adminGates: ADMIN_GATES.filter(({ isConditional }) => !isConditional).map(({ key, url }) => ({
        key,
        value: `See ${url}`,
      })),
      networkType: null,
    },
    version,
  );
}

describe('the plan of a cluster that is as it was assumed to be', () => {
  const START = fc.constantFrom('4.5', '4.6', '4.9', '4.12', '4.14', '4.15', '4.18', '4.21');
  const move = fc.record({ isMinor: fc.boolean(), patch: fc.nat(9) });
  /** Upward only, as an update graph has it. */
  const way = fc.tuple(START, fc.array(move, { maxLength: 5 })).map(([start, moves]) => {
    const minors = minorsBetween(start, '5.3');
    let [place, patch] = [0, 3];
    return [
      `${start}.3`,
      ...moves.map((each) => {
        place += each.isMinor ? 1 : 0;
        patch = each.isMinor ? each.patch : patch + 1 + each.patch;
        return minors[place]!.replace(/0$/, String(patch));
      }),
    ];
  });

  it('has the same figures, and the steps that were to be expected', () => {
    fc.assert(
      fc.property(
        way,
        fc.array(fc.boolean(), { maxLength: 6 }),
        fc.constantFrom(1, 2, 3, 4, 6, 24, 250),
        fc.constantFrom(...SKEW_POLICIES),
        fc.constantFrom(...STRATEGIES),
        (path, conditional, nodes, policy, strategy) => {
          const answer = foundAlong(path, conditional);
          const assumed = assumedAlong(answer, { nodes, policy, strategy });
          const reported = reportOn(factsOf(nodes, path[0]!), answer, { policy, strategy });
          const figures = ({ hops, plan: { pools, workerRollouts }, duration }: UpgradePlan) => ({
            total: duration.total,
            workerRollouts,
            pools,
            hops: hops.map(
              ({ conditions: _conditions, upgradeable: _own, verdict: _verdict, ...hop }) => hop,
            ),
          });
          expect(figures(assumed)).toEqual(figures(reported));
          const isExpected = (step: PlanStep) => step.blocking || step.kind === 'backup' || isDiskCheck(step);
          const steps = ({ plan }: UpgradePlan) => plan.steps.map(({ text, command }) => [text, command]);
          const [expected, told] = [steps(assumed), steps(reported)];
          // A cluster with a gate is told of it on a patch too, where nothing waits for it. No update waits for a backup.
          expect(expected.filter(([text]) => !text!.startsWith('Check that nothing uses'))).toEqual(
            told.filter((_, at) => isExpected(reported.plan.steps[at]!)),
          );
        },
      ),
      { numRuns: sized(100, 300) },
    );
  });
});
