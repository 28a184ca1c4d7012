import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@cairn/shared/text/quote';
import { badInput, notKnown } from '../runtime/exit.ts';
import { type AwsCredentials, signedHeaders } from './signing.ts';

/** Headers that tell who asks, for one request. */
export type Authorize = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}) => Promise<Readonly<Record<string, string>>>;

/** Signs with the credentials that the AWS tools of this machine would use; without any nothing is signed. */
export function signRequests(region: string | null, host: string): Authorize {
  let known: Promise<(() => Promise<AwsCredentials>) | null> | undefined;
  return async ({ method, url, headers, body }) => {
    known ??= findCredentials();
    const credentials = await known;
    if (!credentials) return {};
    if (region === null) {
      throw badInput(`the region of ${host} is not known, give it with --region, such as eu-west-1`);
    }
    return signedHeaders({ method, url, headers, body: Buffer.from(body) }, await credentials(), region);
  };
}

async function findCredentials(): Promise<(() => Promise<AwsCredentials>) | null> {
  // Loaded with the first request that is signed: it is larger than all of the rest.
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ timeout: 1_000, maxRetries: 0 });
  try {
    await provider();
    return async () => provider();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'CredentialsProviderError') return null;
    throw notKnown(`there are no AWS credentials: ${messageOf(error)}`);
  }
}

export const CREDENTIAL_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;

type Variables = Readonly<Partial<Record<(typeof CREDENTIAL_VARIABLES)[number], string>>>;

/** Prints the credentials that the aws command has, as JSON. */
type ExportCredentials = () => Promise<string>;

/** They are read anew when so little is left. */
const MARGIN_MS = 60_000;

export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

/** Gives the credentials of whoever runs this, and reads them again before they end. */
export function credentialSource(
  variables: Variables,
  exportCredentials: ExportCredentials = runAwsCommand,
  clock: () => number = Date.now,
): () => Promise<AwsCredentials> {
  let held: AwsCredentials | undefined;
  return async () => {
    const endsAt = held?.expiration?.getTime() ?? Infinity;
    if (!held || endsAt - clock() < MARGIN_MS) {
      held = fromVariables(variables) ?? parseExported(await exportCredentials());
    }
    return held;
  };
}

function fromVariables(variables: Variables): AwsCredentials | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = variables;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return null;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** As programs hand credentials to each other: `{"Version": 1, "AccessKeyId": …}`. */
function parseExported(text: string): AwsCredentials {
  const body = readObject(text);
  const read = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  const [accessKeyId, secretAccessKey] = [read('AccessKeyId'), read('SecretAccessKey')];
  if (!accessKeyId || !secretAccessKey)
    throw new CredentialError('what the aws command printed is no credentials');
  const sessionToken = read('SessionToken');
  const expiration = new Date(read('Expiration') ?? NaN);
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    ...(!Number.isNaN(expiration.getTime()) && { expiration }),
  };
}

function readObject(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}

async function runAwsCommand(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      'aws',
      ['configure', 'export-credentials', '--format', 'process'],
      {
        timeout: 30_000,
      },
    );
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const said = stderr.trim().split('\n').at(-1);
    throw new CredentialError(
      code === 'ENOENT'
        ? 'there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install the aws command'
        : `the aws command gives no credentials${said ? `: ${said}` : ''}; "aws sso login" or "aws configure" may help`,
    );
  }
}
