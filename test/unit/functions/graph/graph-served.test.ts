import { gunzipSync } from 'node:zlib';
import { configPairs } from '@cairn/shared/releases/sources';
import { ARCHES, cpuArchitectureOf } from '@cairn/shared/version/arch';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import { DEMO_CHANNELS } from '../../../../infra/local/demo/channels.ts';
import { demoGraph } from '../../../../infra/local/demo/graph.ts';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import { graphContent } from '../../../helpers/upstream/graph-content.ts';
import {
  at,
  chainGraph,
  configOf,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const target = (channel: string, arch = 'amd64') => `/graph?channel=${channel}&arch=${arch}`;
const viewOf = async (ask: AskQuery, channel: string, arch = 'amd64') => {
  const { status, content } = await ask(target(channel, arch));
  expect(status).toBe(200);
  return readAsCluster(content);
};
/** `4.1.0 → 4.1.1`, with risks in brackets. */
const updatesIn = ({ versions, offersTo }: ReturnType<typeof readAsCluster>) =>
  versions.flatMap((from) =>
    offersTo(from).map(
      ({ version, risks }) => `${from} → ${version}${risks.length > 0 ? ` (${risks.join()})` : ''}`,
    ),
  );

describe('channels and architectures', () => {
  let harness: SyncHarness;
  afterEach(() => harness.close());

  it('G10: each channel is served with its own versions and the updates among them', async () => {
    const members: Readonly<Record<string, number[]>> = {
      'stable-4.14': [0, 1],
      'fast-4.14': [2, 3],
      'candidate-4.14': [0, 1, 2, 3],
    };
    const whole = chainGraph(series('4.14', 5));
    const edges = [
      [0, 1],
      [1, 2],
      [2, 3],
    ] as const;
    harness = await startHarness({
      config: following(...Object.keys(members)),
      source: (channel) => {
        const kept = members[channel]!;
        const among = edges.filter((edge) => edge.every((end) => kept.includes(end)));
        return {
          ...whole,
          nodes: kept.map((index) => whole.nodes[index]),
          edges: among.map((edge) => edge.map((end) => kept.indexOf(end))),
        };
      },
    });
    await harness.sync(0);
    const ask = startQuery(harness.table, harness.dependencies.clock);
    const served = async (channel: string) => {
      const view = await viewOf(ask, channel);
      return [view.versions, updatesIn(view)];
    };
    expect(await served('stable-4.14')).toEqual([['4.14.0', '4.14.1'], ['4.14.0 → 4.14.1']]);
    expect(await served('fast-4.14')).toEqual([['4.14.2', '4.14.3'], ['4.14.2 → 4.14.3']]);
    expect(await served('candidate-4.14')).toEqual([
      series('4.14', 4),
      ['4.14.0 → 4.14.1', '4.14.1 → 4.14.2', '4.14.2 → 4.14.3'],
    ]);
  });

  it('G11, G14: each architecture is served with its own versions, and a part of a name matches none', async () => {
    const versions: Readonly<Record<string, string[]>> = {
      amd64: ['4.14.1', '4.14.2'],
      arm64: ['4.14.3', '4.14.4'],
    };
    harness = await startHarness({
      config: configOf({
        release_sources: [
          {
            openshift_version: '4.14',
            upgrade_channels: ['x86_64', 'arm64'].map((cpu_architecture) => ({
              cpu_architecture,
              channels: ['stable'],
            })),
          },
        ],
      }),
      source: (_channel, arch) => ({
        ...chainGraph(versions[arch]!, { arch }),
        edges: [],
        conditionalEdges: [
          {
            edges: [{ from: versions[arch]![0], to: versions[arch]![1] }],
            risks: [
              {
                name: 'Risk',
                message: 'text',
                url: 'https://example.com',
                matchingRules: [{ type: 'Always' }],
              },
            ],
          },
        ],
      }),
    });
    await harness.sync(0);
    const ask = startQuery(harness.table, harness.dependencies.clock);
    expect(updatesIn(await viewOf(ask, 'stable-4.14', 'arm64'))).toEqual(['4.14.3 → 4.14.4 (Risk)']);
    expect((await ask(target('stable-4.14', 'arm64'))).content.toString()).not.toContain('release.arch');
    expect(JSON.parse((await ask(target('stable-4.14', 'amd'))).content.toString())).toEqual({
      version: 1,
      nodes: [],
      edges: [],
      conditionalEdges: [],
    });
  });

  it('G13: a conditional update to or from what is not there is gone, and so is a group without updates', async () => {
    const rule = { matchingRules: [{ type: 'Always' }], message: 'text', url: 'https://example.com' };
    harness = await startHarness({
      config: following('stable-4.14'),
      source: () => ({
        ...chainGraph(['4.14.0', '4.14.1', '4.14.2']),
        edges: [],
        conditionalEdges: [
          { edges: [{ from: '4.14.0', to: '4.14.9' }], risks: [{ name: 'Gone', ...rule }] },
          {
            edges: [
              { from: '4.14.0', to: '4.14.1' },
              { from: '4.13.0', to: '4.14.1' },
            ],
            risks: [{ name: 'Kept', ...rule }],
          },
        ],
      }),
    });
    await harness.sync(0);
    const ask = startQuery(harness.table, harness.dependencies.clock);
    expect(updatesIn(await viewOf(ask, 'stable-4.14'))).toEqual(['4.14.0 → 4.14.1 (Kept)']);
    expect((await ask(target('stable-4.14'))).content.toString()).not.toContain('Gone');
  });
});

describe('over time', () => {
  let harness: SyncHarness;
  let now: number;
  let ask: AskQuery;
  beforeAll(async () => {
    harness = await startHarness({
      config: following('stable-4.14', 'stable-4.15'),
      source: (channel) => chainGraph(series(channel.slice(-4), 12)),
    });
    await harness.sync(0);
    now = Date.parse(at(0));
    ask = startQuery(harness.table, () => now);
  });
  afterAll(() => harness.close());

  it('the bytes sent are the stored ones, and prepared once', async () => {
    const { sent, headers } = await ask(target('stable-4.14'), { headers: { 'accept-encoding': 'gzip' } });
    const { body } = await readPublished(harness.table, PUBLICATION, 'graph/stable-4.14/amd64');
    expect(sent.equals(body!)).toBe(true);
    const identity = await ask(target('stable-4.14'));
    expect(identity.sent.equals(gunzipSync(body!))).toBe(true);
    expect(identity.headers['etag']).not.toBe(headers['etag']);
  });

  it('a warm function asks the table nothing inside the trust window, and little after it', async () => {
    const calls: string[] = [];
    harness.table.client.middlewareStack.add(
      (next, context) => (args) => {
        calls.push(context.commandName ?? '');
        return next(args);
      },
      { name: 'count' },
    );
    for (let count = 0; count < 5; count++) await ask(target('stable-4.14'));
    expect(calls).toEqual([]);
    now += 10_000;
    await Promise.all(Array.from({ length: 5 }, () => ask(target('stable-4.14'))));
    expect(calls).toEqual(['GetItemCommand', 'GetItemCommand', 'GetItemCommand']);
    harness.table.client.middlewareStack.remove('count');
  });

  it('G15: a graph that could not be renewed for more than two intervals is served and marked', async () => {
    harness.stub.setSource(() => ({ status: 503, body: '' }));
    await harness.sync(10);
    const headersAt = async (minutes: number) => {
      now = Date.parse(at(minutes));
      const { status, headers } = await ask(target('stable-4.14'));
      return [status, headers['x-graph-stale'], headers['x-graph-synced-at']];
    };
    expect(await headersAt(20)).toEqual([200, undefined, at(0)]);
    expect(await headersAt(20.01)).toEqual([200, 'true', at(0)]);
    const { headers } = await ask(target('stable-4.14'));
    const tag = headers['etag']!;
    harness.stub.setSource((channel) => chainGraph(series(channel.slice(-4), 12)));
    await harness.sync(30);
    expect(await headersAt(30)).toEqual([200, undefined, at(30)]);
    // Nothing changed, so neither did what identifies it.
    const fresh = await ask(target('stable-4.14'), { headers: { 'if-none-match': tag } });
    expect([fresh.status, fresh.headers['last-modified']]).toEqual([304, new Date(at(0)).toUTCString()]);
  });

  it('a version that vanished upstream is still known, and leads on', async () => {
    harness.stub.setSource((channel) =>
      chainGraph(series(channel.slice(-4), 12).filter((version) => !version.endsWith('.5'))),
    );
    await harness.sync(40);
    now = Date.parse(at(40));
    const view = await viewOf(ask, 'stable-4.14');
    expect(view.offersTo('4.14.5').map(({ version }) => version)).toEqual(series('4.14', 12).slice(6));
    expect(updatesIn(view).filter((update) => update.endsWith('→ 4.14.5'))).toEqual([]);
    const { headers } = await ask(target('stable-4.14'));
    expect(headers['last-modified']).toBe(new Date(at(40)).toUTCString());
  });

  it('a channel that left the configuration is as unknown as any', async () => {
    harness.config = following('stable-4.15');
    await harness.sync(50);
    now = Date.parse(at(50));
    expect((await viewOf(ask, 'stable-4.14')).versions).toEqual([]);
    expect((await viewOf(ask, 'stable-4.15')).versions).toHaveLength(12);
    expect((await readPublished(harness.table, PUBLICATION, 'graph/stable-4.14/amd64')).head).not.toBeNull();
  });
});

describe('demo channels', () => {
  // Every channel, the architectures in turn: all 200 pairs say no more and take half a minute.
  const pairs = DEMO_CHANNELS.map((channel, index) => ({ channel, arch: ARCHES[index % ARCHES.length]! }));
  const config = configOf({
    release_sources: [...Map.groupBy(pairs, ({ channel }) => channel.split('-')[1]!)].map(
      ([minor, ofMinor]) => ({
        openshift_version: minor,
        upgrade_channels: ofMinor.map(({ channel, arch }) => ({
          cpu_architecture: cpuArchitectureOf(arch),
          channels: [channel.split('-')[0]],
        })),
      }),
    ),
  });
  let harness: SyncHarness;
  let ask: AskQuery;
  beforeAll(async () => {
    harness = await startHarness({ config, source: (channel, arch) => demoGraph(channel, arch) });
    await harness.sync(0);
    ask = startQuery(harness.table, harness.dependencies.clock);
  });
  afterAll(() => harness.close());

  it('are all served as clusters want them, and say what upstream said', async () => {
    expect(configPairs(config)).toHaveLength(DEMO_CHANNELS.length);
    let conditional = 0;
    for (const { channel, arch } of pairs) {
      const { content } = await ask(target(channel, arch));
      conditional += updatesIn(readAsCluster(content)).filter((update) => update.endsWith(')')).length;
      const upstream = JSON.stringify(demoGraph(channel, arch));
      expect(graphContent(content.toString()) === graphContent(upstream), `${channel}/${arch}`).toBe(true);
    }
    expect(conditional).toBeGreaterThan(1000);
  });
});
