import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SyncResult } from '../../../functions/jobs/sync/run.ts';
import { type DocumentHead, readHead } from '../../../functions/store/documents.ts';
import type { PairState } from '../../../functions/store/sync-state.ts';
import { createCincinnati } from '../../../functions/upstream/cincinnati.ts';
import { baselineGraph } from '../../helpers/hostile-case.ts';
import { type HostileUpstream, hostileCases, startHostileUpstream } from '../../helpers/hostile-upstream.ts';
import { following, startRig, type SyncRig } from '../../helpers/sync-rig.ts';

const PAIR = 'stable-4.12/amd64';
/** As in production, but for the times. */
const SHORT = {
  connectMs: 1000,
  headersMs: 500,
  idleMs: 300,
  totalMs: 1500,
  backoffBaseMs: 1,
  backoffCapMs: 5,
};
const MEBIBYTE = 1024 * 1024;
/** Ten times the baseline: believable only as the first answer of a channel. */
const LARGE_BUT_GOOD = 35;

let hostile: HostileUpstream;
beforeAll(async () => {
  hostile = await startHostileUpstream();
});
afterAll(() => hostile.close());

async function afterBaseline(): Promise<SyncRig> {
  const rig = await startRig({ config: following('stable-4.12'), source: () => baselineGraph() });
  expect(await rig.sync(0)).toMatchObject({ record: { outcome: 'Succeeded' } });
  return rig;
}

function syncFrom(rig: SyncRig, caseName: string, minutes: number) {
  const { upstream } = rig.dependencies;
  const open = () => createCincinnati({ version: 'test', limits: SHORT, ...hostile.options(caseName) });
  return rig.sync(minutes, {}, { upstream: { ...upstream, open, payloadHosts: ['quay.io'] } });
}

interface Met {
  readonly rig: SyncRig;
  readonly result: SyncResult;
  readonly pair: PairState;
  readonly before: Answers;
  readonly after: Answers;
}

interface Answers {
  readonly head: DocumentHead | null;
  readonly versions: unknown;
}

/** Syncs from a case after the good state is known, and looks at what is the same for all of them. */
async function meet(name: string): Promise<Met> {
  const rig = await afterBaseline();
  const answers = async (): Promise<Answers> => ({
    head: await readHead(rig.table, 'graph/stable-4.12/amd64', { consistent: true }),
    versions: (await rig.get('/v2/openshift-versions')).body,
  });
  const before = await answers();
  const rss = process.memoryUsage().rss;
  const result = await syncFrom(rig, name, 10);
  expect(process.memoryUsage().rss - rss).toBeLessThan(128 * MEBIBYTE);
  const pair = (await rig.pair(PAIR))!;
  // The state of a pair stays small and printable, whatever was sent.
  expect(JSON.stringify(pair)).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
  expect(JSON.stringify(pair).length).toBeLessThan(20_000);
  return { rig, result, pair, before, after: await answers() };
}

const stopped = hostileCases.filter(({ expect: expected }) => expected === 'refused' || expected === 'held');
const taken = hostileCases.filter(
  (hostileCase) => !stopped.includes(hostileCase) && hostileCase.id !== LARGE_BUT_GOOD,
);

describe('35 hostile bodies', () => {
  it('are all there', () => {
    expect(new Set(hostileCases.map(({ id }) => id)).size).toBe(35);
  });

  it.each(stopped)('$name is $expect, and the last good state stays', async ({ name, expect: expected }) => {
    const { rig, result, pair, before, after } = await meet(name);
    expect(result).toMatchObject({ record: { outcome: 'Failed' } });
    expect(pair.outcome).toBe(expected === 'held' ? 'Held' : 'Failed');
    expect(pair.error?.detail ?? pair.held?.detail).toMatch(/\w/);
    expect(after).toEqual(before);
    await rig.close();
  });

  it.each(taken)('$name is $expect, and no version is lost', async ({ name, expect: expected }) => {
    const { rig, result, pair, before, after } = await meet(name);
    expect(result).toMatchObject({ record: { outcome: 'Succeeded' } });
    expect(pair.repairs.length).toBeGreaterThanOrEqual(expected === 'repaired' ? 1 : 0);
    expect(Object.keys(after.versions as object)).toEqual(
      expect.arrayContaining(Object.keys(before.versions as object)),
    );
    await rig.close();
  });

  it.each(hostileCases.filter(({ id }) => id === LARGE_BUT_GOOD))(
    '$name is taken whole',
    async ({ name }) => {
      const rig = await startRig({ config: following('stable-4.12'), source: () => null });
      expect(await syncFrom(rig, name, 0)).toMatchObject({
        record: { outcome: 'Succeeded', versionsAdded: 400 },
      });
      expect(await rig.pair(PAIR)).toMatchObject({ nodes: 400, edges: 60_001 });
      await rig.close();
    },
  );

  it('as the first answer leave nothing half-written either', async () => {
    for (const { name } of hostileCases
      .filter((hostileCase) => hostileCase.expect === 'refused')
      .slice(0, 12)) {
      const rig = await startRig({ config: following('stable-4.12'), source: () => null });
      await syncFrom(rig, name, 0);
      expect(await readHead(rig.table, 'graph/stable-4.12/amd64', { consistent: true })).toBeNull();
      expect((await rig.get('/v2/openshift-versions')).status).toBe(503);
      await rig.close();
    }
  });
});
