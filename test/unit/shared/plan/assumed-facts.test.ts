import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { type SkewPolicy } from '@cairn/shared/safety/hop';
import { ADMIN_GATES } from '@cairn/shared/safety/tables/admin-gates';
import { SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, aPool } from '../../../helpers/cluster/clusters.ts';
import { CHANNELS } from '../../../helpers/path/answers.ts';
import { foundAlong, outlineAlong } from '../../../helpers/plan/outlines.ts';
import { minorsBetween } from '../../../helpers/plan/paths.ts';
import { outline as stepsInShort } from '../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';
import { sized } from '../../../helpers/size.ts';

const WAY = ['4.14.30', '4.15.20', '4.16.5'];
const ROLLING = { strategy: 'rolling' } as const;

describe('workers that are held back', () => {
  const ALL = 'all';
  const cases: readonly [from: string, to: string, expected: Partial<Record<SkewPolicy, string>>][] = [
    ['4.6', '4.10', points('4.8 4.10', ALL, '4.8 4.10', '4.9 4.10')],
    ['4.7', '4.9', points('4.8 4.9', ALL, '4.9', '4.9')],
    ['4.8', '4.10', points('4.10', ALL, '4.10', '4.10')],
    ['4.14', '4.20', points('4.16 4.18 4.20', ALL, '4.16 4.18 4.20', '4.17 4.20')],
    ['4.20', '5.2', points('4.22 5.2', ALL, '4.22 5.1 5.2', '5.0 5.2')],
    ['4.21', '5.2', points('4.22 5.2', ALL, '5.0 5.2', '5.1 5.2')],
    ['4.22', '5.2', points('5.2', ALL, '5.1 5.2', '5.2')],
    ['5.2', '5.5', points('5.5', ALL, '5.4 5.5', '5.5')],
  ];
  function points(openshift: string, one: string, two: string, three: string) {
    return { openshift, 'n-1': one, 'n-2': two, 'n-3': three };
  }

  it.each(
    cases.flatMap(([from, to, expected]) =>
      Object.entries(expected).map(([policy, at]) => ({ from, to, policy: policy as SkewPolicy, at })),
    ),
  )('$from → $to with $policy are rolled at $at', ({ from, to, policy, at }) => {
    const path = minorsBetween(from, to);
    const { hops, rollouts, reboots } = outlineAlong(path, { policy });
    const versions = at === ALL ? path.slice(1) : at.split(' ').map((minor) => `${minor}.0`);
    expect(rollouts.map(({ version }) => version)).toEqual(versions);
    expect(reboots).toEqual({ planned: versions.length, paused: versions.length, rolling: hops.length });
    // The last roll is after the last hop, the others are before the hop that leaves their release.
    const waiting = hops.filter(({ roll }) => roll !== null);
    expect(waiting.map(({ roll }) => [roll!.version, roll!.beforeHop])).toEqual(
      waiting.map((hop) => [hop.from, hop.index]),
    );
    expect(waiting.map((hop) => hop.from)).toEqual(versions.slice(0, -1));
    expect(hops.every(({ skew }) => skew!.isWithinLimit)).toBe(true);
  });

  it('say how far behind they are, and why they have to move', () => {
    const { hops } = outlineAlong(minorsBetween('4.6', '4.10'));
    expect(hops.map(({ skew }) => skew && [skew.lag, skew.limit])).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
      [2, 2],
    ]);
    expect(hops.map(({ roll }) => roll?.reason ?? null)).toEqual([null, null, 'skew', null]);
  });

  it('may be too far behind after a hop that skips a minor, whatever is rolled', () => {
    const { hops } = outlineAlong(['4.14.30', '4.16.5'], { policy: 'n-1' });
    expect(hops[0]!.skew).toEqual({ lag: 2, limit: 1, isWithinLimit: false });
  });
});

describe('workers that follow every hop', () => {
  it('are rolled after each, and never hold one up because of a pause', () => {
    const { hops, rollouts, reboots, steps } = outlineAlong(WAY, ROLLING);
    expect(rollouts.map(({ version, beforeHop }) => [version, beforeHop])).toEqual([
      ['4.15.20', 1],
      ['4.16.5', null],
    ]);
    expect(hops.map(({ roll }) => roll)).toEqual([null, null]);
    expect(hops.map(({ skew }) => skew!.lag)).toEqual([1, 1]);
    expect(reboots).toEqual({ planned: 2, paused: 1, rolling: 2 });
    expect(steps.map(({ kind }) => kind)).not.toContain('pause');
  });
});

describe('nodes', () => {
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
    const found = outlineAlong(['4.14.30', '4.15.20'], { nodes });
    expect(found).toMatchObject({ nodes, controlPlane, duration: { total: { min, expected, max } } });
    expect(found.hops[0]!.duration).toEqual({ min, expected, max, serialNetwork: false });
    expect(found.assumptions[0]).toContain('as assumed');
  });

  it.each([1, 2, 3])('%i leave no workers: nothing is rolled, paused or behind', (nodes) => {
    for (const strategy of STRATEGIES) {
      const { hops, rollouts, reboots, steps } = outlineAlong(WAY, { nodes, strategy });
      expect(hops.map(({ skew, roll }) => [skew, roll])).toEqual([
        [null, null],
        [null, null],
      ]);
      expect(rollouts).toEqual([]);
      expect(reboots).toEqual({ planned: 0, paused: 0, rolling: 0 });
      expect(steps.map(({ command }) => command).join('\n')).not.toContain('mcp/');
    }
  });

  it('of workers are rebooted one after the other', () => {
    const { rollouts } = outlineAlong(WAY, { nodes: 9 });
    expect(rollouts).toEqual([
      {
        version: '4.16.5',
        beforeHop: null,
        pools: [
          { pool: 'worker', nodes: 6, maxUnavailable: 1, iterations: 6, min: 30, expected: 60, max: 120 },
        ],
        minutes: { min: 30, expected: 60, max: 120 },
      },
    ]);
  });

  it.each([0, -1, 2.5, Number.NaN])('%d is not a number of them', (nodes) => {
    expect(() => outlineAlong(WAY, { nodes })).toThrow('which is a whole one from 1 on');
  });
});

describe('hops', () => {
  it('say what they are, what is to be acknowledged before them and what they take away', () => {
    const { hops, removals } = outlineAlong(['4.13.5', '4.13.9', '4.14.30', '4.15.20', '4.16.5']);
    expect(
      hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, gates }) => [
        `${index} ${from} ${to} ${updateType} ${kubeFrom} ${kubeTo}`,
        gates.map(({ key }) => key),
        removals[index],
      ]),
    ).toEqual([
      ['0 4.13.5 4.13.9 patch 1.26 1.26', [], []],
      [
        '1 4.13.9 4.14.30 minor 1.26 1.27',
        ['ack-4.13-kube-1.27-api-removals-in-4.14'],
        ['csistoragecapacities.v1beta1.storage.k8s.io'],
      ],
      ['2 4.14.30 4.15.20 minor 1.27 1.28', [], []],
      [
        '3 4.15.20 4.16.5 minor 1.28 1.29',
        ['ack-4.15-kube-1.29-api-removals-in-4.16'],
        [
          'flowschemas.v1beta2.flowcontrol.apiserver.k8s.io',
          'prioritylevelconfigurations.v1beta2.flowcontrol.apiserver.k8s.io',
        ],
      ],
    ]);
  });

  it('add up, with the overruns of each independent of the others', () => {
    const { duration } = outlineAlong(WAY);
    expect(duration.total).toEqual({ min: 90, expected: 120, max: 210, worst: 250 });
  });
});

describe('steps', () => {
  it('are channel, acknowledgement, pause, update, waiting, and the end of the pause, with their commands', () => {
    const { steps } = outlineAlong(WAY);
    expect(stepsInShort(steps)).toEqual([
      'pause 0 worker',
      'update 0 stable-4.14',
      'update 0',
      'verify 0',
      'ack 1 ack-4.15-kube-1.29-api-removals-in-4.16',
      'update 1',
      'verify 1',
      'unpause end worker',
      'verify end worker',
    ]);
    expect(steps.every(({ command, blocking }) => command?.startsWith('oc ') && blocking)).toBe(true);
  });

  it.each([
    ['stable-4.14,eus-4.14', 'oc adm upgrade channel stable-4.14'],
    ['candidate-4.14', 'oc adm upgrade channel stable-4.14 --allow-explicit-channel'],
    [undefined, 'oc adm upgrade channel stable-4.14'],
  ])('name a channel that the release does not list, %s, explicitly', (listed, command) => {
    const { path } = foundAlong(WAY).upgrade;
    const metadata: Record<string, string> = listed === undefined ? {} : { [CHANNELS]: listed };
    const [source, ...others] = path;
    const from = { ...source!, node: { ...source!.node, metadata } };
    const { steps } = outlineAlong(WAY, { path: [from, ...others] });
    expect(steps.map((step) => step.command)).toContain(command);
  });
});

describe('a cluster that is there already', () => {
  it('has no hops, no steps, and takes no time', () => {
    const found = outlineAlong(['4.16.5']);
    expect(found).toMatchObject({ hops: [], steps: [], rollouts: [] });
    expect(found.reboots).toEqual({ planned: 0, paused: 0, rolling: 0 });
    expect(found.duration.total).toEqual({ min: 0, expected: 0, max: 0, worst: 0 });
    expect(found.duration.hops).toEqual([]);
  });
});

/** A cluster that is known to be what an outline takes it for. */
function factsOf(nodes: number, controlPlane: number, version: string): ClusterFacts {
  const pool = (name: string, total: number) =>
    aPool(name, { machines: { total, updated: total, ready: total, unavailable: 0, degraded: 0 } });
  const { desired, history } = aClusterVersion({}, version);
  return aCluster(
    {
      clusterVersion: aClusterVersion(
        { channel: null, desired: { ...desired, channels: [] }, history },
        version,
      ),
      nodes: null,
      pools: [pool('master', controlPlane), pool('worker', nodes - controlPlane)],
      adminGates: ADMIN_GATES.map(({ key, url }) => ({ key, value: `See ${url}` })),
      networkType: null,
    },
    version,
  );
}

describe('an outline and the report on the same cluster', () => {
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

  it('come to the same figures and steps', () => {
    fc.assert(
      fc.property(
        way,
        fc.array(fc.boolean(), { maxLength: 6 }),
        fc.constantFrom(1, 2, 3, 4, 6, 24, 250),
        fc.constantFrom(...SKEW_POLICIES),
        fc.constantFrom(...STRATEGIES),
        (path, conditional, nodes, policy, strategy) => {
          const answer = foundAlong(path, conditional);
          const found = outlineAlong(path, { nodes, policy, strategy }, answer);
          const report = reportOn(factsOf(nodes, found.controlPlane, path[0]!), answer, { policy, strategy });
          const workers = report.plan.pools.find(({ pool }) => pool === 'worker')!;
          expect(found.duration.total).toEqual(report.duration.total);
          expect(found.rollouts).toEqual(report.plan.workerRollouts);
          // A cluster with a gate is told of it on a patch too, where nothing waits for it.
          expect(found.steps).toEqual(report.plan.steps.filter(({ blocking }) => blocking));
          expect(found.reboots.planned).toBe(workers.rolls.length);
          expect(found.reboots.rolling - found.reboots.planned).toBe(workers.rebootsSaved);
          expect(
            found.hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, duration, skew }) => ({
              ...{ index, from, to, updateType, kubeFrom, kubeTo, duration },
              skew: workers.nodes === 0 ? null : skew,
            })),
          ).toEqual(
            report.hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, duration, pools }) => {
              const { lag, limit, isWithinLimit } = pools.find(({ pool }) => pool === 'worker')!;
              return {
                ...{ index, from, to, updateType, kubeFrom, kubeTo, duration },
                skew: workers.nodes === 0 ? null : { lag, limit, isWithinLimit },
              };
            }),
          );
        },
      ),
      { numRuns: sized(100, 300) },
    );
  });
});
