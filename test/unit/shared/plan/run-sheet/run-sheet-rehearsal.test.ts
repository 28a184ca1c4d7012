import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { describe, expect, it } from 'vitest';
import { type ClusterShape, seededShape } from '../../../../helpers/cluster/consistent-clusters.ts';
import type { FlawName } from '../../../../helpers/cluster/flaws.ts';
import { commandsOf, isUpdate } from '../../../../helpers/plan/plan-outlines.ts';
import {
  type Edit,
  rehearse,
  rehearseInParts,
  smallestDeadEnd,
} from '../../../../helpers/plan/rehearsal/rehearsal.ts';
import { Random } from '../../../../helpers/random.ts';
import { sized } from '../../../../helpers/size.ts';

const CLUSTERS = sized(150, 2_000);

/** A feature set cannot be removed, so such a cluster takes patches only. */
function rehearsedShape(seed: number): ClusterShape {
  const shape = seededShape(seed);
  const isPermanent = (name: FlawName) => name === 'technology preview' && shape.minors > 0;
  return { ...shape, flaws: shape.flaws.filter((name) => !isPermanent(name)) };
}

describe(`run sheets of ${CLUSTERS} clusters, carried out on a simulated cluster`, () => {
  it('reach their target', () => {
    const seeds = Array.from({ length: CLUSTERS }, (_, seed) => seed);
    const deadEnds = seeds.filter((seed) => rehearse(rehearsedShape(seed)) !== null);
    expect(deadEnds.slice(0, 3).map((seed) => smallestDeadEnd(rehearsedShape(seed)))).toEqual([]);
    expect(deadEnds).toEqual([]);
  });

  it('reach it too if the person stops anywhere and goes on with a new plan', () => {
    const seeds = Array.from({ length: CLUSTERS }, (_, seed) => seed);
    const problems = seeds.map((seed) => rehearseInParts(rehearsedShape(seed), new Random(seed)));
    expect(problems.filter((problem) => problem !== null).slice(0, 3)).toEqual([]);
  });

  it('are of all strategies and kinds of paths', () => {
    const shapes = Array.from({ length: CLUSTERS }, (_, seed) => rehearsedShape(seed));
    const isExtendedSupport = ({ ordinal, minors, strategy }: ClusterShape) =>
      strategy === 'control-plane-only' && ordinal % 2 === 0 && minors === 2;
    const counts = {
      'control plane only': shapes.filter(({ strategy }) => strategy === 'control-plane-only').length,
      'from EUS to EUS': shapes.filter(isExtendedSupport).length,
      'patch first': shapes.filter(({ isPatchFirst }) => isPatchFirst).length,
      'with risks': shapes.filter(({ risky }) => risky[0]).length,
      hosted: shapes.filter(({ topology }) => topology === 'External').length,
      'with an arbiter': shapes.filter(({ topology }) => topology === 'Arbiter').length,
    };
    expect(Object.values(counts).filter((count) => count < CLUSTERS / 50)).toEqual([]);
  });
});

/** A healthy cluster at 4.14.10 with three workers, to the next minor. */
function aShape(changes: Partial<ClusterShape> = {}): ClusterShape {
  return {
    ordinal: 14,
    patch: 10,
    platform: 'None',
    topology: 'HighlyAvailable',
    workers: 3,
    flaws: [],
    strategy: 'rolling',
    minors: 1,
    isPatchFirst: false,
    isPatchBetween: false,
    risky: [],
    ...changes,
  };
}

/** Workers stay at 4.14 until 4.16, and at 4.16 until 4.18. */
const CONTROL_PLANE_ONLY = aShape({ strategy: 'control-plane-only', minors: 4 });

const without =
  (isMeant: (step: PlanStep) => boolean): Edit =>
  (steps) =>
    steps.filter((step) => !isMeant(step));

const withoutKind = (...kinds: readonly PlanStep['kind'][]): Edit =>
  without(({ kind }) => kinds.includes(kind));

const afterFirst =
  (kind: PlanStep['kind'], command: string): Edit =>
  (steps) => {
    const at = steps.findIndex((step) => step.kind === kind);
    const planted: PlanStep = {
      id: 'planted',
      kind: 'wait',
      hop: steps[at]!.hop,
      text: 'planted',
      command,
      blocking: true,
    };
    return steps.toSpliced(at + 1, 0, planted);
  };

const pausedDuringUpdate =
  (pool: string): Edit =>
  (steps, plan) => {
    const paused = afterFirst('backup', `oc patch mcp/${pool} --type merge -p '{"spec":{"paused":true}}'`);
    const planted = paused(steps, plan).find(({ id }) => id === 'planted')!;
    return steps.toSpliced(steps.findIndex(isUpdate) + 1, 0, planted);
  };

const replaced =
  (old: string | RegExp, by: string): Edit =>
  (steps) =>
    steps.map(({ command, commands, ...step }) => ({
      ...step,
      ...(command !== undefined && { command: command.replace(old, by) }),
      ...(commands !== undefined && { commands: commands.map((each) => each.replace(old, by)) }),
    }));

/** Pool steps of the hop from 4.16 are done at 4.15. */
const rollTooEarly: Edit = (steps) => {
  const isMoved = ({ kind, hop }: PlanStep) => hop === 2 && ['unpause', 'roll-pool', 'pause'].includes(kind);
  const moved = steps.filter(isMoved).map((step) => ({ ...step, hop: 1 }));
  const rest = steps.filter((step) => !isMoved(step));
  return rest.toSpliced(rest.findIndex(({ kind, hop }) => kind === 'backup' && hop === 1) + 1, 0, ...moved);
};

const updateBefore =
  (kind: PlanStep['kind']): Edit =>
  (steps) => {
    const update = steps.find(isUpdate)!;
    const rest = steps.filter((step) => step !== update);
    return rest.toSpliced(
      rest.findIndex((step) => step.kind === kind),
      0,
      update,
    );
  };

/** Right after the first reboot instead of before it. */
const suspendedLate: Edit = (steps) => {
  const isReboot = (step: PlanStep) =>
    isUpdate(step) ||
    step.kind === 'unpause' ||
    commandsOf(step).some((each) => /cgroupMode|wait mcp/.test(each));
  const suspension = steps.find(({ kind }) => kind === 'suspend')!;
  const rest = steps.filter((step) => step !== suspension);
  return rest.toSpliced(rest.findIndex(isReboot) + 1, 0, suspension);
};

/** What reboots first, by flaws of the cluster. */
const REBOOTS: readonly (readonly [string, Partial<ClusterShape>])[] = [
  ['the control plane', {}],
  ['a paused pool that catches up', { flaws: ['workers two minors behind'] }],
  [
    'a paused control plane of an update in progress',
    { flaws: ['master pool paused', 'update in progress'] },
  ],
  ['a pool that rolls out', { flaws: ['worker pool updating'] }],
  ['a pool with a new configuration', { ordinal: 18, flaws: ['cgroup v1'] }],
];

type Planted = readonly [bug: string, shape: ClusterShape, edit: Edit, problem: RegExp];

const PLANTED: readonly Planted[] = [
  ['a missing acknowledgment', aShape({ ordinal: 15 }), withoutKind('ack'), /blocked: .*AdminAckRequired/],
  [
    'an acknowledgment of another value',
    aShape({ ordinal: 15 }),
    replaced('"true"}', '"yes"}'),
    /blocked: .*AdminAckRequired/,
  ],
  [
    'a paused control plane',
    aShape(),
    afterFirst('backup', `oc patch mcp/master --type merge -p '{"spec":{"paused":true}}'`),
    /blocked: .*ControlPlanePoolPaused/,
  ],
  [
    'a control plane that is paused during the update',
    aShape(),
    pausedDuringUpdate('master'),
    /never completes, because pool master is paused/,
  ],
  [
    'a paused arbiter',
    aShape({ topology: 'Arbiter' }),
    pausedDuringUpdate('arbiter'),
    /never completes, because pool arbiter is paused/,
  ],
  [
    'an invalid ClusterVersion',
    aShape({ flaws: ['cluster version invalid'], minors: 0 }),
    withoutKind('fix'),
    /blocked: .*InvalidClusterVersion/,
  ],
  ...(['pod in two budgets', 'virtual machine stuck'] as const).map((flaw): Planted => [
    `a drain that hangs on a ${flaw}`,
    aShape({ flaws: [flaw] }),
    without(({ kind, resolves = [] }) => kind === 'fix' && resolves[0]?.type === 'DrainsPossible'),
    /drains of pool worker hang on (two|vm-1)/,
  ]),
  [
    'a wait for a paused pool',
    CONTROL_PLANE_ONLY,
    afterFirst('pause', 'oc wait mcp/worker --for=condition=Updated=True --timeout=30m'),
    /pool worker is paused, so the wait for it never ends/,
  ],
  ['a rollout before the wrong hop', CONTROL_PLANE_ONLY, rollTooEarly, /KubeletMinorVersionUnsupported/],
  [
    'no rollout in between',
    CONTROL_PLANE_ONLY,
    without(({ kind, hop }) => hop === 2 && /pause|roll/.test(kind)),
    /KubeletMinorVersionUnsupported/,
  ],
  ['a forgotten unpause', CONTROL_PLANE_ONLY, withoutKind('unpause'), /pool worker is paused, so the wait/],
  [
    'a pool that stays paused at the end',
    CONTROL_PLANE_ONLY,
    without(({ hop, text }) => hop === null && text.includes('pool worker')),
    /pools are still paused: worker/,
  ],
  [
    'workers that nobody waits for',
    aShape(),
    without(({ hop, text }) => hop === null && text.includes('pool worker')),
    /3 nodes are not at 4\.15\.10/,
  ],
  [
    'health checks that stay suspended',
    aShape({ flaws: ['health check active'] }),
    withoutKind('resume'),
    /health checks are still paused: workers/,
  ],
  ...REBOOTS.map(([where, changes]): Planted => [
    `health checks that are active while ${where} reboots`,
    aShape({ ...changes, flaws: [...(changes.flaws ?? []), 'health check active'] }),
    suspendedLate,
    /workers would replace nodes/,
  ]),
  [
    'health checks that are resumed during an update',
    aShape({ flaws: ['health check active'] }),
    afterFirst(
      'update',
      'oc -n openshift-machine-api annotate machinehealthcheck workers cluster.x-k8s.io/paused-',
    ),
    /workers would replace nodes/,
  ],
  [
    'a budget that stays relaxed',
    aShape({ flaws: ['budget never allows'] }),
    without(({ kind, hop }) => kind === 'check' && hop === null),
    /budgets are not put back: cart/,
  ],
  [
    'a patch before the end of an update in progress',
    aShape({ flaws: ['update in progress'], isPatchFirst: true }),
    without(({ kind }) => kind === 'wait'),
    /the update in progress is not waited for/,
  ],
  [
    'a missing verification',
    aShape(),
    without(({ kind, hop }) => kind === 'verify' && hop === 0),
    /hop 0 is not verified/,
  ],
  ['a missing backup', aShape(), withoutKind('backup'), /hop 0 has 0 backups/],
  ['a backup after the update', aShape(), updateBefore('backup'), /backup of hop 0 is after/],
  [
    'an update before the acknowledgment',
    aShape({ ordinal: 15 }),
    updateBefore('ack'),
    /ack of hop 0 is after/,
  ],
  ['a skipped release', aShape({ minors: 2 }), without(({ hop }) => hop === 0), /hop 0 has 0 updates/],
  ['a missing update', aShape(), without(isUpdate), /hop 0 has 0 updates/],
  [
    'a degraded pool that is not repaired',
    aShape({ flaws: ['worker pool degraded'] }),
    withoutKind('fix', 'check'),
    /blocked: .*PoolDegraded/,
  ],
  [
    'a repair of another pool',
    aShape({ flaws: ['worker pool degraded'] }),
    replaced('describe mcp/worker', 'describe mcp/master'),
    /PoolDegraded|DegradedPool/,
  ],
  [
    'a node that is not repaired',
    aShape({ flaws: ['master not ready'] }),
    withoutKind('fix', 'check'),
    /blocked/,
  ],
  [
    'risks that nobody accepted',
    aShape({ risky: [true] }),
    withoutKind('accept'),
    /nobody accepted its risks/,
  ],
  [
    'a conditional update without its flag',
    aShape({ risky: [true] }),
    replaced(' --allow-not-recommended', ''),
    /not recommended/,
  ],
  [
    'a missing signature',
    aShape({ flaws: ['no update service'] }),
    withoutKind('mirror'),
    /signature is not known/,
  ],
  [
    'a tag instead of a digest',
    aShape({ flaws: ['no update service'] }),
    replaced(/@sha256:\w+/, ':4.15.10'),
    /not a command/,
  ],
  [
    'a missing channel',
    aShape(),
    without((step) => commandsOf(step).some((each) => each.includes('channel'))),
    /channel stable-4\.14 does not have it/,
  ],
  [
    'a wait without a limit',
    aShape(),
    replaced(/--timeout=\d+m/, '--timeout=-1s'),
    /not a command of run sheets/,
  ],
  [
    'a forced update',
    aShape(),
    replaced('oc adm upgrade --to', 'oc adm upgrade --force --to'),
    /not a command of run sheets/,
  ],
  ['a watch', aShape(), replaced('oc get nodes', 'oc get nodes -w'), /not a command of run sheets/],
  [
    'node pools that are left behind',
    aShape({ topology: 'External', minors: 4, strategy: 'control-plane-only' }),
    withoutKind('roll-pool'),
    /too old|blocked: .*Kubelet|HostedSkew/,
  ],
  [
    'a command of standalone clusters',
    aShape({ topology: 'External' }),
    afterFirst('update', 'oc adm upgrade'),
    /is for standalone clusters/,
  ],
];

describe('a rehearsal finds', () => {
  it.each(PLANTED)('%s', (_bug, shape, edit, problem) => {
    expect(rehearse(shape)).toBeNull();
    expect(rehearse(shape, edit)).toMatch(problem);
  });

  it('that a feature set rules out minors for ever, but not patches', () => {
    const flaws = ['technology preview'] as const;
    expect(rehearse(aShape({ flaws }))).toMatch(/blocked: .*RestrictedFeatureGates/);
    expect(rehearse(aShape({ flaws, minors: 0 }))).toBeNull();
  });
});
