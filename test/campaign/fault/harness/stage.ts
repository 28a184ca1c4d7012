import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { createTableClient } from '../../../../functions/store/client.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { startBucketServer } from '../../../../infra/local/s3/server.ts';
import { ensureTable } from '../../../../infra/local/table/prepare-table.ts';
import { userAgentOf } from '../../../helpers/s3/actor.ts';
import { type BucketProxy, startBucketProxy } from '../../../helpers/s3/bucket-proxy.ts';
import { startDynalite, startDynamoDbLocal } from '../../../helpers/table/table-engines.ts';
import { checkEngines } from './engine-check.ts';
import { startTableProxy, type TableProxy } from './table-proxy.ts';

/** dynalite is several times as fast, DynamoDB Local is closer to the table on AWS. */
export type EngineName = 'dynalite' | 'dynamodb-local';

/** A clock that goes only when it is told to; this process, and so the engines in it, have no other. */
export interface StageClock {
  advance(ms: number): void;
  /** Back to where every stage begins, so that a trial is the same whatever was before it. */
  restart(): void;
}

/** The engines that trials run on, one trial at a time, each with names of its own. */
export interface FaultStage {
  /** Past the proxies: for those who prepare and check. */
  readonly direct: S3Client;
  readonly table: Table;
  readonly bucketProxy: BucketProxy;
  readonly tableProxy: TableProxy;
  /** Clients for one invocation, by the proxies, with as many attempts as jobs have; the proxies are told this name. */
  newClients(actor?: string): { readonly s3: S3Client; readonly table: DynamoDBClient };
  /** For those who open a client of the bucket themselves. */
  bucketOptions(actor?: string): S3ClientConfig;
  /** An empty table of a trial of its own, past the proxy. */
  newTable(): Promise<Table>;
  dropTable(table: Table): Promise<void>;
  readonly clock: StageClock;
  newName(): number;
  keysOf(bucket: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The bucket that every stage has from the start. */
export const OWN_BUCKET = 'own';
const ATTEMPTS = 8;
const BEGINNING = Date.parse('2027-01-01T00:00:00Z');
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Does not start on engines that lack what the promises rest on. */
export async function startFaultStage(engineName: EngineName = 'dynalite'): Promise<FaultStage> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-fault-'));
  const engine = await (engineName === 'dynalite' ? startDynalite() : startDynamoDbLocal());
  const server = await startBucketServer({
    dir,
    host: '127.0.0.1',
    port: 0,
    region: 'us-east-1',
    ...credentials,
  });
  const direct = newS3({ endpoint: server.url, maxAttempts: 1 });
  const client = new DynamoDBClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  const table = { client, name: 'cairn' };
  await ensureTable(table);
  await direct.send(new CreateBucketCommand({ Bucket: OWN_BUCKET }));
  await checkEngines(table, { client: direct, name: OWN_BUCKET });
  const bucketProxy = await startBucketProxy(server.url, direct);
  const tableProxy = await startTableProxy(engine.url);
  const held = holdTime();
  let names = 0;
  // One call after the other: the seed alone decides what comes when.
  const oneByOne = () => ({ httpAgent: new Agent({ keepAlive: true, maxSockets: 1 }) });
  const bucketOptions = (actor = 'one'): S3ClientConfig => ({
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    endpoint: bucketProxy.url,
    customUserAgent: userAgentOf(actor),
    maxAttempts: ATTEMPTS,
    requestHandler: oneByOne(),
  });
  return {
    direct,
    table,
    bucketProxy,
    tableProxy,
    clock: held.clock,
    newClients: (actor = 'one') => ({
      s3: newS3(bucketOptions(actor)),
      table: onHeldTime(
        createTableClient(ATTEMPTS, {
          endpoint: tableProxy.url,
          region: 'us-east-1',
          credentials,
          customUserAgent: userAgentOf(actor),
          requestHandler: oneByOne(),
        }),
      ),
    }),
    bucketOptions,
    async newTable() {
      const own = { client, name: `trial-${++names}` };
      await ensureTable(own);
      return own;
    },
    async dropTable({ name }) {
      tableProxy.forget(name);
      await client.send(new DeleteTableCommand({ TableName: name }));
    },
    newName: () => ++names,
    async keysOf(bucket) {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client: direct }, { Bucket: bucket })) {
        keys.push(...Contents.map(({ Key }) => Key!));
      }
      return keys;
    },
    async close() {
      held.back();
      await Promise.all([bucketProxy.close(), tableProxy.close()]);
      direct.destroy();
      client.destroy();
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
  return onHeldTime(client);
}

/** Answers have the time of the machine, by which a client would set its clock and try again what was refused for good. */
function onHeldTime<Client extends S3Client | DynamoDBClient>(client: Client): Client {
  // Both have the same middleware but for the types of their commands.
  (client as S3Client).middlewareStack.add(
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
  let now = BEGINNING;
  Date.now = () => now;
  Math.random = () => 0.001;
  return {
    clock: { advance: (ms) => (now += ms), restart: () => (now = BEGINNING) },
    back() {
      Date.now = real.now;
      Math.random = real.random;
    },
  };
}
