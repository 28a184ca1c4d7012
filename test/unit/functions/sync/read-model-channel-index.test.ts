import { gunzipSync, gzipSync } from 'node:zlib';
import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import type { Arch } from '@cairn/shared/version/arch';
import { afterEach, describe, expect, it } from 'vitest';
import { PUBLICATION_NAME } from '../../../../functions/store/keys.ts';
import { remove, publish, PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import {
  chainGraph,
  configOf,
  following,
  series,
  startHarness,
  type SyncHarness,
  at,
} from '../../../helpers/upstream/sync-harness.ts';

let harness: SyncHarness;
afterEach(() => harness.close());

async function indexOf(arch: Arch = 'amd64'): Promise<ChannelIndex> {
  const { body } = await readPublished(harness.table, PUBLICATION, PUBLICATION_NAME.channelIndex(arch));
  return JSON.parse(gunzipSync(body!).toString()) as ChannelIndex;
}

const source = (channel: string) => chainGraph(series(channel.split('-')[1]!, 3));
const glance = ({ channels }: ChannelIndex) =>
  channels.map(({ channel, nodes, publishedAt }) => [channel, nodes, publishedAt]);

/** The documents that a sync reads in full. */
async function documentsRead(minutes: number): Promise<string[]> {
  const names: string[] = [];
  const { middlewareStack } = harness.table.client;
  middlewareStack.add(
    (next, context) => (args) => {
      const { ExpressionAttributeValues } = args.input as {
        ExpressionAttributeValues?: Record<string, { S?: string }>;
      };
      if (context.commandName === 'QueryCommand') names.push(ExpressionAttributeValues![':partition']!.S!);
      return next(args);
    },
    { name: 'reads' },
  );
  await harness.sync(minutes);
  middlewareStack.remove('reads');
  return names.filter((name) => name.startsWith('DOC#')).map((name) => name.slice('DOC#'.length));
}

describe('the channel index', () => {
  it('is there for every architecture after the first sync, empty for those not followed', async () => {
    harness = await startHarness({ config: following('fast-4.14', 'stable-4.14', 'stable-4.9'), source });
    await harness.sync(0);
    expect(glance(await indexOf())).toEqual([
      ['stable-4.9', 3, at(0)],
      ['stable-4.14', 3, at(0)],
      ['fast-4.14', 3, at(0)],
    ]);
    expect((await indexOf()).versions.map(({ version, channels }) => [version, channels])).toEqual([
      ...series('4.9', 3).map((version) => [version, [0]]),
      ...series('4.14', 3).map((version) => [version, [1, 2]]),
    ]);
    for (const arch of ['arm64', 'ppc64le', 's390x', 'multi'] as const) {
      expect(await indexOf(arch)).toEqual({ channels: [], versions: [] });
    }
  });

  it('is not read in a quiet round, and a change reads it and no other graph', async () => {
    harness = await startHarness({ config: following('stable-4.14', 'stable-4.15', 'stable-4.16'), source });
    await harness.sync(0);
    expect(await documentsRead(10)).toEqual([]);
    harness.stub.setSource((channel) =>
      chainGraph(series(channel.slice(-4), channel === 'stable-4.15' ? 4 : 3)),
    );
    const read = await documentsRead(20);
    expect(read.filter((name) => name.startsWith('graph/'))).toEqual(['graph/stable-4.15/amd64']);
    expect(read.filter((name) => name.startsWith('channels-index/'))).toEqual(['channels-index/amd64']);
    expect(glance(await indexOf())).toEqual([
      ['stable-4.14', 3, at(0)],
      ['stable-4.15', 4, at(20)],
      ['stable-4.16', 3, at(0)],
    ]);
  });

  it('loses a channel that leaves the configuration, and gets it back from its document', async () => {
    const both = following('stable-4.14', 'stable-4.15');
    harness = await startHarness({ config: both, source });
    await harness.sync(0);
    const before = await indexOf();
    harness.config = following('stable-4.15');
    await harness.sync(10);
    expect(glance(await indexOf())).toEqual([['stable-4.15', 3, at(0)]]);
    expect((await indexOf()).versions.map(({ version }) => version)).toEqual(series('4.15', 3));
    harness.config = both;
    await harness.sync(20);
    expect(await indexOf()).toEqual(before);
  });

  it('stays as it is while the configuration is empty', async () => {
    harness = await startHarness({ config: following('stable-4.14'), source });
    await harness.sync(0);
    const before = await indexOf();
    harness.config = configOf({});
    await harness.sync(10);
    expect(await indexOf()).toEqual(before);
  });

  it('lists a channel that could never be fetched as never published', async () => {
    harness = await startHarness({
      config: following('stable-4.14', 'stable-4.15'),
      source: (channel) => (channel === 'stable-4.15' ? { status: 500, body: '' } : source(channel)),
    });
    await harness.sync(0);
    expect(glance(await indexOf())).toEqual([
      ['stable-4.14', 3, at(0)],
      ['stable-4.15', 0, null],
    ]);
    expect(await documentsRead(10)).toEqual([]);
  });

  it('flags a version once its channel is lastingly without it, and unflags it', async () => {
    const config = following('stable-4.14', 'fast-4.14');
    harness = await startHarness({ config, source });
    const withdrawn = async () =>
      (await indexOf()).versions
        .filter(({ withdrawnIn }) => withdrawnIn)
        .map(({ version, withdrawnIn }) => [version, withdrawnIn]);
    await harness.sync(0);
    harness.stub.setSource((channel) =>
      chainGraph(channel === 'fast-4.14' ? ['4.14.0', '4.14.1'] : series('4.14', 3)),
    );
    await harness.sync(10);
    await harness.sync(200);
    expect(await withdrawn()).toEqual([]);
    // No graph changes in the round that finds it withdrawn.
    await harness.sync(400);
    expect(await withdrawn()).toEqual([['4.14.2', [1]]]);
    expect((await indexOf()).channels[1]?.newestPerMinor).toEqual([{ minor: '4.14', version: '4.14.1' }]);
    harness.stub.setSource(source);
    await harness.sync(410);
    expect(await withdrawn()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is missing', () => remove(harness.table, PUBLICATION_NAME.channelIndex('amd64'), 1_000_000)],
    [
      'was made from another revision of a graph',
      () => replaceIndex({ 'stable-4.15': { revision: 'x', withdrawn: [] } }, 'stable-4.15'),
    ],
    [
      'was made with a channel that is not followed',
      () => replaceIndex({ 'stable-4.1': { revision: 'x', withdrawn: [] } }),
    ],
    ['is of another format', () => replaceIndex({}, 'stable-4.14', 0)],
  ])('heals when it %s', async (_case, harm) => {
    harness = await startHarness({ config: following('stable-4.14', 'stable-4.15'), source });
    await harness.sync(0);
    const before = await indexOf();
    await harm();
    await harness.sync(10);
    expect(await indexOf()).toEqual(before);
    expect(await documentsRead(20)).toEqual([]);
  });
});

/** Publishes another index in place of the one there: made from these sources too, and wrong about one channel. */
async function replaceIndex(sources: object, wrong?: string, format = 1): Promise<void> {
  const name = PUBLICATION_NAME.channelIndex('amd64');
  const stored = await readPublished(harness.table, PUBLICATION, name);
  const index = await indexOf();
  const channels = index.channels.map((other) =>
    other.channel === wrong ? { ...other, plainEdges: 99, publishedAt: at(9) } : other,
  );
  const summary = { format, sources: { ...(stored.head!.summary['sources'] as object), ...sources } };
  const draft = { name, revision: `${stored.head!.revision}x`, etag: 'x', publishedAt: at(5), summary };
  await publish(
    harness.table,
    PUBLICATION,
    { ...draft, body: gzipSync(JSON.stringify({ ...index, channels })) },
    stored,
  );
}
