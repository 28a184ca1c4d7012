import { gunzipSync } from 'node:zlib';
import { type ChannelIndex, findHoldings } from '@cairn/shared/graph/channel-index';
import { configPairs } from '@cairn/shared/releases/sources';
import { ARCHES } from '@cairn/shared/version/arch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLICATION_NAME } from '../../../functions/store/keys.ts';
import { PUBLICATION, readPublished } from '../../../functions/store/published.ts';
import type { SyncResult } from '../../../functions/sync/job.ts';
import { type AskQuery, startQuery } from '../../helpers/lambda/ask-query.ts';
import { readAsCluster } from '../../helpers/lambda/cluster-reader.ts';
import { leftToCi } from '../../helpers/size.ts';
import { listRecordedPairs, recordedUpstream } from '../../helpers/upstream/cincinnati-stub.ts';
import { graphContent } from '../../helpers/upstream/graph-content.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
  recordedConfig,
} from '../../helpers/upstream/recorded-data.ts';
import { startHarness, type SyncHarness } from '../../helpers/upstream/sync-harness.ts';

const skipped = isRecordedDataPresent ? leftToCi : '../shared/data is not there';
if (skipped !== null) console.log(`skipped: sync of recorded answers, ${skipped}`);

interface Recorded {
  readonly nodes: readonly {
    readonly version: string;
    readonly payload: string;
    readonly metadata: { url?: string };
  }[];
}

/** Outcome and troubles of a run: what is compared is also what a failed test shows. */
const summaryOf = (result: SyncResult) =>
  result.status === 'Done'
    ? {
        outcome: result.record.outcome,
        notes: result.record.notes,
        troubles: result.pairs.flatMap(({ pair, state: { error, held } }) =>
          error || held ? [{ ...pair, error, held }] : [],
        ),
      }
    : result;

const WELL = { outcome: 'Succeeded', notes: [], troubles: [] };

// One sync for all of them: it takes most of the time.
describe.skipIf(skipped !== null)('recorded answers of all 309 pairs', () => {
  let harness: SyncHarness;
  let ask: AskQuery;
  let first: SyncResult;
  beforeAll(async () => {
    harness = await startHarness({ config: recordedConfig(), source: recordedUpstream(RECORDED_UPSTREAM) });
    first = await harness.sync(0);
    ask = startQuery(harness.table, harness.dependencies.clock);
  });
  afterAll(() => harness.close());

  it('sync from empty without an error, and the second round writes twice', async () => {
    expect(configPairs(harness.config)).toHaveLength(309);
    expect(summaryOf(first)).toEqual(WELL);
    expect(first).toMatchObject({ record: { pairs: { published: 309 } } });

    const calls: string[] = [];
    harness.table.client.middlewareStack.add(
      (next, context) => (args) => {
        calls.push(context.commandName ?? '');
        return next(args);
      },
      { name: 'count' },
    );
    const second = await harness.sync(10);
    harness.table.client.middlewareStack.remove('count');
    expect(summaryOf(second)).toEqual(WELL);
    expect(second).toMatchObject({ record: { pairs: { unchanged: 309 } } });
    expect(calls).toEqual([
      // Whether it is stopped by hand.
      'GetItemCommand',
      'UpdateItemCommand',
      ...Array.from({ length: 4 }, () => 'BatchGetItemCommand'),
      'UpdateItemCommand',
    ]);
  });

  it('are in indexes that say what they say, counted in the plainest way', async () => {
    const pairs = listRecordedPairs(RECORDED_UPSTREAM);
    for (const arch of ARCHES) {
      const { head, body } = await readPublished(
        harness.table,
        PUBLICATION,
        PUBLICATION_NAME.channelIndex(arch),
      );
      expect(head!.chunks).toBe(1);
      const index = JSON.parse(gunzipSync(body!).toString()) as ChannelIndex;
      const holders = new Map<string, { payload: string; url: string | null; channels: string[] }>();
      for (const { channel } of pairs.filter((pair) => pair.arch === arch)) {
        const { nodes } = JSON.parse(readRecorded(channel, arch)) as Recorded;
        for (const { version, payload, metadata } of nodes) {
          const known = holders.get(version) ?? { payload, url: metadata.url?.trim() ?? null, channels: [] };
          holders.set(version, { ...known, channels: [...known.channels, channel] });
        }
        expect(index.channels.find((other) => other.channel === channel)?.nodes).toBe(nodes.length);
      }
      expect(index.channels).toHaveLength(pairs.filter((pair) => pair.arch === arch).length);
      expect(index.versions).toHaveLength(holders.size);
      for (const [version, { payload, url, channels }] of holders) {
        const [holding] = findHoldings(index, version);
        expect(holding).toMatchObject({ payload, url, withdrawn: false });
        expect(holding!.channels.map(({ channel }) => channel).toSorted()).toEqual(channels.toSorted());
      }
    }
  });

  it('answer questions about versions and channels', async () => {
    const { body } = await harness.get('/v1/versions/4.14.20');
    expect(body).toMatchObject({
      version: '4.14.20',
      withdrawn: false,
      errata: expect.stringContaining('https://access.redhat.com/errata/') as string,
      releases: ARCHES.map((arch) => ({ arch, channels: { length: 11 } })),
      updates: { channel: 'stable-4.14', arch: 'amd64' },
    });
    expect(await harness.get('/v1/versions/4.14.47')).toMatchObject({
      status: 404,
      body: { errors: [{ nearest: ['4.14.45', '4.14.46', '4.14.48', '4.14.49'] }] },
    });
    expect((await harness.get('/v1/channels?limit=1000')).body).toMatchObject({
      channels: { length: 309 },
      nextCursor: null,
    });
    expect(await harness.get('/v1/channels/eus-4.14/x86_64')).toMatchObject({
      status: 200,
      body: { nodes: 227, oldest: '4.12.0', freshness: { stale: false } },
    });
  });

  it('are served as clusters want them, and say what upstream said', async () => {
    for (const { channel, arch } of configPairs(harness.config)) {
      const { status, content } = await ask(`/graph?channel=${channel}&arch=${arch}`, {
        headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
      });
      expect(status, `${channel}/${arch}`).toBe(200);
      const { versions, offersTo } = readAsCluster(content);
      expect(() => versions.forEach(offersTo)).not.toThrow();
      const isSame = graphContent(content.toString()) === graphContent(readRecorded(channel, arch));
      expect(isSame, `${channel}/${arch}`).toBe(true);
    }
  });

  const matrix = [
    ...['stable-4.7', 'stable-4.8', 'stable-4.9'].flatMap((channel) => [
      [channel, 'amd64'],
      [channel, 's390x'],
    ]),
    ['candidate-4.12', 'multi'],
  ] as [string, string][];
  it.each(matrix)('G18: %s on %s, in every form of Accept', async (channel, arch) => {
    const expected = graphContent(readRecorded(channel, arch));
    for (const accept of [
      undefined,
      'application/json',
      'application/vnd.redhat.cincinnati.v1+json',
      '*',
      '*/*',
      'application/*',
    ]) {
      const { content } = await ask(`/api/upgrades_info/v1/graph?channel=${channel}&arch=${arch}`, {
        headers: accept === undefined ? {} : { accept },
      });
      expect(graphContent(content.toString()) === expected).toBe(true);
    }
  });
});
