import type { S3Client } from '@aws-sdk/client-s3';
import { scopeOf, signatureOf } from '../table/signature.ts';

export interface PresignOptions {
  readonly method: 'GET' | 'PUT';
  readonly bucket: string;
  readonly key: string;
  readonly expiresSeconds?: number;
  readonly signedAt?: Date;
  /** Parameters in addition to the signature. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that the caller then has to send. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs independently of the signing code of the server. */
export async function presign(client: S3Client, options: PresignOptions): Promise<string> {
  const { accessKeyId, secretAccessKey } = await client.config.credentials();
  const endpoint = await client.config.endpoint!();
  const host = `${endpoint.hostname}${endpoint.port === undefined ? '' : `:${endpoint.port}`}`;

  const date = (options.signedAt ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = { secretAccessKey, region: await client.config.region(), service: 's3', date };
  const headers = new Map(Object.entries({ ...options.headers, host }));
  const names = [...headers.keys()].toSorted();
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scopeOf(scope)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(options.expiresSeconds ?? 60)],
    ['X-Amz-SignedHeaders', names.join(';')],
    ...Object.entries(options.query ?? {}),
  ]
    .map(([name, value]) => `${encode(name!)}=${encode(value!)}`)
    .toSorted()
    .join('&');
  const path = `/${options.bucket}/${options.key.split('/').map(encode).join('/')}`;
  const canonical = [
    options.method,
    path,
    query,
    ...names.map((name) => `${name}:${headers.get(name)}`),
    '',
    names.join(';'),
    options.query?.['X-Amz-Content-Sha256'] ?? 'UNSIGNED-PAYLOAD',
  ];
  return `http://${host}${path}?${query}&X-Amz-Signature=${signatureOf(canonical, scope)}`;
}

function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
