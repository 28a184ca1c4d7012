import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configPairs } from '@cairn/shared/releases/sources';
import { type AskQuery, startQuery } from '../../helpers/ask-query.ts';
import { recordedUpstream } from '../../helpers/cincinnati-stub.ts';
import { readAsCluster } from '../../helpers/cluster-reader.ts';
import { graphContent } from '../../helpers/graph-content.ts';
import { isRecordedDataPresent, RECORDED_UPSTREAM, recordedConfig } from '../../helpers/recorded-data.ts';
import { startRig, type SyncRig } from '../../helpers/sync-rig.ts';

if (!isRecordedDataPresent) console.log('skipped: serving recorded graphs, ../shared/data is not there');

const recorded = (channel: string, arch: string) =>
  gunzipSync(readFileSync(join(RECORDED_UPSTREAM, `${channel}.${arch}.json.gz`))).toString('utf8');

describe.skipIf(!isRecordedDataPresent)('recorded graphs', () => {
  let rig: SyncRig;
  let ask: AskQuery;
  beforeAll(async () => {
    rig = await startRig({ config: recordedConfig(), source: recordedUpstream(RECORDED_UPSTREAM) });
    await rig.sync(0);
    ask = startQuery(rig.table, rig.dependencies.clock);
  }, 240_000);
  afterAll(() => rig.close());

  it(
    'all 309 are served as clusters want them, and say what upstream said',
    { timeout: 240_000 },
    async () => {
      const pairs = configPairs(rig.config);
      expect(pairs).toHaveLength(309);
      for (const { channel, arch } of pairs) {
        const { status, content } = await ask(`/graph?channel=${channel}&arch=${arch}`, {
          headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
        });
        expect(status, `${channel}/${arch}`).toBe(200);
        const { versions, offersTo } = readAsCluster(content);
        expect(() => versions.forEach(offersTo)).not.toThrow();
        const isSame = graphContent(content.toString()) === graphContent(recorded(channel, arch));
        expect(isSame, `${channel}/${arch}`).toBe(true);
      }
    },
  );

  const matrix = [
    ...['stable-4.7', 'stable-4.8', 'stable-4.9'].flatMap((channel) => [
      [channel, 'amd64'],
      [channel, 's390x'],
    ]),
    ['candidate-4.12', 'multi'],
  ] as [string, string][];
  it.each(matrix)('G18: %s on %s, in every form of Accept', async (channel, arch) => {
    const expected = graphContent(recorded(channel, arch));
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
