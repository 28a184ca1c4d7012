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

/** Authorization header (AWS Signature Version 4) of a request without a query. */
export function authorizationOf(request: SignableRequest, scope: SigningScope): string {
  const names = Object.keys(request.headers).toSorted();
  const signedHeaders = names.join(';');
  const canonicalRequest = [
    request.method,
    request.path,
    '',
    ...names.map((name) => `${name}:${request.headers[name]}`),
    '',
    signedHeaders,
    sha256(request.body),
  ].join('\n');
  const day = scope.date.slice(0, 8);
  const scopeText = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const stringToSign = `AWS4-HMAC-SHA256\n${scope.date}\n${scopeText}\n${sha256(canonicalRequest)}`;
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (derived, part) => hmac(derived, part),
    `AWS4${scope.secretAccessKey}`,
  );
  const signature = hmac(key, stringToSign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${scope.accessKeyId}/${scopeText}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
