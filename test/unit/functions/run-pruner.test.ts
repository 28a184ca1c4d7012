import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unfinishedRun } from '../../../functions/prune-runs/progress.ts';
import { changePruner, readPruner } from '../../../functions/pruners/store.ts';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { builtBundle } from '../../helpers/lambda/built.ts';
import { type Lambda, startLambda } from '../../helpers/lambda/lambda-host.ts';
import { newTable, tableEngines } from '../../helpers/table/table.ts';

const dir = mkdtempSync(join(tmpdir(), 'cairn-run-pruner-'));
const target = { bucket: 'registry', prefix: 'prod' };
const now = new Date().toISOString();
const closings: (() => Promise<unknown>)[] = [
  () => Promise.resolve(rmSync(dir, { recursive: true, force: true })),
];
let table: Table;
let lambda: Lambda;
/** Another, that has less time than a run keeps in reserve. */
let hasty: Lambda;

beforeAll(async () => {
  table = await newTable();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const at = { host: '127.0.0.1', port: 0, region: 'us-east-1' };
  const server = await startBucketServer({ dir: join(dir, 'bucket'), ...at, ...credentials });
  closings.push(() => server.close());
  const s3 = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials, forcePathStyle: true });
  for (const Bucket of ['archive', target.bucket]) await s3.send(new CreateBucketCommand({ Bucket }));
  const versioning = { Bucket: target.bucket, VersioningConfiguration: { Status: 'Enabled' } } as const;
  await s3.send(new PutBucketVersioningCommand(versioning));
  const digest = 'a'.repeat(64);
  const Key = `prod/docker/registry/v2/repositories/shop/_manifests/tags/v1/current/link`;
  await s3.send(new PutObjectCommand({ Bucket: target.bucket, Key, Body: `sha256:${digest}` }));
  s3.destroy();
  const reading = readPrunerSpec({ target }, { name: 'cluster', targets: [target] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  await changePruner(table, 'cluster', () => takeSpec(null, reading.spec, { now, uid: 'a' }));

  const deployed = (timeoutMs: number) =>
    startLambda({
      bundleDir: builtBundle('run-pruner'),
      timeoutMs,
      environment: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
        AWS_ENDPOINT_URL_S3: server.url,
        TABLE_NAME: table.name,
        BUCKET_NAME: 'archive',
      },
    });
  [lambda, hasty] = await Promise.all([deployed(900_000), deployed(30_000)]);
  closings.push(() => hasty.stop());
  closings.push(() => lambda.stop());
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
});

/** As EventBridge Scheduler sends it. */
const event = {
  pruner: 'cluster',
  scheduledTime: now,
  trigger: 'schedule',
  executionId: 'd32c5kddcf5bb8c3',
  attempt: '1',
};

it('pauses when its time is up, and goes on to its end, once', async () => {
  expect(await hasty.invoke(event)).toMatchObject({ ok: true, payload: { status: 'Paused' } });
  expect((await readPruner(table, 'cluster'))!.record).toMatchObject({ activeRun: { dryRun: true } });

  const { slot } = (await unfinishedRun(table, 'cluster', Date.now()))!;
  const resume = { pruner: 'cluster', scheduledTime: slot, trigger: 'resume' };
  const result = await lambda.invoke(resume);
  expect(result, lambda.logs()).toMatchObject({
    ok: true,
    payload: { status: 'Done', run: slot, outcome: 'Succeeded' },
  });
  for (const again of [resume, event]) {
    expect(await lambda.invoke(again)).toMatchObject({
      ok: true,
      payload: { status: 'Skipped', reason: 'Duplicate' },
    });
  }
  expect((await readPruner(table, 'cluster'))!.record).toMatchObject({
    activeRun: null,
    lastRun: { id: slot, outcome: 'Succeeded', dryRun: true, trigger: 'schedule' },
  });
});

it('says which delivery it was', async () => {
  await lambda.invoke(event);
  const line = lambda
    .logs()
    .split('\n')
    .findLast((text) => text.includes('prune invocation finished'));
  expect(JSON.parse(line!)).toMatchObject({
    pruner: 'cluster',
    executionId: event.executionId,
    attempt: '1',
    status: 'Skipped',
  });
});

it.each([
  ['no pruner', { ...event, pruner: undefined }, 'pruner'],
  ['a trigger of its own', { ...event, trigger: 'whim' }, 'trigger'],
  ['a time that is none', { ...event, scheduledTime: 'now' }, 'scheduledTime'],
])('refuses an event with %s', async (_what, sent, named) => {
  const result = await lambda.invoke(sent);
  expect(result.ok ? '' : result.error.errorMessage).toContain(named);
});
