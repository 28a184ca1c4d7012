import { parseArgs } from 'node:util';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { nearestName } from '@cairn/shared/text/nearest';
import { messageOf } from '@cairn/shared/text/quote';
import type { Cleanup, Flags } from './run.ts';

type FlagReading =
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

/** What has to be undone when the run ends, last first. */
const cleanups: Cleanup[] = [];

async function main(): Promise<number | null> {
  const reading = readFlags(process.argv.slice(2));
  if (reading.kind === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (reading.kind === 'mistakes') {
    throw new Error(`${reading.mistakes.join('\ncairn: ')}\nsee npm start -- --help`);
  }
  // Loaded now: a wrong flag is answered without it.
  const { run } = await import('./run.ts');
  return run(reading.flags, { cleanups, fail: (reason) => void stop(1, reason) });
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

if (import.meta.main) {
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
    await stop(1, messageOf(error));
  }
}
