import { type ClusterFacts, NO_FACTS, type NodeFacts } from '@cairn/shared/cluster/facts';
import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { isUpdateInProgress } from '@cairn/shared/update-status/runs/report';
import { NO_RUNS } from '@cairn/shared/update-status/runs/run';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  everyFive,
  reportsAt,
  statusOfRecord,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { SIMULATED_START, simulateUpdate } from '../../../../helpers/update-status/simulator.ts';

const DAY = 24 * 60;
const smooth = simulateUpdate();

/** A report whose facts are changed. */
const reportWith = (minute: number, change: (facts: ClusterFacts) => Partial<ClusterFacts>): Arrival => {
  const [report] = reportsAt(smooth, [minute]);
  return { ...report!, facts: { ...report!.facts, ...change(report!.facts) } };
};

describe('merge of reports', () => {
  it('keeps an update that no report showed in progress for a day of late reports', () => {
    const done = takeReports(reportsAt(smooth, [90]))!;
    expect(done.runs.recent).toMatchObject([{ openedAt: null }]);
    expect(statusOfRecord(done, Date.parse(smooth.time(90))).state).toBe('none');
    expect(takeReports(reportsAt(smooth, [60 + DAY]), done)!.runs).toEqual(NO_RUNS);
  });

  it('keeps no summary of an update that no report showed in progress', () => {
    const runs = Array.from({ length: 4 }, (_, number) =>
      simulateUpdate({
        start: new Date(Date.parse(SIMULATED_START) + number * 200 * 60_000).toISOString(),
        to: `4.14.${number + 1}`,
        from: `4.14.${number}`,
      }),
    );
    const reports = runs.flatMap((run, number) => reportsAt(run, number === 0 ? [100] : [0, 100]));
    expect(takeReports(reports)!.runs.past).toEqual([]);
  });

  it('keeps at most 100 names of degraded nodes in a point', () => {
    const breakAll = (node: NodeFacts): NodeFacts => ({
      ...node,
      machineConfig: { ...node.machineConfig, state: 'Degraded' },
    });
    const large = simulateUpdate({ pools: [{ name: 'worker', nodes: 120 }] });
    const [report] = reportsAt(large, [10]);
    const nodes = report!.facts.nodes!.map(breakAll);
    const [run] = takeReports([{ ...report!, facts: { ...report!.facts, nodes } }])!.runs.recent;
    const worker = run!.points[0]!.pools!.find(({ name }) => name === 'worker')!;
    expect(worker.degraded).toHaveLength(100);
    // The daemon gave up, but the nodes run.
    expect(worker.available).toBe(120);
  });

  it('is the same in any order of reports of which each lacks other nodes and operators', () => {
    const without = (minute: number, index: number) =>
      reportWith(minute, ({ nodes, clusterOperators }) => ({
        nodes: nodes!.toSpliced(index, 1),
        clusterOperators: clusterOperators!.toSpliced(index, 1),
      }));
    const receivedAt = smooth.time(60);
    const reports = [without(40, 0), without(45, 3), without(50, 6)].map((one) => ({ ...one, receivedAt }));
    const { runs } = takeReports(reports)!;
    expect(runs.recent[0]!.operators.map(({ name }) => name)).toHaveLength(9);
    expect(takeReports(reports.toReversed())!.runs).toEqual(runs);
  });

  it('counts what has not changed, but not what was reported later', () => {
    const record = takeReports(reportsAt(smooth, [40]))!;
    const sent = { ...NO_FACTS, collectedAt: smooth.time(45) };
    const options = { now: smooth.time(46), forget: false, historyLimit: 100 };
    const unchanged = ['clusterVersion', 'clusterOperators', 'nodes', 'pools'] as const;
    const pointsAfter = (former: ClusterRecord) =>
      takeRunReport(former, sent, { ...options, unchanged }).runs.recent[0]!.points.map(
        ({ operators, pools }) => [operators === null, pools === null],
      );
    expect(pointsAfter(record)).toEqual([
      [false, false],
      [false, false],
    ]);
    // A report of the nodes that is newer has arrived before.
    const newer = reportWith(50, () => ({ clusterVersion: null, clusterOperators: null }));
    expect(pointsAfter(takeReports([newer], record)!)[1]).toEqual([false, true]);
  });

  it('takes no late report of another cluster', () => {
    const record = takeReports(reportsAt(smooth, [40]))!;
    const other = simulateUpdate({ start: smooth.time(-500) });
    const [late] = reportsAt(other, [30]);
    const clusterVersion = { ...late!.facts.clusterVersion!, clusterId: 'another' };
    const arrival = { facts: { ...late!.facts, clusterVersion }, receivedAt: smooth.time(45) };
    expect(takeReports([arrival], record)).toBe(record);
  });

  it('shows an update in progress, also by the history alone', () => {
    const [record, done] = [40, 90].map((minute) => takeReports(reportsAt(smooth, [minute]))!);
    const without = (known: ClusterRecord) => ({
      ...known,
      facts: { ...known.facts, clusterOperators: null },
    });
    const isUpdating = (known: ClusterRecord) => isUpdateInProgress(known, Date.parse(smooth.time(95)));
    expect([record!, without(record!), done!, without(done!)].map(isUpdating)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('takes no report of a former update for one of the newest, also of nodes alone', () => {
    const second = simulateUpdate({
      start: smooth.time(200),
      from: '4.14.1',
      to: '4.14.2',
      history: smooth.facts(190).clusterVersion!.history,
    });
    const record = takeReports(reportsAt(second, everyFive(0, 30)))!;
    const late = { ...reportWith(150, () => ({ clusterVersion: null })), receivedAt: second.time(35) };
    expect(takeReports([late], record)!.runs).toEqual(record.runs);
  });
});
