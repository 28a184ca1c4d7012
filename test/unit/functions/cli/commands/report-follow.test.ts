import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { intervalOf } from '../../../../../functions/cli/cluster/follow-update.ts';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { type Kube, type KubeOptions, startKube, status } from '../../../../helpers/cli/kube.ts';
import type { Json } from '../../../../helpers/cluster/objects.ts';
import { type ServedCairn, serveCairn } from '../../../../helpers/lambda/served-cairn.ts';
import { AT, aStatusDocument } from '../../../../helpers/update-status/documents.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };
const MINUTE = 60_000;
const [BUSY, IDLE] = [aStatusDocument(), aStatusDocument({ isDone: true })].map(
  (text) => (JSON.parse(text) as { readonly items: readonly Json[] }).items,
) as [readonly Json[], readonly Json[]];

let cairn: ServedCairn;
beforeAll(async () => {
  cairn = await serveCairn({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => cairn.close());

let kube: Kube | undefined;
afterEach(async () => {
  await kube?.close();
  kube = undefined;
});

let now = AT;

/** Runs the reporter of a cluster; waits only move its clock. Reports are in minutes, as if its interval were five. */
async function follow(
  id: string,
  objectsAt: (minute: number) => readonly Json[],
  more: Partial<KubeOptions> = {},
) {
  const start = now;
  kube = await startKube({ objects: () => objectsAt((5 * (now - start)) / intervalOf(id)), ...more });
  const reports: number[] = [];
  const run = await runCli(['report', '--in-cluster', '--follow', '--cluster', id, '--url', cairn.url], {
    ...kube.pod,
    clock: () => now,
    wait: async (ms) => {
      now += ms;
    },
    fetch: (url, init) => {
      if (init.method === 'PUT') reports.push(Math.round((now - start) / intervalOf(id)) * 5);
      return fetch(url, init);
    },
  });
  await kube.close();
  return { ...run, reports, paths: kube.paths };
}

const get = async (path: string) => (await (await fetch(`${cairn.url}/v1/clusters/${path}`)).json()) as Json;

describe('cairn report --follow', () => {
  it('reports a cluster without an update once in an hour, and else reads its ClusterVersion', async () => {
    const first = await follow('idle', () => IDLE);
    expect(first).toMatchObject({ code: 0, reports: [0], err: '' });
    expect(await get('idle/update-status')).toMatchObject({ updating: false, state: 'none', run: null });
    const ends: number[][] = [];
    for (const minutes of [15, 15, 15]) {
      now += minutes * MINUTE;
      const { code, reports, paths, out } = await follow('idle', () => IDLE);
      expect([code, out]).toEqual([
        0,
        'idle: no update is in progress, and the next whole report is not due\n',
      ]);
      expect(paths).toEqual(['/apis/config.openshift.io/v1/clusterversions/version']);
      ends.push(reports);
    }
    expect(ends).toEqual([[], [], []]);
    // A start some seconds before the hour is over counts.
    now += 15 * MINUTE - 2000;
    expect((await follow('idle', () => IDLE)).reports).toEqual([0]);
  });

  it('reports an update every five minutes until two reports show none', async () => {
    const { code, reports } = await follow('busy', (minute) => (minute < 14 ? BUSY : IDLE));
    expect([code, reports]).toEqual([0, [0, 5, 10, 15, 20]]);
    expect(await get('busy/updates')).toMatchObject({ updates: [{ state: 'completed' }] });
    expect(await get('busy?digests')).toMatchObject({ updateInProgress: false });
  });

  it('ends within 55 minutes, and the next start goes on', async () => {
    now = AT;
    const first = await follow('long', () => BUSY);
    expect(first.reports.slice(0, 10)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
    expect(now - AT).toBeLessThanOrEqual(55 * MINUTE);
    expect(await get('long?digests')).toMatchObject({ updateInProgress: true });
    // Workers that are behind keep the update in progress, though the ClusterVersion shows none.
    const held = (JSON.parse(aStatusDocument({ isHeld: true })) as { items: readonly Json[] }).items;
    now += 10 * MINUTE;
    expect((await follow('long', (minute) => (minute < 4 ? held : IDLE))).reports).toEqual([0, 5, 10]);
  });

  it('begins at once when the ClusterVersion shows an update', async () => {
    await follow('begins', () => IDLE);
    now += 15 * MINUTE;
    expect((await follow('begins', (minute) => (minute < 4 ? BUSY : IDLE))).reports).toEqual([0, 5, 10]);
  });

  it('goes on when the API fails during an update, and fails with it otherwise', async () => {
    let isDown = false;
    const failing: Partial<KubeOptions> = {
      instead: ({ path }) => (isDown && path === '/api/v1/nodes' ? status(400, 'no etcd leader') : null),
    };
    const during = await follow(
      'fails',
      (minute) => {
        isDown = minute > 4 && minute < 12;
        return minute < 14 ? BUSY : IDLE;
      },
      failing,
    );
    expect([during.code, during.reports]).toEqual([0, [0, 15, 20]]);
    expect(during.err).toContain('no etcd leader (400); the next report follows\n');
    now += 60 * MINUTE;
    isDown = true;
    const idle = await follow('fails', () => IDLE, failing);
    expect([idle.code, idle.reports]).toEqual([3, []]);
  });

  it('needs a cluster that it can read again', async () => {
    const { code, err } = await runCli([
      'report',
      'a.json',
      '--follow',
      '--cluster',
      'a',
      '--url',
      cairn.url,
    ]);
    expect(code).toBe(64);
    expect(err).toContain('give --in-cluster or --oc');
  });

  it('spreads the clusters of a fleet over a minute', () => {
    const intervals = Array.from({ length: 200 }, (_, at) => intervalOf(`prod-${at}`));
    expect(Math.min(...intervals)).toBeGreaterThanOrEqual(270_000);
    expect(Math.max(...intervals)).toBeLessThanOrEqual(330_000);
    expect(Math.max(...intervals) - Math.min(...intervals)).toBeGreaterThan(50_000);
    expect(intervalOf('prod-0')).toBe(intervals[0]);
  });
});
