import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { takeReport } from '@cairn/shared/cluster/record';
import { withoutSkew } from '@cairn/shared/update-status/runs/clock-skew';
import { thinned } from '@cairn/shared/update-status/runs/points';
import { progressOf } from '@cairn/shared/update-status/runs/progress';
import { NO_RUNS } from '@cairn/shared/update-status/runs/run';
import type { OperatorTimes, RunPoint } from '@cairn/shared/update-status/runs/run';
import { describe, expect, it } from 'vitest';
import { aCondition } from '../../../../helpers/cluster/clusters.ts';
import {
  everyFive,
  reportsAt,
  statusAfter,
  statusOfRecord,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { SIMULATED_START, simulateUpdate } from '../../../../helpers/update-status/simulator.ts';

/** 8 operators of 3 minutes, then nodes of 10 minutes, one at a time: 3 of the control plane and 6 workers. */
const smooth = simulateUpdate();
const CONTROL_PLANE_END = 55;

const reasonsAt = (update: ReturnType<typeof simulateUpdate>, minute: number, first = 0) =>
  statusAfter(update, everyFive(first, minute - 1), minute).run!.stalled.map(({ reason }) => reason);

describe('a smooth update', () => {
  it('is neither stalled nor slow nor stuck at any report', () => {
    const states = everyFive(0, 95).map((minute) => {
      const { state, insights } = statusAfter(smooth, everyFive(0, minute));
      expect(insights.filter(({ origin }) => origin === 'cairn')).toEqual([]);
      return state;
    });
    expect([...new Set(states)]).toEqual(['control-plane', 'workers', 'completed']);
  });

  it('has the milestones of its history and of its reports', () => {
    const [run] = takeReports(reportsAt(smooth, everyFive(0, 95)))!.runs.recent;
    expect(run).toMatchObject({ version: '4.14.1', previous: '4.14.0', kind: 'update' });
    expect(run!.controlPlaneCompletedAt).toBe(Date.parse(smooth.time(CONTROL_PLANE_END)));
    expect(run!.completedAt).toBe(Date.parse(smooth.time(85)));
    expect(run!.points.at(-1)!.at).toBe(run!.completedAt);
  });

  it('is completed for a day after its last report', () => {
    const record = takeReports(reportsAt(smooth, everyFive(0, 95)))!;
    const at = Date.parse(smooth.time(95));
    const later = (hours: number) =>
      statusOfRecord(record, at, Date.parse(smooth.time(85 + hours * 60))).state;
    expect([later(23.9), later(24), later(24.1)]).toEqual(['completed', 'completed', 'none']);
  });
});

describe('progress', () => {
  it('is the transition of an operator that began between two reports, else the report', () => {
    // The second operator began after 3 minutes, and the first was updated in the report after 4.
    expect(statusAfter(smooth, [0, 4]).run!.lastProgressAt).toBe('2026-11-16T08:04:00Z');
    const record = takeReports(reportsAt(smooth, [0, 4]))!;
    const began = { ...record.runs.recent[0]!, operators: [] as OperatorTimes[] };
    const second = record.runs.recent[0]!.operators.filter(({ updated }) => updated === null);
    expect(progressOf({ ...began, operators: second }).last).toBe(Date.parse('2026-11-16T08:03:00Z'));
    // A transition before the report in between cannot be its begin.
    const between = takeReports(reportsAt(smooth, [3.5]), null)!.runs.recent[0]!.points;
    const points = [...began.points, ...between].toSorted((a, b) => a.at - b.at);
    expect(progressOf({ ...began, points, operators: second }).last).toBe(Date.parse('2026-11-16T08:04:00Z'));
  });

  it('is none in the first report', () => {
    const { run, pools } = statusAfter(smooth, [40]);
    expect(run!.lastProgressAt).toBe('2026-11-16T08:40:00Z');
    expect(pools.map(({ name, lastProgressAt }) => [name, lastProgressAt])).toEqual([
      // The begin of machine-config, the only operator that is left.
      ['master', '2026-11-16T08:24:00Z'],
      ['worker', '2026-11-16T08:40:00Z'],
    ]);
    expect(statusAfter(smooth, [10]).pools[1]!.lastProgressAt).toBeNull();
  });

  it('counts each phase of a node once, and no way back', () => {
    const reports = reportsAt(smooth, [25, 35]);
    // Phases that no report showed before, but lower ones than the nodes have reached.
    const again = { ...reports[1]!, facts: { ...smooth.facts(30), collectedAt: smooth.time(50) } };
    const record = takeReports([...reports, { ...again, receivedAt: smooth.time(50) }])!;
    const { run, pools } = statusOfRecord(record, Date.parse(smooth.time(50)));
    expect(pools[1]!.lastProgressAt).toBe('2026-11-16T08:35:00Z');
    expect(run!.regressed).toEqual([
      { kind: 'Node', name: 'master-000' },
      { kind: 'Node', name: 'master-001' },
      { kind: 'Node', name: 'worker-000' },
      { kind: 'Node', name: 'worker-001' },
    ]);
  });

  it('is no operator that goes back, and no node that joins', () => {
    const { clusterOperators, nodes, ...rest } = smooth.facts(40);
    const [first, ...others] = clusterOperators!;
    const again = smooth.facts(1).clusterOperators![0]!;
    expect(first!.name).toBe(again.name);
    const joined = { ...smooth.facts(0).nodes!.at(-1)!, name: 'worker-new' };
    const back = { ...rest, clusterOperators: [again, ...others], nodes: [...nodes!, joined] };
    const reports = [
      ...reportsAt(smooth, [35, 40]),
      { facts: { ...back, collectedAt: smooth.time(45) }, receivedAt: smooth.time(45) },
    ];
    const { run, pools } = statusOfRecord(takeReports(reports)!, Date.parse(smooth.time(45)));
    expect(run!.lastProgressAt).toBe('2026-11-16T08:40:00Z');
    expect(pools[1]!.lastProgressAt).toBe('2026-11-16T08:40:00Z');
    expect(run!.regressed).toEqual([{ kind: 'ClusterOperator', name: again.name }]);
  });

  it('does not go back with a late report', () => {
    const reports = reportsAt(smooth, [0, 10, 20]);
    const last = { at: Date.parse(smooth.time(20)) };
    const late = takeReports([reports[0]!, reports[2]!, { ...reports[1]!, receivedAt: smooth.time(20) }])!;
    expect(statusOfRecord(late, last.at).run!.lastProgressAt).toBe('2026-11-16T08:20:00Z');
    expect(late.facts).toEqual(takeReports(reports)!.facts);
    // The late report proves that an operator was updated earlier than known.
    expect(late.runs.recent[0]!.operators.find(({ name }) => name === 'operator-02')!.updated).toBe(
      Date.parse(smooth.time(10)),
    );
  });
});

describe('a stalled update', () => {
  const slowOperator = simulateUpdate({ slowOperator: { index: 5, minutes: 90 } });

  it('waits for an operator for 30 minutes', () => {
    // Operator 4 is updated after 15 minutes, and so is the begin of operator 5.
    expect(reasonsAt(slowOperator, 44)).not.toContain('NoOperatorProgress');
    expect(reasonsAt(slowOperator, 45)).toContain('NoOperatorProgress');
    const { state, insights } = statusAfter(slowOperator, everyFive(0, 45));
    expect(state).toBe('stalled');
    expect(insights.find(({ reason }) => reason === 'NoOperatorProgress')).toMatchObject({
      type: 'UpdateStalled',
      level: 'Error',
      since: '2026-11-16T08:15:00Z',
      scope: 'ControlPlane',
      message: expect.stringContaining('waiting for operator-05') as string,
    });
  });

  it('needs two reports', () => {
    const of = (minutes: readonly number[]) =>
      statusAfter(slowOperator, minutes).run!.stalled.map(({ reason }) => reason);
    expect(of([60])).not.toContain('NoOperatorProgress');
    expect(of([55, 60])).toContain('NoOperatorProgress');
  });

  it('waits for a control plane node for 40 minutes', () => {
    const update = simulateUpdate({ drains: { 'master-001': Infinity }, pools: [] });
    // The node drains since minute 34, as the report after 35 shows.
    expect(reasonsAt(update, 74)).not.toContain('NoControlPlaneNodeProgress');
    expect(reasonsAt(update, 75)).toContain('NoControlPlaneNodeProgress');
    const { insights } = statusAfter(update, everyFive(0, 75));
    const stalled = insights.find(({ reason }) => reason === 'NoControlPlaneNodeProgress');
    expect(stalled!.message).toContain('master-001 (Draining)');
  });

  it('waits for nodes of a pool for 60 minutes', () => {
    const update = simulateUpdate({ drains: { 'worker-002': Infinity } });
    // The node drains since minute 45.
    expect(reasonsAt(update, 104)).toEqual([]);
    expect(reasonsAt(update, 105)).toEqual(['NoNodeProgress']);
    const { run, insights, summary } = statusAfter(update, everyFive(0, 105));
    expect(summary).toMatch(/, stalled: no node of pool worker progresses$/);
    expect(insights.map(({ reference }) => reference)).toEqual(
      insights.map(({ type }) => `docs/reference/update-status.md#${type.toLowerCase()}`),
    );
    expect(run!.stalled).toEqual([
      { reason: 'NoNodeProgress', pool: 'worker', since: '2026-11-16T08:45:00Z' },
    ]);
    expect(insights.find(({ type }) => type === 'UpdateStalled')).toMatchObject({
      scope: 'WorkerPool',
      resources: [{ kind: 'MachineConfigPool', name: 'worker' }],
    });
  });

  it('waits for a pool that does not begin, from the end of the control plane on', () => {
    const held = simulateUpdate({ pools: [{ name: 'worker', nodes: 3, paused: [0, 3000] }] });
    const stalledAt = (change: (facts: ClusterFacts) => ClusterFacts) =>
      everyFive(60, 150).find((last) => {
        const reports = reportsAt(held, everyFive(0, last)).map((report) => {
          const pools = report.facts.pools!.map((pool) => ({ ...pool, paused: false }));
          return { ...report, facts: change({ ...report.facts, pools }) };
        });
        const { run } = statusOfRecord(takeReports(reports)!, Date.parse(held.time(last)));
        return run!.stalled.some(({ reason }) => reason === 'NoNodeProgress');
      });
    expect(stalledAt((facts) => facts)).toBe(CONTROL_PLANE_END + 60);
    // Its operators are updated, but the history does not show the end yet.
    const { clusterVersion } = held.facts(CONTROL_PLANE_END - 1);
    expect(stalledAt((facts) => ({ ...facts, clusterVersion }))).toBe(CONTROL_PLANE_END + 60);
    // Nothing is known of the begin while an operator is left.
    const { clusterOperators } = held.facts(CONTROL_PLANE_END - 1);
    expect(stalledAt((facts) => ({ ...facts, clusterOperators, clusterVersion }))).toBeUndefined();
  });

  it('has a pool that cannot begin its next node, in two reports 10 minutes apart', () => {
    const update = simulateUpdate({
      drains: { 'worker-001': Infinity },
      degraded: { node: 'worker-004', from: 60, to: 500 },
    });
    expect(statusAfter(update, everyFive(50, 65)).run!.stalled).toEqual([]);
    expect(statusAfter(update, everyFive(50, 70)).run!.stalled).toEqual([
      { reason: 'PoolBlocked', pool: 'worker', since: '2026-11-16T09:00:00Z' },
    ]);
    expect(statusAfter(update, [55, 70]).run!.stalled).toEqual([]);
    const reasonsOf = (other: ReturnType<typeof simulateUpdate>) =>
      statusAfter(other, everyFive(0, 90)).run!.stalled.map(({ reason }) => reason);
    // No node of a paused pool is waited for, and none is left behind the last one.
    const degraded = { node: 'worker-002', from: 60, to: 500 };
    const pools = [{ name: 'worker', nodes: 3, paused: [0, 999] as const }];
    expect(reasonsOf(simulateUpdate({ pools, degraded }))).toEqual([]);
    const lastOne = [{ name: 'worker', nodes: 3 }];
    const drains = { 'worker-002': Infinity };
    expect(reasonsOf(simulateUpdate({ pools: lastOne, degraded, drains }))).toEqual([]);
  });

  it('does not wait for a paused pool, whose clock begins anew when it is unpaused', () => {
    const update = simulateUpdate({
      pools: [{ name: 'worker', nodes: 6, paused: [30, 300] }],
      drains: { 'worker-001': Infinity },
    });
    const held = statusAfter(update, everyFive(0, 200));
    expect([held.state, held.run!.stalled]).toEqual(['held', []]);
    expect(held.pools[1]!.pausedSince).toBe('2026-11-16T08:30:00.000Z');
    expect(held.insights.find(({ type }) => type === 'PoolPaused')!.since).toBe('2026-11-16T08:30:00.000Z');
    expect(reasonsAt(update, 359)).toEqual([]);
    expect(reasonsAt(update, 360)).toEqual(['NoNodeProgress']);
  });

  it('waits an hour after a pool is unpaused, even if a node drained all the time', () => {
    const update = simulateUpdate({
      pools: [{ name: 'worker', nodes: 6, paused: [30, 300] }],
      drains: { 'worker-000': Infinity },
    });
    expect(reasonsAt(update, 299)).toEqual([]);
    expect(reasonsAt(update, 359)).toEqual([]);
    expect(reasonsAt(update, 360)).toEqual(['NoNodeProgress']);
  });

  it('is no more after its next progress', () => {
    const update = simulateUpdate({ slowOperator: { index: 5, minutes: 50 } });
    expect(statusAfter(update, everyFive(0, 60)).state).toBe('stalled');
    expect(statusAfter(update, everyFive(0, 65)).state).not.toBe('stalled');
  });

  it('is slow, not stalled, while its nodes still progress one after the other', () => {
    const update = simulateUpdate({ masters: 9, pools: [] });
    // An hour is estimated; the nodes of the control plane take 90 minutes more.
    const { state, controlPlane, run } = statusAfter(update, everyFive(0, 110));
    expect([state, controlPlane!.assessment, run!.stalled]).toEqual(['slow', 'Stalled', []]);
  });
});

describe('a stuck node', () => {
  const typesAt = (update: ReturnType<typeof simulateUpdate>, minute: number) =>
    statusAfter(update, everyFive(0, minute - 1), minute)
      .insights.filter(({ type }) => type === 'NodeStuck')
      .map(({ reason, level, resources }) => `${reason} ${level} ${resources[0]!.name}`);

  it('drains for 45 minutes', () => {
    const update = simulateUpdate({ drains: { 'worker-002': Infinity } });
    expect(typesAt(update, 89)).toEqual([]);
    expect(typesAt(update, 90)).toEqual(['Draining Warning worker-002']);
    const { pools, insights } = statusAfter(update, everyFive(0, 90));
    expect(insights.find(({ type }) => type === 'NodeStuck')!.message).toBe(
      'Node worker-002 of machine config pool worker has been draining for 45m',
    );
    const stuck = pools[1]!.nodes.filter((node) => node.stuck);
    expect(stuck).toMatchObject([{ name: 'worker-002', phaseSince: '2026-11-16T08:45:00Z' }]);
  });

  it('reboots for 20 minutes', () => {
    const update = simulateUpdate({ lost: ['worker-000'] });
    // It reboots since minute 31; the report after 35 shows it.
    expect(typesAt(update, 54)).toEqual([]);
    expect(typesAt(update, 55)).toEqual(['Rebooting Warning worker-000']);
  });

  it('is degraded in two reports in a row', () => {
    const update = simulateUpdate({ degraded: { node: 'worker-004', from: 40, to: 60 } });
    expect(typesAt(update, 44)).toEqual([]);
    expect(typesAt(update, 46)).toEqual(['Degraded Error worker-004']);
    expect(typesAt(update, 61)).toEqual([]);
    const degraded = statusAfter(update, everyFive(0, 55)).insights.find(
      ({ type }) => type === 'NodeDegraded',
    );
    expect(degraded!.since).toBe('2026-11-16T08:40:00Z');
  });

  it('has longer where nodes of its pool usually take longer, but not more than three times', () => {
    const slow = (minutes: number) =>
      Object.fromEntries(Array.from({ length: 6 }, (_, number) => [`worker-00${number}`, minutes]));
    const update = simulateUpdate({
      pools: [{ name: 'worker', nodes: 9 }],
      drains: { ...slow(40), 'worker-006': Infinity },
    });
    const begin = 25 + 6 * 46;
    expect(typesAt(update, begin + 79)).toEqual([]);
    expect(typesAt(update, begin + 92)).toEqual(['Draining Warning worker-006']);
    const slower = simulateUpdate({
      pools: [{ name: 'worker', nodes: 9 }],
      drains: { ...slow(80), 'worker-006': Infinity },
    });
    const later = 25 + 6 * 86;
    expect(typesAt(slower, later + 134)).toEqual([]);
    expect(typesAt(slower, later + 142)).toEqual(['Draining Warning worker-006']);
  });

  it('has no longer after a few slow nodes', () => {
    const update = simulateUpdate({ drains: { 'worker-000': 40, 'worker-001': Infinity } });
    expect(typesAt(update, 25 + 46 + 52)).toEqual(['Draining Warning worker-001']);
  });

  it('has its time anew when its pool is unpaused', () => {
    // It drains since minute 45.
    const update = simulateUpdate({ drains: { 'worker-002': Infinity } });
    const stuckAt = everyFive(80, 200).find((last) => {
      const reports = reportsAt(update, everyFive(0, last)).map((report, index) => {
        const paused = index >= 10 && index < 16;
        const pools = report.facts.pools!.map((pool) => ({ ...pool, paused }));
        return { ...report, facts: { ...report.facts, pools } };
      });
      const { pools } = statusOfRecord(takeReports(reports)!, Date.parse(update.time(last)));
      return pools[1]!.nodes.some(({ stuck }) => stuck);
    });
    expect(stuckAt).toBe(80 + 45);
  });

  it('is not ready for 30 minutes, unless it updates', () => {
    // The second node drains since minute 35; nothing else happens to the last one.
    const update = simulateUpdate({ drains: { 'worker-001': Infinity } });
    const gone = [aCondition('Ready', 'Unknown', '', 'gone', update.time(40))];
    const stuckAt = (last: number) => {
      const reports = reportsAt(update, everyFive(0, last)).map((report) => {
        const isGone = ({ name }: NodeFacts) => name === 'worker-001' || name === 'worker-005';
        const nodes = report.facts.nodes!.map((node) =>
          isGone(node) && report.receivedAt >= update.time(40) ? { ...node, problems: gone } : node,
        );
        return { ...report, facts: { ...report.facts, nodes } };
      });
      const { insights } = statusOfRecord(takeReports(reports)!, Date.parse(update.time(last)));
      return insights
        .filter(({ type }) => type === 'NodeStuck')
        .map(({ reason, since, resources }) => [reason, since, resources[0]!.name]);
    };
    expect(stuckAt(65)).toEqual([]);
    expect(stuckAt(70)).toEqual([['NotReady', '2026-11-16T08:40:00Z', 'worker-005']]);
  });

  it('names the budgets that block its drain', () => {
    const update = simulateUpdate({ drains: { 'worker-002': Infinity } });
    const budget = (name: string, disruptionsAllowed: number) => ({
      namespace: 'shop',
      name,
      selector: { matchLabels: { app: name }, matchExpressions: [] },
      evictsUnhealthy: false,
      disruptionsAllowed,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    });
    const pods = (app: string, node: string) => ({
      namespace: 'shop',
      labels: { app },
      owner: null,
      pods: [{ name: app, node, ready: true }],
    });
    const described = (changes: object) => {
      const reports = reportsAt(update, everyFive(0, 95)).map((report) => ({
        ...report,
        facts: { ...report.facts, ...changes },
      }));
      const status = statusOfRecord(takeReports(reports)!, Date.parse(update.time(95)));
      return status.insights.find(({ type }) => type === 'NodeStuck')!.description;
    };
    const unused = { ...budget('unused', 0), expectedPods: 0 };
    const budgets = [budget('web', 0), budget('db', 0), budget('cache', 1), unused];
    expect(described({ budgets, drainedPods: null })).toContain('no disruption: shop/db and shop/web.');
    const elsewhere = { ...pods('db', 'worker-002'), namespace: 'other' };
    const drainedPods = [pods('web', 'worker-002'), pods('db', 'worker-003'), elsewhere];
    expect(described({ budgets, drainedPods })).toContain('no disruption: shop/web.');
    const alert = {
      name: 'PodDisruptionBudgetAtLimit',
      severity: 'warning',
      namespace: 'shop',
      budget: 'web',
    };
    const alerts = [{ ...alert, isPrecheck: false, summary: '', description: '', runbook: '', since: null }];
    expect(described({ budgets: null, alerts })).toContain('no disruption: shop/web.');
    expect(described({ budgets: null, drainedPods: null })).toContain('oc get pdb -A');
  });
});

describe('a silent cluster', () => {
  const record = takeReports(
    reportsAt(simulateUpdate({ drains: { 'worker-002': Infinity } }), everyFive(0, 200)),
  )!;
  const at = Date.parse(smooth.time(205));
  const stateAfter = (minutes: number) => statusOfRecord(record, at, Date.parse(smooth.time(200 + minutes)));

  it('has not reported for three of its usual gaps, and is not called stalled', () => {
    expect(stateAfter(15).state).toBe('stalled');
    const silent = stateAfter(15.1);
    expect([silent.state, silent.run!.stalled]).toEqual(['silent', []]);
    expect(silent.insights.filter(({ type }) => type === 'UpdateStalled' || type === 'NodeStuck')).toEqual(
      [],
    );
  });

  it('has longer while it reports hourly, is a single node, or reported once', () => {
    const silentAfter = (minutes: readonly number[], update = smooth) => {
      const known = takeReports(reportsAt(update, minutes))!;
      const last = minutes.at(-1)!;
      const isSilent = (gap: number) =>
        statusOfRecord(known, Date.parse(update.time(last)), Date.parse(update.time(last + gap))).state ===
        'silent';
      return everyFive(0, 300).find((gap) => isSilent(gap + 1));
    };
    const long = simulateUpdate({ pools: [{ name: 'worker', nodes: 60 }] });
    expect(silentAfter([0, 60, 120, 180], long)).toBe(180);
    expect(silentAfter([0, 20, 40, 60], long)).toBe(60);
    // The median of two gaps lies between them.
    expect(silentAfter([0, 10, 40], long)).toBe(60);
    expect(silentAfter([10], long)).toBe(180);
    // Only the last 10 gaps count, and no more than 3 hours.
    expect(silentAfter([...everyFive(0, 480, 40), ...everyFive(485, 530)], long)).toBe(15);
    expect(silentAfter([0, 90, 180, 270], long)).toBe(180);
    expect(silentAfter([0, 5, 10], simulateUpdate({ masters: 1, pools: [] }))).toBe(30);
  });
});

describe('a clock that is up to 10 minutes off', () => {
  it.each([9, -9])('shifts times, and makes no alarm: %d minutes', (ahead) => {
    const shifted = simulateUpdate({ start: smooth.time(ahead) });
    // A time ahead counts as now, one behind as it is.
    const arrivals = everyFive(0, 130).map((minute) => ({
      facts: { ...shifted.facts(minute), collectedAt: smooth.time(Math.min(minute + ahead, minute)) },
      receivedAt: smooth.time(minute),
    }));
    for (const count of arrivals.keys()) {
      const now = Date.parse(arrivals[count]!.receivedAt);
      const record = takeReports(arrivals.slice(0, count + 1))!;
      const { state, run, insights, pools } = statusOfRecord(record, now);
      // A forecast that is off by as much can pass.
      expect(['stalled', 'silent']).not.toContain(state);
      expect([run?.stalled ?? [], run?.regressed ?? []]).toEqual([[], []]);
      expect(insights.filter(({ origin }) => origin === 'cairn')).toEqual([]);
      expect(pools.flatMap(({ nodes }) => nodes.filter(({ stuck }) => stuck))).toEqual([]);
    }
    const [run] = takeReports(arrivals)!.runs.recent;
    const minutes = (time: number) => (time - Date.parse(smooth.time(0))) / 60_000;
    expect(minutes(run!.controlPlaneCompletedAt!)).toBe(CONTROL_PLANE_END + ahead);
    expect(minutes(run!.completedAt!)).toBe(ahead > 0 ? 85 : 76);
  });
});

describe('a clock that is far ahead', () => {
  it('moves all times back, and is named', () => {
    const ahead = 45 * 60_000;
    const plain = statusAfter(smooth, everyFive(0, 40));
    const wrong = simulateUpdate({ start: new Date(Date.parse(SIMULATED_START) + ahead).toISOString() });
    // Collected now, by a clock that is 45 minutes ahead.
    const arrivals = everyFive(0, 40).map((minute) => ({
      facts: { ...wrong.facts(minute), collectedAt: smooth.time(minute) },
      receivedAt: smooth.time(minute),
      clockSkewMs: ahead,
    }));
    const record = takeReports(arrivals)!;
    const status = statusOfRecord(record, Date.parse(smooth.time(40)));
    expect(status.run!.clockSkewSeconds).toBe(2700);
    expect(status.insights.find(({ type }) => type === 'ClockSkew')).toMatchObject({ level: 'Warning' });
    expect(status.run).toMatchObject({ lastProgressAt: plain.run!.lastProgressAt, reports: 9, stalled: [] });
    expect(status.controlPlane).toEqual(plain.controlPlane);
    expect(record.runs.recent[0]!.beganAt).toBe(Date.parse(SIMULATED_START));
    const good = {
      ...arrivals[8]!,
      facts: { ...arrivals[8]!.facts, collectedAt: smooth.time(45) },
      clockSkewMs: 0,
    };
    expect(takeReports([good], record)!.clockSkewMs).toBe(0);
    // A ClusterVersion that has not changed proves the clock as well.
    const options = { now: good.receivedAt, forget: false, historyLimit: 100 };
    const unchanged = { ...options, unchanged: ['clusterVersion'], clockSkewMs: 0 } as const;
    expect(takeReport(record, { ...good.facts, clusterVersion: null }, unchanged).clockSkewMs).toBe(0);
  });
});

describe('facts of a clock that is ahead', () => {
  it('have the times of the update by the clock of the service', () => {
    const alert = { name: 'A', severity: 'warning', namespace: '', budget: '', isPrecheck: false };
    const alerts = [{ ...alert, summary: '', description: '', runbook: '', since: smooth.time(50) }];
    const ahead = { ...smooth.facts(82), alerts };
    const moved = withoutSkew(ahead, 20 * 60_000);
    expect(moved.alerts![0]!.since).toBe(smooth.time(30));
    expect(moved.clusterVersion!.history[0]).toMatchObject({
      startedTime: smooth.time(-20),
      completionTime: smooth.time(CONTROL_PLANE_END - 20),
    });
    const rebooting = moved.nodes!.find(({ problems }) => problems.length > 0)!;
    const before = ahead.nodes!.find(({ name }) => name === rebooting.name)!;
    const [since, sent] = [rebooting, before].map(({ problems }) => Date.parse(problems[0]!.since!));
    expect(sent! - since!).toBe(20 * 60_000);
    expect(withoutSkew(ahead, 0)).toBe(ahead);
  });
});

describe('a cluster that reports no MachineConfigs', () => {
  const without = (update: typeof smooth, minutes: readonly number[]) =>
    reportsAt(update, minutes).map((arrival) => ({
      ...arrival,
      facts: { ...arrival.facts, configReleases: null },
    }));
  const statusAt = (update: typeof smooth, minutes: readonly number[]) =>
    statusOfRecord(takeReports(without(update, minutes))!, Date.parse(update.time(minutes.at(-1)!)));

  it('is not updating once its ClusterVersion is done, and opens no run', () => {
    const idle = everyFive(CONTROL_PLANE_END + 5, 300);
    expect(statusAt(smooth, idle)).toMatchObject({ updating: false, state: 'none', run: null });
    const record = takeReports(without(smooth, idle))!;
    // Nor does the first report with them.
    for (const { runs } of [record, takeReports(reportsAt(smooth, [305]), record)!]) {
      expect(runs.recent.filter(({ openedAt }) => openedAt !== null)).toEqual([]);
    }
  });

  it('is never stalled for want of nodes that nobody sees', () => {
    const hanging = simulateUpdate({ drains: { 'worker-002': Infinity, 'master-002': Infinity } });
    const minutes = everyFive(0, 200);
    const reasonsOf = (status: ReturnType<typeof statusAt>) =>
      status.run!.stalled.map(({ reason }) => reason).filter((reason) => reason !== 'OverEstimate');
    expect(reasonsOf(statusAfter(hanging, minutes))).toEqual([
      'NoControlPlaneNodeProgress',
      'NoNodeProgress',
    ]);
    expect(reasonsOf(statusAt(hanging, minutes))).toEqual([]);
  });
});

describe('parts of a report', () => {
  it('leave the state of what they lack as it was', () => {
    const whole = takeReports(reportsAt(smooth, [40]))!;
    const part = (minute: number, changes: object) => ({
      facts: { ...smooth.facts(minute), ...changes },
      receivedAt: smooth.time(minute),
    });
    const withoutNodes = takeReports([part(45, { nodes: null })], whole)!;
    const [run] = withoutNodes.runs.recent;
    expect(run!.points.map(({ pools }) => pools === null)).toEqual([false, true]);
    expect(run!.pools).toEqual(whole.runs.recent[0]!.pools);
    // The oldest of what the status needs.
    expect(statusOfRecord(withoutNodes, Date.parse(smooth.time(45)))).toMatchObject({
      collectedAt: smooth.time(40).replace('.000Z', 'Z'),
    });
    const nodesAlone = takeReports(
      [part(50, { clusterVersion: null, clusterOperators: null, configReleases: null, pools: null })],
      withoutNodes,
    )!;
    expect(nodesAlone.runs.recent[0]!.points.map(({ pools }) => pools === null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(nodesAlone.runs.recent[0]!.points.at(-1)!.operators).toBeNull();
  });

  it('of one collection make one point', () => {
    const report = (changes: object) => ({
      facts: { ...smooth.facts(40), ...changes },
      receivedAt: smooth.time(41),
    });
    const parts = [report({ nodes: null }), report({ clusterOperators: null })];
    const joined = takeReports([report({ nodes: null }), report({ clusterOperators: null })])!;
    expect(joined.runs.recent[0]!.points).toHaveLength(1);
    expect(takeReports(parts.toReversed())!.runs).toEqual(joined.runs);
    // Only a whole report is forecast from.
    const { forecasts: _none, ...run } = joined.runs.recent[0]!;
    expect(takeReports([report({})])!.runs.recent[0]).toMatchObject(run);
  });

  it('that differ count the same in any order', () => {
    const reports = [40, 45].map((minute) => ({
      facts: { ...smooth.facts(minute), collectedAt: smooth.time(40) },
      receivedAt: smooth.time(46),
    }));
    expect(takeReports(reports.toReversed())!.runs).toEqual(takeReports(reports)!.runs);
  });

  it('do not end an update before a report shows nodes and the end together', () => {
    const early = simulateUpdate({ pools: [{ name: 'worker', nodes: 1 }] });
    const part = { facts: { ...early.facts(60), nodes: null }, receivedAt: early.time(60) };
    const record = takeReports([...reportsAt(early, everyFive(0, 50)), part])!;
    expect(record.runs.recent[0]!.completedAt).toBeNull();
    const [run] = takeReports(reportsAt(early, [65]), record)!.runs.recent;
    expect(run!.completedAt).toBe(Date.parse(early.time(65)));
  });

  it('do not end an update whose nodes they do not show', () => {
    const reports = reportsAt(smooth, everyFive(0, 50));
    const part = { facts: { ...smooth.facts(60), nodes: null }, receivedAt: smooth.time(60) };
    expect(takeReports([...reports, part])!.runs.recent[0]!.completedAt).toBeNull();
  });
});

describe('limits', () => {
  it('keep 300 points, with the first and the newest', () => {
    const long = simulateUpdate({ drains: { 'worker-000': Infinity } });
    const minutes = everyFive(0, 1600);
    const { points } = takeReports(reportsAt(long, minutes))!.runs.recent[0]!;
    expect(points.length).toBeLessThanOrEqual(300);
    expect(points.length).toBeGreaterThan(100);
    expect(points[0]!.at).toBe(Date.parse(long.time(0)));
    expect(points.slice(-12).map(({ at }) => (at - points[0]!.at) / 60_000)).toEqual(minutes.slice(-12));
  });

  it('keep the points with progress', () => {
    const at = (minute: number) => Date.parse(smooth.time(0)) + minute * 60_000;
    const point = (minute: number): RunPoint => ({
      at: at(minute),
      receivedAt: at(minute),
      operators: { updated: minute < 7 ? 0 : 1, total: 2, lastTransition: 0 },
      pools: null,
    });
    const kept = thinned(everyFive(0, 400, 1).map(point));
    expect(kept.slice(0, 4).map((one) => (one.at - at(0)) / 60_000)).toEqual([0, 7, 15, 30]);
  });

  it('keep three runs with their points, and 47 without', () => {
    const runs = Array.from({ length: 55 }, (_, number) =>
      simulateUpdate({
        start: new Date(Date.parse(SIMULATED_START) + number * 200 * 60_000).toISOString(),
        to: `4.14.${number + 1}`,
        from: `4.14.${number}`,
      }),
    );
    const record = takeReports(runs.flatMap((run) => reportsAt(run, [0, 30, 60, 90])))!;
    expect(record.runs.recent.map(({ version }) => version)).toEqual(['4.14.55', '4.14.54', '4.14.53']);
    expect(record.runs.past).toHaveLength(47);
    expect(record.runs.past[0]).toMatchObject({ version: '4.14.52', reports: 4 });
    // Nor does a late report of a former run begin it again.
    const [late] = reportsAt(runs[40]!, [45]);
    expect(takeReports([{ ...late!, receivedAt: runs[54]!.time(90) }], record)!.runs).toEqual(record.runs);
  });

  it('store no run of a cluster that does not update', () => {
    const idle = everyFive(3000, 3100).map((minute) => ({
      facts: smooth.facts(minute),
      receivedAt: smooth.time(minute),
    }));
    expect(takeReports(idle)!.runs).toEqual(NO_RUNS);
  });
});
