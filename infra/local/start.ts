import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { DEFAULT_EUS_TERMS } from '@cairn/shared/releases/lifecycle';
import { EUS_TERMS } from '@cairn/shared/releases/values';
import { messageOf } from '@cairn/shared/text/quote';
import { refusePort, refuseUnless } from '../../functions/command-line/flags.ts';
import type { ParsedArgs } from '../../functions/command-line/parse.ts';
import { readScript, type Script } from '../../functions/command-line/script.ts';
import type { Cleanup, Flags } from './run.ts';

const isHistoryLimit = (text: string): boolean =>
  /^\d{1,4}$/.test(text) && Number(text) >= HISTORY_LIMIT.least && Number(text) <= HISTORY_LIMIT.most;

const isHttpUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

export const START: Script = {
  name: 'cairn',
  about: 'Runs the whole of Cairn on this machine.',
  usage: 'npm start -- [flags]',
  margin: 23,
  flags: {
    port: {
      kind: 'text',
      value: 'NUMBER',
      default: '8080',
      help: 'port of the HTTP interface, 0 for any free one (8080)',
      refuse: refusePort,
    },
    host: {
      kind: 'text',
      value: 'ADDRESS',
      default: '127.0.0.1',
      help: 'address to listen on; other than loopback needs a token of 32 characters or more in AUTH_TOKEN (127.0.0.1)',
    },
    data: {
      kind: 'text',
      value: 'DIR',
      default: '.cairn',
      help: 'where data is kept, survives restarts (.cairn)',
    },
    upstream: {
      kind: 'text',
      value: 'URL|demo',
      help: 'update service to follow: the URL of a Cincinnati graph, or demo for made-up channels (the public service; demo where it cannot be reached and nothing is stored yet)',
      refuse: (text) =>
        text === 'demo' || isHttpUrl(text) ? null : `--upstream "${text}" is neither demo nor an http(s) URL`,
    },
    releases: {
      kind: 'text',
      value: 'FILE',
      help: 'what to follow (infra/releases.json); the variables RELEASE_SOURCES, DYNAMIC_OPENSHIFT_RELEASES_CONFIG, RELEASE_IMAGES, IGNORED_OPENSHIFT_VERSIONS are read too',
    },
    'eus-terms': {
      kind: 'text',
      value: 'NUMBER',
      default: String(DEFAULT_EUS_TERMS),
      help: `Extended Update Support terms that the clusters have, from 0 to 3 (${DEFAULT_EUS_TERMS})`,
      refuse: refuseUnless((text) => /^[0-3]$/.test(text), 'a number from 0 to 3 is'),
    },
    'history-limit': {
      kind: 'text',
      value: 'NUMBER',
      default: String(HISTORY_LIMIT.default),
      help: `most updates that are kept of the history of a cluster, from ${HISTORY_LIMIT.least} to ${HISTORY_LIMIT.most} (${HISTORY_LIMIT.default})`,
      refuse: refuseUnless(
        isHistoryLimit,
        `a number from ${HISTORY_LIMIT.least} to ${HISTORY_LIMIT.most} is`,
      ),
    },
    once: { kind: 'switch', help: 'sync once, print the result, exit 0 if all went well, else 1' },
  },
  notes: `Examples:
  npm start
  npm start -- --upstream demo --port 9090
  npm start -- --once --releases my-releases.json`,
};

export function flagsOf(given: ParsedArgs): Flags {
  return {
    port: given.number('port')!,
    host: given.text('host')!,
    data: given.text('data')!,
    upstream: given.text('upstream'),
    releases: given.text('releases'),
    eusTerms: EUS_TERMS.find((terms) => terms === given.number('eus-terms')) ?? DEFAULT_EUS_TERMS,
    historyLimit: given.number('history-limit')!,
    once: given.isSet('once'),
  };
}

/** What has to be undone when the run ends, last first. */
const cleanups: Cleanup[] = [];

async function main(): Promise<number | null> {
  const reading = readScript(START, process.argv.slice(2));
  if (reading.kind === 'help') {
    process.stdout.write(reading.help);
    return 0;
  }
  if (reading.kind === 'mistakes') {
    throw new Error(`${reading.mistakes.join('\ncairn: ')}\nsee npm start -- --help`);
  }
  // Loaded late, so that a wrong flag fails fast.
  const { run } = await import('./run.ts');
  return run(flagsOf(reading.given), { cleanups, fail: (reason) => void stop(1, reason) });
}

let stopping: Promise<void> | undefined;

/** Ends the run once; ignores failures caused by the shutdown. */
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
