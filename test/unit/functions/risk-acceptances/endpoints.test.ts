import { beforeEach, describe, expect, it } from 'vitest';
import { readAcceptances, settleAcceptance } from '../../../../functions/risk-acceptances/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { type AskManage, type ManageAnswer, startManage } from '../../../helpers/lambda/ask-manage.ts';
import { keptLog } from '../../../helpers/lambda/http-request.ts';
import { dumpTable, newTable } from '../../../helpers/table/table.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const DAY = 24 * 3600_000;
const ONE = '/v1/risk-acceptances/one';
const REQUEST = {
  risk: 'AzureDefaultVMType',
  reason: 'no node uses it',
  owner: 'platform',
  until: '2026-12-31',
  clusters: ['prod-2', 'prod-1', 'prod-2'],
};

let now: number;
let table: Table;
let log: ReturnType<typeof keptLog>;
let ask: AskManage;
beforeEach(async () => {
  now = NOW;
  table = await newTable();
  log = keptLog();
  ask = startManage(table, () => now, log);
});

const put = (changes: object = {}, headers = {}, target = ONE) =>
  ask('PUT', target, { ...REQUEST, ...changes }, headers);
const idsOf = ({ body }: ManageAnswer) => body.acceptances.map(({ id }: { id: string }) => id);

describe('endpoints of risk acceptances', () => {
  it('create, show, replace and delete one, and keep who changed what', async () => {
    const made = await put();
    const by = 'arn:aws:iam::1:role/anna';
    const created = { at: '2026-11-16T12:00:00.000Z', by };
    const fields = {
      risk: REQUEST.risk,
      reason: REQUEST.reason,
      owner: 'platform',
      until: '2027-01-01T00:00:00.000Z',
      clusters: ['prod-1', 'prod-2'],
    };
    expect(made).toMatchObject({ status: 201, headers: { location: ONE } });
    expect(made.body).toEqual({
      id: 'one',
      ...fields,
      state: 'active',
      created,
      changed: created,
      history: [{ ...created, action: 'created', set: fields }],
    });
    const shown = await ask('GET', ONE);
    expect([shown.status, shown.body, shown.headers['etag']]).toEqual([200, made.body, made.headers['etag']]);

    now += DAY;
    const replaced = await ask('PUT', ONE, { ...REQUEST, owner: ' storage ' }, {}, 'arn:aws:iam::1:role/ben');
    const changed = { at: '2026-11-17T12:00:00.000Z', by: 'arn:aws:iam::1:role/ben' };
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({
      owner: 'storage',
      created,
      changed,
      history: [{ ...changed, action: 'replaced', set: { owner: 'storage' } }, { action: 'created' }],
    });
    expect(replaced.headers['etag']).not.toBe(made.headers['etag']);

    expect((await ask('DELETE', ONE)).status).toBe(204);
    expect(await ask('GET', ONE)).toMatchObject({
      status: 404,
      body: { type: 'urn:cairn:problem:unknown-acceptance' },
    });
    expect((await ask('DELETE', ONE)).status).toBe(404);
    expect(idsOf(await ask('GET', '/v1/risk-acceptances'))).toEqual([]);
    expect((await ask('GET', '/v1/risk-acceptances?state=deleted')).body.acceptances).toMatchObject([
      { id: 'one', state: 'deleted', changed: { by } },
    ]);
    const again = await put();
    expect([again.status, again.body.history.map(({ action }: { action: string }) => action)]).toEqual([
      201,
      ['created', 'deleted', 'replaced', 'created'],
    ]);
    const audited = log.lines.map(([, message, line]) => [message, (line as { route: string }).route]);
    expect(audited).toContainEqual(['changed', 'DELETE /v1/risk-acceptances/{id}']);
    expect(audited).toContainEqual(['changed', 'PUT /v1/risk-acceptances/{id}']);
  });

  it('write nothing for the same content', async () => {
    const made = await put();
    now += DAY;
    const same = await put({ clusters: ['prod-1', 'prod-2'], until: '2027-01-01T00:00:00Z' });
    expect([same.status, same.body, same.headers['etag']]).toEqual([200, made.body, made.headers['etag']]);
  });

  it('show what has expired, without counting it', async () => {
    const { headers } = await put({ until: '2026-11-20T00:00:00Z' });
    now = Date.parse('2026-11-19T23:59:59.999Z');
    expect((await ask('GET', ONE)).body.state).toBe('active');
    now += 1;
    const expired = await ask('GET', ONE, undefined, { 'if-none-match': headers['etag']! });
    expect([expired.status, expired.body?.state]).toEqual([200, 'expired']);
    expect(idsOf(await ask('GET', '/v1/risk-acceptances'))).toEqual(['one']);
    expect(idsOf(await ask('GET', '/v1/risk-acceptances?state=active'))).toEqual([]);
    expect(idsOf(await ask('GET', '/v1/risk-acceptances?state=expired&state=deleted'))).toEqual(['one']);
  });

  it('list by risk, by cluster and in pages', async () => {
    await put({ risk: 'A', clusters: 'all' }, {}, '/v1/risk-acceptances/a');
    await put({ risk: 'A', clusters: ['prod-1'] }, {}, '/v1/risk-acceptances/b');
    await put({ risk: 'B', clusters: ['prod-2'] }, {}, '/v1/risk-acceptances/c');
    const list = async (query: string) => ask('GET', `/v1/risk-acceptances?${query}`);
    expect(idsOf(await list('risk=A'))).toEqual(['a', 'b']);
    expect(idsOf(await list('cluster=prod-2'))).toEqual(['a', 'c']);
    expect(idsOf(await list('cluster=prod'))).toEqual(['a']);
    expect(idsOf(await list('risk=B&cluster=prod-1'))).toEqual([]);
    const first = await list('limit=2');
    expect(idsOf(first)).toEqual(['a', 'b']);
    const second = await list(`limit=2&cursor=${first.body.nextCursor}`);
    expect([idsOf(second), second.body.nextCursor]).toEqual([['c'], null]);
    expect((await list('cursor=eyJ')).status).toBe(400);
    expect((await list('state=old')).body.errors).toMatchObject([{ parameter: 'state' }]);
  });

  it.each<[object, string, string]>([
    [{ reason: undefined }, '/reason', 'a text of up to 500 characters'],
    [{ reason: ' \n' }, '/reason', 'a text of up to 500 characters'],
    [{ reason: 'a'.repeat(501) }, '/reason', 'a text of up to 500 characters'],
    [{ owner: '' }, '/owner', 'a text of up to 100 characters'],
    [{ risk: 'A,B' }, '/risk', 'the name of a risk is accepted'],
    [{ risk: 'A\n' }, '/risk', 'the name of a risk is accepted'],
    [{ until: undefined }, '/until', 'a day such as'],
    [{ until: '2026-02-30' }, '/until', 'a day such as'],
    [{ until: '2026-11-16T12:00:00Z' }, '/until', 'has passed'],
    [{ until: '2026-11-15' }, '/until', 'has passed'],
    [{ until: '2027-11-17' }, '/until', 'at most a year'],
    [{ clusters: [] }, '/clusters', 'a list of 1 to 1000'],
    [{ clusters: 'every' }, '/clusters', 'a list of 1 to 1000'],
    [{ clusters: ['..'] }, '/clusters/0', 'the id of a cluster'],
    [{ clusters: Array.from({ length: 1001 }, (_, at) => `c${at}`) }, '/clusters', 'a list of 1 to 1000'],
    [{ by: 'me' }, '/by', 'is not known'],
  ])('refuse %o', async (changes, pointer, detail) => {
    const { status, body } = await put(changes);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer: expect.stringContaining(pointer), detail: expect.stringContaining(detail) },
    ]);
    expect(await readAcceptances(table)).toEqual([]);
  });

  it('refuse an ID with other characters', async () => {
    for (const id of ['One', 'a.b', 'a'.repeat(65)]) {
      const { status, body } = await put({}, {}, `/v1/risk-acceptances/${id}`);
      expect([status, body.errors[0].parameter]).toEqual([400, 'id']);
    }
  });

  it('take the preconditions of entity tags', async () => {
    expect((await put({}, { 'if-match': '*' })).status).toBe(412);
    const { headers } = await put({}, { 'if-none-match': '*' });
    const etag = headers['etag']!;
    expect((await put({ owner: 'b' }, { 'if-none-match': '*' })).status).toBe(412);
    // What the fleet job notes changes no tag.
    await settleAcceptance(table, (await readAcceptances(table))[0]!, true);
    const next = await put({ owner: 'b' }, { 'if-match': etag });
    expect(next.status).toBe(200);
    expect((await put({ owner: 'c' }, { 'if-match': etag })).status).toBe(412);
    expect((await ask('DELETE', ONE, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await ask('DELETE', ONE, undefined, { 'if-match': next.headers['etag']! })).status).toBe(204);
    expect((await put({}, { 'if-match': next.headers['etag']! })).status).toBe(412);
  });

  it('lose no change of concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => put({ owner: `team ${at}` }, {}, ONE)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const { history, owner } = (await ask('GET', ONE)).body;
    expect(history).toHaveLength(6);
    expect(history[0].set.owner).toBe(owner);
    const rivals = await Promise.all(
      ['x', 'y'].map((risk) => put({ risk }, { 'if-none-match': '*' }, '/v1/risk-acceptances/two')),
    );
    expect(new Set(rivals.map(({ status }) => status))).toEqual(new Set([201, 412]));
  });

  it('keep a bounded history, without the oldest changes', async () => {
    for (let change = 0; change < 55; change++) await put({ owner: `team ${change}` });
    const owners = (await ask('GET', ONE)).body.history.map(
      ({ set }: { set: { owner: string } }) => set.owner,
    );
    expect([owners.length, owners[0], owners.at(-1)]).toEqual([50, 'team 54', 'team 5']);
    const many = (letter: string) => Array.from({ length: 1000 }, (_, at) => letter.repeat(96) + at);
    for (const letter of ['a', 'b', 'c']) await put({ clusters: many(letter) });
    const [item] = await readAcceptances(table);
    expect(item?.stale).toBe('all');
    const bytes = Buffer.byteLength(JSON.stringify(await dumpTable(table)));
    expect(bytes).toBeLessThan(350_000);
    const { history, clusters } = (await ask('GET', ONE)).body;
    expect([history.length, history[0].set.clusters, clusters.length]).toEqual([1, clusters, 1000]);
  });

  it('refuse more than fit', async () => {
    const clusters = Array.from({ length: 1000 }, (_, at) => `c${at}`);
    for (let at = 0; at < 20; at++) {
      expect((await put({ clusters }, {}, `/v1/risk-acceptances/a-${at}`)).status).toBe(201);
    }
    expect(await put({ clusters: ['one'] })).toMatchObject({
      status: 409,
      body: { type: 'urn:cairn:problem:too-many-acceptances' },
    });
    expect((await put({ clusters: 'all' })).status).toBe(201);
    expect((await put({ clusters, owner: 'b' }, {}, '/v1/risk-acceptances/a-0')).status).toBe(200);
    expect((await ask('DELETE', '/v1/risk-acceptances/a-1')).status).toBe(204);
    expect((await put({ clusters: ['one'] })).status).toBe(200);
  });
});
