import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { PUBLICATION, readPublished } from '../../../functions/store/published.ts';
import { sized } from '../../helpers/size.ts';
import { isRecordedDataPresent, recordedHistory } from '../../helpers/upstream/recorded-data.ts';
import { following, startHarness, type SyncHarness } from '../../helpers/upstream/sync-harness.ts';

if (!isRecordedDataPresent) console.log('skipped: replay of recorded answers, ../shared/data is not there');

const REPLAYS = sized(2, 20);

describe.skipIf(!isRecordedDataPresent)('recorded answers of the public service', () => {
  let harness: SyncHarness;
  afterEach(() => harness.close());

  it(`that flap, ${REPLAYS} times over, lose no version and change no answer`, async () => {
    const states = recordedHistory('stable-4.12-flapping');
    const answer = () => harness.get('/v2/openshift-versions?exclude_withdrawn=true');
    harness = await startHarness({ config: following('stable-4.12'), source: () => states[1] });
    await harness.sync(0);
    const before = await answer();
    expect(await harness.versions()).toContain('4.12.41');
    for (let round = 1; round <= REPLAYS * states.length; round++) {
      harness.stub.setSource(() => states[(round + 1) % states.length]);
      const result = await harness.sync(round * 10);
      expect(result).toMatchObject({ record: { outcome: 'Succeeded' } });
      expect(await answer(), `round ${round}`).toEqual(before);
    }
    const { body } = await readPublished(harness.table, PUBLICATION, 'graph/stable-4.12/amd64');
    const { nodes } = JSON.parse(gunzipSync(body!).toString()) as { nodes: unknown[] };
    expect(nodes).toHaveLength(124);
  });

  it('replayed change by change end with the catalogue of the last one alone', async () => {
    const states = recordedHistory('stable-4.18-every-change');
    const catalogueAfter = async (answers: typeof states): Promise<unknown> => {
      harness = await startHarness({ config: following('stable-4.18'), source: () => null });
      for (const [round, answer] of answers.entries()) {
        harness.stub.setSource(() => answer);
        await harness.sync(round * 10);
      }
      const { body } = await readPublished(harness.table, PUBLICATION, 'catalogue');
      return JSON.parse(gunzipSync(body!).toString()) as unknown;
    };
    const replayed = await catalogueAfter(states);
    await harness.close();
    expect(replayed).toEqual(await catalogueAfter(states.slice(-1)));
  });
});
