import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMistake } from '@cairn/shared/input/input-value';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { EusTerms } from '@cairn/shared/releases/values';
import { reassessFleet } from '../../functions/fleet/job.ts';
import { runHousekeeping } from '../../functions/housekeeping/job.ts';
import { createManageApp } from '../../functions/manage-app.ts';
import { postMessages } from '../../functions/notifications/post-webhook.ts';
import { isLoopback } from '../../functions/outbound/address.ts';
import { DEFAULT_UPSTREAM } from '../../functions/outbound/egress.ts';
import { createQueryApp } from '../../functions/query-app.ts';
import { optionalEnv } from '../../functions/runtime/env.ts';
import {
  PUBLICATION_NAME,
  FLEET_STATE_KEY,
  SYNC_STATE_KEY,
  HOUSEKEEPING_STATE_KEY,
} from '../../functions/store/keys.ts';
import { breakLease } from '../../functions/store/leases.ts';
import { readHead } from '../../functions/store/published.ts';
import type { Table } from '../../functions/store/table.ts';
import { runSync, type SyncRequest, type SyncResult } from '../../functions/sync/job.ts';
import { isReadModelCurrent } from '../../functions/sync/read-model.ts';
import { SYNC_LIMITS } from '../../functions/sync/run.ts';
import { buildConsole } from '../build/console.ts';
import { startDemoUpstream } from './demo/server.ts';
import { type Engines, startEngines } from './engines.ts';
import { lockFolder, markFolder } from './folder-lock.ts';
import { type Front, MIN_TOKEN_LENGTH, startFront } from './front.ts';
import { consoleLog, createProgress, firstSyncLine, logEvents, readyText, resultTable } from './progress.ts';
import { breakPrunerLeases, expireUploads, type LocalPruning, openPruning } from './pruning.ts';
import { type LocalJobs, LocalSchedule } from './schedule.ts';
import { restoreIndex } from './table/prepare-table.ts';
import {
  objectionTo,
  openUpstream,
  payloadHostsOf,
  probe,
  readReleaseConfig,
  type UpstreamChoice,
} from './upstream.ts';

export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** `demo`, a URL, or undefined for the public service if reachable. */
  readonly upstream: string | undefined;
  readonly releases: string | undefined;
  readonly eusTerms: EusTerms;
  readonly historyLimit: number;
  readonly once: boolean;
}

export type Cleanup = () => Promise<void> | void;

interface Ending {
  /** Run in reverse order. */
  readonly cleanups: Cleanup[];
  readonly fail: (reason: string) => void;
}

const SYNC_INTERVAL_MS = 10 * 60_000;
const HOUSEKEEPING_INTERVAL_MS = 15 * 60_000;
const FLEET_INTERVAL_MS = 60_000;
/** Time that Ctrl-C waits for a running job. Interrupting it is safe; the next start catches up. */
const JOB_GRACE_MS = 2000;
const UPLOADS_INTERVAL_MS = 3600_000;
const EXAMPLE_MINOR = '4.20';

/** Resolves to null once it serves, or with `--once` to the exit code after the sync. */
export async function run(flags: Flags, ending: Ending): Promise<number | null> {
  const { AUTH_TOKEN: token } = optionalEnv(['AUTH_TOKEN']);
  const config = checkStart(flags, token);
  const data = resolve(flags.data);
  const folder = await takeFolder(data);
  const opening = openStore(flags, data, ending);
  // Build while the engine processes start.
  const hasConsole = !flags.once && tryBuildConsole(folder.console);
  const { upstream, engines } = await opening;
  await takeOver(engines.table, folder.wasAbandoned);

  const syncs = openSyncs(engines, { config, eusTerms: flags.eusTerms }, upstream);
  if (flags.once) {
    const result = await syncs.first();
    process.stdout.write(resultTable(result));
    return result.status === 'Done' && result.record.outcome === 'Succeeded' ? 0 : 1;
  }
  const pruning = openPruning(engines);
  const schedule = openSchedule(engines, pruning, syncs.sync, flags.historyLimit);
  const consoleFolder = hasConsole ? folder.console : undefined;
  const front = await serve({ flags, token, engines, pruning, schedule, consoleFolder });
  ending.cleanups.push(() => front.close());
  keepUploadsTidy(engines, ending.cleanups);
  publishEndpoints(folder.endpoints, { api: front.url, ...engines.endpoints });

  // Stored data is valid after a restart with the same configuration; any other start waits for its sync.
  const current = { table: engines.table, config, eusTerms: flags.eusTerms, now: Date.now() };
  if ((await isStored(engines.table)) && (await isReadModelCurrent(current))) {
    syncs.skipFirst();
    await schedule.launchSync({ accept: [], now: Date.now() });
  } else {
    process.stdout.write(firstSyncLine(await syncs.first()));
  }
  // Also creates the pruner schedules, which end with this process.
  schedule.launchHousekeeping(Date.now());
  schedule.every('sync', SYNC_INTERVAL_MS);
  schedule.every('housekeeping', HOUSEKEEPING_INTERVAL_MS);
  schedule.every('fleet', FLEET_INTERVAL_MS);
  ending.cleanups.push(async () => {
    await Promise.race([Promise.all([schedule.stop(), pruning.schedules.stop()]), sleep(JOB_GRACE_MS)]);
  });
  const needsToken = token !== undefined;
  process.stdout.write(readyText(front.url, exampleMinor(config), { needsToken, hasConsole }));
  return null;
}

function checkStart({ host, upstream, releases }: Flags, token = ''): ReleaseConfig {
  if (!isLoopback(host) && token.length < MIN_TOKEN_LENGTH) {
    throw new Error(
      `--host ${host} is open to others: set AUTH_TOKEN to ${MIN_TOKEN_LENGTH} characters or more\n` +
        'or leave --host out to listen on this machine only',
    );
  }
  const objection = upstream === undefined ? null : objectionTo(upstream);
  if (objection !== null) throw new Error(`--upstream ${upstream}: ${objection}\nnothing was started`);
  const reading = readReleaseConfig(releases);
  if (reading.ok) return reading.config;
  throw new Error(`${reading.mistakes.map(describeMistake).join('\ncairn: ')}\nnothing was started`);
}

/** Keeps others out of the folder while this process lives. It `wasAbandoned` if the run before did not release it. */
async function takeFolder(data: string) {
  mkdirSync(data, { recursive: true });
  await lockFolder(
    data,
    (pid) => `${data} is used by process ${pid}; stop it, or choose another folder with --data`,
  );
  const { wasAbandoned, unmark } = markFolder(data);
  process.once('exit', unmark);
  const folder = { endpoints: join(data, 'endpoints.json'), console: join(data, 'console'), wasAbandoned };
  const removeTraces = (): void => {
    rmSync(folder.endpoints, { force: true });
    rmSync(folder.console, { recursive: true, force: true });
  };
  // Remove the files of a killed run.
  removeTraces();
  process.once('exit', removeTraces);
  return folder;
}

/** Uses demo data only if no live data is stored and the live service is unreachable. */
async function openStore(
  flags: Flags,
  data: string,
  { cleanups, fail }: Ending,
): Promise<{ upstream: UpstreamChoice; engines: Engines }> {
  const open = async (kind: UpstreamChoice['kind']): Promise<Engines> => {
    const engines = await startEngines(join(data, kind), fail);
    cleanups.push(() => engines.close());
    return engines;
  };
  if (flags.upstream !== 'demo') {
    const url = flags.upstream ?? DEFAULT_UPSTREAM;
    const engines = await open('live');
    const needsProbe = flags.upstream === undefined && !(await isStored(engines.table));
    const fault = needsProbe ? await probe(url) : null;
    if (fault === null) return { upstream: { kind: 'live', url }, engines };
    process.stdout.write(
      `${new URL(url).host} cannot be reached (${fault}); following demo channels instead\n`,
    );
    await cleanups.pop()?.();
  }
  const demo = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
  cleanups.push(() => demo.close());
  return { upstream: { kind: 'demo', url: demo.url }, engines: await open('demo') };
}

async function isStored(table: Table): Promise<boolean> {
  return (await readHead(table, PUBLICATION_NAME.catalogue, { consistent: true })) !== null;
}

/** All lease holders are dead: this process has locked the folder. */
async function takeOver(table: Table, wasAbandoned: boolean): Promise<void> {
  for (const key of [SYNC_STATE_KEY, HOUSEKEEPING_STATE_KEY, FLEET_STATE_KEY]) await breakLease(table, key);
  if (wasAbandoned) await restoreIndex(table);
  await breakPrunerLeases(table);
}

/** The first sync shows a progress bar instead of logs. */
function openSyncs(
  { table, bucket }: Engines,
  releases: { readonly config: ReleaseConfig; readonly eusTerms: EusTerms },
  upstream: UpstreamChoice,
) {
  const progress = createProgress(process.stdout, 'Syncing');
  let showsProgress = true;
  const payloadHosts = payloadHostsOf(upstream.url);
  const sync = (request: SyncRequest): Promise<SyncResult> =>
    runSync(
      {
        table,
        bucket,
        ...releases,
        upstream: {
          ...upstream,
          open: () => openUpstream(upstream.url),
          ...(payloadHosts && { payloadHosts }),
        },
        events: logEvents(showsProgress ? { ...consoleLog, info: () => {} } : consoleLog),
        log: showsProgress ? { ...consoleLog, info: () => {}, warn: () => {} } : consoleLog,
        clock: Date.now,
        ...(showsProgress && { onPair: ({ done, total, pair }) => progress.step(done, total, pair) }),
      },
      request,
    );
  return {
    sync,
    async first(): Promise<SyncResult> {
      const result = await sync({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
      progress.end();
      showsProgress = false;
      return result;
    },
    skipFirst(): void {
      showsProgress = false;
    },
  };
}

function openSchedule(
  { table }: Engines,
  pruning: LocalPruning,
  sync: LocalJobs['sync'],
  historyLimit: number,
): LocalSchedule {
  const common = { table, log: consoleLog, count: () => {}, clock: Date.now };
  const schedule = new LocalSchedule(
    {
      sync,
      housekeeping: (request) =>
        runHousekeeping(
          {
            ...common,
            historyLimit,
            openPruning: async () => ({
              ...pruning,
              resume: async (pruner, slot) => {
                await schedule.launchPruner({ pruner, slot, trigger: 'resume', now: Date.now() });
              },
            }),
          },
          request,
        ),
      fleet: (request) =>
        reassessFleet(
          {
            ...common,
            events: logEvents(consoleLog),
            openWebhook: async () => postMessages({ allowLoopbackHttp: true }),
            // The same process serves requests.
            limits: { clustersAtOnce: 2 },
          },
          request,
        ),
      prune: pruning.prune,
    },
    (job, error) => consoleLog.error(`${job} failed`, { error }),
  );
  return schedule;
}

interface Served {
  readonly flags: Flags;
  readonly token: string | undefined;
  readonly engines: Engines;
  readonly pruning: LocalPruning;
  readonly schedule: LocalSchedule;
  readonly consoleFolder: string | undefined;
}

function serve({ flags, token, engines, pruning, schedule, consoleFolder }: Served): Promise<Front> {
  const { table, uploads } = engines;
  return startFront({
    host: flags.host,
    port: flags.port,
    token,
    apps: {
      query: createQueryApp({
        table,
        sync: { intervalMs: SYNC_INTERVAL_MS, retirementGraceMs: SYNC_LIMITS.retirementGraceMs },
        log: consoleLog,
        ...(consoleFolder !== undefined && { consoleFolder }),
      }),
      manage: createManageApp({
        table,
        launcher: schedule,
        openUploads: async () => uploads,
        openPruning: async () => pruning,
        historyLimit: flags.historyLimit,
        allowLoopback: true,
        sync: { intervalMs: SYNC_INTERVAL_MS },
        log: consoleLog,
      }),
    },
  });
}

function tryBuildConsole(folder: string): boolean {
  try {
    buildConsole(folder);
    return true;
  } catch (error) {
    consoleLog.error('console build failed', { error });
    return false;
  }
}

function keepUploadsTidy({ bucket }: Engines, cleanups: Cleanup[]): void {
  const expire = (): void => {
    expireUploads(bucket, Date.now()).catch((error: unknown) =>
      consoleLog.warn('upload expiration failed', { error }),
    );
  };
  const timer = setInterval(expire, UPLOADS_INTERVAL_MS);
  cleanups.push(() => clearInterval(timer));
  expire();
}

/** Atomic: a tool can read the file at any time. */
function publishEndpoints(file: string, endpoints: Readonly<Record<string, string>>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function exampleMinor({ sources }: ReleaseConfig): string {
  const isFollowed = sources.some(({ minor }) => minor === EXAMPLE_MINOR);
  return isFollowed ? EXAMPLE_MINOR : (sources.at(-1)?.minor ?? EXAMPLE_MINOR);
}
