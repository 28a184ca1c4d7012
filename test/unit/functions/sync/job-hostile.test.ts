import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCincinnati } from '../../../../functions/outbound/cincinnati.ts';
import type { FetchLimits } from '../../../../functions/outbound/limits.ts';
import type { PairState } from '../../../../functions/releases/sync-state.ts';
import { type PublicationHead, readHead } from '../../../../functions/store/published.ts';
import type { SyncResult } from '../../../../functions/sync/job.ts';
import { baselineGraph } from '../../../helpers/upstream/hostile-case.ts';
import {
  type HostileUpstream,
  hostileCases,
  startHostileUpstream,
} from '../../../helpers/upstream/hostile-upstream.ts';
import { following, startHarness, type SyncHarness } from '../../../helpers/upstream/sync-harness.ts';

const PAIR = 'stable-4.12/amd64';
/** As in production, but for the waits between attempts. */
const HARDLY_WAITING: Partial<FetchLimits> = { backoffBaseMs: 1, backoffCapMs: 5 };
/** Only where time runs out on purpose: elsewhere a busy machine would make good answers late. */
const SHORT: Partial<FetchLimits> = { ...HARDLY_WAITING, headersMs: 500, idleMs: 300, totalMs: 1500 };
const isTimed = (name: string) =>
  hostileCases.find((hostileCase) => hostileCase.name === name)?.code === 'TimedOut';
const MEBIBYTE = 1024 * 1024;
/** Ten times the baseline: believable only as the first answer of a channel. */
const LARGE_BUT_GOOD = 35;

let hostile: HostileUpstream;
let empty: SyncHarness;
/** The good state before each case, and what was answered then. */
let good: SyncHarness;
let before: Answers;
beforeAll(async () => {
  hostile = await startHostileUpstream();
  empty = await startHarness({ config: following('stable-4.12'), source: () => baselineGraph() });
  good = await empty.fork();
  await good.sync(0);
  before = await answersOf(good);
});
afterAll(() => Promise.all([hostile.close(), empty.close()]));

function syncFrom(harness: SyncHarness, caseName: string, minutes: number) {
  const { upstream } = harness.dependencies;
  const limits = isTimed(caseName) ? SHORT : HARDLY_WAITING;
  const open = () => createCincinnati({ version: 'test', limits, ...hostile.options(caseName) });
  return harness.sync(minutes, {}, { upstream: { ...upstream, open, payloadHosts: ['quay.io'] } });
}

interface Answers {
  readonly head: PublicationHead | null;
  readonly versions: unknown;
}

const answersOf = async (harness: SyncHarness): Promise<Answers> => ({
  head: await readHead(harness.table, 'graph/stable-4.12/amd64', { consistent: true }),
  versions: (await harness.get('/v2/openshift-versions')).body,
});

interface Met {
  readonly result: SyncResult;
  readonly pair: PairState;
  readonly after: Answers;
}

/** Syncs from a case after the good state is known, and looks at what is the same for all of them. */
async function meet(name: string): Promise<Met> {
  const harness = await good.fork();
  const rss = process.memoryUsage().rss;
  const result = await syncFrom(harness, name, 10);
  expect(process.memoryUsage().rss - rss).toBeLessThan(128 * MEBIBYTE);
  const pair = (await harness.pair(PAIR))!;
  // The state of a pair stays small and printable, whatever was sent.
  expect(JSON.stringify(pair)).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
  expect(JSON.stringify(pair).length).toBeLessThan(20_000);
  return { result, pair, after: await answersOf(harness) };
}

const stopped = hostileCases.filter(({ expect: expected }) => expected === 'refused' || expected === 'held');
const taken = hostileCases.filter(
  (hostileCase) => !stopped.includes(hostileCase) && hostileCase.id !== LARGE_BUT_GOOD,
);

describe('35 hostile bodies', () => {
  it('are all there, and so is the good state before them', () => {
    expect(new Set(hostileCases.map(({ id }) => id)).size).toBe(35);
    expect(before.head?.summary).toMatchObject({ nodes: 40 });
    expect(Object.keys(before.versions as object)).toHaveLength(40);
  });

  it.each(stopped)('$name is $expect, and the last good state stays', async ({ name, expect: expected }) => {
    const { result, pair, after } = await meet(name);
    expect(result).toMatchObject({ record: { outcome: 'Failed' } });
    expect(pair.outcome).toBe(expected === 'held' ? 'Held' : 'Failed');
    expect(pair.error?.detail ?? pair.held?.detail).toMatch(/\w/);
    expect(after).toEqual(before);
  });

  it.each(taken)('$name is $expect, and no version is lost', async ({ name, expect: expected }) => {
    const { result, pair, after } = await meet(name);
    expect(result).toMatchObject({ record: { outcome: 'Succeeded' } });
    expect(pair.repairs.length).toBeGreaterThanOrEqual(expected === 'repaired' ? 1 : 0);
    expect(Object.keys(after.versions as object)).toEqual(
      expect.arrayContaining(Object.keys(before.versions as object)),
    );
  });

  it.each(hostileCases.filter(({ id }) => id === LARGE_BUT_GOOD))(
    '$name is taken whole',
    async ({ name }) => {
      const harness = await empty.fork();
      expect(await syncFrom(harness, name, 0)).toMatchObject({
        record: { outcome: 'Succeeded', versionsAdded: 400 },
      });
      expect(await harness.pair(PAIR)).toMatchObject({ nodes: 400, edges: 60_001 });
    },
  );

  it('as the first answer leave nothing half-written either', async () => {
    for (const { name } of hostileCases
      .filter((hostileCase) => hostileCase.expect === 'refused')
      .slice(0, 12)) {
      const harness = await empty.fork();
      await syncFrom(harness, name, 0);
      expect(await readHead(harness.table, 'graph/stable-4.12/amd64', { consistent: true })).toBeNull();
      expect((await harness.get('/v2/openshift-versions')).status).toBe(503);
    }
  });
});
