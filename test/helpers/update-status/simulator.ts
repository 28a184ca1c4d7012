import type { ClusterFacts, HistoryEntry, NodeFacts } from '@cairn/shared/cluster/facts';
import { aCluster, aClusterVersion, aCondition } from '../cluster/clusters.ts';
import { aPlatformOperator, aRollingPool, outdatedNode, updatedNode, updatingNode } from './statuses.ts';

/** A whole update, of which a report can be taken at any minute. Times are minutes since its start. */
export interface SimulatedUpdate {
  readonly startedAt: string;
  /** Minute at which nothing is left to update; infinite if a node never ends. */
  readonly end: number;
  readonly controlPlaneEnd: number;
  /** Minute at which a node enters each phase. */
  readonly nodes: ReadonlyMap<string, NodeMinutes>;
  readonly facts: (minute: number) => ClusterFacts;
  readonly time: (minute: number) => string;
}

interface NodeMinutes {
  readonly drain: number;
  readonly update: number;
  readonly reboot: number;
  readonly done: number;
}

interface SimulatedPool {
  readonly name: string;
  readonly nodes: number;
  readonly atOnce?: number;
  /** Minutes between which no node begins. */
  readonly paused?: readonly [from: number, to: number];
}

interface Scenario {
  readonly start?: string;
  readonly from?: string;
  readonly to?: string;
  readonly operators?: number;
  readonly minutesPerOperator?: number;
  readonly masters?: number;
  readonly pools?: readonly SimulatedPool[];
  /** Minutes of the phases of a node. */
  readonly phases?: readonly [drain: number, update: number, reboot: number];
  /** Minutes by node that its drain takes; infinite if it never ends. */
  readonly drains?: Readonly<Record<string, number>>;
  /** Nodes that reboot and never come back. */
  readonly lost?: readonly string[];
  /** Operator that takes so many minutes. */
  readonly slowOperator?: { readonly index: number; readonly minutes: number };
  readonly degraded?: { readonly node: string; readonly from: number; readonly to: number };
  /** Minutes in which the first operator is degraded and the second one unavailable, so that the update fails. */
  readonly failing?: { readonly from: number; readonly to: number };
  /** Entries before this update, newest first. */
  readonly history?: readonly HistoryEntry[];
}

export const SIMULATED_START = '2026-11-16T08:00:00Z';

export function simulateUpdate(scenario: Scenario = {}): SimulatedUpdate {
  const { start = SIMULATED_START, operators = 8, minutesPerOperator = 3, masters = 3 } = scenario;
  const { pools = [{ name: 'worker', nodes: 6 }], slowOperator } = scenario;
  const time = (minute: number): string => new Date(Date.parse(start) + minute * 60_000).toISOString();
  const operatorEnds = endsOf(
    Array.from({ length: operators }, (_, index) =>
      index === slowOperator?.index ? slowOperator.minutes : minutesPerOperator,
    ),
  );
  const nodesBegin = operatorEnds.at(-1)!;
  const control = poolMinutes({ name: 'master', nodes: masters }, nodesBegin, scenario);
  const controlPlaneEnd = lastOf(control) + 1;
  const workers = pools.map((pool) => poolMinutes(pool, nodesBegin + 1, scenario));
  const nodes = new Map([control, ...workers].flatMap((each) => [...each]));
  return {
    startedAt: start,
    time,
    controlPlaneEnd,
    end: Math.max(controlPlaneEnd, ...workers.map(lastOf)),
    nodes,
    facts: (minute) => {
      const state = { scenario, minute, time, operatorEnds, controlPlaneEnd };
      return {
        ...aCluster({
          clusterVersion: versionAt(state),
          clusterOperators: operatorsAt(state),
          nodes: Array.from(nodes, ([name, minutes]) => nodeAt(name, minutes, state)),
          pools: [{ name: 'master', nodes: masters } as SimulatedPool, ...pools].map((pool) =>
            poolAt(pool, minute >= nodesBegin, minute),
          ),
          configReleases: ['master', ...pools.map(({ name }) => name)].flatMap((name) => [
            { name: `rendered-${name}-1`, version: scenario.from ?? '4.14.0' },
            { name: `rendered-${name}-2`, version: scenario.to ?? '4.14.1' },
          ]),
          machineConfigImage: null,
          alerts: [],
        }),
        collectedAt: time(minute),
      };
    },
  };
}

interface State {
  readonly scenario: Scenario;
  readonly minute: number;
  readonly time: (minute: number) => string;
  readonly operatorEnds: readonly number[];
  readonly controlPlaneEnd: number;
}

function endsOf(minutes: readonly number[]): number[] {
  let end = 0;
  return minutes.map((each) => (end += each));
}

/** Nodes one after the other, with as many at once as the pool allows; none begins while it is paused. */
function poolMinutes(
  { name, nodes, atOnce = 1, paused }: SimulatedPool,
  begin: number,
  { phases: [drain, update, reboot] = [4, 2, 4], drains = {}, lost = [] }: Scenario,
): Map<string, NodeMinutes> {
  const slots = Array.from({ length: atOnce }, () => begin);
  return new Map(
    Array.from({ length: nodes }, (_, number) => {
      const node = `${name}-${String(number).padStart(3, '0')}`;
      const slot = slots.indexOf(Math.min(...slots));
      const free = slots[slot]!;
      const first = paused && free >= paused[0] && free < paused[1] ? paused[1] : free;
      const drained = first + (drains[node] ?? drain);
      const done = lost.includes(node) ? Infinity : drained + update + reboot;
      slots[slot] = done;
      return [node, { drain: first, update: drained, reboot: drained + update, done }] as const;
    }),
  );
}

function lastOf(nodes: ReadonlyMap<string, NodeMinutes>): number {
  return Math.max(0, ...[...nodes.values()].map(({ done }) => done));
}

function versionAt({ scenario, minute, time, controlPlaneEnd }: State) {
  const { from = '4.14.0', to = '4.14.1', history } = scenario;
  const isDone = minute >= controlPlaneEnd;
  const former = {
    state: 'Completed',
    version: from,
    image: from,
    verified: true,
    acceptedRisks: '',
  } as const;
  return aClusterVersion(
    {
      clusterId: 'c0ffee',
      desired: { version: to, image: to, channels: [] },
      history: [
        {
          ...former,
          state: isDone ? 'Completed' : 'Partial',
          version: to,
          image: to,
          startedTime: time(0),
          completionTime: isDone ? time(controlPlaneEnd) : null,
        },
        ...(history ?? [{ ...former, startedTime: time(-90_000), completionTime: time(-89_940) }]),
      ],
      conditions: [
        aCondition('Progressing', isDone ? 'False' : 'True', '', '', time(isDone ? controlPlaneEnd : 0)),
        failureAt('Failing', 'False', { scenario, minute, time }),
      ],
    },
    to,
  );
}

function operatorsAt({ scenario, minute, time, operatorEnds, controlPlaneEnd }: State) {
  const { from = '4.14.0', to = '4.14.1' } = scenario;
  const one = (name: string, begin: number, end: number) => {
    const isUpdating = minute >= begin && minute < end;
    const since = minute >= end ? end : minute >= begin ? begin : 0;
    const progressing = aCondition('Progressing', isUpdating ? 'True' : 'False', '', '', time(since));
    return aPlatformOperator(name, minute >= end ? to : from, [
      name === 'operator-01'
        ? failureAt('Available', 'True', { scenario, minute, time })
        : aCondition('Available', 'True', '', '', time(-1000)),
      name === 'operator-00'
        ? failureAt('Degraded', 'False', { scenario, minute, time })
        : aCondition('Degraded', 'False', '', '', time(-1000)),
      progressing,
    ]);
  };
  const nodesBegin = operatorEnds.at(-1)!;
  return [
    ...operatorEnds.map((end, index) =>
      one(`operator-${String(index).padStart(2, '0')}`, operatorEnds[index - 1] ?? 0, end),
    ),
    one('machine-config', nodesBegin, controlPlaneEnd),
  ];
}

/** A condition that changes its status while the update fails. */
function failureAt(
  type: string,
  usual: 'True' | 'False',
  { scenario, minute, time }: Pick<State, 'scenario' | 'minute' | 'time'>,
) {
  const { from = Infinity, to = Infinity } = scenario.failing ?? {};
  if (minute < from) return aCondition(type, usual, '', '', time(0));
  if (minute >= to) return aCondition(type, usual, '', '', time(to));
  return aCondition(type, usual === 'True' ? 'False' : 'True', 'Broken', 'it is broken', time(from));
}

function nodeAt(name: string, minutes: NodeMinutes, { scenario, minute, time }: State): NodeFacts {
  const pool = name.slice(0, name.lastIndexOf('-'));
  const { degraded } = scenario;
  const isDegraded = degraded?.node === name && minute >= degraded.from && minute < degraded.to;
  const config = {
    desiredDrain: `drain-rendered-${pool}-2`,
    ...(isDegraded && { state: 'Degraded', reason: 'broken' }),
  };
  const cordoned = { unschedulable: true };
  const { drain, update, reboot, done } = minutes;
  if (minute >= done) return updatedNode(name, isDegraded ? config : {}, pool);
  if (minute >= reboot) {
    return updatingNode(
      name,
      { state: 'Rebooting', lastAppliedDrain: `drain-rendered-${pool}-2`, ...config },
      pool,
      { ...cordoned, problems: [aCondition('Ready', 'False', '', 'gone', time(reboot))] },
    );
  }
  if (minute >= update) {
    return updatingNode(name, { lastAppliedDrain: `drain-rendered-${pool}-2`, ...config }, pool, cordoned);
  }
  if (minute >= drain) {
    return updatingNode(name, { lastAppliedDrain: `uncordon-rendered-${pool}-1`, ...config }, pool, cordoned);
  }
  return outdatedNode(name, isDegraded ? { state: 'Degraded', reason: 'broken' } : {}, pool);
}

function poolAt({ name, atOnce = 1, paused }: SimulatedPool, isRendered: boolean, minute: number) {
  return aRollingPool(name, {
    maxUnavailable: atOnce,
    paused: paused !== undefined && minute >= paused[0] && minute < paused[1],
    ...(!isRendered && {
      configuration: { wanted: `rendered-${name}-1`, current: `rendered-${name}-1` },
    }),
  });
}
