import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { matchPath } from '../../../functions/http/match-path.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { createCincinnati } from '../../../functions/outbound/cincinnati.ts';
import type { FetchLimits } from '../../../functions/outbound/limits.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import { readSyncState, type PairState } from '../../../functions/releases/sync-state.ts';
import { servedRoutes } from '../../../functions/routes.ts';
import type { Table } from '../../../functions/store/table.ts';
import { runSync, type SyncRequest, type SyncResult } from '../../../functions/sync/job.ts';
import type { SyncDependencies } from '../../../functions/sync/run.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import type { SeenEvent } from '../lambda/seen-event.ts';
import { strictly } from '../lambda/strict.ts';
import { copyTable, newTable } from '../table/table.ts';
import { type CincinnatiStub, startCincinnatiStub, type StubSource } from './cincinnati-stub.ts';

export { configOf } from '../path/builders.ts';
export { chainGraph, following } from './drawn-chains.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Times of data in a harness are minutes since its beginning. */
export const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

export interface SyncHarness {
  readonly table: Table;
  readonly stub: CincinnatiStub;
  readonly events: SeenEvent[];
  readonly dependencies: SyncDependencies;
  config: ReleaseConfig;
  /** Runs the sync of the slot this many minutes after the start. */
  sync(
    minutes: number,
    request?: Partial<SyncRequest>,
    overrides?: Partial<SyncDependencies>,
  ): Promise<SyncResult>;
  pair(name: string): Promise<PairState | undefined>;
  get(path: string): Promise<{ status: number; body: unknown }>;
  versions(query?: string): Promise<string[]>;
  archived(): Promise<string[]>;
  /** Another harness on a copy of the table as it is now, with the same upstream and bucket: they end with the first one. */
  fork(): Promise<SyncHarness>;
  close(): Promise<void>;
}

/** The stub runs in this process: its response time depends only on the load of the machine. */
const PATIENT: Partial<FetchLimits> = {
  connectMs: 60_000,
  headersMs: 60_000,
  idleMs: 60_000,
  totalMs: 120_000,
  backoffBaseMs: 1,
};

/** A sync against a stub upstream, a real table engine and a real S3 server. */
export async function startHarness(options: {
  readonly config: ReleaseConfig;
  readonly source: StubSource;
  readonly fetchLimits?: Partial<FetchLimits>;
}): Promise<SyncHarness> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-harness-'));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const [table, stub, bucketServer] = await Promise.all([
    newTable(),
    startCincinnatiStub(options.source),
    startBucketServer({ dir, host: '127.0.0.1', port: 0, region: 'us-east-1', ...credentials }),
  ]);
  const bucket = new S3Client({
    endpoint: bucketServer.url,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
  });
  await bucket.send(new CreateBucketCommand({ Bucket: 'test' }));
  const close = async (): Promise<void> => {
    await Promise.all([stub.close(), bucketServer.close()]);
    rmSync(dir, { recursive: true, force: true });
  };
  const limits = { ...PATIENT, ...options.fetchLimits };
  return createHarness({ stub, bucket, limits, close }, table, options.config);
}

interface HarnessParts {
  readonly stub: CincinnatiStub;
  readonly bucket: S3Client;
  readonly limits: Partial<FetchLimits>;
  readonly close: () => Promise<void>;
}

function createHarness(parts: HarnessParts, table: Table, config: ReleaseConfig): SyncHarness {
  const { stub, bucket, limits, close } = parts;
  const events: SeenEvent[] = [];
  let now = START;
  const harness: SyncHarness = {
    table,
    stub,
    events,
    config,
    get dependencies(): SyncDependencies {
      return {
        table,
        bucket: { client: bucket, name: 'test' },
        config: harness.config,
        upstream: {
          kind: 'live',
          url: stub.url,
          open: () =>
            createCincinnati({
              version: 'test',
              url: stub.url,
              policy: { allowLoopbackHttp: true },
              limits,
            }),
        },
        events: {
          async publish(published) {
            events.push(...published);
            return [];
          },
        },
        log: silent,
        clock: () => now,
      };
    },
    sync(minutes, request = {}, overrides = {}) {
      now = START + minutes * 60_000;
      return runSync(
        { ...harness.dependencies, ...overrides },
        { scheduledTime: at(minutes), trigger: 'schedule', ...request },
      );
    },
    async pair(name) {
      return (await readSyncState(table))?.book.pairs[name];
    },
    async get(path) {
      const query = createQueryApp({
        table,
        sync: { intervalMs: 600_000, retirementGraceMs: 14 * 24 * 3600_000 },
        clock: () => now,
        log: silent,
      });
      const [rawPath = '', rawQueryString = ''] = path.split('?');
      const match = matchPath(servedRoutes, rawPath).find(({ route }) => route.method === 'GET');
      const event = {
        routeKey: match ? routeKey(match.route) : '$default',
        rawPath,
        rawQueryString,
        headers: {},
        pathParameters: { ...match?.pathParameters },
        isBase64Encoded: false,
        requestContext: { requestId: 'test', http: { method: 'GET' } },
      };
      const { statusCode, body } = await strictly(query)(event, {});
      return { status: statusCode!, body: JSON.parse(body!) as unknown };
    },
    async versions(query = '') {
      const { body } = await harness.get(`/v2/openshift-versions?${query}`);
      return Object.keys(body as object);
    },
    async archived() {
      const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: 'test' }));
      return Contents.map(({ Key }) => Key!);
    },
    async fork() {
      return createHarness({ ...parts, close: async () => {} }, await copyTable(table), harness.config);
    },
    close,
  };
  return harness;
}

/** `series('4.14', 3)` is 4.14.0, 4.14.1, 4.14.2. */
export const series = (minor: string, count: number): string[] =>
  Array.from({ length: count }, (_, patch) => `${minor}.${patch}`);
