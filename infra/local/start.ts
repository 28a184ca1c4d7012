import { parseArgs } from 'node:util';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { nearestName } from '@cairn/shared/text/nearest';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMistake } from '@cairn/shared/input/input-value';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { createManageApp } from '../../functions/manage-app.ts';
import { createQueryApp } from '../../functions/query-app.ts';
import { runSync, type SyncRequest, type SyncResult } from '../../functions/sync/job.ts';
import { postMessages } from '../../functions/notifications/post-webhook.ts';
import { type FleetRequest, type FleetResult, followFleet } from '../../functions/fleet/job.ts';
import { runWatch, type WatchRequest, type WatchResult } from '../../functions/housekeeping/job.ts';
import { optionalEnv } from '../../functions/runtime/env.ts';
import { readHead } from '../../functions/store/published.ts';
import { DOCUMENT, FLEET_STATE_KEY, WATCH_STATE_KEY } from '../../functions/store/keys.ts';
import { breakLease } from '../../functions/store/leases.ts';
import { breakSyncLease } from '../../functions/releases/sync-state.ts';
import { DEFAULT_UPSTREAM } from '../../functions/outbound/egress.ts';
import { buildConsole } from '../build/console.ts';
import { consoleLog, logEvents, createProgress, resultTable } from './progress.ts';
import { startDemoUpstream } from './demo/server.ts';
import { type Engines, startEngines } from './engines.ts';
import { expireUploads, breakPrunerLeases, openPruning } from './pruning.ts';
import { lockFolder } from './folder-lock.ts';
import { MIN_TOKEN_LENGTH, startFront } from './front.ts';
import { isLoopback } from './loopback.ts';
import {
  readReleaseConfig,
  objectionTo,
  openUpstream,
  payloadHostsOf,
  probe,
  type UpstreamChoice,
} from './upstream.ts';
import { LocalSchedule } from './schedule.ts';
import { restoreIndex } from './table/prepare-table.ts';
import { SYNC_LIMITS } from '../../functions/sync/run.ts';

export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** `demo`, a URL, or undefined: the public service where it can be reached. */
  readonly upstream: string | undefined;
  readonly releases: string | undefined;
  /** Most entries that the history of a cluster keeps. */
  readonly historyLimit: number;
  readonly once: boolean;
}

export type FlagReading =
  | { readonly kind: 'flags'; readonly flags: Flags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string', default: '.cairn' },
  upstream: { type: 'string' },
  releases: { type: 'string' },
  'history-limit': { type: 'string', default: String(HISTORY_LIMIT.default) },
  once: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export const HELP = `Runs the whole of Cairn on this machine.

Usage: npm start -- [flags]

  --port NUMBER        port of the HTTP interface, 0 for any free one (8080)
  --host ADDRESS       address to listen on; other than loopback needs a token
                       of 32 characters or more in AUTH_TOKEN (127.0.0.1)
  --data DIR           where data is kept, survives restarts (.cairn)
  --upstream URL|demo  update service to follow: the URL of a Cincinnati graph,
                       or demo for made-up channels (the public service; demo
                       where it cannot be reached and nothing is stored yet)
  --releases FILE      what to follow (infra/releases.json); the variables
                       RELEASE_SOURCES, DYNAMIC_OPENSHIFT_RELEASES_CONFIG,
                       RELEASE_IMAGES, IGNORED_OPENSHIFT_VERSIONS are read too
  --history-limit NUMBER
                       most updates that are kept of the history of a cluster,
                       from 8 to 1000 (100)
  --once               sync once, print the result, exit 0 if all went well,
                       else 1
  --help               this text

Examples:
  npm start
  npm start -- --upstream demo --port 9090
  npm start -- --once --releases my-releases.json
`;

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readFlags(argv: readonly string[]): FlagReading {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const mistakes: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional')
      mistakes.push(`unexpected argument "${token.value}"; flags begin with --`);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(OPTIONS, token.name)
      ? OPTIONS[token.name as keyof typeof OPTIONS]
      : undefined;
    if (!option) mistakes.push(unknownFlag(argv[token.index]!));
    else if (option.type === 'string' && !hasValue(token)) mistakes.push(`${token.rawName} needs a value`);
    else if (option.type === 'boolean' && token.value !== undefined)
      mistakes.push(`${token.rawName} takes no value`);
  }
  const { port } = values;
  if (typeof port === 'string' && port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    mistakes.push(`--port "${port}" is not a port, a number from 0 to 65535 is accepted`);
  }
  const limit = values['history-limit'];
  if (typeof limit === 'string' && limit !== '' && !isHistoryLimit(limit)) {
    mistakes.push(
      `--history-limit "${limit}" is not accepted, a number from ${HISTORY_LIMIT.least} to ${HISTORY_LIMIT.most} is`,
    );
  }
  const upstream = values.upstream;
  if (typeof upstream === 'string' && upstream !== '' && upstream !== 'demo' && !isHttpUrl(upstream)) {
    mistakes.push(`--upstream "${upstream}" is neither demo nor an http(s) URL`);
  }
  // The letters of `-port` are read as flags of their own, which are told of once.
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes: [...new Set(mistakes)] };
  if (values.help === true) return { kind: 'help' };
  const { host, data, releases, once } = values as {
    host: string;
    data: string;
    releases?: string;
    once: boolean;
  };
  return {
    kind: 'flags',
    flags: {
      port: Number(port),
      host,
      data,
      upstream: upstream as string | undefined,
      releases,
      historyLimit: Number(limit),
      once,
    },
  };
}

/** `--data --once` lacks a folder, unlike `--data=--once`. */
function hasValue({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }) {
  return Boolean(value) && (inlineValue || !value?.startsWith('--'));
}

function unknownFlag(argument: string): string {
  const [name = ''] = argument.split('=');
  const nearest = nearestName(name.replace(/^-+/, ''), Object.keys(OPTIONS));
  return nearest ? `unknown flag ${name}, did you mean --${nearest}?` : `unknown flag ${name}, see --help`;
}

function isHistoryLimit(text: string): boolean {
  const limit = Number(text);
  return /^\d{1,4}$/.test(text) && limit >= HISTORY_LIMIT.least && limit <= HISTORY_LIMIT.most;
}

function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

const SYNC_INTERVAL_MS = 10 * 60_000;
const WATCH_INTERVAL_MS = 15 * 60_000;
const FLEET_INTERVAL_MS = 60_000;
/** How long Ctrl-C waits for a job under way. Cutting it is safe, only the next start has to catch up. */
const JOB_GRACE_MS = 2000;
const UPLOADS_INTERVAL_MS = 3600_000;
const EXAMPLE_MINOR = '4.20';

/** What has to be undone when the run ends, last first. */
const cleanups: (() => Promise<void> | void)[] = [];

async function main(): Promise<number | null> {
  const reading = readFlags(process.argv.slice(2));
  if (reading.kind === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (reading.kind === 'mistakes') return refuse(reading.mistakes, 'see npm start -- --help');
  const { flags } = reading;
  const { AUTH_TOKEN: token } = optionalEnv(['AUTH_TOKEN']);
  if (!isLoopback(flags.host) && (token ?? '').length < MIN_TOKEN_LENGTH) {
    const need = `--host ${flags.host} is open to others: set AUTH_TOKEN to ${MIN_TOKEN_LENGTH} characters or more`;
    return refuse([need], 'or leave --host out to listen on this machine only');
  }
  const objection = flags.upstream === undefined ? null : objectionTo(flags.upstream);
  if (objection !== null)
    return refuse([`--upstream ${flags.upstream}: ${objection}`], 'nothing was started');
  const config = readReleaseConfig(flags.releases);
  if (!config.ok) return refuse(config.mistakes.map(describeMistake), 'nothing was started');
  return run(flags, config.config, token);
}

async function run(flags: Flags, config: ReleaseConfig, token: string | undefined): Promise<number | null> {
  const data = resolve(flags.data);
  mkdirSync(data, { recursive: true });
  let wasAbandoned = false;
  process.once(
    'exit',
    lockFolder(data, () => (wasAbandoned = true)),
  );
  const endpointsFile = join(data, 'endpoints.json');
  const consoleFolder = join(data, 'console');
  const removeTraces = (): void => {
    rmSync(endpointsFile, { force: true });
    rmSync(consoleFolder, { recursive: true, force: true });
  };
  // A run that was killed left its own behind.
  removeTraces();
  process.once('exit', removeTraces);
  const opening = openStore(flags, data);
  // Built while the engines, which are processes of their own, come up.
  const hasConsole = !flags.once && tryBuildConsole(consoleFolder);
  const { upstream, engines } = await opening;
  // Whoever held a lease is dead, as this process holds the folder.
  await breakSyncLease(engines.table);
  await breakLease(engines.table, WATCH_STATE_KEY);
  await breakLease(engines.table, FLEET_STATE_KEY);
  if (wasAbandoned) await restoreIndex(engines.table);
  await breakPrunerLeases(engines.table);

  const progress = createProgress(process.stdout, 'Syncing');
  let isWatched = true;
  const payloadHosts = payloadHostsOf(upstream.url);
  const sync = (request: SyncRequest): Promise<SyncResult> =>
    runSync(
      {
        table: engines.table,
        bucket: engines.bucket,
        config,
        upstream: {
          ...upstream,
          open: () => openUpstream(upstream.url),
          ...(payloadHosts && { payloadHosts }),
        },
        events: logEvents(isWatched ? { ...consoleLog, info: () => {} } : consoleLog),
        log: isWatched ? { ...consoleLog, info: () => {}, warn: () => {} } : consoleLog,
        clock: Date.now,
        ...(isWatched && { onPair: ({ done, total, pair }) => progress.step(done, total, pair) }),
      },
      request,
    );
  const firstRequest: SyncRequest = { scheduledTime: new Date().toISOString(), trigger: 'manual' };
  if (flags.once) {
    const result = await sync(firstRequest);
    progress.end();
    process.stdout.write(resultTable(result));
    return result.status === 'Done' && result.record.outcome === 'Succeeded' ? 0 : 1;
  }

  const pruning = openPruning(engines);
  const watch = (request: WatchRequest): Promise<WatchResult> =>
    runWatch(
      {
        table: engines.table,
        historyLimit: flags.historyLimit,
        openPruning: async () => ({
          ...pruning,
          resume: async (pruner, slot) => {
            await schedule.launchPruner({ pruner, slot, trigger: 'resume', now: Date.now() });
          },
        }),
        log: consoleLog,
        count: () => {},
        clock: Date.now,
      },
      request,
    );
  const fleet = (request: FleetRequest): Promise<FleetResult> =>
    followFleet(
      {
        table: engines.table,
        events: logEvents(consoleLog),
        openWebhook: async () => postMessages({ allowLoopbackHttp: true }),
        log: consoleLog,
        count: () => {},
        clock: Date.now,
        // Requests are answered by the same process.
        limits: { clustersAtOnce: 2 },
      },
      request,
    );
  const schedule = new LocalSchedule({ sync, watch, fleet, prune: pruning.prune }, (job, error) =>
    consoleLog.error(`${job} failed`, { error }),
  );
  const front = await startFront({
    host: flags.host,
    port: flags.port,
    token,
    apps: {
      query: createQueryApp({
        table: engines.table,
        sync: { intervalMs: SYNC_INTERVAL_MS, retirementGraceMs: SYNC_LIMITS.retirementGraceMs },
        log: consoleLog,
        ...(hasConsole && { consoleFolder }),
      }),
      manage: createManageApp({
        table: engines.table,
        launcher: schedule,
        openUploads: async () => engines.uploads,
        openPruning: async () => pruning,
        historyLimit: flags.historyLimit,
        allowLoopback: true,
        sync: { intervalMs: SYNC_INTERVAL_MS },
        log: consoleLog,
      }),
    },
  });
  cleanups.push(() => front.close());
  keepUploadsTidy(engines);
  publishEndpoints(endpointsFile, { api: front.url, ...engines.endpoints });

  // Stored data is good at once after a restart; only the very first sync is worth waiting for.
  const isStored = (await readHead(engines.table, DOCUMENT.catalogue, { consistent: true })) !== null;
  if (isStored) {
    isWatched = false;
    await schedule.launchSync({ accept: [], now: Date.now() });
  } else {
    const result = await sync(firstRequest);
    progress.end();
    isWatched = false;
    process.stdout.write(firstSyncLine(result));
  }
  // It also makes the schedules of the pruners, which end with every run of this process.
  schedule.launchWatch(Date.now());
  schedule.every('sync', SYNC_INTERVAL_MS);
  schedule.every('watch', WATCH_INTERVAL_MS);
  schedule.every('fleet', FLEET_INTERVAL_MS);
  cleanups.push(async () => {
    await Promise.race([Promise.all([schedule.stop(), pruning.schedules.stop()]), sleep(JOB_GRACE_MS)]);
  });
  const needsToken = token !== undefined;
  process.stdout.write(readyText(front.url, exampleMinor(config), { needsToken, hasConsole }));
  return null;
}

/** Opens the data folder of the upstream in force; demo only where nothing live is stored and nothing live answers. */
async function openStore(
  flags: Flags,
  data: string,
): Promise<{ upstream: UpstreamChoice; engines: Engines }> {
  const open = async (kind: UpstreamChoice['kind']): Promise<Engines> => {
    const engines = await startEngines(join(data, kind), (reason) => void stop(1, reason));
    cleanups.push(() => engines.close());
    return engines;
  };
  if (flags.upstream !== 'demo') {
    const url = flags.upstream ?? DEFAULT_UPSTREAM;
    const engines = await open('live');
    const isStored = (await readHead(engines.table, DOCUMENT.catalogue, { consistent: true })) !== null;
    const fault = isStored || flags.upstream !== undefined ? null : await probe(url);
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

/** Everything else works without it. */
function tryBuildConsole(folder: string): boolean {
  try {
    buildConsole(folder);
    return true;
  } catch (error) {
    consoleLog.error('the console could not be built', { error });
    return false;
  }
}

/** By the hour, the first time now. */
function keepUploadsTidy({ bucket }: Engines): void {
  const expire = (): void => {
    expireUploads(bucket, Date.now()).catch((error: unknown) =>
      consoleLog.warn('old uploads could not be removed', { error }),
    );
  };
  const timer = setInterval(expire, UPLOADS_INTERVAL_MS);
  cleanups.push(() => clearInterval(timer));
  expire();
}

/** Written whole or not at all: a tool may read it at any moment. */
function publishEndpoints(file: string, endpoints: Readonly<Record<string, string>>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function firstSyncLine(result: SyncResult): string {
  if (result.status === 'Skipped') return `The first sync was skipped (${result.reason}).\n`;
  const { pairs, versionsAdded } = result.record;
  const good = pairs.published + pairs.unchanged;
  const total = good + pairs.held + pairs.failed + pairs.skipped;
  const rest = good === total ? '' : `; GET /v1/sync tells what happened to the others`;
  return `Synced ${good} of ${total} channels, ${versionsAdded} versions${rest}.\n`;
}

function exampleMinor({ sources }: ReleaseConfig): string {
  const isFollowed = sources.some(({ minor }) => minor === EXAMPLE_MINOR);
  return isFollowed ? EXAMPLE_MINOR : (sources.at(-1)?.minor ?? EXAMPLE_MINOR);
}

function readyText(
  url: string,
  minor: string,
  { needsToken, hasConsole }: { readonly needsToken: boolean; readonly hasConsole: boolean },
): string {
  const curl = needsToken ? 'curl -H "Authorization: Bearer $AUTH_TOKEN"' : 'curl';
  const open = `Open ${url} in a browser${needsToken ? ', which asks for the token' : ''}, or try:`;
  return `Cairn is ready at ${url}

${hasConsole ? open : 'Try:'}
  ${curl} '${url}/v2/openshift-versions?only_latest=true'
  ${curl} '${url}/v2/openshift-versions?version=${minor}'
  ${curl} '${url}/v1/sync'

Ctrl-C ends it.
`;
}

function refuse(mistakes: readonly string[], hint: string): number {
  process.stderr.write(`${mistakes.map((mistake) => `cairn: ${mistake}\n`).join('')}${hint}\n`);
  return 1;
}

let stopping: Promise<void> | undefined;

/** Ends the run, once: what fails because it is being ended is no news and changes nothing. */
function stop(code: number, reason?: string): Promise<void> {
  return (stopping ??= cleanUp(code, reason));
}

async function cleanUp(code: number, reason: string | undefined): Promise<void> {
  if (reason) process.stderr.write(`cairn: ${reason}\n`);
  while (cleanups.length > 0) await cleanups.pop()!();
  process.exit(code);
}

for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    // The second Ctrl-C does not wait.
    if (stopping) process.exit(code);
    void stop(code);
  });
}

try {
  const code = await main();
  if (code !== null) await stop(code);
} catch (error) {
  await stop(1, error instanceof Error ? error.message : String(error));
}
