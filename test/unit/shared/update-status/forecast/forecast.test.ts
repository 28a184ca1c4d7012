import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { fleetDurations, forecastError, type UpdateSample } from '@cairn/shared/update-status/forecast/fleet';
import { samplesAfter, updateSamples } from '@cairn/shared/update-status/forecast/samples';
import { clusterUpdateStatus } from '@cairn/shared/update-status/runs/cluster-status';
import { describe, expect, it } from 'vitest';
import { forecastErrorRatio, historyOf } from '../../../../helpers/update-status/made-up-fleet.ts';
import {
  everyFive,
  reportsAt,
  statusAfter,
  statusOfRecord,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { simulateUpdate } from '../../../../helpers/update-status/simulator.ts';
import { statusFrom } from '../../../../helpers/update-status/statuses.ts';

const DAY = 24 * 60;

const forecastAt = (scenario: Parameters<typeof simulateUpdate>[0], minute: number) => {
  const update = simulateUpdate(scenario);
  const { forecast } = statusFrom(update.facts(minute), Date.parse(update.time(minute)));
  return forecast!;
};
const minutesOf = (time: string) => (Date.parse(time) - Date.parse('2026-11-16T08:00:00Z')) / 60_000;

describe('the forecast of the control plane', () => {
  it('is the median of former updates of the same kind, with their spread', () => {
    const history = historyOf(
      ['4.14.0', 200],
      ['4.13.9', 50],
      ['4.13.5', 80],
      ['4.13.2', 60],
      ['4.13.1', 100],
    );
    const patch = forecastAt({ from: '4.14.0', history }, 0).controlPlane!;
    expect(patch).toMatchObject({ basis: 'own', samples: 3, restsOn: '3 patch updates of this cluster' });
    expect(minutesOf(patch.likelyAt)).toBe(60);
    expect([minutesOf(patch.earliestAt), minutesOf(patch.latestAt)]).toEqual([52, 76]);
    // Of two minor updates, the second one is 4.13.1.
    const minor = forecastAt({ from: '4.14.0', to: '4.15.0', history }, 0).controlPlane!;
    expect(minor).toMatchObject({ samples: 2, restsOn: '2 minor updates of this cluster' });
    expect(minutesOf(minor.likelyAt)).toBe(150);
  });

  it('is the median of all of them if those of its kind are too few', () => {
    const history = historyOf(['4.14.0', 90], ['4.13.2', 50], ['4.13.1', 70]);
    const { likelyAt, restsOn } = forecastAt({ from: '4.14.0', to: '4.14.1', history }, 0).controlPlane!;
    expect([minutesOf(likelyAt), restsOn]).toEqual([70, '3 updates of this cluster']);
  });

  it('ignores the installation, another image of a version, and what took over a day', () => {
    const history = historyOf(['4.13.2', 50], ['4.13.2', 300], ['4.13.1', 2 * DAY]);
    const { samples, basis } = forecastAt({ from: '4.13.2', to: '4.13.3', history }, 0).controlPlane!;
    expect([samples, basis]).toEqual([1, 'own']);
    const none = forecastAt({ history: historyOf() }, 0).controlPlane!;
    expect(none).toMatchObject({ basis: 'model', samples: 0, restsOn: 'the usual duration for 9 nodes' });
    expect(minutesOf(none.likelyAt)).toBeCloseTo(34 + (3 * 9 * 19.2) / 60 + 3 * 6.7, 1);
  });

  it('goes over to the pace of the operators, as more of them are updated', () => {
    const history = historyOf(['4.13.2', 100], ['4.13.1', 100]);
    const likelyAt = (minute: number) =>
      minutesOf(
        forecastAt({ operators: 20, minutesPerOperator: 1.5, history }, minute).controlPlane!.likelyAt,
      );
    expect(likelyAt(1)).toBe(100);
    // Half of the operators after 15 minutes: 39% of the time, so 39% of the weight.
    expect(likelyAt(15.75)).toBeCloseTo(0.61 * 100 + 15, 0);
  });

  it('adds up the nodes that are left, when machine-config alone is left', () => {
    const nodes = forecastAt({}, 24).controlPlane!;
    expect(nodes).toMatchObject({ basis: 'model', restsOn: 'the usual 6.7 minutes of a node' });
    expect(minutesOf(nodes.likelyAt)).toBeCloseTo(24 + 3 * 6.7 + 3, 1);
    const update = simulateUpdate();
    // The first node took 10 minutes, and the second one began 5 minutes ago.
    const { controlPlane } = statusAfter(update, everyFive(0, 40)).forecast!;
    expect(controlPlane).toMatchObject({ basis: 'nodes', samples: 1 });
    expect(minutesOf(controlPlane!.likelyAt)).toBe(40 + 20 - 5 + 3);
    // Its last node is updated, which the operator does not report yet.
    expect(minutesOf(forecastAt({}, 54).controlPlane!.likelyAt)).toBe(54 + 3);
  });

  it('is never in the past, and then the update is slow', () => {
    const history = historyOf(['4.13.2', 20], ['4.13.1', 20]);
    const update = simulateUpdate({ minutesPerOperator: 7, history });
    const status = statusFrom(update.facts(30), Date.parse(update.time(30)));
    const { likelyAt, overdueSeconds } = status.forecast!.whole!;
    expect(minutesOf(likelyAt)).toBeGreaterThanOrEqual(30);
    expect(overdueSeconds > 0).toBe(status.state === 'slow');
    // By the remaining time alone, this one is not late.
    const quick = historyOf(['4.13.2', 2], ['4.13.1', 2]);
    const late = simulateUpdate({ minutesPerOperator: 10, history: quick, pools: [] });
    const { state, controlPlane } = statusFrom(late.facts(25), Date.parse(late.time(25)));
    expect([state, controlPlane!.assessment]).toEqual(['slow', 'Progressing']);
  });

  it('is null without anything to forecast from, and when the control plane is updated', () => {
    const update = simulateUpdate({ history: historyOf() });
    const status = statusFrom({ ...update.facts(0), nodes: null, pools: null }, Date.parse(update.time(0)));
    expect(status.forecast).toEqual({ controlPlane: null, workers: null, whole: null, heldNodes: 0 });
    expect(forecastAt({}, 60).controlPlane).toBeNull();
  });
});

describe('the forecast of the workers', () => {
  it('is the longest pool, with as many nodes at once as it allows', () => {
    const pools = [
      { name: 'infra', nodes: 4 },
      { name: 'worker', nodes: 30, atOnce: 10 },
    ];
    const { workers } = forecastAt({ pools }, 25);
    expect(workers).toMatchObject({ basis: 'model', restsOn: 'the usual 10 minutes of a node' });
    expect(minutesOf(workers!.likelyAt)).toBe(25 + 4 * 10);
    expect([minutesOf(workers!.earliestAt), minutesOf(workers!.latestAt)]).toEqual([45, 105]);
  });

  it('takes the nodes of this update when there are three', () => {
    const update = simulateUpdate({ phases: [5, 5, 10], pools: [{ name: 'worker', nodes: 8 }] });
    const { workers } = statusAfter(update, everyFive(0, 85)).forecast!;
    // Three nodes took 20 minutes each; five are left, of which the first has just begun.
    expect(workers).toMatchObject({
      basis: 'nodes',
      samples: 3,
      restsOn: '3 nodes of pool worker in this update',
    });
    expect(minutesOf(workers!.likelyAt)).toBe(85 + 5 * 20);
    // Two nodes of this update are too few, and no former ones.
    expect(statusAfter(update, everyFive(0, 65)).forecast!.workers).toMatchObject({ basis: 'model' });
  });

  it('expects no more of a node that hangs than its own time', () => {
    // Four nodes are left, of which the first drains since minute 45.
    const update = simulateUpdate({ drains: { 'worker-002': Infinity } });
    const { workers } = statusAfter(update, everyFive(0, 145)).forecast!;
    expect(workers!.basis).toBe('model');
    expect(minutesOf(workers!.likelyAt)).toBe(145 + 3 * 10);
  });

  it('takes the nodes of former updates', () => {
    const runs = ['4.14.1', '4.14.2', '4.14.3', '4.14.4', '4.14.5'].map((to, index) =>
      simulateUpdate({
        start: new Date(Date.UTC(2026, 10, 16 + index)).toISOString(),
        to,
        phases: [5, 5, 10],
      }),
    );
    const arrivals = runs.flatMap((run, index) => reportsAt(run, everyFive(0, index === 4 ? 25 : 200)));
    const { workers } = statusOfRecord(takeReports(arrivals)!, Date.parse(runs[4]!.time(25))).forecast!;
    expect(workers).toMatchObject({ basis: 'own', restsOn: '24 nodes of pool worker in former updates' });
    expect((Date.parse(workers!.likelyAt) - Date.parse(runs[4]!.time(25))) / 60_000).toBe(6 * 20);
  });

  it('has no end for a paused pool', () => {
    const { workers, heldNodes, whole } = forecastAt(
      { pools: [{ name: 'worker', nodes: 6, paused: [0, 500] }] },
      100,
    );
    expect([workers, whole, heldNodes]).toEqual([null, null, 6]);
    expect(forecastAt({}, 5).heldNodes).toBe(0);
  });

  it('begins after the operators', () => {
    const { controlPlane, workers, whole } = forecastAt({}, 5);
    expect(minutesOf(workers!.likelyAt)).toBeCloseTo(minutesOf(controlPlane!.likelyAt) - 3 * 6.7 + 60, 1);
    expect(whole).toEqual(workers);
  });
});

describe('a forecast from the fleet', () => {
  const sample = (cluster: string, minutes: number, changes: Partial<UpdateSample> = {}): UpdateSample => ({
    cluster,
    startedAt: '2026-11-01T00:00:00Z',
    completedAt: '2026-11-01T01:00:00Z',
    minors: '4.14 4.14',
    minutes,
    ratio: 1,
    nodeMinutes: null,
    forecastError: null,
    ...changes,
  });
  const update = simulateUpdate();
  const forecastFrom = (samples: readonly UpdateSample[], minute = 0) => {
    const record = takeReports(reportsAt(update, everyFive(0, minute)))!;
    const at = Date.parse(update.time(minute));
    const result = clusterUpdateStatus(record, { at, now: at }, STALLED_AFTER, fleetDurations(samples));
    return (result as Extract<typeof result, { ok: true }>).status.forecast!;
  };

  it('takes what the same update took in three clusters, if the cluster has none of its own', () => {
    const { controlPlane } = forecastFrom([sample('a', 80), sample('b', 100), sample('c', 90)]);
    expect(controlPlane).toMatchObject({
      basis: 'fleet',
      samples: 3,
      restsOn: '3 updates of other clusters from 4.14 to 4.14',
    });
    expect(minutesOf(controlPlane!.likelyAt)).toBe(90);
  });

  it.each([
    ['of two clusters', [sample('a', 80), sample('b', 100), sample('b', 90)]],
    ['of other minors', ['a', 'b', 'c'].map((cluster) => sample(cluster, 80, { minors: '4.14 4.15' }))],
  ])('does not take updates %s', (_, samples) => {
    expect(forecastFrom(samples).controlPlane).toMatchObject({ basis: 'model', samples: 0 });
  });

  it('takes the nodes of other clusters', () => {
    const { workers } = forecastFrom([sample('a', 80, { nodeMinutes: 30 })], 20);
    expect(workers).toMatchObject({ basis: 'fleet', restsOn: 'the nodes of 1 update of other clusters' });
  });
});

describe('samples of a cluster', () => {
  const updates = ['4.14.1', '4.14.2'].map((to, index) =>
    simulateUpdate({ start: new Date(Date.UTC(2026, 10, 16 + index)).toISOString(), to, phases: [5, 5, 10] }),
  );
  const record = takeReports(updates.flatMap((update) => reportsAt(update, everyFive(0, 200))))!;
  const day = (number: number) => Date.UTC(2026, 10, number);

  it('are at most three', () => {
    const { clusterVersion, ...rest } = record.facts;
    const [entry] = clusterVersion!.history;
    const history = [17, 16, 15, 14, 13, 12].map((number) => ({
      ...entry!,
      version: `4.14.${number}`,
      startedTime: new Date(day(number)).toISOString(),
      completionTime: new Date(day(number) + 3600_000).toISOString(),
    }));
    const facts = { ...rest, clusterVersion: { ...clusterVersion!, history } };
    expect(
      updateSamples('prod', { facts, runs: record.runs }, day(18)).map(({ startedAt }) => startedAt),
    ).toEqual(history.slice(0, 3).map(({ startedTime }) => startedTime));
  });

  it('are its newest updates, with what the reports showed of nodes and of the forecast', () => {
    const [newest, ...others] = updateSamples('prod', record, day(18));
    expect(newest).toMatchObject({ cluster: 'prod', minors: '4.14 4.14', nodeMinutes: 20 });
    expect([newest!.minutes, newest!.ratio]).toEqual([85, expect.closeTo(1.355, 3)]);
    const { completedAt, beganAt, forecasts } = record.runs.recent[0]!;
    const error = Math.abs(completedAt! - forecasts!.begin!.whole!) / (completedAt! - beganAt);
    expect(newest!.forecastError).toBe(error);
    expect(forecasts!.half!.at).toBeGreaterThan(forecasts!.begin!.at);
    expect(others.length).toBeLessThanOrEqual(2);
    expect(updateSamples('prod', record, day(18 + 181))).toEqual([]);
  });

  it('replace those of the cluster, and go with it', () => {
    const samples = updateSamples('prod', record, day(18));
    const other = samples.map((one) => ({ ...one, cluster: 'other' }));
    const joined = samplesAfter([...other, ...samples], new Map([['prod', samples.slice(0, 1)]]), day(18));
    expect(joined.filter(({ cluster }) => cluster === 'prod')).toEqual(samples.slice(0, 1));
    expect(joined.filter(({ cluster }) => cluster === 'other')).toEqual(other);
    expect(samplesAfter(joined, new Map([['prod', []]]), day(18))).toEqual(other);
    const percent = Math.round(samples[0]!.forecastError! * 1000) / 10;
    expect(forecastError(samples.slice(0, 1))).toEqual({ runs: 1, medianPercent: percent });
    expect(forecastError([])).toBeNull();
  });
});

describe('a made-up fleet', () => {
  it('is forecast with a smaller error than by the remaining time of oc', () => {
    expect(forecastErrorRatio(40)).toBeLessThan(0.8);
  });
});
