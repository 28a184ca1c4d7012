import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterVersion, type Json } from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { completed, partial, updates } from '../../../helpers/prune/histories.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => deployment.close());

let used = 0;
const newId = () => `cluster-${++used}`;

async function report(id: string, history: readonly HistoryEntry[], query = ''): Promise<number> {
  const { status } = await deployment.request('PUT', `/v1/clusters/${id}${query}`, {
    body: JSON.stringify({ ...clusterVersion, status: { ...(clusterVersion['status'] as Json), history } }),
    headers: { 'content-type': 'application/json' },
  });
  return status;
}

interface Told {
  readonly entries: readonly Record<string, unknown>[];
  readonly removed: { readonly total: number; readonly recent: readonly Record<string, unknown>[] };
}

async function historyOf(id: string, query = ''): Promise<Told> {
  const { status, body } = await deployment.request('GET', `/v1/clusters/${id}/history${query}`);
  expect(status).toBe(200);
  parseStrictly('getClusterHistory', body);
  return body as Told;
}

const versionsOf = (entries: readonly Record<string, unknown>[]) => entries.map(({ version }) => version);

describe('GET /v1/clusters/{id}/history', () => {
  it('returns every reported update, newest first', async () => {
    const id = newId();
    const [third, second, first] = [completed('4.14.3', 3), partial('4.14.2', 2), completed('4.14.1', 1)];
    expect(await report(id, [second, first])).toBe(201);
    expect(await report(id, [third])).toBe(200);
    const answer = await historyOf(id);
    expect(answer).toEqual({
      id,
      limit: 100,
      entries: [third, second, first].map((entry, index) => ({ index, ...entry, removedAfter: 0 })),
      removed: { total: 0, recent: [] },
    });
  });

  it('explains each rank when asked', async () => {
    const id = newId();
    await report(id, [...updates(7, { perMinor: 3 }), partial('4.0.9', 0), completed('4.0.8', -1)]);
    const { entries } = await historyOf(id, '?explain=true');
    expect(entries[0]).toMatchObject({ rank: 4000, class: 'protected', reason: 'the current release' });
    expect(entries[7]).toMatchObject({
      version: '4.0.9',
      rank: 12.93,
      class: 'minor-partial',
      terms: [
        { name: 'minorPartial', weight: 20, counted: true },
        { name: 'position', weight: expect.closeTo(-7.07) as number, counted: true },
      ],
    });
    expect(entries[8]).toMatchObject({ version: '4.0.8', class: 'protected' });
  });

  it('says what went above the limit, why, and where it is missing', async () => {
    const id = newId();
    const told = updates(103, { perMinor: 200 });
    await report(id, told.slice(3));
    expect((await historyOf(id)).removed.total).toBe(0);
    await report(id, told);
    const { entries, removed } = await historyOf(id);
    expect(entries).toHaveLength(100);
    expect(removed.total).toBe(3);
    expect(versionsOf(removed.recent)).toEqual(['4.1.3', '4.1.2', '4.1.1'].toReversed());
    for (const removal of removed.recent) {
      expect(removal).toMatchObject({
        class: 'other',
        removedAt: TIME,
        reason: expect.any(String) as string,
      });
    }
    expect(entries.at(-1)).toMatchObject({ version: '4.1.0', removedAfter: 0 });
    expect(entries.at(-2)).toMatchObject({ version: '4.1.4', removedAfter: 3 });
    await report(id, told);
    expect((await historyOf(id)).removed).toEqual(removed);
  });

  it('is shown as a table', async () => {
    const id = newId();
    await report(id, updates(101, { perMinor: 10 }));
    const { headers, text } = await deployment.request('GET', `/v1/clusters/${id}/history?format=text`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n');
    expect(lines[0]).toBe(`${id}: 100 updates kept of at most 100, 1 removed`);
    expect(lines[2]).toMatch(/^ #  VERSION +STATE +STARTED +ENDED$/);
    expect(lines[3]).toMatch(
      /^ 0  4\.11\.0 +Completed +2020-04-10T00:00:00\.000Z  2020-04-10T01:00:00\.000Z$/,
    );
    expect(text).toMatch(/\nRemoved\n\nVERSION +STATE +STARTED +REMOVED +RANK +BECAUSE\n4\.1\.1 /);
    const explained = await deployment.request('GET', `/v1/clusters/${id}/history?format=text&explain=true`);
    expect(explained.text).toMatch(/ 0 +4\.11\.0 .* 4000  the current release\n/);
  });

  it('stays when all else is forgotten, and goes with the cluster', async () => {
    const id = newId();
    await report(id, [completed('4.14.2', 2), completed('4.14.1', 1)]);
    await report(id, [completed('4.14.3', 3)], '?replace=true');
    expect(versionsOf((await historyOf(id)).entries)).toEqual(['4.14.3', '4.14.2', '4.14.1']);
    await deployment.request('DELETE', `/v1/clusters/${id}`);
    await report(id, [completed('4.14.4', 4)]);
    expect(versionsOf((await historyOf(id)).entries)).toEqual(['4.14.4']);
  });

  it.each([
    ['/v1/clusters/nobody/history', 404, 'unknown-cluster'],
    ['/v1/clusters/a%20b/history', 400, 'invalid-parameter'],
    ['/v1/clusters/nobody/history?explain=maybe', 400, 'invalid-parameter'],
    ['/v1/clusters/nobody/history?format=yaml', 400, 'invalid-parameter'],
  ])('of %s is a problem', async (target, status, type) => {
    const answer = await deployment.request('GET', target);
    expect([
      answer.status,
      String((answer.body as Json)['type'])
        .split(':')
        .at(-1),
    ]).toEqual([status, type]);
  });
});

describe('reports of one cluster at the same time', () => {
  it('lose no entry that was acknowledged', async () => {
    const id = newId();
    const days = Array.from({ length: 20 }, (_, index) => index + 1);
    const statuses = await Promise.all(days.map((day) => report(id, [completed(`4.14.${day}`, day)])));
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    expect(versionsOf((await historyOf(id)).entries)).toEqual(days.map((day) => `4.14.${day}`).toReversed());
  });
});
