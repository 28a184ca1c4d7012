import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './sha256.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When they end; undefined when they do not, or nobody knows. */
  readonly expiration?: Date;
}

export interface PlainRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The headers of a request to API Gateway with its signature among them; `host` is one of them. */
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
