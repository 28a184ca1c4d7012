import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { updateLine } from '@cairn/shared/fleet/update-line';
import type { ListedUpdate, UpdateCounts } from '@cairn/shared/fleet/update-list';
import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCluster, listUpdates, removeCluster } from '../../../../functions/clusters/store.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { aStatusDocument } from '../../../helpers/update-status/documents.ts';
import { everyFive, reportsAt, takeReports } from '../../../helpers/update-status/reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from '../../../helpers/update-status/simulator.ts';
import { drawnConfig, drawnSource } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] }, arm64: {}, multi: {} };
const MINUTE_MS = 60_000;

interface Answer {
  readonly clusters: readonly ListedUpdate[];
  readonly counts: UpdateCounts;
  readonly nextCursor: string | null;
}

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  await fillFleet();
});
afterAll(() => deployment.close());

const startOf = (minutesAgo: number) => new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString();

async function keep(id: string, record: ClusterRecord): Promise<void> {
  await changeCluster(
    deployment.table,
    id,
    () => record,
    async () => updateLine(record, Date.now(), STALLED_AFTER),
  );
}

/** A cluster of which the reports up to a minute are known. */
const keepUpdate = (id: string, update: SimulatedUpdate, last: number) =>
  keep(id, takeReports(reportsAt(update, everyFive(0, last)))!);

async function fillFleet(): Promise<void> {
  await keepUpdate('early', simulateUpdate({ start: startOf(11) }), 10);
  await keepUpdate('workers', simulateUpdate({ start: startOf(81), to: '4.15.1' }), 80);
  await keepUpdate('held', simulateUpdate({ start: startOf(141), pools: [PAUSED] }), 140);
  await keepUpdate('silent', simulateUpdate({ start: startOf(80) }), 60);
  await keepUpdate(
    'stalled',
    simulateUpdate({ start: startOf(161), drains: { 'worker-002': Infinity } }),
    160,
  );
  const done = simulateUpdate({ start: startOf(200) });
  await keepUpdate('done', done, 150);
  await keepUpdate('done-before', simulateUpdate({ start: startOf(3 * 24 * 60) }), 150);
  await keepUpdate('done-long-ago', simulateUpdate({ start: startOf(31 * 24 * 60) }), 150);
  await keep('idle', takeReports(reportsAt(done, [170]))!);
}

const PAUSED = { name: 'worker', nodes: 4, paused: [0, 10_000] } as const;

const ask = (query = '', headers = {}) =>
  deployment.request('GET', `/v1/fleet/updates?${query}`, { headers });
const answerTo = async (query?: string): Promise<Answer> => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  parseStrictly('listFleetUpdates', body);
  return body as Answer;
};
const idsOf = async (query?: string) => (await answerTo(query)).clusters.map(({ id }) => id);

describe('GET /v1/fleet/updates', () => {
  it('lists what updates and what has just updated, worst first', async () => {
    const { clusters, counts, nextCursor } = await answerTo();
    expect(clusters.map(({ id, state }) => [id, state])).toEqual([
      ['stalled', 'stalled'],
      ['silent', 'silent'],
      ['held', 'held'],
      ['workers', 'workers'],
      ['early', 'control-plane'],
      ['done', 'completed'],
    ]);
    expect(counts).toEqual({
      stalled: 1,
      silent: 1,
      slow: 0,
      held: 1,
      'control-plane': 1,
      workers: 1,
      completed: 1,
    });
    expect(nextCursor).toBeNull();
  });

  it('says how far each part is, and what to look at', async () => {
    const [stalled, silent] = (await answerTo()).clusters;
    expect(stalled).toMatchObject({
      from: '4.14.0',
      to: '4.14.1',
      kind: 'update',
      percent: 100,
      operators: { updated: 9, total: 9 },
      nodes: { updated: 5, total: 9 },
      pools: [
        { name: 'master', updated: 3, total: 3, progressing: 0, draining: 0, stuck: 0, paused: false },
        { name: 'worker', updated: 2, total: 6, progressing: 1, draining: 1, stuck: 1, paused: false },
      ],
      poolsOmitted: 0,
      draining: 1,
      stuck: 1,
      worstLevel: 'Error',
      attention: { subject: 'worker-002', command: expect.stringMatching(/^oc logs .* worker-002$/) },
      completedAt: null,
    });
    expect(silent).toMatchObject({
      attention: { subject: 'reporter', since: silent!.lastReportAt },
    });
  });

  it.each([
    ['state=stalled,held', ['stalled', 'held']],
    ['state=stalled&state=workers', ['stalled', 'workers']],
    ['minor=4.15', ['workers']],
    ['name=EAR', ['early']],
    ['state=completed&since=7d', ['done', 'done-before']],
    ['state=completed&since=30d', ['done', 'done-before']],
    ['state=completed&since=1m', []],
    ['limit=2', ['stalled', 'silent']],
  ])('keeps those that are wanted: %s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it('counts all states, whichever are listed', async () => {
    expect((await answerTo('state=held&name=e')).counts).toMatchObject({ stalled: 1, held: 1, workers: 1 });
  });

  it('has pages', async () => {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await answerTo(`limit=1${cursor && `&cursor=${cursor}`}`);
      ids.push(...page.clusters.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(ids).toEqual(await idsOf());
  });

  it('is a sheet too, with a link to the next page', async () => {
    const { text, headers } = await ask('format=csv&limit=2');
    expect(text.split('\r\n').map((row) => row.split(',').slice(0, 4).join())).toEqual([
      'id,state,from,to',
      'stalled,stalled,4.14.0,4.14.1',
      'silent,silent,4.14.0,4.14.1',
      '',
    ]);
    expect(headers['link']).toMatch(/^<\/v1\/fleet\/updates\?format=csv&limit=2&cursor=.*>; rel="next"$/);
  });

  it('has an entity tag until something changes', async () => {
    const { headers } = await ask();
    const again = { 'if-none-match': headers['etag']! };
    expect((await ask('', again)).status).toBe(304);
    expect((await ask('limit=1', again)).status).toBe(200);
  });

  it.each([
    ['state=none', 'state'],
    ['minor=4', 'minor'],
    ['since=soon', 'since'],
    ['since=31d', 'since'],
    ['since=2020-01-01', 'since'],
    ['cursor=x', 'cursor'],
    ['format=xml', 'format'],
  ])('refuses %s', async (query, parameter) => {
    const { status, body } = await ask(query);
    expect([status, (body as { errors: unknown }).errors]).toMatchObject([400, [{ parameter }]]);
  });

  it('follows a cluster from its first report to its removal', async () => {
    const put = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      const { status, text } = await deployment.request('PUT', '/v1/clusters/reported', { body, headers });
      expect(status, text).toBeLessThan(300);
    };
    const found = async () => (await answerTo('name=reported')).clusters;
    await put(aStatusDocument({ isDone: true }));
    expect(await found()).toEqual([]);
    await put(aStatusDocument());
    expect(await found()).toMatchObject([{ id: 'reported', to: '4.14.1', percent: 50 }]);
    await put(aStatusDocument({ isDone: true }));
    expect(await found()).toMatchObject([{ id: 'reported', state: 'completed', percent: 100 }]);
    await deployment.request('DELETE', '/v1/clusters/reported');
    expect(await found()).toEqual([]);
  });

  it('goes by the minutes of the settings of a cluster', async () => {
    const change = (body: object) =>
      deployment.request('PUT', '/v1/clusters/stalled/settings', {
        body: JSON.stringify({ updates: { stalledAfterMinutes: body } }),
        headers: { 'content-type': 'application/json' },
      });
    const reasons = async () => {
      const { body } = await deployment.request('GET', '/v1/clusters/stalled/update-status');
      return (body as { run: { stalled: { reason: string }[] } }).run.stalled.map(({ reason }) => reason);
    };
    expect(await reasons()).toEqual(['NoNodeProgress']);
    expect(await change({ workers: 1000 })).toMatchObject({
      status: 200,
      body: { updates: { stalledAfterMinutes: { workers: 1000 } } },
    });
    expect(await reasons()).toEqual([]);
    expect(await change({ workers: 5 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/updates/stalledAfterMinutes/workers' }] },
    });
  });

  it('is in the other answers about the fleet', async () => {
    const { body: summary } = await deployment.request('GET', '/v1/fleet/summary');
    expect(summary).toMatchObject({ updating: 5, updates: (await answerTo()).counts });
    const { body } = await deployment.request('GET', '/v1/clusters');
    const { clusters } = body as { clusters: { id: string; updating: boolean; update: unknown }[] };
    const of = (wanted: string) => clusters.find(({ id }) => id === wanted);
    expect(of('workers')).toMatchObject({ updating: true, update: { state: 'workers', percent: 100 } });
    expect(of('silent')).toMatchObject({ update: { state: 'silent' } });
    expect(of('done')).toMatchObject({ updating: false, update: { state: 'completed', likelyAt: null } });
    expect(of('done-before')).toMatchObject({ update: null });
    expect(of('idle')).toMatchObject({ updating: false, update: null });
  });

  it('passes over an entry whose writer has died, and costs what updates', async () => {
    const { table } = deployment;
    const since = startOf(24 * 60);
    const before = await listUpdates(table, since);
    await keepUpdate('gone', simulateUpdate({ start: startOf(11) }), 10);
    await removeCluster(table, 'gone', new Date().toISOString(), () => {});
    expect(await listUpdates(table, since)).toEqual(before);
    let calls = 0;
    const counting = {
      ...table,
      client: { send: (command: never) => (calls++, table.client.send(command)) } as typeof table.client,
    };
    await listUpdates(counting, since);
    expect(calls).toBe(2);
  });
});
