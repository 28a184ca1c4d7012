import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool } from '../../../../helpers/cluster/clusters.ts';
import { foundAlong } from '../../../../helpers/plan/assumed-plans.ts';
import { outline, stepOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';

const controlPlaneOnly = { strategy: 'control-plane-only' } as const;
const EUS_PATH = ['4.6.30', '4.7.60', '4.8.57', '4.9.59', '4.10.67'];
/** Leaves 4.6 and 4.8 with nothing to acknowledge. */
const acknowledged = [{ key: 'ack-4.8-kube-1.22-api-removals-in-4.9', value: 'true' }];

describe('pools', () => {
  const poolOutline = (facts: Partial<ClusterFacts>, options: Partial<SafetyOptions>, path = EUS_PATH) =>
    outline(stepsOf(aCluster({ adminAcks: acknowledged, ...facts }, path[0]), path, { options })).filter(
      (line) => / (?:worker|master|infra)$/.test(line),
    );

  it.each<[string, boolean, Partial<SafetyOptions>, readonly string[]]>([
    [
      'that follow every hop are only waited for',
      false,
      {},
      ['roll-pool 1 worker', 'roll-pool 2 worker', 'roll-pool 3 worker', 'verify end worker'],
    ],
    [
      'are held, let go at 4.8, held again and let go at the end',
      false,
      controlPlaneOnly,
      [
        'pause 0 worker',
        'unpause 2 worker',
        'roll-pool 2 worker',
        'pause 2 worker',
        'unpause end worker',
        'verify end worker',
      ],
    ],
    [
      'that are held already are not held again',
      true,
      controlPlaneOnly,
      ['unpause 2 worker', 'roll-pool 2 worker', 'pause 2 worker', 'unpause end worker', 'verify end worker'],
    ],
    [
      'that are held stay so, whatever the strategy',
      true,
      {},
      ['unpause 2 worker', 'roll-pool 2 worker', 'pause 2 worker', 'unpause end worker', 'verify end worker'],
    ],
    [
      'are never held where every hop makes them roll',
      false,
      { ...controlPlaneOnly, policy: 'n-1' },
      ['roll-pool 1 worker', 'roll-pool 2 worker', 'roll-pool 3 worker', 'verify end worker'],
    ],
    [
      'that are held are let go once, where every hop makes them roll',
      true,
      { ...controlPlaneOnly, policy: 'n-1' },
      [
        'unpause 1 worker',
        'roll-pool 1 worker',
        'roll-pool 2 worker',
        'roll-pool 3 worker',
        'verify end worker',
      ],
    ],
    [
      'are not held for the last hop alone',
      false,
      { ...controlPlaneOnly, policy: 'n-3' },
      ['pause 0 worker', 'unpause 3 worker', 'roll-pool 3 worker', 'verify end worker'],
    ],
  ])('%s', (_name, paused, options, lines) => {
    expect(poolOutline({ pools: [aPool('master'), aPool('worker', { paused })] }, options)).toEqual(lines);
  });

  it('that are behind today are rolled before the first hop', () => {
    const facts = {
      nodes: [aNode('worker-0', { kubeletVersion: 'v1.26.3' })],
      pools: [aPool('worker', { paused: true })],
    };
    const path = ['4.14.8', '4.15.20', '4.16.9'];
    expect(poolOutline(facts, controlPlaneOnly, path)).toEqual([
      'unpause 0 worker',
      'roll-pool 0 worker',
      'pause 0 worker',
      'unpause end worker',
      'verify end worker',
    ]);
  });

  it('roll side by side, some held and some not', () => {
    const nodes = [
      aNode('infra-0', { kubeletVersion: 'v1.19.1' }, 'infra'),
      aNode('worker-0', { kubeletVersion: 'v1.19.1' }),
    ];
    const mixed = { nodes, pools: [aPool('infra', { paused: true }), aPool('worker')] };
    expect(poolOutline(mixed, {})).toEqual([
      'roll-pool 1 worker',
      'unpause 2 infra',
      'roll-pool 2 infra',
      'roll-pool 2 worker',
      'pause 2 infra',
      'roll-pool 3 worker',
      'unpause end infra',
      'verify end infra',
      'verify end worker',
    ]);
    expect(poolOutline(mixed, controlPlaneOnly)).toEqual([
      'pause 0 worker',
      'unpause 2 infra',
      'unpause 2 worker',
      'roll-pool 2 infra',
      'roll-pool 2 worker',
      'pause 2 infra',
      'pause 2 worker',
      'unpause end infra',
      'unpause end worker',
      'verify end infra',
      'verify end worker',
    ]);
  });

  it('without nodes, and nodes without a pool, are not rolled', () => {
    const nodes = [aNode('other', { labels: {}, kubeletVersion: 'v1.19.1' })];
    expect(poolOutline({ nodes, pools: [aPool('infra')] }, controlPlaneOnly)).toEqual([]);
  });

  it('of a control plane that is paused are let go at once', () => {
    const pools = [aPool('master', { paused: true }), aPool('worker')];
    const steps = stepsOf(aCluster({ pools }), ['4.14.8', '4.15.20']);
    expect(steps.slice(0, 2)).toEqual([
      {
        id: '1-unpause',
        kind: 'unpause',
        hop: 0,
        text: 'Unpause machine config pool master: No update completes while the control plane is paused',
        command: `oc patch mcp/master --type merge -p '{"spec":{"paused":false}}'`,
        objects: [{ kind: 'MachineConfigPool', name: 'master' }],
        resolves: [{ type: 'PoolsReady', reason: 'ControlPlanePoolPaused' }],
        blocking: true,
      },
      expect.objectContaining({ kind: 'roll-pool', hop: 0 }),
    ]);
    expect(outline(steps).filter((line) => line.startsWith('pause'))).toEqual([]);
  });

  it('case 53: are rolled at 4.14, 4.16 and 4.18 on the way from 4.12, and are in the way of no hop', () => {
    const path = ['4.12.40', '4.13.30', '4.14.30', '4.15.20', '4.16.9', '4.17.5', '4.18.5'];
    const [rolling, paused] = [{}, controlPlaneOnly].map((options) =>
      reportOn(aCluster({}, path[0]), foundAlong(path), options),
    ) as [UpgradePlan, UpgradePlan];
    const skew = paused.hops.flatMap(({ conditions }) =>
      conditions.filter(({ type, effect }) => type === 'KubeletMinorVersionUpgradeable' && effect !== 'ok'),
    );
    expect(skew).toEqual([]);
    expect(outline(paused.plan.steps).filter((line) => / worker$/.test(line))).toEqual([
      'pause 0 worker',
      'unpause 2 worker',
      'roll-pool 2 worker',
      'pause 2 worker',
      'unpause 4 worker',
      'roll-pool 4 worker',
      'pause 4 worker',
      'unpause end worker',
      'verify end worker',
    ]);
    expect(
      paused.plan.pools.find(({ pool }) => pool === 'worker')!.rolls.map(({ version }) => version),
    ).toEqual(['4.14.30', '4.16.9', '4.18.5']);
    expect(paused.verdict).toBe(rolling.verdict);
    expect(paused.hops.map(({ verdict }) => verdict)).toEqual(rolling.hops.map(({ verdict }) => verdict));
  });

  it('that are paused today and rolled later are confirmed, not waited for', () => {
    const machines = { total: 3, updated: 1, ready: 3, unavailable: 0, degraded: 0 };
    const pools = [aPool('master'), aPool('worker', { paused: true, machines })];
    const steps = stepsOf(aCluster({ pools }), ['4.14.8', '4.15.20']);
    expect(steps[0]).toEqual({
      id: '1-check',
      kind: 'check',
      hop: 0,
      text: 'Confirm that pool worker may stay paused; the plan updates it to 4.15.20',
      command: 'oc get mcp/worker',
      objects: [{ kind: 'MachineConfigPool', name: 'worker' }],
      resolves: [{ type: 'PoolsReady', reason: 'PoolPausedOutdated' }],
      blocking: false,
    });
    expect(outline(steps).slice(1)).toEqual([
      'backup 0',
      'update 0',
      'verify 0',
      'unpause end worker',
      'verify end worker',
      'verify end',
    ]);
  });

  it('have commands that hold and let go', () => {
    const steps = stepsOf(aCluster(), ['4.14.8', '4.15.20', '4.16.9'], { options: controlPlaneOnly });
    expect([stepOf(steps, 'pause').command, stepOf(steps, 'unpause').command]).toEqual([
      `oc patch mcp/worker --type merge -p '{"spec":{"paused":true}}'`,
      `oc patch mcp/worker --type merge -p '{"spec":{"paused":false}}'`,
    ]);
  });
});
