import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { parseReleaseConfig } from '@cairn/shared/releases/sources';
import { reassessFleet } from '../../../functions/fleet/job.ts';
import { runHousekeeping } from '../../../functions/housekeeping/job.ts';
import type { RunLauncher } from '../../../functions/jobs/launcher.ts';
import { createManageApp } from '../../../functions/manage-app.ts';
import { postMessages } from '../../../functions/notifications/post-webhook.ts';
import type { PrunerScheduleDefinition } from '../../../functions/pruners/schedules.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import type { CairnEvent } from '../../../functions/runtime/events.ts';
import { createTableClient } from '../../../functions/store/client.ts';
import type { Table } from '../../../functions/store/table.ts';
import { runSync } from '../../../functions/sync/job.ts';
import { SYNC_LIMITS } from '../../../functions/sync/run.ts';
import { demoGraph } from '../../../infra/local/demo/graph.ts';
import { startEngines } from '../../../infra/local/engines.ts';
import { startFront } from '../../../infra/local/front.ts';
import { openPruning } from '../../../infra/local/pruning.ts';
import { openUpstream } from '../../../infra/local/upstream.ts';
import { listen } from '../listen.ts';
import { TestRegistry } from '../registry/test-registry.ts';
import { recordedUpstream, startCincinnatiStub } from '../upstream/cincinnati-stub.ts';
import { RECORDED_UPSTREAM } from '../upstream/recorded-data.ts';
import type { Order, OrderResult, ServiceOptions } from './service.ts';

/** `npm start` without timers: each job runs on an order of the parent process. */
const options = JSON.parse(process.argv[2] ?? '{}') as ServiceOptions & { readonly folder: string };
const INTERVAL_MS = 10 * 60_000;
const HISTORY_LIMIT = 12;

const silent = { info: () => {}, warn: () => {}, error: () => {} };
/** Events and messages since the last read. */
const sent: { events: CairnEvent[]; messages: unknown[] } = { events: [], messages: [] };
const events = {
  async publish(published: readonly CairnEvent[]) {
    sent.events.push(...published);
    return [];
  },
};

let upstreamChange: Extract<Order, { kind: 'upstream' }> = { kind: 'upstream', without: [], isDown: false };
/** A sync that waits for the upstream. */
let held: { readonly begun: () => void; readonly release: Promise<void> } | undefined;
const demoUpstream = async (channel: string, arch: string): Promise<unknown> => {
  held?.begun();
  await held?.release;
  if (upstreamChange.isDown) return { status: 503, body: 'down' };
  const graph = demoGraph(channel, arch);
  return graph && withoutVersions(graph, upstreamChange.without);
};
const upstream = await startCincinnatiStub(
  options.upstream === 'demo' ? demoUpstream : recordedUpstream(RECORDED_UPSTREAM),
);
const config = releaseConfig(options.releases);

const engines = await startEngines(join(options.folder, 'data'), (reason) => {
  throw new Error(reason);
});
const pruning = { ...openPruning(engines), schedules: schedulesWithoutTimers() };
const servedTable = openTable();
const launched: (() => Promise<unknown>)[] = [];
const launcher: RunLauncher = {
  async launchSync({ accept, now }) {
    const scheduledTime = new Date(now).toISOString();
    launched.push(() => sync(scheduledTime, 'manual', accept));
    return scheduledTime;
  },
  async launchPruner({ now, slot = new Date(now).toISOString(), ...launch }) {
    launched.push(() => pruning.prune({ ...launch, scheduledTime: slot }));
    return slot;
  },
};

function sync(scheduledTime: string, trigger: 'schedule' | 'manual', accept: readonly string[] = []) {
  const { url } = upstream;
  return runSync(
    {
      table: engines.table,
      bucket: engines.bucket,
      config,
      upstream: { kind: 'demo', url, open: () => openUpstream(url), payloadHosts: ['quay.io'] },
      events,
      log: silent,
      clock: Date.now,
      // One at a time: revisions count the publications of a run in order.
      limits: { pairsAtOnce: 1 },
    },
    { scheduledTime, trigger, accept },
  );
}

const jobs = {
  sync: () => sync(new Date().toISOString(), 'schedule'),
  housekeeping: () =>
    runHousekeeping(
      {
        table: engines.table,
        historyLimit: HISTORY_LIMIT,
        openPruning: async () => ({
          ...pruning,
          resume: async (pruner, slot) => {
            await launcher.launchPruner({ pruner, slot, trigger: 'resume', now: Date.now() });
          },
        }),
        log: silent,
        count: () => {},
        clock: Date.now,
      },
      { scheduledTime: new Date().toISOString(), trigger: 'schedule' },
    ),
  fleet: () =>
    reassessFleet(
      {
        table: engines.table,
        events,
        openWebhook: async () => postMessages({ allowLoopbackHttp: true }),
        log: silent,
        count: () => {},
        clock: Date.now,
        // One at a time: events and messages keep the order of the clusters.
        limits: { clustersAtOnce: 1 },
      },
      { scheduledTime: new Date().toISOString(), trigger: 'schedule' },
    ),
  async launched() {
    for (const run of launched.splice(0)) await run();
  },
} as const;

const webhookServer = createServer((request, response) => {
  if (request.method === 'GET') {
    const read = JSON.stringify(sent);
    Object.assign(sent, { events: [], messages: [] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(read);
    return;
  }
  void text(request).then((body) => {
    sent.messages.push(JSON.parse(body));
    response.writeHead(request.url === '/refusing' ? 500 : 200).end();
  });
});
const webhook = await listen(webhookServer);

const front = await startFront({
  host: '127.0.0.1',
  port: 0,
  token: options.token,
  apps: {
    query: createQueryApp({
      table: servedTable,
      sync: { intervalMs: INTERVAL_MS, retirementGraceMs: SYNC_LIMITS.retirementGraceMs },
      log: silent,
      consoleFolder: writeConsole(join(options.folder, 'console')),
    }),
    manage: createManageApp({
      table: servedTable,
      launcher,
      openUploads: async () => engines.uploads,
      openPruning: async () => pruning,
      historyLimit: HISTORY_LIMIT,
      allowLoopback: true,
      sync: { intervalMs: INTERVAL_MS },
      log: silent,
    }),
  },
});

let endSync = async (): Promise<void> => {
  throw new Error('no sync has begun');
};

const registry = new TestRegistry(engines.registry.client, engines.registry.name);
const orders = {
  job: async ({ job }: Extract<Order, { kind: 'job' }>) => {
    await jobs[job]();
  },
  async push({ repository, tag, layers }: Extract<Order, { kind: 'push' }>) {
    await registry.push(repository, tag, layers);
  },
  async upstream(order: Extract<Order, { kind: 'upstream' }>) {
    upstreamChange = order;
  },
  /** Resolves once the sync holds its lease and has called the upstream. */
  async 'begin sync'() {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held = { begun: begun.resolve, release: release.promise };
    const running = jobs.sync();
    endSync = async () => {
      release.resolve();
      await running;
      held = undefined;
    };
    await begun.promise;
  },
  'end sync': () => endSync(),
};

process.on('message', (order: Order) => {
  const tell = (result: OrderResult): void => void process.send?.(result);
  orders[order.kind](order as never).then(
    () => tell({ kind: 'done' }),
    (error: unknown) =>
      tell({
        kind: 'failed',
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  );
});
process.once('disconnect', () => process.exit());
const ready: OrderResult = {
  kind: 'ready',
  url: front.url,
  webhook: webhook.url,
};
process.send?.(ready);

function openTable(): Table {
  const { table, endpoints } = engines;
  if (options.storage === 'missing') return { ...table, name: 'missing' };
  if (options.storage !== 'unreachable') return table;
  const { region, accessKeyId, secretAccessKey } = endpoints;
  const client = createTableClient(1, {
    endpoint: 'http://127.0.0.1:1',
    region,
    credentials: { accessKeyId, secretAccessKey },
  });
  return { client, name: table.name };
}

function releaseConfig(releases: unknown) {
  const reading = parseReleaseConfig(releases);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.config;
}

function withoutVersions(graph: NonNullable<ReturnType<typeof demoGraph>>, versions: readonly string[]) {
  if (versions.length === 0) return graph;
  const kept = graph.nodes.filter(({ version }) => !versions.includes(version));
  const indexes = new Map(kept.map(({ version }, index) => [version, index]));
  const indexOf = (former: number) => indexes.get(graph.nodes[former]!.version);
  return {
    ...graph,
    nodes: kept,
    edges: graph.edges
      .map(([from, to]) => [indexOf(from), indexOf(to)])
      .filter((edge) => !edge.includes(undefined)),
    conditionalEdges: graph.conditionalEdges
      .map((group) => ({
        ...group,
        edges: group.edges.filter(({ from, to }) => indexes.has(from) && indexes.has(to)),
      }))
      .filter(({ edges }) => edges.length > 0),
  };
}

function schedulesWithoutTimers() {
  const known = new Map<string, PrunerScheduleDefinition>();
  return {
    async put(pruner: string, definition: PrunerScheduleDefinition) {
      known.set(pruner, definition);
    },
    holds: async (pruner: string, definition: PrunerScheduleDefinition) =>
      isDeepStrictEqual(known.get(pruner), definition),
    async remove(pruner: string) {
      known.delete(pruner);
    },
  };
}

/** A small page instead of the console, whose bytes change with every edit. */
function writeConsole(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, mediaType: string, content: string) => {
    writeFileSync(join(folder, `${file}.gz`), gzipSync(content));
    return { file, mediaType, hash: file };
  };
  const page = write('index.html', 'text/html; charset=utf-8', '<!doctype html><title>Cairn</title>');
  const script = write('app-1.js', 'text/javascript; charset=utf-8', 'export {};');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ page, assets: [script] }));
  return folder;
}
