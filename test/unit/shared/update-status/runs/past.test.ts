import { summarizeRun } from '@cairn/shared/update-status/runs/past';
import { courseOf } from '@cairn/shared/update-status/runs/points';
import { phaseMinutes } from '@cairn/shared/update-status/runs/samples';
import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  everyFive,
  reportsAt,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from '../../../../helpers/update-status/simulator.ts';

const runAfter = (reports: readonly Arrival[]) => takeReports(reports)!.runs.recent[0]!;
const pastOf = (update: SimulatedUpdate, minutes: readonly number[]) =>
  summarizeRun(runAfter(reportsAt(update, minutes)));
const minutesAfter = ({ startedAt }: SimulatedUpdate, time: number) =>
  (time - Date.parse(startedAt)) / 60_000;
const smooth = simulateUpdate();

describe('past: the summary of a run', () => {
  it('has a stall for each time without progress, but none of a paused or waiting pool', () => {
    const stallsOf = (update: SimulatedUpdate) =>
      pastOf(update, everyFive(0, 250)).stalls.map(({ reason, pool, since, until }) => [
        reason,
        pool,
        minutesAfter(update, since),
        minutesAfter(update, until),
      ]);
    expect(stallsOf(smooth)).toEqual([]);
    expect(pastOf(smooth, everyFive(0, 20)).stalls).toEqual([]);
    expect(stallsOf(simulateUpdate({ drains: { 'worker-002': 100 } }))).toEqual([
      ['NoNodeProgress', 'worker', 45, 145],
    ]);
    expect(stallsOf(simulateUpdate({ pools: [{ name: 'worker', nodes: 4, paused: [30, 180] }] }))).toEqual(
      [],
    );
    expect(stallsOf(simulateUpdate({ pools: [{ name: 'worker', nodes: 4, paused: [0, 999] }] }))).toEqual([]);
    expect(stallsOf(simulateUpdate({ slowOperator: { index: 5, minutes: 90 } }))).toEqual([
      ['NoOperatorProgress', null, 15, 105],
    ]);
  });

  it('has the end of a pool only when each of its nodes has ended', () => {
    const update = simulateUpdate({ lost: ['worker-003'] });
    const [master, worker] = pastOf(update, everyFive(0, 250)).pools;
    expect(minutesAfter(update, master!.completedAt!)).toBe(55);
    expect(worker).toMatchObject({ nodes: 6, completedAt: null, nodeMinutes: [10, 10, 10] });
    expect(
      pastOf(simulateUpdate({ pools: [{ name: 'worker', nodes: 2, paused: [0, 999] }] }), [0, 60]).pools[1],
    ).toMatchObject({ startedAt: null, completedAt: null, nodeMinutes: [] });
  });

  it('measures no node that had begun before the first report', () => {
    // The third node drains since minute 45.
    const late = pastOf(smooth, everyFive(46, 91));
    expect(late.pools[1]!.nodeMinutes).toHaveLength(3);
    expect(pastOf(smooth, everyFive(44, 94)).pools[1]!.nodeMinutes).toHaveLength(4);
  });

  it('measures no phase that a node went back to, and no operator that did', () => {
    const back = (minute: number, at: number): Arrival => ({
      facts: { ...smooth.facts(minute), collectedAt: smooth.time(at) },
      receivedAt: smooth.time(at),
    });
    // The first worker is seen rebooting, then draining; the first operator updated, then updating.
    const run = runAfter([
      ...reportsAt(smooth, [0.5, 33]),
      back(26, 38),
      back(1, 43),
      ...reportsAt(smooth, [48]),
    ]);
    expect(phaseMinutes(run, 'worker', 1).every((minutes) => minutes > 0)).toBe(true);
    const again = runAfter([...reportsAt(smooth, [4]), back(1, 9), ...reportsAt(smooth, [14])]);
    expect(summarizeRun(again).slowestOperators.map(({ name }) => name)).not.toContain('operator-00');
  });

  it('has a course that stays where it was in reports without a part', () => {
    const lacking = (minute: number, kind: 'nodes' | 'clusterOperators'): Arrival => {
      const [report] = reportsAt(smooth, [minute]);
      return { ...report!, facts: { ...report!.facts, [kind]: null } };
    };
    const reports = [...reportsAt(smooth, [50]), lacking(56, 'nodes'), lacking(62, 'clusterOperators')];
    expect(courseOf(runAfter(reports)).map(({ operators, nodes }) => [operators, nodes])).toEqual([
      [8, 4],
      [9, 4],
      [9, 6],
    ]);
  });
});
