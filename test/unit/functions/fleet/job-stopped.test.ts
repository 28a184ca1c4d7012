import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetDependencies } from '../../../../functions/fleet/run.ts';
import { readFleetState, putWebhook } from '../../../../functions/notifications/store.ts';
import { changeSwitch } from '../../../../functions/switches/store.ts';
import { aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { dumpTable, assessed } from '../../../helpers/table/table.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const DAY = 24 * 60;
const IDS = ['c0', 'c1', 'c2'];
const GRAPHS = {
  'stable-4.14': { versions: ['4.14.8'] },
  'stable-4.15': { versions: ['4.14.8', '4.15.3'] },
};
const blocked = aCluster({
  clusterOperators: [aClusterOperator('etcd', [aCondition('Upgradeable', 'False', 'Broken', 'no')])],
});

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(Object.keys(GRAPHS));
  await harness.publish(0, GRAPHS);
  await putWebhook(harness.table, {
    url: 'https://hooks.example.com/cairn',
    format: 'json',
    since: at(0),
    by: 'ada',
  });
  for (const id of IDS) await harness.report(1, id, aCluster());
  await harness.follow(5);
});
afterEach(() => harness.close());

const stop = () => changeSwitch(harness.table, 'news', () => ({ reason: 'a test', since: at(0), by: 'ada' }));
const release = () => changeSwitch(harness.table, 'news', () => null);
const blockAll = async () => {
  for (const id of IDS) await harness.report(6, id, blocked);
};
const titles = () => harness.posted.map(({ message }) => message.title.split(' ')[0]!).toSorted();

describe('the switch news', () => {
  it('stops assessments and notifications, and reports it', async () => {
    await stop();
    await blockAll();
    const before = await dumpTable(harness.table);
    const lines: unknown[] = [];
    const info = (...line: unknown[]) => lines.push(line);
    const log = { info, warn: info, error: info };
    expect(await harness.follow(10, { log })).toEqual({ status: 'Skipped', reason: 'Stopped' });
    expect(lines).toEqual([['fleet skipped', { slot: at(10), trigger: 'schedule', reason: 'Stopped' }]]);
    expect([harness.news(), harness.posted]).toEqual([[], []]);
    const { lastSkip } = await readFleetState(harness.table);
    expect(lastSkip).toEqual({ slot: at(10), trigger: 'schedule', reason: 'Stopped' });
    const after = (await dumpTable(harness.table)).map(({ lastSkip: _skip, ...item }) => item);
    expect(after.filter((item) => Object.keys(item).length > 2)).toEqual(before);
  });

  it('loses nothing: changes by reports and channels are notified afterwards', async () => {
    await stop();
    await blockAll();
    await harness.publish(10, { ...GRAPHS, 'stable-4.14': { versions: ['4.14.8', '4.14.9'] } });
    for (const minutes of [10, 15, 3 * DAY]) await harness.follow(minutes);
    await release();
    expect(await harness.follow(3 * DAY)).toMatchObject({ status: 'Done', counts: { clusters: 3, news: 6 } });
    const expected = IDS.flatMap((id) => [`ClusterBlocked ${id}`, `NewerPatch ${id}`]);
    expect(harness.news().toSorted()).toEqual(expected.toSorted());
    await harness.follow(3 * DAY + 5);
    expect(harness.news()).toEqual([]);
  });
});

describe('the switch news during a run', () => {
  let now: number;
  let overrides: Partial<FleetDependencies>;
  beforeEach(async () => {
    now = Date.parse(at(10));
    overrides = { clock: () => now, limits: { clustersAtOnce: 1 } };
    await blockAll();
  });
  const stopNow = async () => {
    await stop();
    now += 15_000;
  };
  const tellsTheRest = async (ids: readonly string[]) => {
    await release();
    await harness.follow(15);
    expect(harness.news().toSorted()).toEqual(ids.map((id) => `ClusterBlocked ${id}`));
    expect(titles()).toEqual(IDS);
    await harness.follow(20);
    expect([harness.news(), titles()]).toEqual([[], IDS]);
  };

  it('ends it after the current cluster, and the next run notifies of all', async () => {
    let isStopped = false;
    const table = assessed(harness.table, async (command) => {
      const isNote = command instanceof PutItemCommand && command.input.Item?.['pk']?.S?.startsWith('FLEET#');
      if (!isNote || isStopped) return;
      isStopped = true;
      await stopNow();
    });
    const result = await harness.follow(10, { ...overrides, table });
    expect(result).toMatchObject({ status: 'Done', counts: { clusters: 1, news: 0, messagesLeft: 0 } });
    expect([harness.news(), harness.posted]).toEqual([[], []]);
    await tellsTheRest(IDS);
  });

  it('keeps messages that are not posted yet, for however long', async () => {
    const openWebhook: FleetDependencies['openWebhook'] = async () => async (target, message) => {
      harness.posted.push({ target, message });
      await stopNow();
      return { ok: true };
    };
    const result = await harness.follow(10, { ...overrides, openWebhook });
    expect(result).toMatchObject({ counts: { clusters: 3, news: 3, messagesLeft: 2 } });
    expect(harness.posted).toHaveLength(1);
    expect(harness.news()).toHaveLength(3);
    await harness.follow(2 * DAY);
    expect((await readFleetState(harness.table)).messages).toHaveLength(2);
    await tellsTheRest([]);
  });
});
