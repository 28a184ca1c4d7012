import { describe, expect, it } from 'vitest';
import type { UpdateStatusView } from '../../../../../functions/console/data/responses.ts';
import { chartOf } from '../../../../../functions/console/updates/run-chart.tsx';

const time = (minute: number): string =>
  new Date(Date.parse('2026-11-16T08:00:00Z') + minute * 60_000).toISOString();

function aStatus(
  latest: number | null,
  points: readonly (readonly [number, number, number])[],
): UpdateStatusView {
  const whole = latest !== null && {
    likelyAt: time(latest - 10),
    earliestAt: time(latest - 20),
    latestAt: time(latest),
  };
  return {
    at: time(60),
    controlPlane: { completion: { total: 10 } },
    pools: [{ counts: { total: 3 } }, { counts: { total: 5 } }],
    forecast: { whole: whole || null },
    run: {
      startedAt: time(0),
      points: points.map(([minute, operators, nodes]) => ({ at: time(minute), operators, nodes })),
    },
  } as unknown as UpdateStatusView;
}

describe('the timeline of a run', () => {
  it('has shares of operators and nodes, and ends with the forecast', () => {
    const chart = chartOf(
      aStatus(120, [
        [5, 2, 0],
        [60, 10, 4],
      ]),
    )!;
    expect(chart.points.map(({ operators, nodes }) => [operators, nodes])).toEqual([
      [0.2, 0],
      [1, 0.5],
    ]);
    expect(new Date(chart.to).toISOString()).toBe(time(120));
    expect(chart.ticks.length).toBeLessThanOrEqual(8);
    expect(chart.ticks.length).toBeGreaterThan(2);
    expect(chart.forecast).not.toBeNull();
  });

  it('ends with the last report of a silent cluster', () => {
    const silent = {
      ...aStatus(120, [[5, 2, 0]]),
      state: 'silent',
      collectedAt: time(45),
    } as UpdateStatusView;
    const chart = chartOf(silent)!;
    expect(chart.forecast).toBeNull();
    expect(new Date(chart.to).toISOString()).toBe(time(45));
  });

  it('ends now without a forecast', () => {
    expect(new Date(chartOf(aStatus(null, [[5, 2, 0]]))!.to).toISOString()).toBe(time(60));
  });

  it('is not there without a point', () => {
    expect(chartOf(aStatus(120, []))).toBeNull();
    expect(chartOf({ ...aStatus(120, []), run: null })).toBeNull();
  });
});
