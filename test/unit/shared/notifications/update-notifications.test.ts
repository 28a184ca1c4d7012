import { notificationText } from '@cairn/shared/notifications/notification';
import type { KeyedNotification } from '@cairn/shared/notifications/update-notifications';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../helpers/random.ts';
import { everyFive, reportsAt, takeReports } from '../../../helpers/update-status/reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from '../../../helpers/update-status/simulator.ts';
import { knownBefore, SERVICE, WatchedCluster } from '../../../helpers/update-status/watched-cluster.ts';

const random = new Random(Number(process.env['CAIRN_SEED']));

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

function toldOf(update: SimulatedUpdate, minutes: readonly number[]): WatchedCluster {
  const watched = knownBefore(update);
  for (const arrival of reportsAt(update, minutes)) watched.take(arrival);
  return watched;
}

const keyed = (update: SimulatedUpdate, ...rest: readonly string[]) =>
  rest.map((one) => one.replace('START', update.time(0)));

describe('news of an update', () => {
  it('tells its begin and its end', () => {
    const update = simulateUpdate();
    const { told, ids } = toldOf(update, everyFive(0, 150));
    expect(ids).toEqual(keyed(update, 'UpdateStarted/START', 'UpdateCompleted/START'));
    expect(told).toMatchObject([
      { from: '4.14.0', to: '4.14.1', kind: 'update', nodes: 9, likelyAt: expect.any(String) },
      {
        minutes: { controlPlane: 55, whole: 85 },
        forecastMinutes: { controlPlane: 63, whole: 103 },
        heldNodes: 0,
        insights: [],
      },
    ]);
  });

  it('tells a node that is stuck, then the stall, again after a day, and the recovery', () => {
    const update = simulateUpdate({ drains: { 'worker-002': 26 * 60 } });
    const { told, ids } = toldOf(update, everyFive(0, 28 * 60));
    expect(ids).toEqual(
      keyed(
        update,
        'UpdateStarted/START',
        'NodeStuck/START/worker-002/Draining',
        'UpdateStalled/START/NoNodeProgress',
        'UpdateStalled/START/NoNodeProgress/2',
        'UpdateRecovered/START',
        'UpdateCompleted/START',
      ),
    );
    const [, stuck, stalled, , recovered] = told;
    expect(stuck).toMatchObject({ count: 1, nodes: [{ node: 'worker-002', phase: 'Draining' }] });
    expect(stalled).toMatchObject({
      reason: expect.stringMatching(/^Node worker-002 of machine config pool worker has been draining/),
      reasons: [{ reason: 'NoNodeProgress', pool: 'worker' }],
    });
    expect(recovered).toMatchObject({ was: 'stalled', minutes: 26 * 60 });
    expect(text(stalled!)).toMatch(/^the update of prod from 4.14.0 to 4.14.1 is stalled: Node worker-002/);
  });

  it('tells a stalled update again if another reason joins', () => {
    const pools = [
      { name: 'worker', nodes: 3 },
      { name: 'infra', nodes: 3 },
    ];
    const drains = { 'worker-000': Infinity, 'infra-001': Infinity };
    const update = simulateUpdate({ pools, drains });
    expect(toldOf(update, everyFive(0, 200)).ids.filter((id) => id.startsWith('UpdateStalled'))).toEqual(
      keyed(update, 'UpdateStalled/START/NoNodeProgress', 'UpdateStalled/START/NoNodeProgress/2'),
    );
  });

  it('tells no reason again that comes back while another one lasts', () => {
    const failing = (from: number) =>
      simulateUpdate({
        drains: { 'worker-002': Infinity },
        degraded: { node: 'worker-005', from: 130, to: 500 },
        failing: { from, to: from + 20 },
      });
    const [first, second] = [failing(110), failing(150)];
    const watched = knownBefore(first);
    for (const minute of everyFive(0, 200)) {
      for (const arrival of reportsAt(minute < 140 ? first : second, [minute])) watched.take(arrival);
    }
    expect(watched.ids.filter((id) => id.startsWith('UpdateStalled'))).toEqual(
      keyed(
        first,
        'UpdateStalled/START/NoNodeProgress',
        'UpdateStalled/START/Failing',
        'UpdateStalled/START/PoolBlocked',
      ),
    );
  });

  it('tells several stuck nodes in one message with the first ten', () => {
    const drains = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`worker-0${String(n).padStart(2, '0')}`, Infinity]),
    );
    const update = simulateUpdate({ pools: [{ name: 'worker', nodes: 12, atOnce: 12 }], drains });
    const stuck = toldOf(update, everyFive(0, 300)).told.filter(({ type }) => type === 'NodeStuck');
    expect(stuck).toMatchObject([{ count: 12, nodes: { length: 10 } }]);
    expect(text(stuck[0]!)).toContain('prod: 12 nodes are stuck: worker-000 (Draining), worker-001');
  });

  it('tells silence without a report, and its end', () => {
    const update = simulateUpdate();
    const watched = toldOf(update, everyFive(0, 40));
    watched.wait(Date.parse(update.time(54)));
    expect(watched.ids).toHaveLength(1);
    watched.wait(Date.parse(update.time(500)));
    for (const arrival of reportsAt(update, [500])) watched.take(arrival);
    expect(watched.ids).toEqual(
      keyed(
        update,
        'UpdateStarted/START',
        'UpdateSilent/START',
        'UpdateRecovered/START',
        'UpdateCompleted/START',
      ),
    );
    expect(watched.told[1]).toMatchObject({ state: 'control-plane', lastReportAt: '2026-11-16T08:40:00Z' });
  });

  it('waits for an hour while a single node reboots', () => {
    const update = simulateUpdate({ masters: 1, pools: [] });
    const watched = toldOf(update, everyFive(0, 30));
    watched.wait(Date.parse(update.time(89)));
    expect(watched.ids).toHaveLength(1);
    watched.wait(Date.parse(update.time(91)));
    expect(watched.ids[1]).toBe(`UpdateSilent/${update.time(0)}`);
  });

  it('tells the end of the control plane when the rest is held, once', () => {
    const update = simulateUpdate({ pools: [{ name: 'worker', nodes: 3, paused: [0, 3000] }] });
    const { told, ids } = toldOf(update, [...everyFive(0, 120), ...everyFive(2980, 3100)]);
    expect(ids.filter((id) => id.startsWith('UpdateCompleted'))).toHaveLength(1);
    expect(told.find(({ type }) => type === 'UpdateCompleted')).toMatchObject({
      minutes: { controlPlane: 55, whole: null },
      heldNodes: 3,
      insights: ['PoolPaused'],
    });
  });

  it('tells the end of a run that the next one hides', () => {
    const first = simulateUpdate({ drains: { 'worker-001': Infinity } });
    const second = simulateUpdate({
      start: first.time(300),
      from: '4.14.1',
      to: '4.14.2',
      history: first.facts(290).clusterVersion!.history,
    });
    const watched = toldOf(first, everyFive(0, 250));
    for (const arrival of reportsAt(second, [5, 10])) watched.take(arrival);
    expect(watched.ids.slice(-2)).toEqual([
      `UpdateRecovered/${first.time(0)}`,
      `UpdateStarted/${second.time(0)}`,
    ]);
  });

  it('tells the end of a run that no look has seen, before the next one', () => {
    const first = simulateUpdate();
    const second = simulateUpdate({
      start: first.time(200),
      from: '4.14.1',
      to: '4.14.2',
      history: first.facts(190).clusterVersion!.history,
    });
    const known = takeReports(reportsAt(first, everyFive(0, 80)))!;
    const { log } = SERVICE.look(null, known, Date.parse(first.time(80)));
    const record = takeReports([...reportsAt(first, [90]), ...reportsAt(second, [5])], known)!;
    const { news } = SERVICE.look(log, record, Date.parse(second.time(5)));
    expect(news.map(({ type, key }) => `${type}/${key}`)).toEqual([
      `UpdateCompleted/${first.time(0)}`,
      `UpdateStarted/${second.time(0)}`,
    ]);
  });

  it('tells the last known state of a silent cluster, however often it was looked at since', () => {
    const update = simulateUpdate({ masters: 1, pools: [] });
    const record = takeReports(reportsAt(update, everyFive(0, 30)))!;
    const minutes = [30, 75, 95].map((minute) => Date.parse(update.time(minute)));
    const before = SERVICE.look(null, record, minutes[0]!);
    const silent = SERVICE.look(before.log, record, minutes[1]!);
    expect(silent.news).toEqual([]);
    expect(SERVICE.look(silent.log, record, minutes[2]!).news).toMatchObject([
      { type: 'UpdateSilent', state: 'control-plane' },
    ]);
  });

  it('tells nothing of a new cluster but what changes', () => {
    const update = simulateUpdate({ drains: { 'worker-002': 200 } });
    const watched = new WatchedCluster();
    for (const arrival of reportsAt(update, everyFive(150, 350))) {
      watched.record ??= takeReports(reportsAt(update, everyFive(0, 145)));
      watched.take(arrival);
    }
    expect(watched.ids).toEqual(keyed(update, 'UpdateCompleted/START'));
  });

  it('tells each event once, whatever the order of 100 reports that are late or doubled', () => {
    const pools = [{ name: 'worker', nodes: 57, atOnce: 3 }];
    const update = simulateUpdate({ pools, drains: { 'worker-020': 100 } });
    const whole = update.end + 15;
    const minutes = Array.from({ length: 100 }, (_, index) => Math.floor((index * whole) / 99));
    const inOrder = toldOf(update, minutes);
    const expected = [...inOrder.ids].toSorted();
    expect(expected).toEqual(
      keyed(
        update,
        'NodeStuck/START/worker-020/Draining',
        'UpdateCompleted/START',
        'UpdateStarted/START',
      ).toSorted(),
    );
    for (let round = 0; round < 4; round++) {
      const watched = knownBefore(update);
      const doubled = shuffled([...minutes, ...minutes.filter(() => random.chance(0.5))]);
      doubled.forEach((minute, index) => {
        watched.take({
          facts: update.facts(minute),
          // They arrive one after the other, long after they were collected.
          receivedAt: update.time(whole + index / 10),
        });
      });
      const { ids } = watched;
      expect(new Set(ids).size).toBe(ids.length);
      // A node that is stuck in between is no news when its end is known.
      for (const id of keyed(update, 'UpdateStarted/START', 'UpdateCompleted/START'))
        expect(ids).toContain(id);
      expect(ids.filter((id) => !expected.includes(id))).toEqual([]);
    }
  });

  it('tells the same of reports that are a few minutes late', () => {
    const update = simulateUpdate({ drains: { 'worker-002': 200 } });
    const inOrder = toldOf(update, everyFive(0, 400)).ids;
    for (let round = 0; round < 3; round++) {
      const watched = knownBefore(update);
      const arrivals = everyFive(0, 400)
        .flatMap((minute) => [minute, minute].slice(random.below(2)))
        .map((minute) => ({ minute, received: minute + random.below(6) }))
        .toSorted((a, b) => a.received - b.received);
      for (const { minute, received } of arrivals) {
        watched.take({ facts: update.facts(minute), receivedAt: update.time(received) });
      }
      watched.wait(Date.parse(update.time(430)));
      expect(watched.ids).toEqual(inOrder);
    }
  });
});

function text({ key, ...news }: KeyedNotification): string {
  return notificationText({ id: key, at: '2026-11-16T12:00:00Z', cluster: 'prod', ...news });
}
