import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@cairn/shared/text/quote';
import { badInput, notKnown } from '../runtime/exit.ts';
import { type AwsCredentials, signedHeaders } from './signing.ts';

/** Authentication headers for one request. */
export type Authorize = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}) => Promise<Readonly<Record<string, string>>>;

/** Signs with the user's AWS credentials; without credentials, requests stay unsigned. */
export function signRequests(
  region: string | null,
  host: string,
  credentials: CredentialSource = awsCredentials(),
): Authorize {
  let isUnsigned = false;
  const find = async (): Promise<AwsCredentials | null> => {
    if (isUnsigned) return null;
    try {
      return await credentials();
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      if (!error.isAbsent) throw notKnown(error.message);
      isUnsigned = true;
      return null;
    }
  };
  return async ({ method, url, headers, body }) => {
    const found = await find();
    if (!found) return {};
    if (region === null) {
      throw badInput(`the region of ${host} is not known, give it with --region, such as eu-west-1`);
    }
    return signedHeaders({ method, url, headers, body: Buffer.from(body) }, found, region);
  };
}

export type CredentialSource = () => Promise<AwsCredentials>;

export class CredentialError extends Error {
  override readonly name = 'CredentialError';
  /** False if credentials exist but cannot be used. */
  readonly isAbsent: boolean;

  constructor(message: string, isAbsent: boolean) {
    super(message);
    this.isAbsent = isAbsent;
  }
}

interface CredentialOptions {
  /** Null if the AWS SDK chain has none. */
  readonly fromSdk?: () => Promise<AwsCredentials | null>;
  /** Returns the JSON that the aws command exports. */
  readonly exportCredentials?: () => Promise<string>;
  readonly clock?: () => number;
}

/** Remaining lifetime at which credentials are read again. */
const MARGIN_MS = 60_000;

/** Uses the AWS SDK chain, or else the aws command. Reads credentials again before they expire. */
export function awsCredentials({
  fromSdk = sdkChain(),
  exportCredentials = runAwsCommand,
  clock = Date.now,
}: CredentialOptions = {}): CredentialSource {
  const find = async () => (await fromSdk()) ?? parseExported(await exportCredentials());
  let held: AwsCredentials | undefined;
  let finding: Promise<AwsCredentials> | null = null;
  return async () => {
    const endsAt = held?.expiration?.getTime() ?? Infinity;
    if (held && endsAt - clock() >= MARGIN_MS) return held;
    finding ??= find().finally(() => (finding = null));
    return (held = await finding);
  };
}

function sdkChain(): () => Promise<AwsCredentials | null> {
  let provider: CredentialSource | undefined;
  return async () => {
    // Loaded with the first signed request: it is larger than all other code.
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    provider ??= defaultProvider({ timeout: 1_000, maxRetries: 0 });
    try {
      return await provider();
    } catch (error) {
      if ((error as Error).name === 'CredentialsProviderError') return null;
      throw new CredentialError(`there are no AWS credentials: ${messageOf(error)}`, false);
    }
  };
}

/** Process credentials format: `{"Version": 1, "AccessKeyId": …}`. */
function parseExported(text: string): AwsCredentials {
  const body = readObject(text);
  const read = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  const [accessKeyId, secretAccessKey] = [read('AccessKeyId'), read('SecretAccessKey')];
  if (!accessKeyId || !secretAccessKey)
    throw new CredentialError('what the aws command printed is no credentials', false);
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
      true,
    );
  }
}
