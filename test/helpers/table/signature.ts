const { createHash, createHmac } = process.getBuiltinModule('node:crypto');

export interface SignableRequest {
  readonly method: string;
  readonly path: string;
  /** By lower-case name; all are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SigningScope {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
  /** Format: `20260101T000000Z`. */
  readonly date: string;
}

export function scopeOf({
  date,
  region,
  service,
}: Omit<SigningScope, 'accessKeyId' | 'secretAccessKey'>): string {
  return `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
}

/** AWS Signature Version 4 of a canonical request, without a library and without the code of the product. */
export function signatureOf(
  canonicalRequest: readonly string[],
  scope: Omit<SigningScope, 'accessKeyId'>,
): string {
  const scopeText = scopeOf(scope);
  const hash = sha256(canonicalRequest.join('\n'));
  const key = scopeText.split('/').reduce<string | Buffer>(hmac, `AWS4${scope.secretAccessKey}`);
  return hmac(key, `AWS4-HMAC-SHA256\n${scope.date}\n${scopeText}\n${hash}`).toString('hex');
}

/** Authorization header of a request without a query. */
export function authorizationOf(request: SignableRequest, scope: SigningScope): string {
  const names = Object.keys(request.headers).toSorted();
  const signedHeaders = names.join(';');
  const headers = names.map((name) => `${name}:${request.headers[name]}`);
  const canonical = [request.method, request.path, '', ...headers, '', signedHeaders, sha256(request.body)];
  const credential = `${scope.accessKeyId}/${scopeOf(scope)}`;
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signatureOf(canonical, scope)}`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
