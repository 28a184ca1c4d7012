import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CHANNELS } from '../../../../infra/local/demo/channels.ts';
import { demoGraph } from '../../../../infra/local/demo/graph.ts';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import {
  at,
  chainGraph,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const TARGET = '/v1/upgrade-paths';
const jsonOf = ({ content }: { readonly content: Buffer }) => JSON.parse(content.toString()) as unknown;

/** A process whose every look at the clock finds a tenth of a second of CPU time used. */
function busyProcess(): () => number {
  let now = 0;
  return () => (now += 100);
}

describe('a hostile question', () => {
  const names = DEMO_CHANNELS;
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await startHarness({
      config: following(...names),
      source: demoGraph,
    });
    await harness.sync(0);
  });
  afterAll(() => harness.close());

  const body = (count: number) => ({
    // Each asks another question, so that none can be answered by looking at the one before.
    clusters: Array.from({ length: count }, (_, index) => ({
      from: `4.${14 + (index % 8)}.${index % 20}`,
      to: `4.${14 + (index % 8)}.${20 + Math.floor(index / 20)}`,
      channel: names,
    })),
    risk: 'all',
    alternatives: 3,
  });

  it('ends with its CPU budget, and says what to reduce', async () => {
    const ask = startQuery(harness.table, () => Date.parse(at(1)), busyProcess());
    const answer = await ask(TARGET, { method: 'POST', body: body(500) });
    expect(answer.status).toBe(422);
    expect(jsonOf(answer)).toMatchObject({
      type: 'urn:cairn:problem:too-complex',
      detail: `21 of 500 clusters took 2 seconds of CPU time: send at most 21 of the 500 clusters at once, or name fewer channels than ${names.length}, or ask for fewer alternatives than 3`,
    });
  });

  it('is answered when it is small enough', async () => {
    const ask = startQuery(
      harness.table,
      () => Date.parse(at(1)),
      () => 0,
    );
    const answer = await ask(TARGET, { method: 'POST', body: body(20) });
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toMatchObject({ clusters: { length: 20 } });
  });

  it('that is asked again and again costs once', async () => {
    const ask = startQuery(
      harness.table,
      () => Date.parse(at(1)),
      () => 0,
    );
    const { clusters, ...conditions } = body(1);
    const many = Array.from({ length: 500 }, (_, index) => ({ name: `cluster-${index}`, ...clusters[0] }));
    const answer = await ask(TARGET, { method: 'POST', body: { clusters: many, ...conditions } });
    expect(answer.status).toBe(200);
    const { clusters: answers } = jsonOf(answer) as { clusters: { name: string; stats: unknown }[] };
    expect(answers.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
    expect(new Set(answers.map(({ stats }) => JSON.stringify(stats))).size).toBe(1);
  });
});

describe('before and after a sync', () => {
  let harness: SyncHarness;
  let ask: AskQuery;
  beforeAll(async () => {
    harness = await startHarness({
      config: following('stable-4.14'),
      source: () => chainGraph(series('4.14', 3)),
    });
  });
  afterAll(() => harness.close());

  it('503 as long as nothing was ever synced', async () => {
    ask = startQuery(harness.table, () => Date.parse(at(1)));
    const answer = await ask(`${TARGET}?from=4.14.0`);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
  });

  it('warns when upstream has been silent for two intervals', async () => {
    await harness.sync(0);
    let now = Date.parse(at(1));
    ask = startQuery(harness.table, () => now);
    expect(jsonOf(await ask(`${TARGET}?from=4.14.0`))).toMatchObject({ found: true, warnings: [] });
    now = Date.parse(at(60));
    expect(jsonOf(await ask(`${TARGET}?from=4.14.0`))).toMatchObject({
      found: true,
      graphSyncedAt: at(0),
      warnings: [{ code: 'stale_graph' }],
    });
  });

  it('HEAD has the status and no body', async () => {
    const answer = await ask(`${TARGET}?from=4.14.0`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.content.toString()).toBe('');
  });
});
