import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChannelIndex } from '../../../../functions/channels/schema.ts';
import { PUBLICATION_NAME } from '../../../../functions/store/keys.ts';
import { PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import {
  at,
  chainGraph,
  configOf,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const TARGET = '/v1/channel-index/amd64';
const CONFIG = configOf({
  release_sources: [
    {
      openshift_version: '4.14',
      upgrade_channels: [
        { cpu_architecture: 'x86_64', channels: ['stable', 'fast'] },
        { cpu_architecture: 'arm64', channels: ['stable'] },
      ],
    },
  ],
});
const contentOf = async (ask: AskQuery, target: string) =>
  JSON.parse((await ask(target)).content.toString()) as Record<string, Record<string, unknown>[]>;
const channelsIn = ({ channels }: Record<string, Record<string, unknown>[]>) =>
  channels!.map(({ channel }) => channel);

it('is not there before the first sync', async () => {
  const harness = await startHarness({ config: CONFIG, source: () => null });
  const { status, headers, content } = await startQuery(harness.table, harness.dependencies.clock)(TARGET);
  expect([status, headers['retry-after']]).toEqual([503, '60']);
  expect(JSON.parse(content.toString())).toMatchObject({ type: 'urn:cairn:problem:not-synced-yet' });
  await harness.close();
});

describe('after a sync', () => {
  let harness: SyncHarness;
  let now: number;
  let ask: AskQuery;
  beforeAll(async () => {
    harness = await startHarness({
      config: CONFIG,
      source: (channel, arch) =>
        chainGraph(series(channel.slice(-4), channel.startsWith('fast') ? 9 : 8), { arch }),
    });
    await harness.sync(0);
    now = Date.parse(at(0));
    ask = startQuery(harness.table, () => now);
  });
  afterAll(() => harness.close());

  it('names the channels of the architecture and the versions they hold, as documented', async () => {
    const index = await contentOf(ask, TARGET);
    expect(ChannelIndex().safeParse(index).error?.issues).toBeUndefined();
    expect(channelsIn(index)).toEqual(['stable-4.14', 'fast-4.14']);
    expect(index['versions']!.map(({ version, channels }) => [version, channels])).toEqual([
      ...series('4.14', 8).map((version) => [version, [0, 1]]),
      ['4.14.8', [1]],
    ]);
  });

  it.each([
    ['x86_64', ['stable-4.14', 'fast-4.14']],
    ['arm64', ['stable-4.14']],
    ['aarch64', ['stable-4.14']],
    ['s390x', []],
    ['multi', []],
  ])('knows %s', async (arch, channels) => {
    expect(channelsIn(await contentOf(ask, `/v1/channel-index/${arch}`))).toEqual(channels);
  });

  it.each(['amd', 'AMD64', 'x86', '__proto__', 'x'.repeat(300)])(
    'refuses the architecture %s',
    async (arch) => {
      const { status, headers, content } = await ask(`/v1/channel-index/${arch}`);
      expect([status, headers['content-type']]).toEqual([400, 'application/problem+json']);
      expect(JSON.parse(content.toString())).toMatchObject({
        type: 'urn:cairn:problem:invalid-parameter',
        errors: [{ parameter: 'arch', detail: expect.stringContaining('amd64, x86_64') as string }],
      });
    },
  );

  it('is sent as stored to who takes gzip, and inflated to others', async () => {
    const { body } = await readPublished(harness.table, PUBLICATION, PUBLICATION_NAME.channelIndex('amd64'));
    const gzip = await ask(TARGET, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(gzip.sent.equals(body!)).toBe(true);
    const identity = await ask(TARGET);
    expect(identity.sent.equals(gunzipSync(body!))).toBe(true);
    expect(identity.headers['etag']).not.toBe(gzip.headers['etag']);
    expect(gzip.headers).toEqual({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\da-f]{32}-gzip"$/) as string,
      'last-modified': new Date(at(0)).toUTCString(),
      'x-content-type-options': 'nosniff',
    });
  });

  it('is not sent again to who has it in either form', async () => {
    const tags = await Promise.all(
      ['gzip', 'identity'].map(
        async (encoding) =>
          (await ask(TARGET, { headers: { 'accept-encoding': encoding } })).headers['etag']!,
      ),
    );
    expect(new Set(tags).size).toBe(2);
    for (const tag of tags) {
      const { status, headers, sent } = await ask(TARGET, { headers: { 'if-none-match': tag } });
      expect([status, sent.length]).toEqual([304, 0]);
      expect(Object.keys(headers).toSorted()).toEqual(['cache-control', 'etag', 'last-modified', 'vary']);
    }
    expect((await ask('/v1/channel-index/arm64', { headers: { 'if-none-match': tags[0]! } })).status).toBe(
      200,
    );
  });

  it('answers HEAD with the headers alone', async () => {
    const [head, whole] = await Promise.all([ask(TARGET, { method: 'HEAD' }), ask(TARGET)]);
    expect([head.status, head.sent.length, head.headers]).toEqual([200, 0, whole.headers]);
  });

  it('has another entity tag once a channel has changed', async () => {
    const before = (await ask(TARGET)).headers['etag']!;
    harness.config = following('stable-4.14');
    await harness.sync(10);
    now = Date.parse(at(10));
    const { status, headers } = await ask(TARGET, { headers: { 'if-none-match': before } });
    expect([status, headers['last-modified']]).toEqual([200, new Date(at(10)).toUTCString()]);
    expect(headers['etag']).not.toBe(before);
    expect(channelsIn(await contentOf(ask, TARGET))).toEqual(['stable-4.14']);
  });
});
