import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { archiveOf, takeReport } from '@cairn/shared/cluster/record';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeCluster, readCluster, removeCluster } from '../../../../functions/clusters/store.ts';
import {
  housekeepingMetrics,
  type HousekeepingRecord,
  runHousekeeping,
} from '../../../../functions/housekeeping/job.ts';
import type { HousekeepingDependencies } from '../../../../functions/housekeeping/run.ts';
import { EMPTY_STATE, type PairState, syncStateCodec } from '../../../../functions/releases/sync-state.ts';
import { readItem } from '../../../../functions/store/item.ts';
import {
  clusterPartition,
  headKey,
  SYNC_STATE_KEY,
  HOUSEKEEPING_STATE_KEY,
} from '../../../../functions/store/keys.ts';
import { acquireLease, finishLease, leaseOf } from '../../../../functions/store/leases.ts';
import { listRuns, recordRun } from '../../../../functions/store/run-records.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { changeSwitch } from '../../../../functions/switches/store.ts';
import { aCluster, aClusterVersion } from '../../../helpers/cluster/clusters.ts';
import { builtBundle } from '../../../helpers/lambda/built.ts';
import { startLambda } from '../../../helpers/lambda/lambda-host.ts';
import { partial, updates } from '../../../helpers/prune/histories.ts';
import { copyTable, dumpTable, assessed, newTable, tableEngines } from '../../../helpers/table/table.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60;

const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

/** Stores a cluster with this history, all of it. */
async function store(table: Table, id: string, history: readonly HistoryEntry[]): Promise<void> {
  const facts = aCluster({ clusterVersion: aClusterVersion({ history }) });
  await changeCluster(table, id, () =>
    takeReport(null, facts, { now: at(-1), forget: false, historyLimit: 1000 }),
  );
}

/** Stores the state of one followed pair, as a run of the sync leaves it. */
async function syncOnce(table: Table, state: Partial<PairState>): Promise<void> {
  const slot = at(-10);
  const lease = await acquireLease(table, SYNC_STATE_KEY, {
    slot,
    owner: 'sync',
    now: START,
    durationMs: MINUTE,
  });
  if (!lease.acquired) throw new Error(lease.reason);
  const pairs = { 'stable-4.14/amd64': state as PairState };
  await finishLease(table, SYNC_STATE_KEY, lease, syncStateCodec.pack({ ...EMPTY_STATE, pairs }));
}

type Counts = Parameters<HousekeepingDependencies['count']>;
type Line = [message: string, fields: Readonly<Record<string, unknown>>];

interface Watched {
  readonly result: Awaited<ReturnType<typeof runHousekeeping>>;
  readonly counts: readonly Counts[];
  readonly lines: readonly Line[];
}

/** Runs the watch of the slot that many minutes after the beginning. */
async function watch(
  table: Table,
  minutes: number,
  options: Partial<HousekeepingDependencies> = {},
): Promise<Watched> {
  const counts: Counts[] = [];
  const lines: Line[] = [];
  const say = (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    lines.push([message, fields]);
  };
  const result = await runHousekeeping(
    {
      table,
      historyLimit: 10,
      log: { info: say, warn: say, error: say },
      count: (...count) => counts.push(count),
      clock: () => START + minutes * MINUTE,
      ...options,
    },
    { scheduledTime: at(minutes), trigger: 'schedule' },
  );
  return { result, counts, lines };
}

function recordOf({ result }: Watched): HousekeepingRecord {
  if (result.status !== 'Done') throw new Error(`skipped: ${result.reason}`);
  return result.record;
}

async function entriesOf(table: Table, id: string): Promise<number> {
  return archiveOf((await readCluster(table, id))!.record).entries.length;
}

const headOf = (id: string) => marshall(headKey(clusterPartition(id)));
const isHeadWrite = (command: unknown, id: string): boolean =>
  command instanceof PutItemCommand &&
  command.input.Item?.['sk']?.S === headOf(id)['sk']?.S &&
  command.input.Item?.['pk']?.S === headOf(id)['pk']?.S;
const isRead = (command: unknown, id: string): boolean =>
  command instanceof QueryCommand &&
  command.input.ExpressionAttributeValues?.[':partition']?.S === clusterPartition(id);

let table: Table;
beforeEach(async () => {
  vi.restoreAllMocks();
  table = await newTable();
});

describe('histories', () => {
  it('over a lowered limit are pruned, and each has a reason', async () => {
    const history = [
      ...updates(14, { perMinor: 4 }).slice(0, 6),
      partial('4.2.9', 8),
      ...updates(7, { perMinor: 4 }),
    ];
    await store(table, 'long', history);
    await store(table, 'short', updates(10));
    const before = await readCluster(table, 'short');
    const watched = await watch(table, 0);

    const { record } = (await readCluster(table, 'long'))!;
    const { entries, removed } = archiveOf(record);
    expect(entries).toHaveLength(10);
    expect(entries[0]).toEqual(history[0]);
    expect(entries.at(-1)).toEqual(history.at(-1));
    expect(removed.total).toBe(4);
    expect(removed.recent.map(({ removedAt }) => removedAt)).toEqual([at(0), at(0), at(0), at(0)]);
    expect(await readCluster(table, 'short')).toEqual(before);

    const byClass = Object.fromEntries(
      Array.from(
        Map.groupBy(removed.recent, (removal) => removal.class),
        ([name, of]) => [name, of.length],
      ),
    );
    expect(Object.keys(byClass).length).toBeGreaterThan(1);
    expect(recordOf(watched)).toEqual({
      job: 'watch',
      slot: at(0),
      trigger: 'schedule',
      outcome: 'Succeeded',
      durationMs: 0,
      counts: {
        clustersWatched: 2,
        historiesPruned: 1,
        historyEntriesRemoved: 4,
        removedByClass: byClass,
        runRecordsRemoved: 0,
      },
      notes: [],
    });
    expect(await listRuns(table, 'watch')).toEqual([recordOf(watched)]);
    expect(watched.counts).toEqual([[{ switchesStopped: 0 }]]);
    expect(housekeepingMetrics(watched.result)).toEqual([
      [
        {
          watchSucceeded: 1,
          clustersWatched: 2,
          historiesPruned: 1,
          historyEntriesRemoved: 4,
          runRecordsRemoved: 0,
        },
      ],
      ...Object.entries(byClass).map(([name, count]) => [{ historyEntriesRemoved: count }, { class: name }]),
    ]);
    const [[message, fields] = ['', {}]] = watched.lines;
    expect([message, fields['cluster'], fields['removed']]).toEqual(['history pruned', 'long', 4]);
    const reasons = fields['reasons'] as Record<string, number>;
    expect(Object.keys(reasons).toSorted()).toEqual(
      [...new Set(removed.recent.map(({ reason }) => reason))].toSorted(),
    );
  });

  it('that are within it cost a page of the list and nothing else', async () => {
    for (const id of ['a', 'b', 'c']) await store(table, id, updates(10));
    const commands: string[] = [];
    const counted = assessed(table, (command) => {
      commands.push((command as object).constructor.name);
    });
    await watch(counted, 0);
    expect(commands).toEqual([
      'UpdateItemCommand',
      'GetItemCommand',
      'QueryCommand',
      'BatchGetItemCommand',
      // Run records and acceptances of risks.
      'QueryCommand',
      'QueryCommand',
      'PutItemCommand',
      'UpdateItemCommand',
    ]);
  });

  it('of all pages are checked', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store(table, id, updates(12));
    const watched = await watch(table, 0, { limits: { clustersPerPage: 2 } });
    expect(recordOf(watched).counts).toMatchObject({ clustersWatched: 5, historiesPruned: 5 });
    for (const id of ['a', 'e']) expect(await entriesOf(table, id)).toBe(10);
  });

  it('whose entries were never counted are read once', async () => {
    await store(table, 'long', updates(12));
    await store(table, 'short', updates(3));
    for (const id of ['long', 'short']) {
      await table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: headOf(id),
          UpdateExpression: 'REMOVE summary.historyEntries',
        }),
      );
    }
    expect(recordOf(await watch(table, 0)).counts).toMatchObject({ historiesPruned: 1 });
    expect(await entriesOf(table, 'long')).toBe(10);
    expect(await entriesOf(table, 'short')).toBe(3);
    let reads = 0;
    await watch(
      assessed(table, (command) => {
        if (isRead(command, 'short') || isRead(command, 'long')) reads++;
      }),
      15,
    );
    expect(reads).toBe(0);
  });

  it('that cannot be pruned do not stop the others, and are reported', async () => {
    // Those who write at once wait no time.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const id of ['contended', 'gone', 'good', 'unreadable']) await store(table, id, updates(12));
    const troubled = assessed(table, async (command) => {
      if (isRead(command, 'gone')) await removeCluster(table, 'gone', at(0), () => {});
      if (isRead(command, 'unreadable')) throw new Error('the disk is wet');
      // Somebody else is always quicker.
      if (isHeadWrite(command, 'contended')) await store(table, 'contended', updates(12));
    });
    const watched = await watch(troubled, 0);
    const { outcome, counts, notes } = recordOf(watched);
    expect(outcome).toBe('PartiallySucceeded');
    expect(counts).toMatchObject({ clustersWatched: 4, historiesPruned: 1, historyEntriesRemoved: 2 });
    expect(notes).toEqual([
      expect.stringMatching(/^the history of contended was not lowered: others keep changing/),
      'the history of unreadable was not lowered: the disk is wet',
    ]);
    const said = watched.lines.map(([message, fields]) => `${message}: ${String(fields['cluster'])}`);
    expect(said.toSorted()).toEqual([
      'history pruned: good',
      'history pruning failed: contended',
      'history pruning failed: unreadable',
      'history skipped: gone',
    ]);
    expect(await entriesOf(table, 'good')).toBe(10);
    expect(await readCluster(table, 'gone')).toBeNull();
    // Nothing was lost of what the others wrote.
    expect(await entriesOf(table, 'contended')).toBe(12);
  });

  it('that fail in great number are reported in a few notes', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `cluster-${index}`);
    await Promise.all(ids.map((id) => store(table, id, updates(11))));
    const troubled = assessed(table, (command) => {
      if (ids.some((id) => isRead(command, id))) throw new Error('the disk is wet');
    });
    const watched = await watch(troubled, 0);
    const { notes } = recordOf(watched);
    expect([notes.length, notes.at(-1)]).toEqual([21, 'and 5 more, which the log has']);
    expect(watched.lines).toHaveLength(25);
  });

  it('that no time is left for are done by the next run', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) await store(table, id, updates(12));
    let now = START;
    const slow = assessed(table, (command) => {
      if (ids.some((id) => isHeadWrite(command, id))) now += MINUTE;
    });
    const limits = { clustersAtOnce: 1, clustersPerPage: 3, beginClustersForMs: 1.5 * MINUTE };
    const first = await watch(slow, 0, { limits, clock: () => now });
    expect(recordOf(first)).toMatchObject({
      outcome: 'PartiallySucceeded',
      durationMs: 2 * MINUTE,
      counts: { clustersWatched: 3, historiesPruned: 2 },
      notes: ['no time was left for c and those after it, the next run goes on'],
    });
    const second = await watch(table, 15, { limits });
    expect(recordOf(second)).toMatchObject({ outcome: 'Succeeded', counts: { historiesPruned: 2 } });
    for (const id of ids) expect(await entriesOf(table, id)).toBe(10);
  });
});

describe('the switch prune', () => {
  const stopPruning = () =>
    changeSwitch(table, 'prune', () => ({ reason: 'a test', since: at(-1), by: 'ada' }));

  it('keeps histories and run records as they are, until it is back', async () => {
    await store(table, 'long', updates(12));
    for (let day = -60; day < 0; day++) {
      const done = { outcome: 'Succeeded', durationMs: 1, counts: null, notes: [] } as const;
      await recordRun(table, { job: 'watch', slot: at(day * DAY), trigger: 'schedule', ...done });
    }
    await stopPruning();
    expect(recordOf(await watch(table, 0))).toMatchObject({
      outcome: 'Succeeded',
      counts: { clustersWatched: 1, historiesPruned: 0, historyEntriesRemoved: 0, runRecordsRemoved: 0 },
    });
    expect(await entriesOf(table, 'long')).toBe(12);
    expect(await listRuns(table, 'watch')).toHaveLength(61);
    await changeSwitch(table, 'prune', () => null);
    expect(recordOf(await watch(table, 15)).counts).toMatchObject({
      historiesPruned: 1,
      historyEntriesRemoved: 2,
      runRecordsRemoved: 11,
    });
  });

  it('is noticed by a run that is under way', async () => {
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await store(table, id, updates(12));
    let now = START;
    const stopping = assessed(table, async (command) => {
      if (!isHeadWrite(command, 'a')) return;
      await stopPruning();
      now += 15_000;
    });
    const watched = await watch(stopping, 0, { limits: { clustersAtOnce: 1 }, clock: () => now });
    expect(recordOf(watched).counts).toMatchObject({ clustersWatched: 3, historiesPruned: 1 });
    expect(await Promise.all(ids.map((id) => entriesOf(table, id)))).toEqual([10, 12, 12]);
  });
});

describe('a slot', () => {
  it('is run once, and a second event is only noted', async () => {
    await watch(table, 0);
    const before = await dumpTable(table);
    const again = await watch(table, 0);
    expect(again.result).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(again.counts).toEqual([]);
    expect(housekeepingMetrics(again.result)).toEqual([[{ watchSkipped: 1 }]]);
    const lastSkip = { slot: at(0), trigger: 'schedule', reason: 'Duplicate' };
    expect(await dumpTable(table)).toEqual(
      before.map((item) => (item['pk'] === HOUSEKEEPING_STATE_KEY.pk ? { ...item, lastSkip } : item)),
    );
  });

  it('that comes while another run is under way is skipped, and recorded', async () => {
    await acquireLease(table, HOUSEKEEPING_STATE_KEY, {
      slot: at(0),
      owner: 'other',
      now: START,
      durationMs: 5 * MINUTE,
    });
    expect((await watch(table, 1)).result).toEqual({ status: 'Skipped', reason: 'Concurrent' });
    expect(await listRuns(table, 'watch')).toMatchObject([
      { slot: at(1), outcome: 'Skipped', counts: null, notes: ['another run is under way'] },
    ]);
    // The other one is dead: its lease ends.
    expect((await watch(table, 15)).result.status).toBe('Done');
  });

  it('is one run of several that fire at once, and the histories are right', async () => {
    for (const id of ['a', 'b', 'c']) await store(table, id, updates(13));
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        watch(
          assessed(table, () => {}),
          0,
        ),
      ),
    );
    expect(results.map(({ result }) => result.status).toSorted()).toEqual([
      'Done',
      'Skipped',
      'Skipped',
      'Skipped',
    ]);
    for (const id of ['a', 'b', 'c']) {
      const { entries, removed } = archiveOf((await readCluster(table, id))!.record);
      expect([entries.length, removed.total]).toEqual([10, 3]);
    }
    expect(await listRuns(table, 'watch')).toHaveLength(1);
  });

  it('that a later run took over is not finished by the late one', async () => {
    await store(table, 'a', updates(12));
    const late = assessed(table, async (command) => {
      if (isHeadWrite(command, 'a')) await watch(table, 15, { historyLimit: 11 });
    });
    expect((await watch(late, 0)).result).toEqual({ status: 'Skipped', reason: 'Superseded' });
    expect(leaseOf((await readItem(table, HOUSEKEEPING_STATE_KEY))!)).toMatchObject({
      token: 2,
      finishedSlot: at(15),
      leaseOwner: null,
    });
    expect(await entriesOf(table, 'a')).toBe(10);
  });

  it('that failed is recorded and may be tried again', async () => {
    const broken = assessed(table, (command) => {
      if (command instanceof QueryCommand && command.input.IndexName !== undefined)
        throw new Error('no index');
    });
    const counts: Counts[] = [];
    await expect(watch(broken, 0, { count: (...count) => counts.push(count) })).rejects.toThrow('no index');
    expect(counts).toEqual([[{ switchesStopped: 0 }]]);
    expect(await listRuns(table, 'watch')).toMatchObject([
      { slot: at(0), outcome: 'Failed', notes: ['no index'] },
    ]);
    expect((await watch(table, 0)).result.status).toBe('Done');
    expect(await listRuns(table, 'watch')).toMatchObject([{ slot: at(0), outcome: 'Succeeded', notes: [] }]);
  });
});

describe('run records', () => {
  const record = (minutes: number, job = 'watch') =>
    recordRun(table, {
      job,
      slot: at(minutes),
      trigger: 'schedule',
      outcome: 'Succeeded',
      durationMs: 1,
      counts: null,
      notes: [],
    });
  const slotsOf = async (job = 'watch') => (await listRuns(table, job)).map(({ slot }) => slot);

  it('go when they are older than a week and not among the 50 newest', async () => {
    for (let day = -59; day <= 0; day++) await record(day * DAY);
    await record(-59 * DAY, 'another');
    const watched = await watch(table, 15);
    expect(recordOf(watched).counts).toMatchObject({ runRecordsRemoved: 10 });
    expect(await slotsOf()).toEqual([
      ...Array.from({ length: 50 }, (_, index) => at((index - 49) * DAY)),
      at(15),
    ]);
    expect(await slotsOf('another')).toHaveLength(1);
  });

  it('go a hundred at a time, the oldest first', async () => {
    const days = Array.from({ length: 153 }, (_, index) => index - 160);
    await Promise.all(days.map((day) => record(day * DAY)));
    expect(recordOf(await watch(table, 0)).counts).toMatchObject({ runRecordsRemoved: 100 });
    expect((await slotsOf())[0]).toBe(at(-60 * DAY));
    const second = recordOf(await watch(table, 15));
    // Of 53 and the record of the first run.
    expect(second).toMatchObject({ outcome: 'Succeeded', counts: { runRecordsRemoved: 4 } });
  });

  it('younger than a week all stay', async () => {
    for (let hour = -60; hour < 0; hour++) await record(hour * 60);
    expect(recordOf(await watch(table, 0)).counts).toMatchObject({ runRecordsRemoved: 0 });
    expect(await slotsOf()).toHaveLength(61);
  });

  it('that cannot be removed are reported, and the run still succeeds', async () => {
    for (let day = -60; day < 0; day++) await record(day * DAY);
    const { client, name } = assessed(table, (command) => {
      if ((command as object).constructor.name === 'DeleteItemCommand') throw new Error('not allowed');
    });
    const { outcome, notes, counts } = recordOf(await watch({ client, name }, 0));
    expect(outcome).toBe('PartiallySucceeded');
    expect(counts).toMatchObject({ runRecordsRemoved: 0 });
    expect(notes).toEqual(['run records were not removed: not allowed']);
  });
});

describe('a crash after any write', () => {
  /** What may not differ, however often a run had to begin again. */
  async function contents(of: Table): Promise<unknown> {
    const clusters = await Promise.all(['a', 'b'].map((id) => readCluster(of, id)));
    const archives = clusters.map((cluster) => {
      const { entries, removed } = archiveOf(cluster!.record);
      const recent = removed.recent.map(({ removedAt: _removedAt, ...removal }) => removal);
      return { entries, total: removed.total, recent };
    });
    const runs = (await listRuns(of, 'watch')).map(({ slot }) => slot).filter((slot) => slot < at(0));
    const { leaseOwner } = leaseOf((await readItem(of, HOUSEKEEPING_STATE_KEY))!);
    return { archives, runs, leaseOwner };
  }

  it('is made up for by the next run, to the same contents', async () => {
    for (const id of ['a', 'b']) await store(table, id, updates(12));
    // The old ones go, and none that a run more or less would make the 51st.
    const slots = [-30 * DAY, -20 * DAY, ...Array.from({ length: 50 }, (_, index) => -50 + index)];
    for (const slot of slots.map(at)) {
      const run = { job: 'watch', slot, trigger: 'schedule', durationMs: 1, notes: [] } as const;
      await recordRun(table, { ...run, outcome: 'Succeeded', counts: null });
    }
    const limits = { clustersAtOnce: 1 };
    /** Lets the process die after a write: applied, but never answered. */
    const dying = (of: Table, after: number) => {
      let writes = 0;
      let isDead = false;
      const send = async (command: unknown) => {
        if (isDead) throw new Error('died');
        const answer = await of.client.send(command as PutItemCommand);
        isDead =
          /^(?:Put|Update|Delete|BatchWrite)/.test((command as object).constructor.name) &&
          writes++ === after;
        if (isDead) throw new Error('died');
        return answer;
      };
      return { table: { ...of, client: { send } as DynamoDBClient }, writes: () => writes };
    };
    const reference = await copyTable(table);
    const counter = dying(reference, Infinity);
    await watch(counter.table, 0, { limits });
    await watch(reference, 15, { limits });
    const expected = await contents(reference);
    expect(counter.writes()).toBeGreaterThan(8);

    for (let write = 0; write < counter.writes(); write++) {
      const copy = await copyTable(table);
      const death = dying(copy, write);
      await watch(death.table, 0, { limits }).catch(() => {});
      expect(death.writes(), `death after write ${write}`).toBe(write + 1);
      await watch(copy, 15, { limits });
      expect(await contents(copy), `death after write ${write}`).toEqual(expected);
    }
  });
});

describe('as it is deployed', () => {
  it('lowers, records, and prints its metrics', async () => {
    await store(table, 'long', updates(12));
    await syncOnce(table, { lastSuccessAt: new Date(Date.now() - 3600_000).toISOString() });
    const lambda = await startLambda({
      bundleDir: builtBundle('watch'),
      environment: {
        AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
        TABLE_NAME: table.name,
        HISTORY_LIMIT: '9',
        SYNC_INTERVAL_MINUTES: '10',
      },
    });
    const result = await lambda.invoke({ scheduledTime: at(0), trigger: 'schedule' });
    const again = await lambda.invoke({ scheduledTime: at(0), trigger: 'schedule' });
    await lambda.stop();
    expect(result).toMatchObject({
      ok: true,
      payload: { status: 'Done', outcome: 'Succeeded', counts: { historyEntriesRemoved: 3 } },
    });
    expect(again).toMatchObject({ ok: true, payload: { status: 'Skipped', reason: 'Duplicate' } });
    expect(await entriesOf(table, 'long')).toBe(9);
    const lines = lambda
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => 'HistoryEntriesRemoved' in line)).toMatchObject([
      {
        WatchSucceeded: 1,
        ClustersWatched: 1,
        HistoriesPruned: 1,
        HistoryEntriesRemoved: 3,
        RunRecordsRemoved: 0,
      },
      { HistoryEntriesRemoved: 3, class: 'other' },
    ]);
    expect(lines.map(({ message }) => message)).toContain('housekeeping finished');
    const [freshness] = lines.filter((line) => 'StalestPairSeconds' in line);
    expect(freshness).toMatchObject({ StalePairs: 1, service: 'cairn' });
    expect(freshness!['StalestPairSeconds']).toBeGreaterThanOrEqual(3600);
    expect(freshness!['StalestPairSeconds']).toBeLessThan(3700);
  });
});
