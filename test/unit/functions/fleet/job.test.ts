import type { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { removeCluster } from '../../../../functions/clusters/store.ts';
import { readAssessments, readFleetEntry } from '../../../../functions/fleet/store.ts';
import { readFleetState, putWebhook } from '../../../../functions/notifications/store.ts';
import { FLEET_STATE_KEY, PRUNER_LIST } from '../../../../functions/store/keys.ts';
import { breakLease } from '../../../../functions/store/leases.ts';
import { aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { dumpTable, assessed } from '../../../helpers/table/table.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const CHANNELS = ['stable-4.14', 'stable-4.15', 'stable-4.18'];
const DAY = 24 * 60;
const GRAPHS = {
  'stable-4.14': { versions: ['4.14.8', '4.14.9'] },
  'stable-4.15': { versions: ['4.14.8', '4.14.9', '4.15.3'] },
  'stable-4.18': { versions: ['4.18.1'] },
};

const blocked = (): ClusterFacts =>
  aCluster({
    clusterOperators: [aClusterOperator('etcd', [aCondition('Upgradeable', 'False', 'Broken', 'no')])],
  });

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(CHANNELS);
  await harness.publish(0, GRAPHS);
});
afterEach(() => harness.close());

/** What a query asks for. */
function partitionOf(command: unknown): string {
  const { input } = command as { input: { ExpressionAttributeValues?: { ':partition'?: { S: string } } } };
  return input.ExpressionAttributeValues?.[':partition']?.S ?? '';
}

function isPrunerList(command: unknown): boolean {
  const { ExpressionAttributeValues = {} } = (command as QueryCommand).input;
  return Object.values(ExpressionAttributeValues).some(({ S }) => S === PRUNER_LIST);
}

async function assessedUpgradeOf(id: string) {
  return (await readAssessments(harness.table, [id])).get(id)?.outlook;
}

describe('an excluded version', () => {
  it('is in no assessment and no notification, when it appears as the newest of its minor or of the target', async () => {
    await harness.close();
    const ignored = ['4.14.10', '4.15.4'];
    harness = await startFleetHarness(CHANNELS, { ignored });
    await harness.publish(0, GRAPHS);
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    await harness.publish(10, {
      ...GRAPHS,
      'stable-4.14': { versions: ['4.14.8', '4.14.9', '4.14.10'] },
      'stable-4.15': { versions: ['4.14.8', '4.14.9', '4.14.10', '4.15.3', '4.15.4'] },
    });
    await harness.follow(15);
    expect(await assessedUpgradeOf('prod')).toMatchObject({ target: '4.15.3', newerPatch: '4.14.9' });
    const told = JSON.stringify([await assessedUpgradeOf('prod'), harness.posted, harness.events]);
    for (const version of ignored) expect(told).not.toContain(version);
    // The same change without the exclusion is news.
    harness.sync.config = { ...harness.sync.config, ignored: [] };
    await harness.publish(DAY, {
      ...GRAPHS,
      'stable-4.14': { versions: ['4.14.8', '4.14.9', '4.14.10', '4.14.11'] },
      'stable-4.15': { versions: ['4.14.8', '4.14.9', '4.14.10', '4.14.11', '4.15.3', '4.15.4'] },
    });
    await harness.follow(DAY + 5);
    expect(await assessedUpgradeOf('prod')).toMatchObject({ target: '4.15.4', newerPatch: '4.14.11' });
    expect(harness.news()).toEqual(['NewerPatch prod']);
  });
});

describe('a report', () => {
  it('causes an assessment, and a new cluster causes no notification', async () => {
    await harness.report(1, 'prod', aCluster());
    expect(await harness.follow(5)).toMatchObject({ status: 'Done', counts: { clusters: 1, news: 0 } });
    expect(await assessedUpgradeOf('prod')).toMatchObject({
      from: '4.14.8',
      question: '4.15',
      target: '4.15.3',
      verdict: 'ready',
      newerPatch: '4.14.9',
      path: [{ from: '4.14.8', to: '4.15.3', risks: [] }],
    });
    expect(harness.news()).toEqual([]);
  });

  it('is not assessed twice', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 0 } });
  });

  it('that changes the verdict is notified once, and so is the change back, after a day', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    await harness.report(6, 'prod', blocked());
    await harness.follow(10);
    expect(harness.news()).toEqual(['ClusterBlocked prod']);
    await harness.report(11, 'prod', aCluster());
    await harness.follow(15);
    await harness.follow(20);
    expect(harness.news()).toEqual([]);
    await harness.follow(10 + DAY);
    expect(harness.news()).toEqual(['ClusterFree prod']);
    await harness.follow(15 + 2 * DAY);
    expect(harness.news()).toEqual([]);
  });

  it('and another right after it within a day cause no notification when the state is as last notified', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    for (const [minute, facts] of [
      [6, blocked()],
      [11, aCluster()],
      [16, blocked()],
    ] as const) {
      await harness.report(minute, 'prod', facts);
      await harness.follow(minute + 4);
    }
    expect(harness.news()).toEqual(['ClusterBlocked prod']);
    await harness.follow(30 + DAY);
    expect(harness.news()).toEqual([]);
  });

  it('of a cluster that is removed during its assessment leaves nothing behind', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    const slow = assessed(harness.table, async (command) => {
      const { input } = command as { input: { Item?: { sk: { S: string } } } };
      if (input.Item?.sk.S === '!HEAD') await harness.follow(125);
    });
    await removeCluster(slow, 'prod', at(124), () => {});
    await harness.follow(130);
    const left = (await dumpTable(harness.table)).filter(({ pk }) => String(pk).startsWith('FLEET#'));
    expect(left).toEqual([]);
  });

  it('of a cluster that was forgotten leaves nothing behind', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    await removeCluster(harness.table, 'prod', at(10), () => {});
    await harness.follow(10);
    const left = (await dumpTable(harness.table)).filter(({ pk }) => String(pk).startsWith('FLEET#'));
    expect(left).toEqual([]);
  });

  it('of an invalid version has no assessment', async () => {
    await harness.report(1, 'odd', aCluster({}, 'nightly'));
    expect(await harness.follow(5)).toMatchObject({ counts: { clusters: 0, failed: 0 } });
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 0 } });
    expect(await assessedUpgradeOf('odd')).toBeUndefined();
  });

  it('that arrives during an assessment is assessed again', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    const late = assessed(harness.table, async (command) => {
      const { input } = command as { input: { Item?: { pk: { S: string }; sk: { S: string } } } };
      if (input.Item?.pk.S !== 'CLUSTER#prod' || input.Item.sk.S !== '!HEAD') return;
      // The mark is there, the head is not flipped yet.
      await harness.follow(7);
    });
    const { changeCluster } = await import('../../../../functions/clusters/store.ts');
    const { takeReport } = await import('@cairn/shared/cluster/record');
    const options = { now: at(6), forget: false, historyLimit: 100 };
    await changeCluster(late, 'prod', (former) => takeReport(former!.record, blocked(), options));
    expect(harness.news()).toEqual([]);
    await harness.follow(10);
    expect(harness.news()).toEqual(['ClusterBlocked prod']);
  });
});

describe('a change of a channel', () => {
  beforeEach(async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.report(1, 'new', aCluster({}, '4.18.1'));
    await harness.follow(5);
  });

  it('is an exclusion too: no cluster is sent to the version any more', async () => {
    expect(await assessedUpgradeOf('prod')).toMatchObject({ target: '4.15.3', newerPatch: '4.14.9' });
    const { config } = harness.sync;
    harness.sync.config = { ...config, ignored: ['4.14.9', '4.15'] };
    await harness.sync.sync(10);
    await harness.follow(15);
    const { question, target, newerPatch, path } = (await assessedUpgradeOf('prod'))!;
    expect({ question, target, newerPatch, path }).toEqual({
      question: '4.14',
      target: '4.14.8',
      newerPatch: null,
      path: [],
    });
    expect(JSON.stringify(harness.events)).not.toMatch(/4\.14\.9|4\.15\.3/);
    harness.sync.config = config;
    await harness.sync.sync(20);
    await harness.follow(25);
    expect(await assessedUpgradeOf('prod')).toMatchObject({ target: '4.15.3', newerPatch: '4.14.9' });
  });

  it('touches only the clusters that it concerns', async () => {
    await harness.publish(10, { ...GRAPHS, 'stable-4.18': { versions: ['4.18.1', '4.18.2'] } });
    expect(await harness.follow(15)).toMatchObject({ counts: { clusters: 1, news: 1 } });
    expect(harness.news()).toEqual(['NewerPatch new']);
    expect(await harness.follow(20)).toMatchObject({ counts: { clusters: 0 } });
  });

  it('notifies of a newer patch', async () => {
    const versions = ['4.14.8', '4.14.9', '4.14.10'];
    await harness.publish(10, { ...GRAPHS, 'stable-4.14': { versions } });
    await harness.follow(15);
    expect(harness.events).toMatchObject([
      {
        type: 'NewerPatch',
        id: `cluster/prod/NewerPatch/${at(15)}`,
        detail: { cluster: 'prod', version: '4.14.8', patch: '4.14.10' },
      },
      { type: 'Message', detail: { text: 'prod runs 4.14.8, and 4.14.10 is out', count: 1 } },
    ]);
  });

  it('notifies of a planned update that has risks now', async () => {
    const risky = [{ from: '4.14.8', to: '4.15.3', risk: 'SlowBoot' }];
    await harness.publish(10, { ...GRAPHS, 'stable-4.15': { ...GRAPHS['stable-4.15'], risky } });
    await harness.follow(15);
    const hops = [{ from: '4.14.8', to: '4.15.3', now: 'conditional', risks: ['SlowBoot'] }];
    expect(harness.events[0]).toMatchObject({ type: 'UpdateAtRisk', detail: { cluster: 'prod', hops } });
    expect(harness.news()).toEqual(['UpdateAtRisk prod', 'RiskAppliesToCluster prod']);
    expect(await assessedUpgradeOf('prod')).toMatchObject({
      path: [
        { from: '4.14.8', to: '4.14.9' },
        { from: '4.14.9', to: '4.15.3' },
      ],
    });
  });

  it('notifies of a path that closed and of one that opened', async () => {
    const risky = ['4.14.8', '4.14.9'].map((from) => ({ from, to: '4.15.3', risk: 'SlowBoot' }));
    await harness.publish(10, { ...GRAPHS, 'stable-4.15': { ...GRAPHS['stable-4.15'], risky } });
    await harness.follow(15);
    expect(harness.news()).toEqual(['PathClosed prod', 'UpdateAtRisk prod', 'RiskAppliesToCluster prod']);
    await harness.publish(20 + DAY, GRAPHS);
    await harness.follow(25 + DAY);
    expect(harness.news()).toEqual(['PathOpened prod', 'RiskLifted prod']);
  });

  it('of a channel that was empty concerns who waits for it', async () => {
    await harness.report(6, 'far', aCluster({}, '4.18.1'));
    await changeClusterSettings(harness.table, 'new', () => ({ target: '4.15' }));
    await harness.publish(10, { ...GRAPHS, 'stable-4.18': { versions: ['4.18.1', '4.18.3'] } });
    await harness.follow(15);
    expect(harness.news()).toEqual(['NewerPatch new']);
  });

  it('uses the settings of the cluster', async () => {
    await changeClusterSettings(harness.table, 'prod', () => ({ target: '4.14.9' }));
    await harness.report(7, 'prod', aCluster());
    await harness.follow(10);
    expect(await assessedUpgradeOf('prod')).toMatchObject({ question: '4.14.9', target: '4.14.9' });
    expect(harness.news()).toEqual([]);
  });
});

describe('a run', () => {
  it('that comes twice does nothing the second time', async () => {
    await harness.follow(5);
    expect(await harness.follow(5)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
  });

  it('without time goes on where the last one was', async () => {
    const ids = Array.from({ length: 6 }, (_, number) => `c${number}`);
    for (const id of ids) await harness.report(1, id, aCluster());
    await harness.follow(5);
    await harness.publish(10, { ...GRAPHS, 'stable-4.14': { versions: ['4.14.8', '4.14.9', '4.14.10'] } });
    for (const [minutes, total] of [
      [15, 2],
      [20, 4],
      [25, 6],
    ] as const) {
      let read = 0;
      const table = assessed(harness.table, (command) => {
        if (partitionOf(command).startsWith('CLUSTER#')) read++;
      });
      const clock = (): number => Date.parse(at(minutes)) + (read < 2 ? 0 : 3600_000);
      const limits = { clustersAtOnce: 1, clustersPerPage: 4 };
      await harness.follow(minutes, { table, clock, limits });
      expect(harness.events.filter(({ type }) => type === 'NewerPatch')).toHaveLength(total);
    }
    expect((await readFleetState(harness.table)).cut).toBeNull();
    expect(await harness.follow(30)).toMatchObject({ counts: { clusters: 0 } });
  });

  it('that fails for one cluster assesses the others, and that one later', async () => {
    await harness.report(1, 'bad', aCluster());
    await harness.report(1, 'good', aCluster());
    const table = assessed(harness.table, (command) => {
      if (partitionOf(command) === 'CLUSTER#bad') throw new Error('planted');
    });
    expect(await harness.follow(5, { table })).toMatchObject({ counts: { clusters: 1, failed: 1 } });
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 1, failed: 0 } });
    expect(await assessedUpgradeOf('bad')).toMatchObject({ from: '4.14.8' });
  });

  it('that was superseded requeues what it wrote late', async () => {
    await harness.report(1, 'prod', aCluster());
    let isLate = false;
    const late = assessed(harness.table, async (command) => {
      const { input } = command as { input: { Item?: { sk: { S: string } } } };
      if (input.Item?.sk.S !== 'AHEAD' || isLate) return;
      isLate = true;
      // It stands still here: the cluster goes, and so does what a newer run finds of it.
      await removeCluster(harness.table, 'prod', at(10), () => {});
      await breakLease(harness.table, FLEET_STATE_KEY);
      await harness.follow(10);
    });
    expect(await harness.follow(5, { table: late })).toEqual({ status: 'Skipped', reason: 'Superseded' });
    const left = async () =>
      (await dumpTable(harness.table))
        .filter(({ pk }) => String(pk).startsWith('FLEET#'))
        .map(({ sk }) => sk);
    expect(await left()).toContain('AHEAD');
    await harness.follow(15);
    expect(await left()).toEqual([]);
  });

  it('that fails after it was superseded requeues what it wrote late', async () => {
    await harness.report(1, 'prod', aCluster());
    let isLate = false;
    const late = assessed(harness.table, async (command) => {
      if (isLate && isPrunerList(command)) throw new Error('planted');
      const { input } = command as { input: { Item?: { sk: { S: string } } } };
      if (input.Item?.sk.S !== 'AHEAD' || isLate) return;
      isLate = true;
      await removeCluster(harness.table, 'prod', at(10), () => {});
      await breakLease(harness.table, FLEET_STATE_KEY);
      await harness.follow(10);
    });
    await expect(harness.follow(5, { table: late })).rejects.toThrow('planted');
    await harness.follow(15);
    const left = (await dumpTable(harness.table)).filter(({ pk }) => String(pk).startsWith('FLEET#'));
    expect(left).toEqual([]);
  });

  it('that dies at any call loses nothing and notifies of everything, at most twice', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(5);
    await harness.report(6, 'prod', blocked());
    for (let minutes = 10, fatal = 1; ; minutes += 5, fatal++) {
      let calls = 0;
      const table = assessed(harness.table, () => {
        if (++calls >= fatal) throw new Error('dead');
      });
      const isOver = await harness.follow(minutes, { table }).then(
        () => calls < fatal,
        () => false,
      );
      if (isOver) break;
      // Its lease is still there; the next run has to wait for its end.
      await breakLease(harness.table, FLEET_STATE_KEY);
    }
    const told = harness.events.filter(({ type }) => type === 'ClusterBlocked');
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    expect((await readFleetEntry(harness.table, 'prod')).assessment?.pending).toEqual([]);
    const messages = harness.events.filter(({ type }) => type === 'Message');
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  });
});

describe('messages', () => {
  const webhook = { url: 'https://chat.example.com/x', format: 'slack', since: at(0), by: 'test' } as const;

  async function blockAll(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, number) => `c${number}`);
    for (const id of ids) await harness.report(1, id, aCluster());
    await harness.follow(5);
    for (const id of ids) await harness.report(6, id, blocked());
  }

  it('are posted to the webhook, one for each cluster', async () => {
    await putWebhook(harness.table, webhook);
    await blockAll(2);
    await harness.follow(10);
    expect(harness.posted.map(({ message }) => message.title).toSorted()).toEqual([
      'c0 is blocked on its way from 4.14.8 to 4.15.3: ClusterOperatorsUpgradeable',
      'c1 is blocked on its way from 4.14.8 to 4.15.3: ClusterOperatorsUpgradeable',
    ]);
  });

  it('are one digest when many change at once, while events stay one for each', async () => {
    await putWebhook(harness.table, webhook);
    await blockAll(4);
    await harness.follow(10, { limits: { mostMessages: 3 } });
    expect(harness.posted.map(({ message }) => message)).toMatchObject([
      { title: '4 changes of 4 clusters and pruners', lines: ['4 blocked: c0, c1, c2 and c3'], count: 4 },
    ]);
    expect(harness.news()).toHaveLength(4);
  });

  it('wait when the webhook does not take them, and only the webhook gets them again', async () => {
    await putWebhook(harness.table, webhook);
    await blockAll(2);
    let asked = 0;
    const openWebhook = async () => async () => {
      asked++;
      return { ok: false, detail: 'it answered 500' } as const;
    };
    expect(await harness.follow(10, { openWebhook })).toMatchObject({ counts: { news: 2, messagesLeft: 2 } });
    // The first that is not taken ends it for this run.
    expect(asked).toBe(1);
    const events = harness.events.length;
    expect(await harness.follow(15)).toMatchObject({ counts: { news: 0, messagesLeft: 0 } });
    expect(harness.posted).toHaveLength(2);
    expect(harness.events).toHaveLength(events);
  });

  it('are dropped when no destination accepts them for a day, and counted', async () => {
    await putWebhook(harness.table, webhook);
    await blockAll(1);
    const openWebhook = async () => async () => ({ ok: false, detail: 'no' }) as const;
    await harness.follow(10, { openWebhook });
    const counts: unknown[] = [];
    await harness.follow(15 + DAY, { openWebhook, count: (count) => counts.push(count) });
    expect(counts).toContainEqual({ messagesUndelivered: 0, messagesDropped: 1 });
  });

  it('are kept for a day after their first attempt, however old their notifications are', async () => {
    await putWebhook(harness.table, webhook);
    await blockAll(1);
    const events = { publish: async (all: readonly unknown[]) => all as never };
    await harness.follow(10, { events });
    const openWebhook = async () => async () => ({ ok: false, detail: 'no' }) as const;
    const late = 15 + 2 * DAY;
    expect(await harness.follow(late, { openWebhook })).toMatchObject({
      counts: { news: 1, messagesLeft: 1 },
    });
    expect(await harness.follow(late + 5)).toMatchObject({ counts: { messagesLeft: 0 } });
    expect(harness.posted).toHaveLength(1);
  });

  it('and notifications that the event bus does not accept are retried', async () => {
    await blockAll(1);
    const events = { publish: async (all: readonly unknown[]) => all as never };
    expect(await harness.follow(10, { events })).toMatchObject({ counts: { news: 0 } });
    expect(await harness.follow(15)).toMatchObject({ counts: { news: 1 } });
    expect(harness.news()).toEqual(['ClusterBlocked c0']);
  });

  it('are forgotten where there is no webhook', async () => {
    await blockAll(1);
    expect(await harness.follow(10)).toMatchObject({ counts: { messagesLeft: 0 } });
    expect(harness.posted).toEqual([]);
  });
});
