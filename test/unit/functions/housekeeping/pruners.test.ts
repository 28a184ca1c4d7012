import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { marshall } from '@aws-sdk/util-dynamodb';
import { runFinished, runStarted, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec, type RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../../functions/housekeeping/job.ts';
import type {
  HousekeepingDependencies,
  HousekeepingPruning,
} from '../../../../functions/housekeeping/run.ts';
import type { PrunerScheduleDefinition, PrunerSchedules } from '../../../../functions/pruners/schedules.ts';
import {
  changePruner,
  listPruners,
  readPruner,
  removePruner,
  revisePruner,
} from '../../../../functions/pruners/store.ts';
import { prunerLeaseKey, PRUNER_SEEDS_KEY } from '../../../../functions/store/keys.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { startBucketServer } from '../../../../infra/local/s3/server.ts';
import { startAwsStub } from '../../../helpers/lambda/aws-stub.ts';
import { builtBundle } from '../../../helpers/lambda/built.ts';
import { heldSchedules } from '../../../helpers/lambda/held-schedules.ts';
import { startLambda } from '../../../helpers/lambda/lambda-host.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

const FIRST: RegistryTarget = { bucket: 'registry', prefix: '' };
const SECOND: RegistryTarget = { bucket: 'mirror.example.com', prefix: 'prod' };

/** Holds schedules, and fails for those that it is told to. */
class Schedules implements PrunerSchedules {
  readonly held = new Map<string, PrunerScheduleDefinition>();
  readonly broken = new Set<string>();

  async put(pruner: string, definition: PrunerScheduleDefinition): Promise<void> {
    if (this.broken.has(pruner)) throw new Error('no schedules today');
    this.held.set(pruner, definition);
  }

  async holds(pruner: string, definition: PrunerScheduleDefinition): Promise<boolean> {
    return isDeepStrictEqual(this.held.get(pruner), definition);
  }

  async remove(pruner: string): Promise<void> {
    this.held.delete(pruner);
  }
}

let table: Table;
let schedules: Schedules;
/** Buckets in which registries keep something. */
let filled: Set<string>;
let resumed: string[];
beforeEach(async () => {
  table = await newTable();
  schedules = new Schedules();
  filled = new Set();
  resumed = [];
});

type Counts = Parameters<HousekeepingDependencies['count']>;

/** Runs the watch of the slot that many minutes after the beginning. */
async function watch(minutes: number, options: Partial<HousekeepingPruning> & { readonly on?: Table } = {}) {
  const { on = table, ...pruning } = options;
  const counts: Counts[] = [];
  const messages: string[] = [];
  const say = (message: string): void => void messages.push(message);
  const result = await runHousekeeping(
    {
      table: on,
      historyLimit: 10,
      openPruning: async () => ({
        grantedBuckets: [FIRST, SECOND],
        schedules,
        holdsRegistry: async ({ bucket }) => filled.has(bucket),
        resume: async (pruner, slot) => void resumed.push(`${pruner} ${slot}`),
        ...pruning,
      }),
      log: { info: say, warn: say, error: say },
      count: (...count) => counts.push(count),
      clock: () => START + minutes * MINUTE,
    },
    { scheduledTime: at(minutes), trigger: 'schedule' },
  );
  if (result.status !== 'Done') throw new Error(`skipped: ${result.reason}`);
  return { ...result.record, metrics: counts, messages };
}

async function pruners() {
  const { pruners: stored } = await listPruners(table, { after: null, limit: 100 });
  return Object.fromEntries(stored.map(({ name, record }) => [name, record]));
}

async function make(name: string, target: RegistryTarget, fields: object = {}): Promise<void> {
  const reading = readPrunerSpec({ target, ...fields }, { name, targets: [target] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  await changePruner(table, name, () => takeSpec(null, reading.spec, { now: at(-1), uid: `uid-${name}` }));
}

/** The same table behind a client that fails the calls that `isBroken` picks. */
function failing(isBroken: (command: unknown) => boolean): Table {
  const send = async (command: unknown) => {
    if (isBroken(command)) throw new Error('the disk is wet');
    return table.client.send(command as PutItemCommand);
  };
  return { ...table, client: { send } as DynamoDBClient };
}

describe('first pruners', () => {
  it('are made for each bucket, suspended where there is a registry already', async () => {
    filled.add(SECOND.bucket);
    const watched = await watch(0);
    const { cluster, ...others } = await pruners();
    expect(Object.keys(others)).toEqual(['mirror.example.com']);
    expect(cluster!.spec).toMatchObject({
      target: FIRST,
      schedule: '0 0 * * *',
      suspend: false,
      dryRun: true,
    });
    expect(others['mirror.example.com']!.spec).toMatchObject({ target: SECOND, suspend: true, dryRun: true });
    expect(cluster).toMatchObject({ generation: 1, observedGeneration: 1, createdAt: at(0) });
    const suspended = [...schedules.held].map(([name, { suspend }]) => [name, suspend]);
    expect(Object.fromEntries(suspended)).toEqual({ cluster: false, 'mirror.example.com': true });
    expect(watched).toMatchObject({
      outcome: 'Succeeded',
      notes: [],
      counts: { prunersWatched: 2, prunersSeeded: 2, prunersScheduled: 2, prunerRunsResumed: 0 },
    });
    expect((await watch(15)).counts).toMatchObject({ prunersSeeded: 0, prunersScheduled: 0 });
  });

  it('are not created again after a deletion', async () => {
    await watch(0);
    await removePruner(table, 'cluster', () => {});
    const watched = await watch(15);
    expect(watched).toMatchObject({ outcome: 'Succeeded', counts: { prunersWatched: 1, prunersSeeded: 0 } });
    expect(Object.keys(await pruners())).toEqual(['mirror.example.com']);
    // What the deletion could not do is done here.
    expect([...schedules.held.keys()]).toEqual(['mirror.example.com']);
    await watch(30);
    expect(Object.keys(await pruners())).toEqual(['mirror.example.com']);
  });

  it('are not created where one exists already, also not later', async () => {
    await make('mine', FIRST);
    await watch(0);
    expect(Object.keys(await pruners())).toEqual(['mine', 'mirror.example.com']);
    await removePruner(table, 'mine', () => {});
    await watch(15);
    expect(Object.keys(await pruners())).toEqual(['mirror.example.com']);
  });

  it('have another name where theirs is taken', async () => {
    await make('cluster', { bucket: 'other', prefix: '' });
    await make('mirror.example.com', { bucket: 'other', prefix: 'a' });
    await watch(0);
    const names = Object.entries(await pruners()).map(([name, { spec }]) => [name, spec.target.bucket]);
    expect(names).toEqual([
      ['cluster', 'other'],
      ['mirror.example.com', 'other'],
      ['mirror.example.com-2', 'mirror.example.com'],
      ['registry', 'registry'],
    ]);
  });

  it('of two folders of one bucket are two', async () => {
    const grantedBuckets = [FIRST, { ...FIRST, prefix: 'a' }, { ...FIRST, prefix: 'b' }];
    await watch(0, { grantedBuckets });
    const made = Object.entries(await pruners()).map(([name, { spec }]) => [name, spec.target.prefix]);
    expect(made).toEqual([
      ['cluster', ''],
      ['registry', 'a'],
      ['registry-2', 'b'],
    ]);
  });

  it('that cannot be created do not stop the others, and are created later', async () => {
    const watched = await watch(0, {
      holdsRegistry: async ({ bucket }) => {
        if (bucket === FIRST.bucket) throw new Error('no such bucket');
        return false;
      },
    });
    expect(watched).toMatchObject({
      outcome: 'PartiallySucceeded',
      notes: ['no pruner was made for registry: no such bucket'],
      counts: { prunersSeeded: 1 },
    });
    expect((await watch(15)).counts).toMatchObject({ prunersSeeded: 1 });
    expect(Object.keys(await pruners())).toEqual(['cluster', 'mirror.example.com']);
  });

  it('are made once, even when it is not known for a while that they were', async () => {
    const seeds = PRUNER_SEEDS_KEY.pk;
    const on = failing(
      (command) => command instanceof UpdateItemCommand && command.input.Key?.['pk']?.S === seeds,
    );
    expect((await watch(0, { on })).notes).toHaveLength(2);
    const made = await pruners();
    expect((await watch(15)).counts).toMatchObject({ prunersSeeded: 0 });
    expect(Object.values(await pruners()).map(({ uid }) => uid)).toEqual(
      Object.values(made).map(({ uid }) => uid),
    );
    await removePruner(table, 'cluster', () => {});
    await watch(30);
    expect(Object.keys(await pruners())).toEqual(['mirror.example.com']);
  });
});

describe('schedules', () => {
  it('that were deleted or changed are repaired', async () => {
    await watch(0);
    const daily = schedules.held.get('cluster')!;
    const other = schedules.held.get('mirror.example.com')!;
    schedules.held.delete('cluster');
    schedules.held.set('mirror.example.com', { ...other, suspend: true });
    const watched = await watch(15);
    expect(watched).toMatchObject({ outcome: 'Succeeded', counts: { prunersScheduled: 2 } });
    expect(watched.messages.filter((message) => message === 'pruner scheduled')).toHaveLength(2);
    expect(schedules.held.get('cluster')).toEqual(daily);
    expect(schedules.held.get('mirror.example.com')).toEqual(other);
    expect((await watch(30)).counts).toMatchObject({ prunersScheduled: 0 });
  });

  it('that cannot be created are reported, and do not stop the others', async () => {
    schedules.broken.add('cluster');
    const watched = await watch(0);
    expect(watched).toMatchObject({
      outcome: 'PartiallySucceeded',
      notes: ['the pruner cluster was not scheduled: Error: no schedules today'],
      counts: { prunersWatched: 2, prunersScheduled: 1 },
    });
    expect(watched.metrics).toContainEqual([
      expect.objectContaining({ installStatus: 0 }),
      { Pruner: 'cluster', DryRun: 'yes' },
    ]);
    const { record } = (await readPruner(table, 'cluster'))!;
    expect(record.conditions.find(({ type }) => type === 'Scheduled')).toMatchObject({ reason: 'Error' });
    schedules.broken.clear();
    expect(await watch(15)).toMatchObject({ outcome: 'Succeeded', counts: { prunersScheduled: 1 } });
  });
});

describe('runs that were cut', () => {
  const keepLease = (pruner: string, lease: object) =>
    table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({ ...prunerLeaseKey(pruner), token: 1, lastSlot: at(-30), ...lease }),
      }),
    );
  const progress = JSON.stringify({ slot: at(-30), startedAt: at(-29) });
  const held = { leaseOwner: 'another', leaseUntil: START + 20 * MINUTE };

  beforeEach(async () => {
    await watch(0);
  });

  it('are resumed when no process works on them', async () => {
    await keepLease('cluster', { progress });
    await keepLease('mirror.example.com', { progress, ...held });
    const watched = await watch(15);
    expect(resumed).toEqual([`cluster ${at(-30)}`]);
    expect(watched.counts).toMatchObject({ prunerRunsResumed: 1 });
    expect(watched.messages).toContain('prune run resumed');
    // The invocation died: its lease is over.
    await watch(90);
    expect(resumed.slice(1).toSorted()).toEqual([`cluster ${at(-30)}`, `mirror.example.com ${at(-30)}`]);
  });

  it('do not, when they are finished or their pruner is gone', async () => {
    await keepLease('cluster', { progress: '', finishedSlot: at(-30) });
    await keepLease('mirror.example.com', { progress });
    await removePruner(table, 'mirror.example.com', () => {});
    await watch(15);
    expect(resumed).toEqual([]);
  });

  it('that cannot be started are reported', async () => {
    await keepLease('cluster', { progress });
    const watched = await watch(15, {
      resume: async () => {
        throw new Error('no schedules today');
      },
    });
    expect(watched).toMatchObject({
      outcome: 'PartiallySucceeded',
      notes: ['the pruner cluster was not looked after: no schedules today'],
      counts: { prunersWatched: 2, prunerRunsResumed: 0 },
    });
  });
});

describe('metrics', () => {
  const well = {
    installStatus: 2,
    activeRunAgeSeconds: 0,
    prunerOverdue: 0,
    lastRunFailed: 0,
    lastRunBlocked: 0,
  };
  const ofPruners = ({ metrics }: Awaited<ReturnType<typeof watch>>) =>
    metrics
      .filter(([counts]) => 'installStatus' in counts)
      .toSorted(([, a], [, b]) => ((a?.['Pruner'] ?? '~') < (b?.['Pruner'] ?? '~') ? -1 : 1));

  it('show the state of each pruner, and the worst of all', async () => {
    filled.add(SECOND.bucket);
    await watch(0);
    const run = { id: at(1), trigger: 'schedule', dryRun: false, startedAt: at(1) } as const;
    await make('third', { bucket: 'third', prefix: '' }, { dryRun: false });
    await revisePruner(table, 'third', 'uid-third', (record) =>
      runStarted(
        runFinished(record, {
          ...run,
          finishedAt: at(2),
          outcome: 'Failed',
          reason: 'TooMuch',
          message: 'far too much',
        }),
        { ...run, id: at(3), startedAt: at(3) },
      ),
    );
    expect(ofPruners(await watch(15))).toEqual([
      [well, { Pruner: 'cluster', DryRun: 'yes' }],
      [
        { ...well, installStatus: 1 },
        { Pruner: 'mirror.example.com', DryRun: 'yes' },
      ],
      [
        { ...well, activeRunAgeSeconds: 12 * 60, lastRunFailed: 1, lastRunBlocked: 1 },
        { Pruner: 'third', DryRun: 'no' },
      ],
      [
        {
          installStatus: 1,
          activeRunAgeSeconds: 12 * 60,
          prunerOverdue: 0,
          lastRunFailed: 1,
          lastRunBlocked: 1,
        },
      ],
    ]);
  });

  it('show a healthy state without pruners', async () => {
    expect(ofPruners(await watch(0, { grantedBuckets: [] }))).toEqual([[well]]);
  });

  it('show that no run has finished for two periods', async () => {
    await watch(0);
    const isOverdue = async (hours: number) => ofPruners(await watch(hours * 60)).at(-1)![0].prunerOverdue;
    // At noon; the midnights are 12 and 36 hours later, and a run may begin an hour late.
    expect(await isOverdue(36.9)).toBe(0);
    expect(await isOverdue(37.1)).toBe(1);
  });
});

describe('as it is deployed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-watch-pruners-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('makes pruners and schedules, and goes on with runs', async () => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const scheduler = await startAwsStub();
    const { byName, reply } = heldSchedules('cairn');
    scheduler.answerBy(reply);
    const bucketServer = await startBucketServer({
      dir: join(dir, 'bucket'),
      host: '127.0.0.1',
      port: 0,
      region: 'us-east-1',
      ...credentials,
    });
    const s3 = new S3Client({
      endpoint: bucketServer.url,
      region: 'us-east-1',
      credentials,
      forcePathStyle: true,
    });
    await s3.send(new CreateBucketCommand({ Bucket: 'registry' }));
    await s3.send(
      new PutObjectCommand({ Bucket: 'registry', Key: 'prod/docker/registry/v2/blobs/sha256/aa', Body: 'a' }),
    );
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({
          ...prunerLeaseKey('cluster'),
          token: 1,
          progress: JSON.stringify({ slot: at(-30), startedAt: at(-29) }),
        }),
      }),
    );
    const lambda = await startLambda({
      bundleDir: builtBundle('watch'),
      environment: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
        AWS_ENDPOINT_URL_S3: bucketServer.url,
        AWS_ENDPOINT_URL_SCHEDULER: scheduler.url,
        TABLE_NAME: table.name,
        HISTORY_LIMIT: '9',
        SYNC_INTERVAL_MINUTES: '10',
        SERVICE_NAME: 'Cairn-test',
        REGISTRY_BUCKETS: JSON.stringify([{ bucket: 'registry', prefix: 'prod' }]),
        PRUNER_FUNCTION_ARN: 'arn:aws:lambda:us-east-1:1:function:prune',
        PRUNER_ROLE_ARN: 'arn:aws:iam::1:role/prune',
        SCHEDULE_GROUP: 'cairn',
        DELIVERY_QUEUE_ARN: 'arn:aws:sqs:us-east-1:1:undelivered',
      },
    });
    const first = await lambda.invoke({ scheduledTime: at(0), trigger: 'schedule' });
    const second = await lambda.invoke({ scheduledTime: at(15), trigger: 'schedule' });
    await Promise.all([lambda.stop(), scheduler.close(), bucketServer.close()]);
    s3.destroy();
    expect(first).toMatchObject({
      ok: true,
      payload: {
        outcome: 'Succeeded',
        counts: { prunersSeeded: 1, prunersScheduled: 1, prunerRunsResumed: 1 },
      },
    });
    // The schedule that goes on with it is still there.
    expect(second).toMatchObject({
      ok: true,
      payload: { outcome: 'Succeeded', counts: { prunersSeeded: 0, prunersScheduled: 0 } },
    });
    expect((await readPruner(table, 'cluster'))!.record.spec.suspend).toBe(true);
    const [standing, resuming, ...others] = [...byName];
    expect(others).toEqual([]);
    expect(standing).toMatchObject(['pruner-cluster', { State: 'DISABLED' }]);
    expect(resuming![0]).toMatch(/^resume-20260101113000-[0-9a-f]{16}$/);
    expect(resuming![1]).toMatchObject({
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: 'arn:aws:lambda:us-east-1:1:function:prune',
        RoleArn: 'arn:aws:iam::1:role/prune',
        Input: JSON.stringify({ pruner: 'cluster', trigger: 'resume', scheduledTime: at(-30) }),
      },
    });
    const lines = lambda
      .logs()
      .split('\n')
      .filter((line) => line.includes('InstallStatus'))
      .map((line) => JSON.parse(line) as object);
    expect(lines.slice(0, 2)).toMatchObject([
      { InstallStatus: 1, Pruner: 'cluster', DryRun: 'yes' },
      { InstallStatus: 1, service: 'Cairn-test' },
    ]);
    expect(lines[1]).not.toHaveProperty('Pruner');
  });
});
