import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';
import { messageOf } from '@cairn/shared/text/quote';
import { isLoopback } from '../../outbound/address.ts';
import { CREDENTIAL_VARIABLES, credentialSource } from '../../outbound/credentials.ts';
import { gatewayRegion } from '../../outbound/signing.ts';
import { optionalEnv } from '../../runtime/env.ts';
import { startSignedFront } from './console-proxy.ts';

interface SignedFlags {
  /** Where the deployment answers, without a slash at the end. */
  readonly url: string;
  readonly region: string;
  readonly port: number;
}

type SignedFlagReading =
  | { readonly kind: 'flags'; readonly flags: SignedFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  url: { type: 'string' },
  region: { type: 'string' },
  port: { type: 'string', default: '8081' },
  help: { type: 'boolean', default: false },
} as const;

export const SIGNED_HELP = `Opens the console of a deployment that takes only signed AWS requests.

It listens on this machine and signs what the browser asks with your AWS
credentials: those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
AWS_SESSION_TOKEN, else those that the aws command has (AWS_PROFILE chooses).
Whoever can use this machine while it runs can use them through it.

Usage: npm run console -- --url URL [flags]

  --url URL            where the deployment answers (its output ApiUrl)
  --region NAME        region of the deployment (read from the URL; else from
                       AWS_REGION)
  --port NUMBER        port to listen on, 0 for any free one (8081)
  --help               this text

Example:
  npm run console -- --url https://abc123.execute-api.eu-west-1.amazonaws.com
`;

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readSignedFlags(
  argv: readonly string[],
  { AWS_REGION }: { readonly AWS_REGION?: string },
): SignedFlagReading {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const mistakes = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [`unexpected argument "${token.value}"; flags begin with --`];
    if (token.kind !== 'option') return [];
    if (!Object.hasOwn(OPTIONS, token.name)) return [unknownFlag(token.rawName, token.name)];
    const isText = OPTIONS[token.name as keyof typeof OPTIONS].type === 'string';
    return isText && !token.value ? [`${token.rawName} needs a value`] : [];
  });
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  if (values.help === true) return { kind: 'help' };
  const { url: given = '', port } = values as { url?: string; port: string };
  const url = URL.parse(given);
  if (given === '') mistakes.push('--url is needed: where the deployment answers, its output ApiUrl');
  else if (!url || !isServiceUrl(url)) {
    mistakes.push(`--url "${given}" is not the URL of a deployment, such as https://cairn.example.com`);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    mistakes.push(`--port "${port}" is not a port, a number from 0 to 65535 is accepted`);
  }
  const region = (values['region'] as string | undefined) ?? gatewayRegion(url?.hostname ?? '') ?? AWS_REGION;
  if (url && !region) {
    mistakes.push(`the region of ${url.hostname} is not known, give it with --region, such as eu-west-1`);
  }
  if (!url || !region || mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return { kind: 'flags', flags: { url: url.origin, region, port: Number(port) } };
}

/** Credentials are never sent over a network in the clear, signed or not. */
function isServiceUrl(url: URL): boolean {
  const { protocol, hostname, pathname, search, hash, username } = url;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && pathname === '/' && `${search}${hash}${username}` === '';
}

function unknownFlag(written: string, name: string): string {
  const nearest = nearestName(name, Object.keys(OPTIONS));
  return nearest
    ? `unknown flag ${written}, did you mean --${nearest}?`
    : `unknown flag ${written}, see --help`;
}

async function main(): Promise<void> {
  const reading = readSignedFlags(process.argv.slice(2), optionalEnv(['AWS_REGION']));
  if (reading.kind === 'help') {
    process.stdout.write(SIGNED_HELP);
    return;
  }
  if (reading.kind === 'mistakes') {
    throw new Error(`${reading.mistakes.join('\ncairn: ')}\nsee npm run console -- --help`);
  }
  const credentials = credentialSource(optionalEnv(CREDENTIAL_VARIABLES));
  // Whoever has none is told so here, not by the first page.
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
