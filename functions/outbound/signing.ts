import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

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
  readonly body: Buffer;
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
