import { type FleetRequest, type FleetResult, reassessFleet } from '../../../functions/fleet/job.ts';
import { createManageApp } from '../../../functions/manage-app.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import type { Log } from '../../../functions/runtime/log.ts';
import { runSync, type SyncRequest } from '../../../functions/sync/job.ts';
import { SYNC_LIMITS } from '../../../functions/sync/run.ts';
import { startEngines } from '../../../infra/local/engines.ts';
import { startFront } from '../../../infra/local/front.ts';
import { openPruning } from '../../../infra/local/pruning.ts';
import { LocalSchedule } from '../../../infra/local/schedule.ts';
import { openUpstream } from '../../../infra/local/upstream.ts';
import { configOf } from '../../helpers/path/builders.ts';
import { drawnConfig } from '../../helpers/upstream/drawn-upstream.ts';
import { CHANNELS } from './grammar/pools.ts';
import type { TargetMessage } from './target.ts';

/** The local run as `npm start` has it, but for the console and for what only a person needs; it tells every mishap. */
const { folder, upstream } = JSON.parse(process.argv[2] ?? '{}') as { folder: string; upstream: string };
const INTERVAL_MS = 10 * 60_000;
const FLEET_INTERVAL_MS = 10_000;

const tell = (message: TargetMessage): void => void process.send?.(message);
const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

process.on('uncaughtException', (error, origin) =>
  tell({ kind: 'mishap', what: origin, detail: describe(error) }),
);
process.on('warning', (warning) => tell({ kind: 'mishap', what: 'warning', detail: describe(warning) }));

const log: Log = {
  info: () => {},
  warn: () => {},
  error: (message, fields = {}) =>
    tell({ kind: 'mishap', what: message, detail: describe(fields['error'] ?? JSON.stringify(fields)) }),
};

const engines = await startEngines(folder, (reason) =>
  tell({ kind: 'mishap', what: 'engine', detail: reason }),
);
const sync = (request: SyncRequest) =>
  runSync(
    {
      table: engines.table,
      bucket: engines.bucket,
      config: configOf(drawnConfig(CHANNELS)),
      upstream: {
        kind: 'live',
        url: upstream,
        open: () => openUpstream(upstream),
        payloadHosts: ['quay.io'],
      },
      events: { publish: async () => [] },
      log: { ...log, error: () => {} },
      clock: Date.now,
    },
    request,
  );
const pruning = openPruning(engines);
const fleet = (request: FleetRequest): Promise<FleetResult> =>
  reassessFleet(
    {
      table: engines.table,
      events: { publish: async () => [] },
      openWebhook: async () => async () => ({ ok: false, detail: 'nobody is there' }),
      log,
      count: () => {},
      clock: Date.now,
    },
    request,
  );
const schedule = new LocalSchedule(
  { sync, housekeeping: async () => {}, fleet, prune: pruning.prune },
  (job, error) => tell({ kind: 'mishap', what: `job ${job}`, detail: describe(error) }),
);
// What requests leave behind has to be fit for it.
schedule.every('fleet', FLEET_INTERVAL_MS);
const first = await sync({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
if (first.status !== 'Done' || first.record.outcome !== 'Succeeded') {
  throw new Error(`the first sync did not succeed: ${JSON.stringify(first)}`);
}
const front = await startFront({
  host: '127.0.0.1',
  port: 0,
  apps: {
    query: createQueryApp({
      table: engines.table,
      sync: { intervalMs: INTERVAL_MS, retirementGraceMs: SYNC_LIMITS.retirementGraceMs },
      log,
    }),
    manage: createManageApp({
      table: engines.table,
      launcher: schedule,
      openUploads: async () => engines.uploads,
      openPruning: async () => pruning,
      historyLimit: 100,
      sync: { intervalMs: INTERVAL_MS },
      log,
    }),
  },
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).length;

process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const isPolluted = Object.getOwnPropertyNames(Object.prototype).length !== prototypeNames;
  tell({ kind: 'sample', rss, heapUsed, external, isPolluted });
});
process.once('disconnect', () => process.exit());
tell({ kind: 'ready', url: front.url });
