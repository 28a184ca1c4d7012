import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from '../../functions/store/table.ts';
import { startBucketServer } from '../../infra/local/bucket/server.ts';
import { ensureTable } from '../../infra/local/table/ensure-table.ts';
import { startDynalite } from '../helpers/table-engines.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** A clock that goes only when it is told to; this process, and so the S3 server in it, has no other. */
export interface StageClock {
  advance(ms: number): void;
}

/** The engines that trials run on, each trial in a bucket and with a pruner of its own. */
export interface FaultStage {
  readonly direct: S3Client;
  readonly proxy: FaultProxy;
  readonly table: Table;
  /** Clients of the proxy and of the table, for one invocation. */
  newClients(): { readonly s3: S3Client; readonly table: DynamoDBClient };
  readonly clock: StageClock;
  newName(): number;
  keysOf(bucket: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export async function startFaultStage(): Promise<FaultStage> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-fault-'));
  const engine = await startDynalite();
  const server = await startBucketServer({
    dir,
    host: '127.0.0.1',
    port: 0,
    region: 'us-east-1',
    ...credentials,
  });
  const direct = newS3({ endpoint: server.url, maxAttempts: 1 });
  const newTableClient = () =>
    new DynamoDBClient({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const table = { client: newTableClient(), name: 'cairn' };
  await ensureTable(table);
  await direct.send(new CreateBucketCommand({ Bucket: 'own' }));
  const proxy = await startFaultProxy(server.url, direct);
  const restore = holdTime();
  let names = 0;
  return {
    direct,
    proxy,
    table,
    clock: restore.clock,
    newClients: () => ({
      s3: newS3({
        endpoint: proxy.url,
        maxAttempts: 8,
        // One call after the other: the seed alone decides what comes when.
        requestHandler: { httpAgent: new Agent({ keepAlive: true, maxSockets: 1 }) },
      }),
      table: newTableClient(),
    }),
    newName: () => ++names,
    async keysOf(bucket) {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client: direct }, { Bucket: bucket })) {
        keys.push(...Contents.map(({ Key }) => Key!));
      }
      return keys;
    },
    async close() {
      restore.back();
      await proxy.close();
      direct.destroy();
      table.client.destroy();
      await server.close();
      await engine.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function newS3(options: S3ClientConfig): S3Client {
  const client = new S3Client({
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...options,
  });
  // The header has the time of the machine, by which the client would set its own clock.
  client.middlewareStack.add(
    (next) => async (call) => {
      const result = await next(call);
      delete (result.response as { headers: Record<string, string> }).headers['date'];
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  return client;
}

/** Takes the clock over, and the dice: pauses between attempts are drawn by them, and would be most of the time. */
function holdTime(): { readonly clock: StageClock; back(): void } {
  const real = { now: Date.now, random: Math.random };
  let now = Date.parse('2027-01-01T00:00:00Z');
  Date.now = () => now;
  Math.random = () => 0.001;
  return {
    clock: { advance: (ms) => (now += ms) },
    back() {
      Date.now = real.now;
      Math.random = real.random;
    },
  };
}
