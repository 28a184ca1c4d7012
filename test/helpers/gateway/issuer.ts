import { createServer } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { listen } from '../listen.ts';

/** An undefined claim is omitted. */
export type TestClaims = { readonly [name: string]: unknown };

export interface TestIssuer {
  /** Public URL, unreachable in tests. */
  readonly url: string;
  /** Maps its URL to the local server. */
  readonly reach: (url: string) => string;
  /** Issues a valid token; arguments override claims. */
  token(claims?: TestClaims, header?: { readonly kid?: string | undefined }): Promise<string>;
  readonly publicKey: string;
  close(): Promise<void>;
}

/** An OpenID provider for token verification: discovery, keys and signing. */
export async function startIssuer(url: string): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  const { pathname } = new URL(url);
  const documents = new Map<string, unknown>([
    [`${pathname}/.well-known/openid-configuration`, { issuer: url, jwks_uri: `${url}/keys` }],
    [`${pathname}/keys`, { keys: [jwk] }],
  ]);
  const server = createServer((request, response) => {
    const document = documents.get(request.url ?? '');
    response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? {}));
  });
  const local = await listen(server);
  return {
    url,
    publicKey: await exportSPKI(publicKey),
    reach: (asked) => asked.replace(new URL(url).origin, local.url),
    token: (claims, header) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: 'cairn', sub: 'someone', iat: now - 1, exp: now + 300 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header } as JWTHeaderParameters)
        .sign(privateKey);
    },
    close: local.close,
  };
}
