import { once } from 'node:events';
import { cpSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import dynalite from 'dynalite';
import { afterAll, expect, it } from 'vitest';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { type LocalRun, openFixture } from '../../helpers/local/local-run.ts';
import { sized } from '../../helpers/size.ts';
import { itemContents } from '../../helpers/table/item-contents.ts';
import { dumpTable } from '../../helpers/table/table.ts';
import { startCincinnatiStub } from '../../helpers/upstream/cincinnati-stub.ts';
import { chainGraph, series } from '../../helpers/upstream/sync-harness.ts';

const KILLS = sized(6, 50);
const SEED = Number(process.env['CAIRN_SEED'] ?? Date.now() % 1_000_000);
const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

const fixture = openFixture();
afterAll(() => fixture.close());

const releases = fixture.releasesFile({
  release_sources: ['4.14', '4.15'].map((minor) => ({
    openshift_version: minor,
    upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'fast'] }],
  })),
});

type Upstream = (channel: string) => unknown;

const minorOf = (channel: string): string => channel.split('-')[1]!;
const before: Upstream = (channel) => chainGraph(series(minorOf(channel), 6));
/** The later upstream has new versions, and one is gone. */
const after: Upstream = (channel) =>
  chainGraph(series(minorOf(channel), 9).filter((version) => !version.endsWith('.3')));

interface Sync {
  readonly run: LocalRun;
  /** The sync has begun: upstream was asked for the first time. */
  readonly begun: Promise<unknown>;
  /** The run and its children are gone, and so is the upstream. */
  readonly ended: LocalRun['ended'];
}

/** Syncs a folder once, with an upstream that takes a little time for each answer. */
async function sync(data: string, upstream: Upstream): Promise<Sync> {
  const begun = Promise.withResolvers<void>();
  let asked = 0;
  const stub = await startCincinnatiStub(async (channel) => {
    begun.resolve();
    await sleep(15 * asked++);
    return upstream(channel);
  });
  const run = fixture.start(['--data', data, '--releases', releases, '--once', '--upstream', stub.url]);
  const ended = run.ended.then(async (end) => {
    await stub.close();
    return end;
  });
  return { run, begun: Promise.race([begun.promise, ended]), ended };
}

/** Syncs to the end; resolves to how long the sync itself took. */
async function syncWhole(data: string, upstream: Upstream, which = ''): Promise<number> {
  const { run, begun, ended } = await sync(data, upstream);
  await begun;
  const startedAt = performance.now();
  await run.printed(/^Succeeded/m);
  const tookMs = performance.now() - startedAt;
  expect(await ended, `${which}\n${run.stderr}`).toEqual({ code: 0, signal: null });
  return tookMs;
}

/** What the table and the archive of a folder say, read from the files that the run left. */
async function contentsOf(data: string): Promise<unknown> {
  const table = dynalite({ path: join(data, 'live', 'table'), createTableMs: 0 });
  table.listen(0, '127.0.0.1');
  await once(table, 'listening');
  const { port } = table.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: { ...CREDENTIALS } });
  try {
    return { ...itemContents(await dumpTable({ client, name: 'cairn' })), archive: await archiveOf(data) };
  } finally {
    client.destroy();
    await new Promise((resolve) => table.close(resolve));
  }
}

/** Every graph in the archive once, however often and whenever it was put there. */
async function archiveOf(data: string): Promise<string[]> {
  const dir = join(data, 'live', 'bucket');
  const server = await startBucketServer({ dir, host: '127.0.0.1', port: 0, region: REGION, ...CREDENTIALS });
  const credentials = { ...CREDENTIALS };
  const client = new S3Client({ endpoint: server.url, region: REGION, credentials, forcePathStyle: true });
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'cairn' }));
    const graphs = Contents.map(({ Key }) => Key!.replace(/\/[^/]*Z-/, '/'));
    return [...new Set(graphs)].toSorted();
  } finally {
    client.destroy();
    await server.close();
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it(`converges after SIGKILL at ${KILLS} moments of a sync`, async () => {
  const random = randomFrom(SEED);
  const firstData = fixture.dataFolder();
  await syncWhole(firstData, before);
  const first = await contentsOf(firstData);
  const updatedData = fixture.dataFolder();
  cpSync(firstData, updatedData, { recursive: true });
  // Of the latest whole sync: the machine may be busier now than a minute ago.
  let durationMs = await syncWhole(updatedData, after);
  const updated = await contentsOf(updatedData);
  expect(updated).not.toEqual(first);

  const cases = Array.from({ length: KILLS }, (_, index) => ({
    // One moment in each of equal parts of the sync, so that no phase is left out.
    moment: (index + random()) / KILLS,
    // Half of them begin with an empty folder, the others with that of the sync before.
    isUpdate: random() < 0.5,
    // The children of a process that dies alone live on for a moment, in which the next one starts.
    isAlone: random() < 0.5,
  }));
  const killOnce = async ({ moment, isUpdate, isAlone }: (typeof cases)[number]): Promise<void> => {
    const data = fixture.dataFolder();
    if (isUpdate) cpSync(firstData, data, { recursive: true });
    const upstream = isUpdate ? after : before;
    const { run, begun } = await sync(data, upstream);
    const exit = once(run.child, 'exit');
    await begun;
    await sleep(moment * durationMs);
    if (isAlone) run.child.kill('SIGKILL');
    else run.signalGroup('SIGKILL');
    await exit;
    // It came too late: another one, earlier.
    if (/^Succeeded/m.test(run.stdout)) return killOnce({ moment: moment / 2, isUpdate, isAlone });

    const which = `CAIRN_SEED=${SEED}: ${JSON.stringify({ moment, isUpdate, isAlone })}`;
    durationMs = await syncWhole(data, upstream, which);
    expect(await contentsOf(data), which).toEqual(isUpdate ? updated : first);
  };
  await mapConcurrent(cases, 2, killOnce);
});
