import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';

export type Claims = Readonly<Record<string, unknown>>;

export interface JwtAuthorizer {
  /** Returns the claims of a valid token, otherwise null. */
  verify(token: string, now: number): Promise<Claims | null>;
}

/**
 * Verifies tokens like API Gateway: RS256 with a published key by `kid`, `iss`, `aud` (or `client_id`), `exp`, `nbf`
 * and `iat`. `reach` maps issuer URLs to local ones.
 */
export function createJwtAuthorizer(
  { issuer, audience }: { readonly issuer: string; readonly audience: readonly string[] },
  reach: (url: string) => string,
): JwtAuthorizer {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const readKeys = async () => {
    const response = await fetch(reach(`${issuer}/.well-known/openid-configuration`));
    const { jwks_uri: keysUrl } = (await response.json()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(reach(keysUrl)));
  };
  return {
    async verify(token, now) {
      if (!hasKeyId(token)) return null;
      keys ??= await readKeys();
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          algorithms: ['RS256'],
          requiredClaims: ['exp'],
          currentDate: new Date(now),
        });
        const isFromFuture = payload.iat !== undefined && payload.iat > now / 1000;
        const recipients = [payload.aud ?? payload['client_id'] ?? []].flat();
        const isForUs = recipients.some((name) => typeof name === 'string' && audience.includes(name));
        return isForUs && !isFromFuture ? payload : null;
      } catch (error) {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return null;
        throw error;
      }
    },
  };
}

function hasKeyId(token: string): boolean {
  try {
    return decodeProtectedHeader(token).kid !== undefined;
  } catch {
    return false;
  }
}

/** Reads `scope` (text with spaces) and `scp` (a list at some issuers). */
export function scopesIn(claims: Claims): string[] {
  return [claims['scope'], claims['scp']]
    .flat()
    .flatMap((scope) => (typeof scope === 'string' ? scope.split(' ') : []));
}
