import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import {
  listRecordedPairs,
  recordedUpstream,
  startCincinnatiStub,
  type CincinnatiStub,
  type StubSource,
} from '../../../../helpers/upstream/cincinnati-stub.ts';

let stub: CincinnatiStub | undefined;
afterEach(() => stub?.close());

async function start(source: StubSource): Promise<CincinnatiStub> {
  stub = await startCincinnatiStub(source);
  return stub;
}

describe('Cincinnati stub', () => {
  it.each<[string, StubSource, number, string]>([
    ['a value as JSON', () => ({ nodes: [1] }), 200, '{"nodes":[1]}'],
    ['bytes as they are', () => Buffer.from('not json'), 200, 'not json'],
    ['null as the empty graph', () => null, 200, '{"version":1,"nodes":[],"edges":[],"conditionalEdges":[]}'],
    [
      'a response told in full',
      () => ({ status: 503, body: { kind: 'x' }, headers: { 'x-a': 'b' } }),
      503,
      '{"kind":"x"}',
    ],
    ['a promise', async () => ['later'], 200, '["later"]'],
    [
      'an exception as 500',
      () => {
        throw new Error('broken source');
      },
      500,
      'Error: broken source',
    ],
  ])('answers %s', async (_, source, status, body) => {
    const { url } = await start(source);
    const response = await fetch(`${url}?channel=a&arch=b`);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  it('records requests and how many were open at once, and changes its source', async () => {
    const gate = Promise.withResolvers<unknown>();
    const { url, requests } = await start(() => gate.promise);
    const open = ['a', 'b', 'c'].map((channel) => fetch(`${url}?channel=${channel}&arch=multi`));
    await expect.poll(() => requests.length).toBe(3);
    gate.resolve('done');
    await Promise.all(open.map(async (response) => (await response).text()));
    stub!.setSource((channel) => channel);
    expect(await (await fetch(`${url}?channel=d`)).text()).toBe('d');
    expect(requests.map(({ channel }) => channel).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(requests.at(-1)).toEqual({ channel: 'd', arch: '' });
    expect(stub!.maxInFlight).toBe(3);
  });
});

const recorded = fileURLToPath(new URL('../../../../../../shared/data/upstream', import.meta.url));
const isPresent = existsSync(recorded);
if (!isPresent) console.log('recorded upstream answers are not there: their stub tests are skipped');

describe.skipIf(!isPresent)('recorded upstream', () => {
  it('lists its pairs and serves them compressed, others empty', async () => {
    expect(listRecordedPairs(recorded)).toHaveLength(309);
    expect(listRecordedPairs(recorded)).toContainEqual({ channel: 'eus-4.14', arch: 'amd64' });
    const { url } = await start(recordedUpstream(recorded));
    const response = await fetch(`${url}?channel=eus-4.14&arch=amd64`);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(((await response.json()) as { nodes: unknown[] }).nodes).toHaveLength(227);
    const unknown = await fetch(`${url}?channel=eus-4.15&arch=amd64`);
    expect(((await unknown.json()) as { nodes: unknown[] }).nodes).toEqual([]);
  });
});
