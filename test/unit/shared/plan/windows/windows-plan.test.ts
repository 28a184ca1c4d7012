import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PlanWindows } from '@cairn/shared/plan/windows/fit';
import { weeklyInWords } from '@cairn/shared/plan/windows/window-words';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool } from '../../../../helpers/cluster/clusters.ts';
import { ask, releases } from '../../../../helpers/path/releases.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';
import { inWindows, windowsOf } from '../../../../helpers/plan/windows.ts';

const known = releases({ 'stable-4.16': ['4.14.8 > 4.15.3', '4.15.3 > 4.16.5'] });

/** Each hop of a cluster with 6 nodes takes up to 2 h 5 min, and its 3 workers an hour. Asked on a Monday at noon, UTC. */
async function windowsFor(
  text: string,
  more: {
    readonly timeZone?: string;
    readonly facts?: ClusterFacts;
    readonly options?: Partial<SafetyOptions>;
    readonly now?: string;
    readonly to?: string;
  } = {},
): Promise<PlanWindows> {
  const { timeZone = 'UTC', facts = aCluster(), options = {}, now, to = '4.16.5' } = more;
  const { windows } = reportOn(facts, await ask(known, '4.14.8', to), options, {
    windows: inWindows(text, timeZone),
    ...(now !== undefined && { now: Date.parse(now) }),
  });
  return windows!;
}

const texts = ({ summary, hops }: PlanWindows) => [summary, ...hops.map(({ text }) => text)];

describe('the windows of a plan', () => {
  it('have local times and their offset', async () => {
    const windows = await windowsFor('Sat 22:00-04:00', { timeZone: 'Europe/Berlin' });
    expect(windows).toMatchObject({
      timeZone: 'Europe/Berlin',
      weekly: [{ day: 'Sat', start: '22:00', end: '04:00' }],
      finishesAt: '2026-06-14T01:05:00+02:00',
    });
    expect(windows.hops[0]).toEqual({
      index: 0,
      from: '4.14.8',
      to: '4.15.3',
      minutes: { workersBefore: 0, controlPlane: 125, workersAfter: 60, total: 185 },
      fit: 'whole',
      window: { start: '2026-06-06T22:00:00+02:00', end: '2026-06-07T04:00:00+02:00', minutes: 360 },
      startsAt: '2026-06-06T22:00:00+02:00',
      endsAt: '2026-06-07T01:05:00+02:00',
      leaves: 175,
      longest: null,
      missing: null,
      text: expect.any(String),
    });
    expect(texts(windows)).toEqual([
      '2 of 2 hops in 2 windows, done by Sun 2026-06-14 01:05 +02:00 at the latest',
      'Hop 1 to 4.15.3: Sat 2026-06-06 22:00 to Sun 2026-06-07 01:05 +02:00 at the latest, in the window Sat 2026-06-06 22:00 to Sun 2026-06-07 04:00 +02:00, which leaves 2 h 55 min. It takes up to 3 h 5 min: control plane 2 h 5 min, workers 60 min',
      'Hop 2 to 4.16.5: Sat 2026-06-13 22:00 to Sun 2026-06-14 01:05 +02:00 at the latest, in the window Sat 2026-06-13 22:00 to Sun 2026-06-14 04:00 +02:00, which leaves 2 h 55 min. It takes up to 3 h 5 min: control plane 2 h 5 min, workers 60 min',
    ]);
  });

  it('hold several hops when they fit to the minute', async () => {
    const { hops, summary } = await windowsFor('Sat 22:00-04:10');
    expect(hops.map(({ startsAt, endsAt, leaves }) => [startsAt, endsAt, leaves])).toEqual([
      ['2026-06-06T22:00:00+00:00', '2026-06-07T01:05:00+00:00', 185],
      ['2026-06-07T01:05:00+00:00', '2026-06-07T04:10:00+00:00', 0],
    ]);
    expect(summary).toBe('2 of 2 hops in 1 window, done by Sun 2026-06-07 04:10 +00:00 at the latest');
  });

  it('last as long as the clocks let them', async () => {
    const spring = { timeZone: 'Europe/Berlin', now: '2026-03-28T12:00Z' };
    const [first] = (await windowsFor('Sat 22:00-02:05', spring)).hops;
    expect(first).toMatchObject({
      window: { start: '2026-03-28T22:00:00+01:00', end: '2026-03-29T03:00:00+02:00', minutes: 240 },
      endsAt: '2026-03-29T01:05:00+01:00',
    });
    const autumn = { timeZone: 'America/New_York', now: '2026-10-31T12:00Z' };
    const [, second] = (await windowsFor('Sat 22:00-04:00', autumn)).hops;
    expect(second).toMatchObject({
      window: { start: '2026-10-31T22:00:00-04:00', end: '2026-11-01T04:00:00-05:00', minutes: 420 },
      startsAt: '2026-11-01T01:05:00-04:00',
      endsAt: '2026-11-01T03:10:00-05:00',
    });
  });

  it('may be open already; the next minute is the first', async () => {
    const { hops } = await windowsFor('Mon 10:00-18:00', { now: '2026-06-01T12:00:00.001Z' });
    expect(hops[0]).toMatchObject({
      window: { start: '2026-06-01T10:00:00+00:00' },
      startsAt: '2026-06-01T12:01:00+00:00',
    });
  });

  it('are too short for the workers of a large cluster', async () => {
    const nodes = [
      ...[0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master')),
      ...Array.from({ length: 24 }, (_, number) => aNode(`worker-${number}`)),
    ];
    const windows = await windowsFor('Sat 22:00-04:00', {
      facts: aCluster({ nodes }),
      options: { strategy: 'control-plane-only' },
    });
    expect(windows.hops.map(({ fit, missing }) => [fit, missing])).toEqual([
      ['whole', null],
      ['control-plane', 260],
    ]);
    expect(windows.finishesAt).toBeNull();
    expect(texts(windows).filter((_, at) => at !== 1)).toEqual([
      '1 of 2 hops in 1 window; of hop 2 only the control plane fits, without its workers',
      'Hop 2 to 4.16.5: only the control plane fits, Sun 2026-06-07 00:20 to Sun 2026-06-07 02:40 +00:00 at the latest, in the window Sat 2026-06-06 22:00 to Sun 2026-06-07 04:00 +00:00, which leaves 80 min. With its workers it takes up to 10 h 20 min: control plane 2 h 20 min, workers 8 h, and the longest window within 5 weeks, Sat 2026-06-13 22:00 to Sun 2026-06-14 04:00 +00:00, lasts 6 h: 4 h 20 min are missing; hold the pools back and roll them in windows of their own',
    ]);
  });

  it('are too short for a hop', async () => {
    expect(texts(await windowsFor('Mon-Fri 01:00-02:00', { timeZone: 'Asia/Kolkata' }))).toEqual([
      'No hop fits whole; hop 1 is longer than every window',
      'Hop 1 to 4.15.3: fits in no window. It takes up to 3 h 5 min: control plane 2 h 5 min, workers 60 min, and the longest window within 5 weeks, Tue 2026-06-02 01:00 to Tue 2026-06-02 02:00 +05:30, lasts 60 min: 2 h 5 min are missing',
      'Hop 2 to 4.16.5: waits for hop 1, of which the end is not known',
    ]);
  });

  it('hold the workers that have to be rolled first', async () => {
    const behind = ['v1.25.6', 'v1.25.6', 'v1.25.6'].map((kubeletVersion, number) =>
      aNode(`worker-${number}`, { kubeletVersion }),
    );
    const masters = [0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master'));
    const facts = aCluster({
      nodes: [...masters, ...behind],
      pools: [aPool('master'), aPool('worker', { paused: true })],
    });
    const { hops } = await windowsFor('Sat 20:00-06:00', { facts, options: { policy: 'n-2' } });
    expect(hops[0]).toMatchObject({
      minutes: { workersBefore: 60, controlPlane: 125, workersAfter: 0, total: 185 },
      fit: 'whole',
    });
    expect(hops[0]!.text).toContain('up to 3 h 5 min: workers first 60 min, control plane 2 h 5 min');
  });

  it('have no minutes to go by without nodes', async () => {
    const facts = aCluster({ nodes: null, pools: null });
    const windows = await windowsFor('Sat 22:00-04:00', { facts });
    expect(texts(windows)).toEqual([
      'No hop fits whole; how long hop 1 takes is not known',
      'Hop 1 to 4.15.3: how long it takes is not known: the number of nodes is not known; supply the output of `oc get nodes -o json`',
      'Hop 2 to 4.16.5: waits for hop 1, of which the end is not known',
    ]);
    expect(windows.hops[0]).toMatchObject({ fit: 'not-known', minutes: { total: null }, window: null });
  });

  it('may never close', async () => {
    const { hops, summary } = await windowsFor('Mon-Sun 00:00-24:00', { timeZone: 'Asia/Kolkata' });
    expect(hops[1]).toMatchObject({
      window: { start: '2026-06-01T17:30:00+05:30', end: null, minutes: null },
      startsAt: '2026-06-01T20:35:00+05:30',
      leaves: null,
    });
    expect(hops[1]!.text).toBe(
      'Hop 2 to 4.16.5: Mon 2026-06-01 20:35 to Mon 2026-06-01 23:40 +05:30 at the latest, as the windows never close. It takes up to 3 h 5 min: control plane 2 h 5 min, workers 60 min',
    );
    expect(summary).toBe('2 of 2 hops in 1 window, done by Mon 2026-06-01 23:40 +05:30 at the latest');
  });

  it.each([
    ['Mon-Fri 01:00-03:30,Sat 22:00-04:00', 'Mon-Fri 01:00-03:30 and Sat 22:00-04:00'],
    ['Sat 22:00-04:00,Sun 22:00-04:00,Mon 22:00-05:00', 'Sat-Sun 22:00-04:00 and Mon 22:00-05:00'],
    ['Mon-Sun 01:00-02:00,Mon 01:00-02:00', 'Mon-Sun 01:00-02:00 and Mon 01:00-02:00'],
    ['Sun 01:00-02:00,Sat 01:00-02:00', 'Sun 01:00-02:00 and Sat 01:00-02:00'],
  ])('are as short as they were given: %s', (text, words) => {
    expect(weeklyInWords(windowsOf(text).windows)).toBe(words);
  });

  it('of one hop, and of none', async () => {
    const [summary] = texts(await windowsFor('Sat 22:00-04:00', { to: '4.15.3' }));
    expect(summary).toBe('1 of 1 hop in 1 window, done by Sun 2026-06-07 01:05 +00:00 at the latest');
    expect(await windowsFor('Sat 22:00-04:00', { to: '4.14.8' })).toMatchObject({
      hops: [],
      finishesAt: null,
      summary: 'There is no hop to find a window for',
    });
  });
});
