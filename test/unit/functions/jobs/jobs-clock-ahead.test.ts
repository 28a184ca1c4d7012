import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { markForReassessment } from '../../../../functions/clusters/reassessment-mark.ts';
import { readFleetEntry, writeAssessment } from '../../../../functions/fleet/store.ts';
import { countFreshness, freshnessOf } from '../../../../functions/housekeeping/freshness.ts';
import { runHousekeeping } from '../../../../functions/housekeeping/job.ts';
import { jobOf, lastSkipOf } from '../../../../functions/prune-runs/progress.ts';
import { RUN_FILE } from '../../../../functions/pruners/files.ts';
import { readPruner } from '../../../../functions/pruners/store.ts';
import {
  EMPTY_STATE,
  isStale,
  type PairState,
  PairStates,
  readSyncState,
  type SyncState,
  withoutFutureTimes,
} from '../../../../functions/releases/sync-state.ts';
import { readItem } from '../../../../functions/store/item.ts';
import {
  PUBLICATION_NAME,
  FLEET_STATE_KEY,
  prunerLeaseKey,
  SYNC_STATE_KEY,
  HOUSEKEEPING_STATE_KEY,
} from '../../../../functions/store/keys.ts';
import { leaseOf } from '../../../../functions/store/leases.ts';
import { PublicationCache } from '../../../../functions/store/publication-cache.ts';
import { listRuns } from '../../../../functions/store/run-records.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { PRUNER, type PruneHarness, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import { dumpTable, newTable } from '../../../helpers/table/table.ts';
import {
  at,
  chainGraph,
  following,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60;
/** By as much the clock is ahead, in minutes. */
const AHEAD = 30 * DAY;
const PAIR = 'stable-4.14/amd64';

type Line = [message: string, fields: Readonly<Record<string, unknown>>];

function recordedLog() {
  const warnings: Line[] = [];
  const infos: Line[] = [];
  const log = {
    info: (message: string, fields = {}) => void infos.push([message, fields]),
    warn: (message: string, fields = {}) => void warnings.push([message, fields]),
    error: () => {},
  };
  return { log, warnings, infos };
}

describe('after a start with the clock 30 days ahead, the sync', () => {
  let harness: SyncHarness;
  beforeEach(async () => {
    harness = await startHarness({
      config: following('stable-4.14'),
      source: () => chainGraph(['4.14.1', '4.14.2']),
    });
    await harness.sync(AHEAD);
  });
  afterEach(() => harness.close());

  const status = async () => {
    const { body } = await harness.get('/v1/sync');
    parseStrictly('getSync', body);
    return body as Record<string, unknown> & { pairs: Record<string, unknown>[] };
  };
  const holdLease = (owner: string, until: number) =>
    harness.table.client.send(
      new UpdateItemCommand({
        TableName: harness.table.name,
        Key: marshall(SYNC_STATE_KEY),
        UpdateExpression: 'SET leaseOwner = :owner, leaseUntil = :until',
        ExpressionAttributeValues: marshall({ ':owner': owner, ':until': Date.parse(at(until)) }),
      }),
    );
  const atRightTime = () => ({ clock: () => Date.parse(at(10)) });

  it('runs by schedule, warns, and stores right times', async () => {
    const { log, warnings } = recordedLog();
    const result = await harness.sync(10, {}, { log });
    expect(result).toMatchObject({ status: 'Done', record: { slot: at(10) }, futureTimes: 4 });
    expect(warnings).toEqual([
      [
        'stored times in the future',
        {
          slot: at(10),
          times: 4,
          examples: [
            { field: 'finishedSlot', at: at(AHEAD) },
            { field: 'lastRun.slot', at: at(AHEAD) },
            { field: `${PAIR} lastAttemptAt`, at: at(AHEAD) },
            { field: `${PAIR} lastSuccessAt`, at: at(AHEAD) },
          ],
        },
      ],
    ]);
    expect(await readSyncState(harness.table)).toMatchObject({ finishedSlot: at(10), token: 2 });
    expect(await harness.pair(PAIR)).toMatchObject({ lastSuccessAt: at(10), lastAttemptAt: at(10) });
    expect(await status()).toMatchObject({ futureTimes: null, pairs: [{ state: 'Current', stale: false }] });
    expect(await harness.sync(20)).toMatchObject({ status: 'Done', futureTimes: 0 });
  });

  it('runs manually, and corrects the slot as well', async () => {
    expect(await harness.sync(10, { trigger: 'manual' })).toMatchObject({ status: 'Done' });
    expect(await readSyncState(harness.table)).toMatchObject({
      finishedSlot: at(10),
      doneRuns: [`${at(10)} by hand`, at(AHEAD)],
    });
    expect(await harness.sync(20)).toMatchObject({ status: 'Done', futureTimes: 0 });
  });

  it('is not shown as current by GET /v1/sync, which says why', async () => {
    // A run that is too late changes nothing but what is shown of skipped runs.
    await harness.sync(10, { scheduledTime: at(0) });
    expect(await status()).toMatchObject({
      running: false,
      lastSkipped: { slot: at(0), trigger: 'schedule', reason: 'Missed' },
      futureTimes: {
        count: 4,
        times: expect.arrayContaining([{ field: 'finishedSlot', at: at(AHEAD) }]) as unknown[],
        note: 'A clock was wrong: 4 stored times more than 15 minutes ahead. Such a time counts as unknown and stops no run. The next run replaces it.',
      },
      pairs: [{ state: 'Unknown', stale: true, lastSuccessAt: at(AHEAD) }],
    });
  });

  it('forgets the time of an answer when the next one fails', async () => {
    const fetchGraph = async () => ({ ok: false, failure: 'BadStatus', detail: 'status 500' }) as const;
    const upstream = { fetchGraph, close: async () => {} };
    const open = () => upstream as unknown as ReturnType<typeof harness.dependencies.upstream.open>;
    await harness.sync(10, {}, { upstream: { ...harness.dependencies.upstream, open } });
    expect(await harness.pair(PAIR)).toMatchObject({ outcome: 'Failed', lastSuccessAt: null });
  });

  it('is not locked by a lease of that clock, and keeps its holder out', async () => {
    await holdLease('ahead', AHEAD + 9);
    // Too late, so that it only sets the clock right.
    await harness.sync(10, { scheduledTime: at(0) });
    expect(await status()).toMatchObject({ running: false });
    const { log, warnings } = recordedLog();
    expect(await harness.sync(10, {}, { log })).toMatchObject({ status: 'Done' });
    expect(JSON.stringify(warnings)).toContain(`"leaseUntil","at":"${at(AHEAD + 9)}"`);
    expect((await readSyncState(harness.table))?.token).toBe(2);
  });

  it('leaves a run of another function alone whose clock is ahead by 10 minutes', async () => {
    await harness.sync(10);
    await holdLease('other', 20 + 10 + 9.5);
    expect(await harness.sync(20)).toEqual({ status: 'Skipped', reason: 'Concurrent' });
    expect(await status()).toMatchObject({ running: true, lastSkipped: { reason: 'Concurrent' } });
  });

  it('is reported as stale by housekeeping, and counted for an alarm', async () => {
    const counts: object[] = [];
    const count = (counted: object) => counts.push(counted);
    await countFreshness({ table: harness.table, count, ...atRightTime() }, 10 * MINUTE);
    expect(counts).toEqual([{ stalestPairSeconds: 1200, stalePairs: 1, futureTimes: 4 }]);
  });
});

describe('freshness', () => {
  const now = Date.parse(at(0));
  const pair = (lastSuccessAt: string | null) => ({ lastSuccessAt, lastAttemptAt: at(0) }) as PairState;

  it.each([
    [0, false],
    [15, false],
    [16, true],
    [AHEAD, true],
    [-20, false],
    [-21, true],
  ])('of an answer %i minutes ahead: stale is %s', (minutes, stale) => {
    expect(isStale(pair(at(minutes)), now, 10 * MINUTE)).toBe(stale);
  });

  it('is never that of a time in the future', () => {
    const book = { pairs: { [PAIR]: pair(at(AHEAD)) }, runs: [] };
    expect(freshnessOf(book, now, 10 * MINUTE)).toEqual({ stalestPairSeconds: 1200, stalePairs: 1 });
  });
});

it('what lasts begins anew where a wrong clock says it began, and only there', () => {
  const state = {
    outcome: 'Held',
    lastAttemptAt: at(AHEAD),
    lastSuccessAt: at(-10),
    lastChangeAt: at(AHEAD),
    followedSince: at(AHEAD),
    held: { hash: 'h', since: at(AHEAD), rounds: 2, reason: '', detail: '' },
    missing: {
      '4.14.1': { since: at(AHEAD), rounds: 2, withdrawnAt: at(AHEAD) },
      '4.14.2': { since: at(-60), rounds: 1 },
    },
  } as unknown as PairState;
  const book: SyncState = {
    ...EMPTY_STATE,
    pairs: { [PAIR]: state },
    retired: { '4.12': at(AHEAD), '4.13': at(-9) },
  };
  expect(withoutFutureTimes(book, at(0), Date.parse(at(0)))).toEqual({
    ...book,
    pairs: {
      [PAIR]: {
        ...state,
        lastAttemptAt: '',
        lastChangeAt: null,
        followedSince: at(0),
        held: { ...state.held, since: at(0) },
        missing: {
          '4.14.1': { since: at(0), rounds: 2, withdrawnAt: at(0) },
          '4.14.2': { since: at(-60), rounds: 1 },
        },
      },
    },
  });
});

describe('skipped runs of the sync', () => {
  let harness: SyncHarness;
  beforeEach(async () => {
    harness = await startHarness({ config: following('stable-4.14'), source: () => chainGraph(['4.14.1']) });
    await harness.sync(0);
  });
  afterEach(() => harness.close());

  it('are shown, also a second delivery of a slot, which is no warning', async () => {
    const { log, warnings, infos } = recordedLog();
    expect(await harness.sync(0, {}, { log })).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    const skipped = { slot: at(0), trigger: 'schedule', reason: 'Duplicate' };
    expect(warnings).toEqual([]);
    expect(infos).toEqual([['sync skipped', skipped]]);
    expect((await harness.get('/v1/sync')).body).toMatchObject({ lastSkipped: skipped });
  });
});

describe('after a start with the clock 30 days ahead, housekeeping', () => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable();
    await keepHouse(AHEAD);
  });

  async function keepHouse(minutes: number, trigger: 'schedule' | 'manual' = 'schedule') {
    const { log, warnings } = recordedLog();
    const counts: object[] = [];
    const count = (counted: object) => counts.push(counted);
    const clock = () => Date.parse(at(minutes));
    const result = await runHousekeeping(
      { table, historyLimit: 10, log, count, clock },
      { scheduledTime: at(minutes), trigger },
    );
    return { result, warnings, counts };
  }

  it.each(['schedule', 'manual'] as const)(
    'runs by %s, warns, counts and stores the right slot',
    async (trigger) => {
      const { result, warnings, counts } = await keepHouse(15, trigger);
      expect(result).toMatchObject({ status: 'Done', record: { slot: at(15), outcome: 'Succeeded' } });
      expect(warnings).toEqual([
        ['stored times in the future', { slot: at(15), times: [{ field: 'finishedSlot', at: at(AHEAD) }] }],
      ]);
      expect(counts).toContainEqual({ futureTimes: 1 });
      expect(leaseOf((await readItem(table, HOUSEKEEPING_STATE_KEY))!).finishedSlot).toBe(at(15));
      expect((await keepHouse(30)).counts).not.toContainEqual({ futureTimes: 1 });
    },
  );

  it('records a run that a later one made needless', async () => {
    await keepHouse(30);
    expect((await keepHouse(15)).result).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect((await listRuns(table, 'watch')).find(({ slot }) => slot === at(15))).toMatchObject({
      outcome: 'Skipped',
      notes: ['this slot or a later one is done or under way'],
    });
  });
});

it('GET /v1/sync shows skipped runs and wrong times of housekeeping', async () => {
  const harness = await startHarness({
    config: following('stable-4.14'),
    source: () => chainGraph(['4.14.1']),
  });
  onTestFinished(() => harness.close());
  await harness.sync(0);
  const lastSkip = { slot: at(0), trigger: 'schedule', reason: 'Concurrent' };
  const item = {
    ...HOUSEKEEPING_STATE_KEY,
    token: 1,
    lastSlot: at(AHEAD),
    finishedSlot: at(AHEAD),
    lastSkip,
  };
  await harness.table.client.send(
    new PutItemCommand({ TableName: harness.table.name, Item: marshall(item) }),
  );
  expect((await harness.get('/v1/sync')).body).toMatchObject({
    watch: { lastSlot: at(AHEAD), lastSkipped: lastSkip },
    futureTimes: { count: 1, times: [{ field: 'watch finishedSlot', at: at(AHEAD) }] },
  });
});

describe('after a run with the clock 30 days ahead, a pruner', () => {
  let harness: PruneHarness;
  beforeEach(async () => {
    harness = await startPruneHarness();
    for (const layer of ['old', 'new']) await harness.registry.push('app', 'latest', ['a', layer]);
    await harness.put({ keepYoungerThan: '60d', grace: '60d', dryRun: true });
  });
  afterEach(() => harness.close());

  const ahead = { clock: () => Date.now() + AHEAD * MINUTE };
  const runAhead = (changes = {}) => harness.run(AHEAD / 60, {}, { ...ahead, ...changes });
  const lease = async () => leaseOf((await readItem(harness.table, prunerLeaseKey(PRUNER)))!);

  it.each(['schedule', 'manual'] as const)('runs by %s, warns and stores the right slot', async (trigger) => {
    expect(await runAhead()).toMatchObject({ status: 'Done' });
    const { log, warnings } = recordedLog();
    const counts: object[] = [];
    const count = (counted: object) => counts.push(counted);
    const result = await harness.run(0, { trigger }, { log, count });
    expect(result).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
    expect(warnings).toMatchObject([['stored times in the future', { pruner: PRUNER }]]);
    expect(counts).toContainEqual({ futureTimes: 1 });
    expect(Date.parse((await lease()).finishedSlot!)).toBeLessThanOrEqual(Date.now());
  });

  it('runs manually with any finished slot, but not twice', async () => {
    await harness.run(0);
    const manual = {
      trigger: 'manual',
      scheduledTime: new Date(Date.now() - 5 * MINUTE).toISOString(),
    } as const;
    expect(await harness.run(0, manual)).toMatchObject({ status: 'Done' });
    expect(await harness.run(0, manual)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(await lastSkipOf(harness.table, PRUNER)).toEqual({
      slot: manual.scheduledTime,
      trigger: 'manual',
      reason: 'Duplicate',
    });
  });

  it('shows a scheduled run that a later one made needless in its runs', async () => {
    await harness.run(0);
    const scheduledTime = new Date(Math.floor(Date.now() / MINUTE - 30) * MINUTE).toISOString();
    expect(await harness.run(0, { scheduledTime })).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(
      (await listRuns(harness.table, jobOf(PRUNER))).find(({ slot }) => slot === scheduledTime),
    ).toMatchObject({
      outcome: 'Skipped',
      notes: ['this slot or a later one is done or under way'],
    });
  });

  it('is not locked by a lease of that clock', async () => {
    const held = { leaseOwner: 'ahead', leaseUntil: ahead.clock() + 16 * MINUTE, token: 4 };
    await harness.table.client.send(
      new PutItemCommand({
        TableName: harness.table.name,
        Item: marshall({ ...prunerLeaseKey(PRUNER), ...held }),
      }),
    );
    expect(await harness.run(0)).toMatchObject({ status: 'Done' });
    expect((await lease()).token).toBe(5);
  });

  it('ends a run that was cut and begins anew, as what that one takes for old is not', async () => {
    const cut = await runAhead({ remainingMs: () => 0 });
    if (cut.status !== 'Paused') throw new Error(cut.status);
    expect(await harness.run(0)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
    expect((await listRuns(harness.table, jobOf(PRUNER))).find(({ slot }) => slot === cut.run)).toMatchObject(
      {
        outcome: 'Failed',
        notes: [`the time of the run, ${cut.run}, is in the future: a clock was wrong`],
      },
    );
    expect((await readPruner(harness.table, PRUNER))!.record).toMatchObject({ activeRun: null });
  });

  it('deletes no more in a run that was cut while it deleted', async () => {
    await harness.put({ keepYoungerThan: '10d', grace: '0s', keepTagRevisions: 1 });
    let left = 900_000;
    const registry = new Proxy(harness.s3, {
      get: (client, name) =>
        name === 'send'
          ? async (command: { readonly constructor: { readonly name: string } }) => {
              const isDeletion = command.constructor.name === 'DeleteObjectsCommand';
              if (isDeletion) left = 0;
              return client.send(command as never);
            }
          : (Reflect.get(client, name) as unknown),
    });
    const cut = await runAhead({ registry, remainingMs: () => left });
    if (cut.status !== 'Paused') throw new Error(JSON.stringify(cut));
    const keys = await harness.registry.keys();
    const resume = { trigger: 'resume', scheduledTime: cut.run } as const;
    expect(await harness.run(0, resume)).toMatchObject({ status: 'Done', outcome: 'Failed' });
    expect((await harness.registry.keys()).length).toBeGreaterThanOrEqual(keys.length);
    expect(await harness.run(0)).toMatchObject({ status: 'Done' });
  });

  it('condemns from now on what that run condemned', async () => {
    await harness.put({ keepYoungerThan: '0s', grace: '1h', keepTagRevisions: 1 });
    await runAhead();
    const condemned = async () => {
      const { condemned: file } = (await readItem(harness.table, prunerLeaseKey(PRUNER)))!;
      return new TextDecoder().decode((await harness.files.read(file as string)) ?? undefined);
    };
    expect(await condemned()).toContain(new Date(ahead.clock()).toISOString().slice(0, 10));
    await harness.run(2);
    expect(await condemned()).not.toContain(new Date(ahead.clock()).toISOString().slice(0, 10));
    expect(await harness.run(4)).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
  });

  it('does not take documents of that clock for fresh', async () => {
    await harness.put({ keepYoungerThan: '0s', grace: '0s', requireInUse: true });
    await harness.use(AHEAD / 60, {});
    const result = await harness.run(0);
    expect(result).toMatchObject({ outcome: 'Failed', reason: 'StaleInUse' });
    expect((await harness.report(result))['message']).toContain('a time in the future');
  });

  it('keeps the records of new runs, not those of that clock', async () => {
    await harness.put({ dryRun: true, successfulJobsHistoryLimit: 1 });
    await runAhead();
    const result = await harness.run(0);
    if (result.status !== 'Done') throw new Error(result.status);
    expect((await listRuns(harness.table, jobOf(PRUNER))).map(({ slot }) => slot)).toEqual([result.run]);
    expect(await harness.files.read(RUN_FILE.report(result.run))).not.toBeNull();
  });
});

describe('after a run with the clock 30 days ahead, following the fleet', () => {
  const CHANNEL = 'stable-4.14';
  let harness: FleetHarness;
  beforeEach(async () => {
    harness = await startFleetHarness([CHANNEL]);
    await harness.publish(0, { [CHANNEL]: { versions: ['4.14.8', '4.14.9'] } });
  });
  afterEach(() => harness.close());

  it('runs again and stores the right slot', async () => {
    expect(await harness.follow(AHEAD)).toMatchObject({ status: 'Done' });
    const counts: object[] = [];
    expect(await harness.follow(10, { count: (counted) => counts.push(counted) })).toMatchObject({
      status: 'Done',
    });
    expect(counts).toContainEqual({ futureTimes: 1 });
    expect(leaseOf((await readItem(harness.table, FLEET_STATE_KEY))!).finishedSlot).toBe(at(10));
  });

  it('finds a cluster that is listed for a time in the future', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(2);
    await markForReassessment(harness.table, 'prod', { revision: '0', at: at(AHEAD) });
    expect(await harness.follow(3)).toMatchObject({ counts: { clusters: 1 } });
    expect((await readFleetEntry(harness.table, 'prod')).reported).toBeNull();
    const { assessment } = await readFleetEntry(harness.table, 'prod');
    await writeAssessment(harness.table, 'prod', { ...assessment!, heldUntil: at(AHEAD) }, assessment);
    expect(await harness.follow(4)).toMatchObject({ counts: { clusters: 1 } });
    expect(await harness.follow(5)).toMatchObject({ counts: { clusters: 0 } });
  });

  it('gives a writer that marked a cluster with such a time an hour', async () => {
    await harness.report(1, 'prod', aCluster());
    await harness.follow(2);
    await markForReassessment(harness.table, 'prod', { revision: '99-zz', at: at(AHEAD) });
    await harness.follow(3);
    expect((await readFleetEntry(harness.table, 'prod')).reported?.at).toBe(at(3));
    await harness.follow(70);
    expect((await readFleetEntry(harness.table, 'prod')).reported).toBeNull();
  });
});

it('a warm function reads again when its clock, which was 30 days ahead, is set right', async () => {
  const harness = await startHarness({
    config: following('stable-4.14'),
    source: () => chainGraph(['4.14.1']),
  });
  onTestFinished(() => harness.close());
  await harness.sync(0);
  let now = Date.parse(at(AHEAD));
  const states = new PairStates(harness.table, () => now);
  const documents = new PublicationCache(harness.table, () => now);
  const heldBefore = await documents.get(PUBLICATION_NAME.graph('stable-4.14', 'amd64'));
  expect((await states.get(PAIR))?.lastSuccessAt).toBe(at(0));
  harness.stub.setSource(() => chainGraph(['4.14.1', '4.14.2']));
  await harness.sync(10);
  now = Date.parse(at(10));
  expect((await states.get(PAIR))?.lastSuccessAt).toBe(at(10));
  expect((await documents.get(PUBLICATION_NAME.graph('stable-4.14', 'amd64')))?.head.revision).not.toBe(
    heldBefore?.head.revision,
  );
});

it('a slot that is ahead of the clock retires no minor', async () => {
  const harness = await startHarness({
    config: following('stable-4.14', 'stable-4.15'),
    source: (channel) => chainGraph([`${channel.slice(-4)}.1`]),
  });
  onTestFinished(() => harness.close());
  await harness.sync(0);
  const config = following('stable-4.15');
  const confirmRemoval = ['4.14' as const];
  const rightClock = (minutes: number) => ({
    config: { ...config, confirmRemoval },
    clock: () => Date.parse(at(minutes)),
  });
  await harness.sync(10, {}, rightClock(10));
  const hasRow = async () => (await dumpTable(harness.table)).some(({ version }) => version === '4.14.1');
  await harness.sync(AHEAD, {}, rightClock(20));
  expect(await hasRow()).toBe(true);
  await harness.sync(AHEAD + 10, {}, rightClock(AHEAD + 10));
  expect(await hasRow()).toBe(false);
});
