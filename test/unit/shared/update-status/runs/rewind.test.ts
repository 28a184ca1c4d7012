import type { ClusterRecord } from '@cairn/shared/cluster/record';
import type { Insight } from '@cairn/shared/update-status/answer';
import type { ClusterUpdateStatus } from '@cairn/shared/update-status/runs/cluster-status';
import { recordAt, withoutUnknown } from '@cairn/shared/update-status/runs/rewind';
import { describe, expect, it } from 'vitest';
import {
  everyFive,
  reportsAt,
  statusOfRecord,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { simulateUpdate } from '../../../../helpers/update-status/simulator.ts';

const update = simulateUpdate({
  pools: [
    { name: 'infra', nodes: 3, paused: [40, 90] },
    { name: 'worker', nodes: 4 },
  ],
  drains: { 'worker-001': 120 },
  degraded: { node: 'worker-002', from: 60, to: 75 },
  failing: { from: 10, to: 70 },
});
const MINUTES = everyFive(0, 250);

/** Differ between a moment as it was, and as it is known later. */
const UNKNOWN_LATER: readonly Insight['type'][] = ['ProceedingWell', 'EarlierMoment'];

const earlierStatus = (known: ClusterRecord, at: number): ClusterUpdateStatus => {
  const isPast = at < Date.parse(update.time(250));
  const record = isPast ? recordAt(known, at)! : known;
  const status = statusOfRecord(record, at);
  return isPast ? withoutUnknown(status, record) : status;
};

/** All that reports keep: texts of conditions are not. */
const seen = ({ state, updating, controlPlane, pools, insights, run, forecast }: ClusterUpdateStatus) => {
  const { unavailableOperators, degradedOperators, health } = controlPlane ?? {};
  return {
    state,
    updating,
    assessment: controlPlane?.assessment,
    completion: controlPlane?.completion,
    remaining: controlPlane?.remaining,
    pools: pools.map(({ name, paused, pausedSince, counts, lastProgressAt, nodes }) => ({
      name,
      paused,
      pausedSince: paused ? pausedSince : null,
      counts,
      lastProgressAt,
      nodes: nodes.map(({ phase, phaseSince, stuck, degraded }) => [phase, phaseSince, stuck, degraded]),
    })),
    operators: { unavailableOperators, degradedOperators, health },
    insights: insights
      .filter(({ type }) => !UNKNOWN_LATER.includes(type))
      .map(({ type, level, since, resources }) => [type, level, since, resources]),
    run: run && { ...run, points: run.points.length },
    forecast,
  };
};

describe('a moment of a run', () => {
  it.each([0, 5, 20, 40, 60, 70, 85, 120, 165, 200, 250])(
    'is judged as it was by the reports up to then: minute %d',
    (last) => {
      const known = takeReports(reportsAt(update, MINUTES))!;
      const then = takeReports(reportsAt(update, everyFive(0, last)))!;
      for (const minute of [last, last + 3]) {
        const at = Date.parse(update.time(minute));
        expect(seen(earlierStatus(known, at))).toEqual(seen(statusOfRecord(then, at)));
      }
    },
  );

  it('shows which operators were unhealthy then, and says what is not known', () => {
    const known = takeReports(reportsAt(update, MINUTES))!;
    const at = (minute: number) => earlierStatus(known, Date.parse(update.time(minute)));
    const unhealthy = (minute: number) => {
      const { unavailableOperators, degradedOperators } = at(minute).controlPlane!;
      return [...unavailableOperators, ...degradedOperators];
    };
    expect([unhealthy(9), unhealthy(10), unhealthy(70)]).toEqual([[], ['operator-01', 'operator-00'], []]);
    // Two reports later, the condition is too old to be normal.
    expect(at(20).insights.map(({ type }) => type)).toEqual([
      'UpdateStalled',
      'ClusterVersionFailing',
      'ClusterOperatorDegraded',
      'ClusterOperatorUnavailable',
      'EarlierMoment',
    ]);
    expect(at(5).insights.map(({ type }) => type)).toEqual(['EarlierMoment']);
  });

  it('is none before the first report of the update', () => {
    const known = takeReports(reportsAt(update, everyFive(10, 60)))!;
    expect(recordAt(known, Date.parse(update.time(9)))).toBeNull();
    expect(recordAt(known, Date.parse(update.time(10)))).not.toBeNull();
  });
});
