import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../../functions/housekeeping/job.ts';
import { unfinishedRun } from '../../../../functions/prune-runs/progress.ts';
import { listRuns } from '../../../../functions/store/run-records.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { changeSwitch, type SwitchName } from '../../../../functions/switches/store.ts';
import { type PruneHarness, PRUNER, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import { dumpTable } from '../../../helpers/table/table.ts';
import {
  at,
  chainGraph,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const since = '2026-01-01T00:00:00.000Z';
const stop = (table: Table, name: SwitchName) =>
  changeSwitch(table, name, () => ({ reason: 'a test', since, by: 'ada' }));
const release = (table: Table, name: SwitchName) => changeSwitch(table, name, () => null);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe('the switch sync', () => {
  let harness: SyncHarness;
  beforeEach(async () => {
    harness = await startHarness({
      config: following('stable-4.14', 'fast-4.14', 'candidate-4.14'),
      source: (channel) => chainGraph(series(channel.slice(-4), 3)),
    });
  });
  afterEach(() => harness.close());

  it.each(['schedule', 'manual'] as const)('keeps a run by %s from any request', async (trigger) => {
    await harness.sync(0);
    await stop(harness.table, 'sync');
    const asked = harness.stub.requests.length;
    expect(await harness.sync(10, { trigger })).toEqual({ status: 'Skipped', reason: 'Stopped' });
    expect(harness.stub.requests).toHaveLength(asked);
    expect((await harness.get('/v1/sync')).body).toMatchObject({
      running: false,
      lastSkipped: { slot: at(10), reason: 'Stopped' },
      lastRun: { slot: at(0), outcome: 'Succeeded' },
    });
    expect(await harness.versions()).toHaveLength(3);
    await release(harness.table, 'sync');
    expect(await harness.sync(20)).toMatchObject({ status: 'Done', record: { outcome: 'Succeeded' } });
  });

  it('ends a run that is under way with what it has, and the next one asks for the rest', async () => {
    let now = Date.parse(at(0));
    const limits = { pairsAtOnce: 1 };
    const onPair = ({ done }: { readonly done: number }) => {
      if (done !== 1) return;
      now += 15_000;
      stopping = stop(harness.table, 'sync');
    };
    let stopping: Promise<unknown> | undefined;
    const upstream = harness.dependencies.upstream;
    const overrides = { clock: () => now, limits, onPair, upstream };
    // The pair after it is begun only when the switch is written.
    const table = {
      ...harness.table,
      client: new Proxy(harness.table.client, {
        get: (client, name) =>
          name === 'send'
            ? async (command: Parameters<typeof client.send>[0]) => {
                await stopping;
                return client.send(command);
              }
            : (Reflect.get(client, name) as unknown),
      }),
    };
    const result = await harness.sync(0, {}, { ...overrides, table });
    expect(result).toMatchObject({
      status: 'Done',
      record: {
        outcome: 'PartiallySucceeded',
        pairs: { published: 1, skipped: 2, failed: 0 },
        notes: ['2 channels were not asked: the sync was stopped'],
      },
    });
    expect(harness.stub.requests).toHaveLength(1);
    expect(await harness.versions()).toHaveLength(3);
    await release(harness.table, 'sync');
    expect(await harness.sync(10)).toMatchObject({
      record: { outcome: 'Succeeded', pairs: { published: 2, unchanged: 1 } },
    });
  });
});

describe('the switch prune', () => {
  let harness: PruneHarness;
  beforeEach(async () => {
    harness = await startPruneHarness();
    for (const layer of ['old', 'new']) await harness.registry.push('app', 'latest', ['a', 'b', layer]);
    await harness.put({ keepYoungerThan: '0s', grace: '0s', keepTagRevisions: 1 });
  });
  afterEach(() => harness.close());

  /** What looks after pruners, once; the runs that it goes on with. */
  async function watch(): Promise<{ resumed: string[]; metrics: object }> {
    const resumed: string[] = [];
    let metrics = {};
    const result = await runHousekeeping(
      {
        table: harness.table,
        historyLimit: 10,
        openPruning: async () => ({
          grantedBuckets: [{ bucket: harness.bucket, prefix: '' }],
          schedules: { put: async () => {}, holds: async () => true, remove: async () => {} },
          holdsRegistry: async () => true,
          resume: async (_, slot) => void resumed.push(slot),
        }),
        log: silent,
        count: (counts) => (metrics = { ...metrics, ...counts }),
        clock: Date.now,
      },
      { scheduledTime: new Date().toISOString(), trigger: 'manual' },
    );
    expect(result).toMatchObject({ status: 'Done', record: { outcome: 'Succeeded' } });
    return { resumed, metrics };
  }

  it.each(['schedule', 'manual'] as const)('keeps a run by %s from beginning', async (trigger) => {
    await stop(harness.table, 'prune');
    const before = await harness.registry.keys();
    const scheduledTime = new Date(Date.now() + 3600_000).toISOString();
    expect(await harness.run(1, { trigger, scheduledTime })).toEqual({
      status: 'Skipped',
      reason: 'Stopped',
    });
    expect(await harness.registry.keys()).toEqual(before);
    expect(await listRuns(harness.table, `image-pruner/${PRUNER}`)).toMatchObject([
      { outcome: 'Skipped', notes: ['pruning is stopped: a test'] },
    ]);
    expect((await dumpTable(harness.table)).some(({ sk, token }) => sk === 'LEASE' && token)).toBe(false);
    await release(harness.table, 'prune');
    expect(await harness.run(2)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
  });

  /** The client of a registry, with something done before the first command of a kind. */
  function before(
    kind: typeof DeleteObjectsCommand | typeof ListObjectsV2Command,
    act: () => Promise<unknown>,
  ) {
    let isDone = false;
    return new Proxy(harness.s3, {
      get: (client, name) =>
        name === 'send'
          ? async (command: Parameters<S3Client['send']>[0]) => {
              if (command instanceof kind && !isDone) {
                isDone = true;
                await act();
              }
              return client.send(command);
            }
          : (Reflect.get(client, name) as unknown),
    });
  }

  it('pauses a run before its next deletion, and housekeeping resumes it afterwards', async () => {
    let elapsed = 0;
    const clock = () => Date.now() + elapsed;
    const registry = before(DeleteObjectsCommand, async () => {
      await stop(harness.table, 'prune');
      elapsed = 20_000;
    });
    const paused = await harness.run(1, {}, { clock, registry });
    expect(paused).toMatchObject({ status: 'Paused', phase: 'delete', reason: 'Stopped' });
    const { progress, slot } = (await unfinishedRun(harness.table, PRUNER, Date.now()))!;
    expect(Object.keys(progress.deleted)).toEqual(['tag']);
    expect(await harness.registry.faultOfPull('app', 'latest')).toBeNull();

    const keys = await harness.registry.keys();
    const stopped = await watch();
    expect(stopped).toMatchObject({ resumed: [], metrics: { switchesStopped: 1 } });
    expect(await harness.run(1, { trigger: 'resume', scheduledTime: slot })).toEqual({
      status: 'Skipped',
      reason: 'Stopped',
    });
    expect(await harness.registry.keys()).toEqual(keys);

    await release(harness.table, 'prune');
    const back = await watch();
    expect(back).toMatchObject({ resumed: [slot], metrics: { switchesStopped: 0 } });
    const done = await harness.run(1, { trigger: 'resume', scheduledTime: slot });
    expect(done).toMatchObject({ status: 'Done', run: slot, outcome: 'Succeeded', reason: 'Pruned' });
    expect(await harness.report(done)).toMatchObject({ deleted: { tag: { count: 1 }, blob: { count: 3 } } });
    expect(await listRuns(harness.table, `image-pruner/${PRUNER}`)).toMatchObject([{ outcome: 'Succeeded' }]);
  });

  it('brings back at once what came into use while it deleted', async () => {
    const old = await harness.registry.push('app', null, ['a', 'b', 'unused']);
    let elapsed = 0;
    const clock = () => Date.now() + elapsed;
    let deletions = 0;
    // Blobs go last: the run is stopped when the first of them are gone, and one of them was tagged meanwhile.
    const registry = new Proxy(harness.s3, {
      get: (client, name) =>
        name === 'send'
          ? async (command: Parameters<S3Client['send']>[0]) => {
              const answer = await client.send(command);
              if (command instanceof DeleteObjectsCommand && ++deletions === 4) {
                await harness.registry.tag('app', 'stable', old);
                await stop(harness.table, 'prune');
                elapsed = 20_000;
              }
              return answer;
            }
          : (Reflect.get(client, name) as unknown),
    });
    expect(await harness.run(1, {}, { clock, registry })).toMatchObject({
      status: 'Paused',
      reason: 'Stopped',
    });
    expect(await harness.registry.faultOfPull('app', 'stable')).toBeNull();
    expect(await harness.registry.faultOfPull('app', 'latest')).toBeNull();
  });

  it('is noticed while a registry is listed', async () => {
    let elapsed = 0;
    const clock = () => Date.now() + elapsed;
    const registry = before(ListObjectsV2Command, async () => {
      await stop(harness.table, 'prune');
      elapsed = 20_000;
    });
    expect(await harness.run(1, {}, { clock, registry })).toMatchObject({
      status: 'Paused',
      reason: 'Stopped',
    });
    await release(harness.table, 'prune');
    expect(await harness.run(2)).toMatchObject({ status: 'Done', outcome: 'Succeeded', reason: 'Pruned' });
  });
});
