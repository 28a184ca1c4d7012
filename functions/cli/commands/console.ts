import { messageOf } from '@cairn/shared/text/quote';
import { refusePort } from '../../command-line/flags.ts';
import { readScript, type Script, type ScriptReading } from '../../command-line/script.ts';
import { isLoopback } from '../../outbound/address.ts';
import { awsCredentials, gatewayRegion } from '../../outbound/signing.ts';
import { optionalEnv } from '../../runtime/env.ts';
import { type SignedFrontOptions, startSignedFront } from './console-proxy.ts';

type SignedFlagReading =
  | { readonly kind: 'flags'; readonly flags: Omit<SignedFrontOptions, 'credentials'> }
  | Exclude<ScriptReading, { readonly kind: 'given' }>;

const CONSOLE: Script = {
  name: 'cairn',
  about: `Opens the console of a deployment that takes only signed AWS requests.

It listens on this machine and signs what the browser asks with your AWS
credentials: those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
AWS_SESSION_TOKEN, else those that the aws command has (AWS_PROFILE chooses).
Whoever can use this machine while it runs can use them through it.`,
  usage: 'npm run console -- --url URL [flags]',
  margin: 23,
  flags: {
    url: { kind: 'text', value: 'URL', help: 'where the deployment answers (its output ApiUrl)' },
    region: {
      kind: 'text',
      value: 'NAME',
      help: 'region of the deployment (read from the URL; else from AWS_REGION)',
    },
    port: {
      kind: 'text',
      value: 'NUMBER',
      default: '8081',
      help: 'port to listen on, 0 for any free one (8081)',
    },
  },
  notes: `Example:
  npm run console -- --url https://abc123.execute-api.eu-west-1.amazonaws.com`,
};

/** Reports all mistakes at once. */
export function readSignedFlags(
  argv: readonly string[],
  { AWS_REGION }: { readonly AWS_REGION?: string },
): SignedFlagReading {
  const reading = readScript(CONSOLE, argv);
  if (reading.kind !== 'given') return reading;
  const { given } = reading;
  const text = given.text('url');
  const url = URL.parse(text ?? '');
  const mistakes: string[] = [];
  if (text === undefined) mistakes.push('--url is needed: where the deployment answers, its output ApiUrl');
  else if (!url || !isServiceUrl(url)) {
    mistakes.push(`--url "${text}" is not the URL of a deployment, such as https://cairn.example.com`);
  }
  const portMistake = refusePort(given.text('port')!);
  if (portMistake !== null) mistakes.push(portMistake);
  const region = given.text('region') ?? gatewayRegion(url?.hostname ?? '') ?? AWS_REGION;
  if (url && !region) {
    mistakes.push(`the region of ${url.hostname} is not known, give it with --region, such as eu-west-1`);
  }
  if (!url || !region || mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return { kind: 'flags', flags: { url: url.origin, region, port: given.number('port')! } };
}

/** Never sends credentials unencrypted over a network, signed or not. */
function isServiceUrl(url: URL): boolean {
  const { protocol, hostname, pathname, search, hash, username } = url;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && pathname === '/' && `${search}${hash}${username}` === '';
}

async function main(): Promise<void> {
  const reading = readSignedFlags(process.argv.slice(2), optionalEnv(['AWS_REGION']));
  if (reading.kind === 'help') {
    process.stdout.write(reading.help);
    return;
  }
  if (reading.kind === 'mistakes') {
    throw new Error(`${reading.mistakes.join('\ncairn: ')}\nsee npm run console -- --help`);
  }
  const credentials = awsCredentials();
  // Fail at start without credentials, not at the first page.
  const { accessKeyId } = await credentials();
  const { flags } = reading;
  const { url } = await startSignedFront({ ...flags, credentials });
  process.stdout.write(
    `The console of ${flags.url} is at ${url}\n` +
      `Requests are signed with the key ${accessKeyId}, for ${flags.region}. Ctrl-C ends it.\n`,
  );
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`cairn: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
