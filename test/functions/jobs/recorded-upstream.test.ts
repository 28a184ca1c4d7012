import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import { findHoldings } from '@cairn/shared/graph/version-holders';
import { configPairs } from '@cairn/shared/releases/sources';
import { ARCHES } from '@cairn/shared/version/arch';
import { readDocument } from '../../../functions/store/documents.ts';
import { DOCUMENT } from '../../../functions/store/keys.ts';
import { listRecordedPairs, recordedUpstream } from '../../helpers/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  RECORDED_UPSTREAM,
  recordedConfig,
  recordedHistory,
} from '../../helpers/recorded-data.ts';
import { following, startRig, type SyncRig } from '../../helpers/sync-rig.ts';

if (!isRecordedDataPresent) console.log('skipped: sync of recorded answers, ../shared/data is not there');

describe.skipIf(!isRecordedDataPresent)('recorded answers of the public service', () => {
  let rig: SyncRig;
  afterEach(() => rig.close());

  it(
    'of all 309 pairs sync from empty without an error, and the second round writes twice',
    { timeout: 240_000 },
    async () => {
      const config = recordedConfig();
      expect(configPairs(config)).toHaveLength(309);
      rig = await startRig({ config, source: recordedUpstream(RECORDED_UPSTREAM) });
      const first = await rig.sync(0);
      expect(first).toMatchObject({ record: { outcome: 'Succeeded', pairs: { published: 309 }, notes: [] } });

      const calls: string[] = [];
      rig.table.client.middlewareStack.add((next, context) => (args) => {
        calls.push(context.commandName ?? '');
        return next(args);
      });
      expect(await rig.sync(10)).toMatchObject({
        record: { outcome: 'Succeeded', pairs: { unchanged: 309 } },
      });
      expect(calls).toEqual([
        'UpdateItemCommand',
        ...Array.from({ length: 4 }, () => 'BatchGetItemCommand'),
        'UpdateItemCommand',
      ]);
      await expectTrueIndexes(rig);
    },
  );

  it('that flap, twenty times over, lose no version and change no answer', { timeout: 120_000 }, async () => {
    const states = recordedHistory('stable-4.12-flapping');
    rig = await startRig({ config: following('stable-4.12'), source: () => states[1] });
    await rig.sync(0);
    const before = await rig.get('/v2/openshift-versions?exclude_withdrawn=true');
    for (let round = 1; round <= 20 * states.length; round++) {
      rig.stub.setSource(() => states[(round + 1) % states.length]);
      const result = await rig.sync(round * 10);
      expect(result).toMatchObject({ record: { outcome: 'Succeeded' } });
    }
    expect(await rig.get('/v2/openshift-versions?exclude_withdrawn=true')).toEqual(before);
    expect(await rig.versions()).toContain('4.12.41');
    const { body } = await readDocument(rig.table, 'graph/stable-4.12/amd64');
    const { nodes } = JSON.parse(gunzipSync(body!).toString()) as { nodes: unknown[] };
    expect(nodes).toHaveLength(124);
  });

  it(
    'replayed change by change end with the catalogue of the last one alone',
    { timeout: 60_000 },
    async () => {
      const states = recordedHistory('stable-4.18-every-change');
      const catalogueAfter = async (answers: typeof states): Promise<unknown> => {
        rig = await startRig({ config: following('stable-4.18'), source: () => null });
        for (const [round, answer] of answers.entries()) {
          rig.stub.setSource(() => answer);
          await rig.sync(round * 10);
        }
        const { body } = await readDocument(rig.table, 'catalogue');
        return JSON.parse(gunzipSync(body!).toString()) as unknown;
      };
      const replayed = await catalogueAfter(states);
      await rig.close();
      expect(replayed).toEqual(await catalogueAfter(states.slice(-1)));
    },
  );
});

interface Recorded {
  readonly nodes: readonly {
    readonly version: string;
    readonly payload: string;
    readonly metadata: { url?: string };
  }[];
}

/** Compares every index with the recorded answers, counted in the plainest way, and asks for versions. */
async function expectTrueIndexes(rig: SyncRig): Promise<void> {
  const pairs = listRecordedPairs(RECORDED_UPSTREAM);
  for (const arch of ARCHES) {
    const { head, body } = await readDocument(rig.table, DOCUMENT.channelIndex(arch));
    expect(head!.chunks).toBe(1);
    const index = JSON.parse(gunzipSync(body!).toString()) as ChannelIndex;
    const holders = new Map<string, { payload: string; url: string | null; channels: string[] }>();
    for (const { channel } of pairs.filter((pair) => pair.arch === arch)) {
      const file = readFileSync(join(RECORDED_UPSTREAM, `${channel}.${arch}.json.gz`));
      const { nodes } = JSON.parse(gunzipSync(file).toString()) as Recorded;
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

  const { body } = await rig.get('/v1/versions/4.14.20');
  expect(body).toMatchObject({
    version: '4.14.20',
    withdrawn: false,
    errata: expect.stringContaining('https://access.redhat.com/errata/') as string,
    releases: ARCHES.map((arch) => ({ arch, channels: { length: 11 } })),
    updates: { channel: 'stable-4.14', arch: 'amd64' },
  });
  expect(await rig.get('/v1/versions/4.14.47')).toMatchObject({
    status: 404,
    body: { errors: [{ nearest: ['4.14.45', '4.14.46', '4.14.48', '4.14.49'] }] },
  });
  expect((await rig.get('/v1/channels?limit=1000')).body).toMatchObject({
    channels: { length: 309 },
    nextCursor: null,
  });
  expect(await rig.get('/v1/channels/eus-4.14/x86_64')).toMatchObject({
    status: 200,
    body: { nodes: 227, oldest: '4.12.0', freshness: { stale: false } },
  });
}
