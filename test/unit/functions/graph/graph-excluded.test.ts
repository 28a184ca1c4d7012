import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';
import { at, configOf, startHarness, type SyncHarness } from '../../../helpers/upstream/sync-harness.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    'stable-4.14': ['4.14.1 > 4.14.2', '4.14.1 > 4.14.3', '4.14.2 > 4.14.3', '4.14.1 > 4.14.4 A'],
    'stable-4.15': ['4.14.1 > 4.15.0'],
  },
};
const GRAPH = '/graph?channel=stable-4.14';

const config = (more: object): ReleaseConfig => configOf({ ...drawnConfig(UPSTREAM), ...more });

let harness: SyncHarness;
let ask: AskQuery;
let minutes = 0;

/** Syncs with a configuration; the function that answers stays warm. */
async function configure(more: object): Promise<void> {
  minutes += 10;
  harness.config = config(more);
  await harness.sync(minutes);
}

async function served(target = GRAPH, headers: Record<string, string> = {}) {
  const answer = await ask(target, { headers });
  expect(answer.status).toBe(200);
  const { versions, offersTo } = readAsCluster(answer.content);
  const updates = versions.map((from) => [from, offersTo(from).map(({ version }) => version)]);
  return { updates: Object.fromEntries(updates) as Record<string, string[]>, headers: answer.headers };
}

async function json(target: string) {
  const { status, content } = await ask(target);
  return { status, body: JSON.parse(content.toString()) as Record<string, unknown> };
}

beforeAll(async () => {
  harness = await startHarness({ config: config({}), source: drawnSource(UPSTREAM) });
  await harness.sync(0);
  ask = startQuery(harness.table, () => Date.parse(at(minutes)));
});
afterAll(() => harness.close());

const WHOLE = {
  '4.14.1': ['4.14.2', '4.14.3', '4.14.4'],
  '4.14.2': ['4.14.3'],
  '4.14.3': [],
  '4.14.4': [],
};

describe('a served graph', () => {
  it('keeps an excluded version with its updates, and has none to it', async () => {
    expect((await served()).updates).toEqual(WHOLE);
    await configure({ ignored_openshift_versions: ['4.14.2', '4.14.4'] });
    expect((await served()).updates).toEqual({ ...WHOLE, '4.14.1': ['4.14.3'] });
    const { content } = await ask(GRAPH);
    expect(JSON.parse(content.toString())).toMatchObject({ version: 1, conditionalEdges: [] });
  });

  it('changes its entity tag and date with the list and the setting, and other channels do not', async () => {
    await configure({});
    const whole = (await served()).headers;
    const other = (await served('/graph?channel=stable-4.15')).headers;
    await configure({ ignored_openshift_versions: ['4.14.2'] });
    const { headers } = await served(GRAPH, { 'if-none-match': whole['etag']! });
    expect(headers['etag']).not.toBe(whole['etag']);
    expect(headers['last-modified']).toBe(new Date(at(minutes)).toUTCString());
    expect((await ask(GRAPH, { headers: { 'if-none-match': headers['etag']! } })).status).toBe(304);
    expect((await served('/graph?channel=stable-4.15')).headers['etag']).toBe(other['etag']);
    await configure({ ignored_openshift_versions: ['4.14.2'], excluded_in_graph: 'serve' });
    const asUpstream = await served(GRAPH, { 'if-none-match': headers['etag']! });
    expect(asUpstream.updates).toEqual(WHOLE);
    expect(asUpstream.headers['etag']).toBe(whole['etag']);
  });

  it('is new to a client that asks by date when an exclusion ends', async () => {
    await configure({ ignored_openshift_versions: ['4.14.2'] });
    const since = (await served()).headers['last-modified']!;
    expect((await ask(GRAPH, { headers: { 'if-modified-since': since } })).status).toBe(304);
    await configure({});
    expect((await served(GRAPH, { 'if-modified-since': since })).updates).toEqual(WHOLE);
  });

  it('is withheld by range, compressed, and trimmed too', async () => {
    await configure({ ignored_openshift_versions: ['>=4.14.2 <4.14.4'], excluded_in_graph: 'withhold' });
    expect((await served(GRAPH, { 'accept-encoding': 'gzip' })).updates['4.14.1']).toEqual(['4.14.4']);
    const trimmed = await served(`${GRAPH}&trim=reachable&version=4.14.1`);
    expect(trimmed.updates).toEqual({ '4.14.1': ['4.14.4'], '4.14.4': [] });
    const excluded = await served(`${GRAPH}&trim=reachable&version=4.14.2`);
    expect(Object.keys(excluded.updates)).toEqual(['4.14.2']);
  });
});

describe.each(['withhold', 'serve'])('with excluded_in_graph %s', (excludedInGraph) => {
  beforeAll(() =>
    configure({
      ignored_openshift_versions: ['4.14.3', '4.15'],
      excluded_in_graph: excludedInGraph,
    }),
  );

  it('/v1/versions says that a version is excluded, and lists no update to it', async () => {
    expect(await json('/v1/versions/4.14.3')).toMatchObject({
      status: 200,
      body: { excluded: true, updates: { from: [], to: [] } },
    });
    const { body } = await json('/v1/versions/4.14.1');
    expect(body).toMatchObject({ excluded: false });
    expect(body['updates']).toMatchObject({ to: [{ version: '4.14.2' }, { version: '4.14.4' }] });
    expect(JSON.stringify(await json('/v1/versions/4.14.9'))).not.toContain('4.14.3');
  });

  it('the channel and its index have it as no newest', async () => {
    const { body } = await json('/v1/channels/stable-4.15/amd64');
    expect(body).toMatchObject({ nodes: 2, oldest: '4.14.1', newest: '4.14.1' });
    expect(body['newestPerMinor']).toEqual([{ minor: '4.14', version: '4.14.1' }]);
  });

  it('the versions to install are without it', async () => {
    expect(await harness.versions()).toEqual(['4.14.4', '4.14.2', '4.14.1']);
  });

  it('paths go around it, and refuse it as a target by name', async () => {
    const around = await json('/v1/upgrade-paths?from=4.14.2&to=latest&channel=stable-4.14&risk=all');
    expect(JSON.stringify(around)).not.toContain('4.14.3');
    const refused = await json('/v1/upgrade-paths?from=4.14.1&to=4.14.3');
    const detail =
      '4.14.3 is excluded by ignored_openshift_versions in the configuration; choose another target, such as 4.14.2, or remove the entry from ignored_openshift_versions';
    expect(refused).toMatchObject({
      status: 422,
      body: {
        type: 'urn:cairn:problem:excluded',
        detail,
        errors: [{ parameter: 'to', value: '4.14.3', detail, nearest: ['4.14.1', '4.14.2', '4.14.4'] }],
      },
    });
    expect(await json('/v1/upgrade-paths?from=4.14.1&to=4.15')).toMatchObject({
      status: 422,
      body: { type: 'urn:cairn:problem:excluded' },
    });
  });

  it('of many clusters, the one that names it gets the reason', async () => {
    const { content } = await ask('/v1/upgrade-paths', {
      method: 'POST',
      body: {
        clusters: [
          { from: '4.14.1', to: '4.14.3' },
          { from: '4.14.1', to: '4.14.2' },
        ],
      },
    });
    expect(JSON.parse(content.toString())).toMatchObject({
      found: 1,
      clusters: [{ explanation: { code: 'excluded' } }, { found: true }],
    });
  });

  it('a cluster may run it', async () => {
    const { body } = await json('/v1/upgrade-paths?from=4.14.3&to=latest&channel=stable-4.14');
    expect(body).toMatchObject({ warnings: [{ code: 'source_excluded' }] });
  });
});
