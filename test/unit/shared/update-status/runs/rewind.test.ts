import { recordAt } from '@cairn/shared/update-status/runs/rewind';
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
});
const MINUTES = everyFive(0, 250);

/** All that reports keep: texts of conditions are not. */
const seen = (record: Parameters<typeof statusOfRecord>[0], minute: number) => {
  const at = Date.parse(update.time(minute));
  const { state, updating, controlPlane, pools, run, forecast } = statusOfRecord(record, at);
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
      counts: { ...counts, available: null },
      lastProgressAt,
      nodes: nodes.map(({ phase, phaseSince, stuck, degraded }) => [phase, phaseSince, stuck, degraded]),
    })),
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
        const record = minute >= 250 ? known : recordAt(known, Date.parse(update.time(minute)))!;
        expect(seen(record, minute)).toEqual(seen(then, minute));
      }
    },
  );

  it('is none before the first report of the update', () => {
    const known = takeReports(reportsAt(update, everyFive(10, 60)))!;
    expect(recordAt(known, Date.parse(update.time(9)))).toBeNull();
    expect(recordAt(known, Date.parse(update.time(10)))).not.toBeNull();
  });
});
