import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { NO_FACTS } from '@cairn/shared/cluster/facts';
import { archiveOf, type ClusterRecord, takeReport } from '@cairn/shared/cluster/record';
import { NO_RUNS } from '@cairn/shared/update-status/runs/run';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  changeCluster,
  listClusters,
  readCluster,
  removeCluster,
  reviseCluster,
  type StoredCluster,
} from '../../../../functions/clusters/store.ts';
import { clusterPartition, headKey } from '../../../../functions/store/keys.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { aCluster, aClusterVersion } from '../../../helpers/cluster/clusters.ts';
import { completed } from '../../../helpers/prune/histories.ts';
import { sized } from '../../../helpers/size.ts';
import { dumpTable, newTable, tableEngines } from '../../../helpers/table/table.ts';

const AT = '2026-11-01T00:00:00.000Z';

/** A record that tells which changes it has seen, in their order; `filling` makes it large. */
function recordWith(changes: readonly string[], filling = ''): ClusterRecord {
  return {
    facts: {
      ...NO_FACTS,
      collectedAt: AT,
      adminGates: filling === '' ? null : [{ key: 'filling', value: filling }],
    },
    collected: {},
    pausedSince: changes.map((pool) => ({ pool, since: AT })),
    poolsCollected: [],
    removedHistory: { total: 0, recent: [] },
    runs: NO_RUNS,
    clockSkewMs: 0,
    firstSeenAt: AT,
    updatedAt: AT,
  };
}

const changesIn = (cluster: StoredCluster | null) =>
  cluster?.record.pausedSince.map(({ pool }) => pool) ?? null;
const append =
  (change: string) =>
  (former: StoredCluster | null): ClusterRecord =>
    recordWith([...(changesIn(former) ?? []), change]);
const unchecked = () => {};

type Send = (command: unknown) => Promise<unknown>;

/** The same table behind a client of which calls go through `intercept`. */
function through(table: Table, intercept: (command: unknown, send: Send) => Promise<unknown>): Table {
  const send: Send = (command) => table.client.send(command as PutItemCommand);
  return { ...table, client: { send: (command: unknown) => intercept(command, send) } as DynamoDBClient };
}

const isFlip = (command: unknown): boolean =>
  command instanceof PutItemCommand && command.input.Item?.['sk']?.S === headKey(clusterPartition('a')).sk;

describe.each(tableEngines)('clusters on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    vi.restoreAllMocks();
    table = await newTable(url);
  });
  const change = (id: string, ...names: readonly string[]) =>
    names.reduce<Promise<unknown>>(
      (before, name) => before.then(() => changeCluster(table, id, append(name))),
      Promise.resolve(),
    );
  const bodiesOf = async (id: string) =>
    (await dumpTable(table))
      .filter((item) => item['pk'] === `CLUSTER#${id}` && item['sk'] !== '!HEAD')
      .map((item) => String(item['sk']).split('#')[1]);

  it('are made, changed and removed', async () => {
    expect(await readCluster(table, 'a')).toBeNull();
    const made = await changeCluster(table, 'a', append('1'));
    expect(made).toMatchObject({ outcome: 'changed', isNew: true, cluster: { id: 'a' } });
    const changed = await changeCluster(table, 'a', append('2'));
    expect(changed).toMatchObject({ outcome: 'changed', isNew: false });
    const stored = await readCluster(table, 'a');
    expect(changed).toMatchObject({ cluster: stored });
    expect(made).not.toMatchObject({ cluster: { revision: stored!.revision } });
    expect(changesIn(stored)).toEqual(['1', '2']);
    expect(await removeCluster(table, 'a', AT, unchecked)).toBe('removed');
    expect(await readCluster(table, 'a')).toBeNull();
    expect(await removeCluster(table, 'a', AT, unchecked)).toBe('unknown');
    expect(await removeCluster(table, 'b', AT, unchecked)).toBe('unknown');
    expect(await changeCluster(table, 'a', append('3'))).toMatchObject({ outcome: 'changed', isNew: true });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['3']);
  });

  it('are revised where they are there and there is something to change, else nothing is written', async () => {
    await change('a', '1');
    await change('removed', '1');
    await removeCluster(table, 'removed', AT, unchecked);
    const before = await dumpTable(table);
    for (const id of ['b', 'removed']) {
      expect(await reviseCluster(table, id, append('2'))).toEqual({ outcome: 'unknown' });
    }
    expect(await reviseCluster(table, 'a', () => null)).toEqual({ outcome: 'unchanged' });
    expect(await dumpTable(table)).toEqual(before);
    expect(await reviseCluster(table, 'a', append('2'))).toMatchObject({ outcome: 'changed', isNew: false });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1', '2']);
  });

  it('are revised again after a concurrent write', async () => {
    await change('a', '1');
    const late = through(table, async (command, send) => {
      if (isFlip(command) && changesIn(await readCluster(table, 'a'))?.length === 1) await change('a', '2');
      return send(command);
    });
    expect(await reviseCluster(late, 'a', append('3'))).toMatchObject({ outcome: 'changed' });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1', '2', '3']);
    const tooLate = through(table, async (command, send) => {
      if (isFlip(command)) await removeCluster(table, 'a', AT, unchecked);
      return send(command);
    });
    expect(await reviseCluster(tooLate, 'a', append('4'))).toEqual({ outcome: 'unknown' });
    expect(await bodiesOf('a')).toEqual([]);
  });

  it('of one name in another case are others', async () => {
    await change('Prod', '1');
    expect(await readCluster(table, 'prod')).toBeNull();
  });

  it('keep the body before the current one for readers under way, and no other', async () => {
    await change('a', '1', '2', '3', '4');
    expect((await bodiesOf('a')).map((revision) => revision!.split('-')[0])).toEqual(['3', '4']);
    await removeCluster(table, 'a', AT, unchecked);
    expect(await bodiesOf('a')).toEqual([]);
  });

  it('are split over items when they are large', async () => {
    const filling = randomBytes(700 * 1024).toString('base64');
    await changeCluster(table, 'a', () => recordWith(['1'], filling));
    expect((await bodiesOf('a')).length).toBeGreaterThan(1);
    expect((await readCluster(table, 'a'))?.record).toEqual(recordWith(['1'], filling));
  });

  it.each([
    ['as stored', () => randomBytes(4.3 * 1024 * 1024).toString('base64')],
    ['as JSON', () => 'x'.repeat(33 * 1024 * 1024)],
  ])('are refused when they are too large %s', async (_what, filling) => {
    await change('a', '1');
    const outcome = await changeCluster(table, 'a', () => recordWith(['2'], filling()));
    expect(outcome).toMatchObject({ outcome: 'too-large' });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1']);
  });

  it('stay as they are when a change is refused', async () => {
    await change('a', '1');
    const refuse = () => {
      throw new Error('no');
    };
    await expect(changeCluster(table, 'a', refuse)).rejects.toThrow('no');
    await expect(removeCluster(table, 'a', AT, refuse)).rejects.toThrow('no');
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1']);
    expect(await bodiesOf('a')).toHaveLength(1);
  });

  // DynamoDB Local takes three times as long for each, and the order is the conditional write's to keep, not the engine's.
  const writers = sized(50, url === tableEngines[0]!.url ? 200 : 50);
  it(`have every change that was acknowledged and no other, in one order, of ${writers} at once`, async () => {
    const names = Array.from({ length: writers }, (_, index) => String(index));
    /** Writers with the same client wait for each other, those with others do not. */
    const processes = Array.from({ length: 8 }, () => through(table, (command, send) => send(command)));
    const over = new AbortController();
    const seen: string[][] = [];
    const watch = async () => {
      while (!over.signal.aborted) {
        seen.push(changesIn(await readCluster(table, 'a')) ?? []);
        await sleep(50);
      }
    };
    const watching = watch();
    const outcomes = await Promise.all(
      names.map(async (name, index) => {
        const writer = processes[index % processes.length]!;
        return { name, ...(await changeCluster(writer, 'a', append(name))) };
      }),
    );
    over.abort();
    await watching;
    const acknowledged = outcomes.filter(({ outcome }) => outcome === 'changed').map(({ name }) => name);
    const stored = changesIn(await readCluster(table, 'a'))!;
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    for (const moment of seen) expect(moment).toEqual(stored.slice(0, moment.length));
    expect((await bodiesOf('a')).length).toBeLessThanOrEqual(2);
  });

  it('lose no entry of a history that was acknowledged: it is kept, or noted why it went', async () => {
    const days = Array.from({ length: 24 }, (_, index) => index + 1);
    const told = days.map((day) =>
      aCluster({ clusterVersion: aClusterVersion({ history: [completed(`4.16.${day}`, day)] }) }),
    );
    const processes = Array.from({ length: 6 }, () => through(table, (command, send) => send(command)));
    const outcomes = await Promise.all(
      told.map((facts, index) =>
        changeCluster(processes[index % processes.length]!, 'a', (former) =>
          takeReport(former?.record ?? null, facts, { now: AT, forget: false, historyLimit: 8 }),
        ),
      ),
    );
    const acknowledged = told
      .filter((_, index) => outcomes[index]!.outcome === 'changed')
      .map((facts) => facts.clusterVersion!.history[0]!.version);
    expect(acknowledged.length).toBeGreaterThan(8);
    const { entries, removed } = archiveOf((await readCluster(table, 'a'))!.record);
    expect(entries).toHaveLength(8);
    expect([...entries, ...removed.recent].map(({ version }) => version).toSorted()).toEqual(
      acknowledged.toSorted(),
    );
    expect(removed.total).toBe(removed.recent.length);
  });

  it('are changed by one of those who all go on from the same revision', async () => {
    await change('a', '1');
    const { revision } = (await readCluster(table, 'a'))!;
    const attempts = Array.from({ length: 20 }, (_, index) => {
      const other = through(table, (command, send) => send(command));
      return changeCluster(other, 'a', (former) => {
        if (former?.revision !== revision) throw new Error('too late');
        return append(`of ${index}`)(former);
      });
    });
    const outcomes = await Promise.allSettled(attempts);
    const won = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`of ${index}`] : []));
    expect(won).toHaveLength(1);
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1', ...won]);
  });

  it('come out whole of changes and removals at once', async () => {
    const work = Array.from({ length: 24 }, (_, index) => {
      const other = through(table, (command, send) => send(command));
      return index % 3 === 0
        ? removeCluster(other, 'a', AT, unchecked)
        : changeCluster(other, 'a', append(String(index)));
    });
    await Promise.all(work);
    await change('a', 'last');
    expect(changesIn(await readCluster(table, 'a'))?.at(-1)).toBe('last');
    expect((await bodiesOf('a')).length).toBeLessThanOrEqual(2);
  });

  it('are marked for reassessment after the body is written and before the head names it', async () => {
    const keys: string[] = [];
    const watched = through(table, (command, send) => {
      if (command instanceof PutItemCommand) keys.push(command.input.Item!['sk']!.S!.split('#')[0]!);
      return send(command);
    });
    await changeCluster(watched, 'a', append('1'));
    expect(keys).toEqual(['BODY', 'REPORTED', '!HEAD']);
    await removeCluster(watched, 'a', AT, unchecked);
    expect(keys.slice(3)).toEqual(['REPORTED', '!HEAD']);
  });

  it('know a change whose acknowledgement got lost', async () => {
    const unsure = through(table, async (command, send) => {
      if (isFlip(command)) await send(command);
      return send(command);
    });
    for (const name of ['1', '2']) {
      expect(await changeCluster(unsure, 'a', append(name))).toMatchObject({ outcome: 'changed' });
    }
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1', '2']);
    expect(await removeCluster(unsure, 'a', AT, unchecked)).toBe('removed');
  });

  it('know it also when others went on from it', async () => {
    const unsure = through(table, async (command, send) => {
      if (!isFlip(command)) return send(command);
      await send(command);
      await change('a', '2');
      return send(command);
    });
    expect(await changeCluster(unsure, 'a', append('1'))).toMatchObject({ outcome: 'changed', isNew: true });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['1', '2']);
  });

  it('are not restored by a writer that stalled while they were created and removed', async () => {
    let isFirst = true;
    const stalling = through(table, async (command, send) => {
      if (isFlip(command) && isFirst) {
        isFirst = false;
        await change('a', 'other', 'another');
        await removeCluster(table, 'a', AT, unchecked);
      }
      return send(command);
    });
    expect(await changeCluster(stalling, 'a', append('stalled'))).toMatchObject({ outcome: 'changed' });
    expect(changesIn(await readCluster(table, 'a'))).toEqual(['stalled']);
  });

  it('report a conflict when other writers always win', async () => {
    // Pauses are drawn, these of no length.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const late = through(table, async (command, send) => {
      if (!isFlip(command)) return send(command);
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    });
    expect(await changeCluster(late, 'a', append('1'))).toEqual({ outcome: 'contended' });
    expect(await bodiesOf('a')).toEqual([]);
    await change('a', '1');
    expect(await removeCluster(late, 'a', AT, unchecked)).toBe('contended');
  });

  /** Does the work on new clusters, with a crash before its first call, its second and so on, until it comes to its end. */
  async function crashEverywhere(
    work: (crashing: Table, id: string) => Promise<unknown>,
    check: (id: string) => Promise<void>,
  ): Promise<number> {
    for (let calls = 0; ; calls++) {
      const id = `crash-${calls}`;
      await change(id, '1', '2');
      let done = 0;
      const crashing = through(table, async (command, send) => {
        if (done++ === calls) throw new Error('crash');
        return send(command);
      });
      const [outcome] = await Promise.allSettled([work(crashing, id)]);
      await check(id);
      if (outcome.status === 'fulfilled') return calls;
    }
  }

  it('survive a crash before every call of a change', async () => {
    const calls = await crashEverywhere(
      (crashing, id) => changeCluster(crashing, id, append('3')),
      async (id) => {
        const after = changesIn(await readCluster(table, id))!;
        expect([
          ['1', '2'],
          ['1', '2', '3'],
        ]).toContainEqual(after);
        await change(id, '4');
        expect(changesIn(await readCluster(table, id))).toEqual([...after, '4']);
        expect((await bodiesOf(id)).length).toBeLessThanOrEqual(2);
      },
    );
    expect(calls).toBe(5);
  });

  it('survive a crash before every call of a removal', async () => {
    const calls = await crashEverywhere(
      (crashing, id) => removeCluster(crashing, id, AT, unchecked),
      async (id) => {
        expect([null, ['1', '2']]).toContainEqual(changesIn(await readCluster(table, id)));
        await removeCluster(table, id, AT, unchecked);
        expect(await bodiesOf(id)).toEqual([]);
      },
    );
    expect(calls).toBe(4);
  });

  const pages = async (limit: number): Promise<string[][]> => {
    const found: string[][] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listClusters>> = await listClusters(table, { after, limit });
      found.push(page.clusters.map(({ id }) => id));
      after = page.last;
    } while (after !== null);
    return found;
  };

  it('are listed by identifier, in pages, with what they are', async () => {
    expect(await pages(10)).toEqual([[]]);
    for (const id of ['b', 'a.1', 'B', '-', 'a', 'a-1', '10', '9']) await change(id, '1', '2');
    expect(await pages(3)).toEqual([
      ['-', '10', '9'],
      ['B', 'a', 'a-1'],
      ['a.1', 'b'],
    ]);
    expect(await pages(8)).toEqual([['-', '10', '9', 'B', 'a', 'a-1', 'a.1', 'b']]);
    const { clusters } = await listClusters(table, { after: 'a.1', limit: 1 });
    expect(clusters).toEqual([
      {
        id: 'b',
        update: null,
        clusterId: null,
        version: null,
        updating: false,
        channel: null,
        nodes: null,
        arches: [],
        pausedPools: 2,
        historyEntries: 0,
        firstSeenAt: AT,
        updatedAt: AT,
        collectedAt: AT,
      },
    ]);
  });

  it('leave the list when they are removed, also where the index does not know it yet', async () => {
    for (const id of ['a', 'b', 'c']) await change(id, '1');
    await removeCluster(table, 'b', AT, unchecked);
    expect(await pages(10)).toEqual([['a', 'c']]);
    const ghost = { pk: 'elsewhere', sk: '1', gsi1pk: 'CLUSTERS', gsi1sk: 'b' };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(ghost) }));
    expect(await pages(1)).toEqual([['a'], [], ['c']]);
  });
});
