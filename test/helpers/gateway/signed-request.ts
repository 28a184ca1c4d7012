import { createHash, timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../../functions/outbound/signing.ts';
import { REGION } from './deployed-api.ts';
import type { PolicyDocument } from './iam-policy.ts';
import type { GatewayRequest } from './request.ts';

/** A caller with a key and its policies. */
export interface AwsCaller {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly userArn: string;
  readonly policies: readonly PolicyDocument[];
}

export const CLOCK_SKEW_MS = 5 * 60_000;

/** Adds the headers of an SDK. */
export async function signRequest(
  request: GatewayRequest,
  caller: Pick<AwsCaller, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>,
  signingDate: Date,
  /** Sends the body hash in its own header. It is signed in both cases. */
  hasChecksum = true,
): Promise<GatewayRequest> {
  const signed = await signerOf(caller, hasChecksum).sign(signable(request), { signingDate });
  return { ...request, headers: signed.headers };
}

/** Returns the signer; null without a valid and current signature of this request. */
export async function verifySignature(
  request: GatewayRequest,
  callers: readonly AwsCaller[],
  now: number,
): Promise<AwsCaller | null> {
  const claim = readClaim(request.headers);
  const caller = callers.find(({ accessKeyId }) => accessKeyId === claim?.accessKeyId);
  if (!claim || !caller) return null;
  const { headers } = request;
  const isComplete = ['host', 'x-amz-date'].every((name) => claim.signedHeaders.has(name));
  const isTimely = Math.abs(claim.date.getTime() - now) <= CLOCK_SKEW_MS;
  const isOfBody = [undefined, hashOf(request.body)].includes(headers['x-amz-content-sha256']);
  const isToken = headers['x-amz-security-token'] === caller.sessionToken;
  if (!isComplete || !isTimely || !isOfBody || !isToken) return null;
  const signedOnes = Object.entries(headers).filter(([name]) => claim.signedHeaders.has(name));
  const again = await signerOf(caller, false).sign(
    signable({ ...request, headers: Object.fromEntries(signedOnes) }),
    { signingDate: claim.date, signableHeaders: claim.signedHeaders },
  );
  // Compares the whole header, so that region and service must match too.
  return isSame(normalized(again.headers['authorization']!), normalized(headers['authorization']!))
    ? caller
    : null;
}

function signerOf(
  { accessKeyId, secretAccessKey, sessionToken }: Parameters<typeof signRequest>[1],
  applyChecksum: boolean,
): SignatureV4 {
  return new SignatureV4({
    service: 'execute-api',
    region: REGION,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256,
    applyChecksum,
  });
}

function signable({ method, target, headers, body }: GatewayRequest) {
  const url = new URL(target, 'https://gateway.invalid');
  const query: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  return {
    method,
    protocol: 'https:',
    hostname: headers['host']!,
    path: target.split('?', 1)[0]!,
    query,
    headers: { ...headers },
    ...(body !== undefined && { body }),
  };
}

function readClaim(headers: GatewayRequest['headers']) {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/[^,]+, ?SignedHeaders=([^,]+), ?Signature=[0-9a-f]{64}$/.exec(
      headers['authorization'] ?? '',
    );
  const day = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(headers['x-amz-date'] ?? '');
  if (!match || !day) return null;
  const [year, month, date, hour, minute, second] = day.slice(1);
  return {
    accessKeyId: match[1]!,
    signedHeaders: new Set(match[2]!.split(';')),
    date: new Date(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`),
  };
}

/** Clients differ in spaces after commas. */
function normalized(authorization: string): string {
  return authorization.replaceAll(', ', ',');
}

function hashOf(body: Buffer = Buffer.alloc(0)): string {
  return createHash('sha256').update(body).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
