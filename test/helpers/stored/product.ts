import { gunzipSync } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { parseReleaseConfig } from '@cairn/shared/releases/sources';
import { reassessFleet } from '../../../functions/fleet/job.ts';
import { countFreshness } from '../../../functions/housekeeping/freshness.ts';
import { runHousekeeping } from '../../../functions/housekeeping/job.ts';
import { matchPath } from '../../../functions/http/match-path.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { createManageApp } from '../../../functions/manage-app.ts';
import { manageRoutes } from '../../../functions/manage-routes.ts';
import { createCincinnati } from '../../../functions/outbound/cincinnati.ts';
import { runPruner } from '../../../functions/prune-runs/job.ts';
import { registryPresence } from '../../../functions/prune-runs/registry-storage.ts';
import { RunFiles } from '../../../functions/pruners/files.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import { queryRoutes } from '../../../functions/query-routes.ts';
import type { Table } from '../../../functions/store/table.ts';
import { runSync } from '../../../functions/sync/job.ts';
import { bucketUploads } from '../../../functions/uploads/store.ts';

/**
 * One release of Cairn behind a stable interface: both API functions and the four jobs. `make.ts` bundles this file
 * as the frozen release of a dump, so the interface changes only with a new dump.
 */
export interface Product {
  request(request: ProductRequest): Promise<ProductResponse>;
  sync(slot: string): Promise<{ readonly status: string; readonly reason?: string }>;
  /** `resumed` lists the prune runs to resume, which the Scheduler starts on AWS. */
  housekeeping(slot: string): Promise<{ readonly status: string; readonly resumed: readonly PruneSlot[] }>;
  reassessFleet(slot: string): Promise<{ readonly status: string; readonly reason?: string }>;
  prune(run: PruneSlot & { readonly trigger: PruneTrigger }): Promise<{ readonly status: string }>;
}

export interface ProductRequest {
  readonly method: string;
  readonly target: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ProductResponse {
  readonly status: number;
  readonly type: string | null;
  readonly etag: string | null;
  /** Decompressed. */
  readonly text: string;
}

export interface PruneSlot {
  readonly pruner: string;
  readonly slot: string;
}

type PruneTrigger = 'schedule' | 'manual' | 'resume';

export interface Surroundings {
  readonly table: Table;
  readonly s3: S3Client;
  /** Cairn's own bucket. */
  readonly bucket: string;
  readonly registries: readonly { readonly bucket: string; readonly prefix: string }[];
  /** A parsed `releases.json`. */
  readonly releases: unknown;
  readonly upstream: string;
  readonly clock: () => number;
  /** Events that the bus rejects. */
  readonly refusesEvent: (type: string, subject: string) => boolean;
  readonly isWebhookDown: () => boolean;
  /** Remaining time of a prune invocation in ms, read before each part of the work. */
  readonly pruneTimeLeft: () => number;
  /** Receives warnings and errors of jobs. */
  readonly onWarning: (message: string, fields?: object) => void;
}

const SYNC = { intervalMs: 600_000, retirementGraceMs: 14 * 24 * 3600_000 };
const HISTORY_LIMIT = 100;
/** Stored instead of the stub's URL, whose port changes with each run. */
const UPSTREAM_NAME = 'https://updates.example.com/graph';

export function openProduct(around: Surroundings): Product {
  const { table, s3, clock } = around;
  const bucket = { client: s3, name: around.bucket };
  const log = { info: () => {}, warn: around.onWarning, error: around.onWarning };
  const schedules = { put: async () => {}, holds: async () => true, remove: async () => {} };
  const query = createQueryApp({ table, clock, log, sync: SYNC, cpuTime: () => 0 });
  const manage = createManageApp({
    table,
    clock,
    log,
    sync: SYNC,
    historyLimit: HISTORY_LIMIT,
    launcher: {
      launchSync: async ({ now }) => new Date(now).toISOString(),
      launchPruner: async ({ now, slot = new Date(now).toISOString() }) => slot,
    },
    openPruning: async () => ({
      grantedBuckets: around.registries,
      schedules,
      openRunFiles: async () => (pruner) => new RunFiles(bucket, pruner),
    }),
    openUploads: async () => {
      const { endpoint, region, credentials, requestHandler } = s3.config;
      const where = { endpoint: endpoint!, region, credentials, requestHandler, forcePathStyle: true };
      return bucketUploads(bucket.name, where);
    },
  });
  const events = {
    publish: async <Event extends { type: string; detail: Readonly<Record<string, unknown>> }>(
      published: readonly Event[],
    ) =>
      published.filter(({ type, detail }) =>
        around.refusesEvent(type, String(detail['cluster'] ?? detail['pruner'] ?? detail['channel'])),
      ),
  };
  const count = () => {};
  return {
    async request({ method, target, body }) {
      const [rawPath = '', rawQueryString = ''] = target.split('?');
      const [found] = [
        ...matchPath(queryRoutes, rawPath).map((match) => ({ ...match, app: query })),
        ...matchPath(manageRoutes, rawPath).map((match) => ({ ...match, app: manage })),
      ].filter(({ route }) => route.method === method);
      if (!found) throw new Error(`no route takes ${method} ${target}`);
      const result = await found.app(
        {
          routeKey: routeKey(found.route),
          rawPath,
          rawQueryString,
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          pathParameters: { ...found.pathParameters },
          isBase64Encoded: false,
          requestContext: { requestId: 'test', http: { method } },
        },
        {},
      );
      return responseOf(result);
    },
    sync: (slot) =>
      runSync(
        {
          table,
          bucket,
          config: configOf(around.releases),
          upstream: { kind: 'live', url: UPSTREAM_NAME, open: () => openUpstream(around.upstream) },
          events,
          log,
          clock,
          limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 },
        },
        { scheduledTime: slot, trigger: 'schedule' },
      ),
    async housekeeping(slot) {
      const resumed: PruneSlot[] = [];
      const dependencies = {
        table,
        historyLimit: HISTORY_LIMIT,
        openPruning: async () => ({
          grantedBuckets: around.registries,
          schedules,
          holdsRegistry: registryPresence(s3),
          resume: async (pruner: string, run: string) => void resumed.push({ pruner, slot: run }),
        }),
        log,
        count,
        clock,
        limits: { clustersAtOnce: 1, prunersAtOnce: 1 },
      };
      await countFreshness(dependencies, SYNC.intervalMs);
      const { status } = await runHousekeeping(dependencies, { scheduledTime: slot, trigger: 'schedule' });
      return { status, resumed };
    },
    reassessFleet: (slot) =>
      reassessFleet(
        {
          table,
          events,
          openWebhook: async () => async () =>
            around.isWebhookDown() ? { ok: false, detail: 'the status was 503' } : { ok: true },
          log,
          count,
          clock,
          limits: { clustersAtOnce: 1 },
        },
        { scheduledTime: slot, trigger: 'schedule' },
      ),
    prune: ({ pruner, slot, trigger }) =>
      runPruner(
        { table, bucket, registry: s3, log, count, clock, remainingMs: around.pruneTimeLeft },
        { pruner, scheduledTime: slot, trigger },
      ),
  };
}

type Result = Awaited<ReturnType<ReturnType<typeof createQueryApp>>>;

function responseOf(result: Result): ProductResponse {
  const headers = (result.headers ?? {}) as Readonly<Record<string, string>>;
  const sent = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const isPacked = headers['content-encoding'] === 'gzip' && sent.length > 0;
  return {
    status: result.statusCode ?? 200,
    type: headers['content-type'] ?? null,
    etag: headers['etag'] ?? null,
    text: (isPacked ? gunzipSync(sent) : sent).toString('utf8'),
  };
}

function configOf(releases: unknown) {
  const reading = parseReleaseConfig(releases);
  if (!reading.ok) throw new Error(reading.mistakes.map(({ detail }) => detail).join('\n'));
  return reading.config;
}

function openUpstream(url: string) {
  const patient = {
    connectMs: 60_000,
    headersMs: 60_000,
    idleMs: 60_000,
    totalMs: 120_000,
    backoffBaseMs: 1,
  };
  return createCincinnati({ version: 'test', url, policy: { allowLoopbackHttp: true }, limits: patient });
}
