import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { configPairs } from '@cairn/shared/releases/sources';
import { readDocument } from '../../../functions/store/documents.ts';
import { recordedUpstream } from '../../helpers/cincinnati-stub.ts';
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
