import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { messageOf } from '@cairn/shared/text/quote';
import { SignatureV4 } from '@smithy/signature-v4';
import { badInput, notKnown } from '../runtime/exit.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Undefined if they do not expire, or the time is unknown. */
  readonly expiration?: Date;
}

interface PlainRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Authentication headers for one request. */
export type Authorize = (request: PlainRequest) => Promise<Readonly<Record<string, string>>>;

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
  return async (request) => {
    const found = await find();
    if (!found) return {};
    if (region === null) {
      throw badInput(`the region of ${host} is not known, give it with --region, such as eu-west-1`);
    }
    return signedHeaders(request, found, region);
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
    const reason = stderr.trim().split('\n').at(-1);
    throw new CredentialError(
      code === 'ENOENT'
        ? 'there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install the aws command'
        : `the aws command gives no credentials${reason ? `: ${reason}` : ''}; "aws sso login" or "aws configure" may help`,
      true,
    );
  }
}

const GATEWAY_HOST = /^[a-z0-9-]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;

/** Region in an API Gateway host name; undefined for other hosts. */
export function gatewayRegion(hostname: string): string | undefined {
  return GATEWAY_HOST.exec(hostname)?.[1];
}

type SourceData = string | ArrayBuffer | ArrayBufferView;

/** Hash for the signer; with a secret it is an HMAC. */
export class Sha256 {
  readonly #hash;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('nothing here is used twice');
  }
}

function bytesOf(data: SourceData): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Signed headers of a request to API Gateway, including `host`. */
export async function signedHeaders(
  { method, url, headers, body }: PlainRequest,
  credentials: AwsCredentials,
  region: string,
): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new SignatureV4({
    service: 'execute-api',
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256,
  });
  const query: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.host,
    path: url.pathname,
    query,
    headers: { ...headers, host: url.host },
    ...(body.length > 0 && { body }),
  });
  return signed.headers;
}

/** Encodes a query as signatures require: `URLSearchParams` writes a space as `+`. */
export function strictSearch(search: URLSearchParams): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [...search].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}
