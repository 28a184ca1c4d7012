import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Faults of the issuer that a test sets and resets. */
export interface IssuerMood {
  /** Issuer in its discovery document. */
  issuer: string;
  /** Token endpoint in its discovery document. */
  tokenEndpoint: string;
  /** Lifetime of access tokens in seconds. */
  lifetime: number;
  /** Granted scopes among the requested ones. */
  grants: readonly string[];
  givesRefreshTokens: boolean;
  refusesRefresh: boolean;
  /** Additional claims of ID tokens. */
  claims: Readonly<Record<string, unknown>>;
  /** Replaces the requested nonce. */
  nonce: string | null;
  /** Replaces the sent state. */
  state: string | null;
}

export interface OidcIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly audience: string;
  readonly mood: IssuerMood;
  /** Resets all faults. */
  behave(): void;
  /** Parameters of the last authorization request and of all token requests. */
  readonly asked: { authorization: URLSearchParams | null; tokens: URLSearchParams[] };
  /** Every issued token. */
  readonly tokens: string[];
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly scope: string;
}

/**
 * A local OIDC issuer for a public client: a sign-in page, single-use codes bound to their challenge (S256), signed
 * tokens, single-use refresh tokens.
 */
export async function startIssuer(clientId: string, audience: string): Promise<OidcIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const issued: string[] = [];
  const asked: OidcIssuer['asked'] = { authorization: null, tokens: [] };

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/ops`;
  const good = (): IssuerMood => ({
    issuer: url,
    tokenEndpoint: `${url}/token`,
    lifetime: 300,
    grants: ['openid', 'fleet:read', 'fleet:write', 'fleet:admin'],
    givesRefreshTokens: true,
    refusesRefresh: false,
    claims: { name: 'Jo <b>Bloggs</b>' },
    nonce: null,
    state: null,
  });
  const mood = good();

  const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(url)
      .setIssuedAt()
      .setJti(randomUUID())
      .setExpirationTime(Math.floor(Date.now() / 1000) + mood.lifetime)
      .sign(privateKey);

  const tokensFor = async (grant: Grant) => {
    const scope = grant.scope
      .split(' ')
      .filter((each) => mood.grants.includes(each))
      .join(' ');
    const accessToken = await sign({ sub: 'jo', aud: audience, scope });
    const nonce = mood.nonce ?? grant.nonce;
    const idToken = await sign({ sub: 'jo', aud: clientId, nonce, ...mood.claims });
    const refreshToken = randomUUID();
    if (mood.givesRefreshTokens) refreshTokens.set(refreshToken, grant);
    issued.push(accessToken, idToken, refreshToken);
    return {
      access_token: accessToken,
      id_token: idToken,
      token_type: 'Bearer',
      expires_in: mood.lifetime,
      ...(mood.givesRefreshTokens && { refresh_token: refreshToken }),
    };
  };

  const grantFor = (form: URLSearchParams): Grant | string => {
    if (form.get('client_id') !== clientId) return 'unknown client';
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const grant = refreshTokens.get(token);
      refreshTokens.delete(token);
      return mood.refusesRefresh || !grant ? 'the session is over' : grant;
    }
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    if (!grant || form.get('redirect_uri') !== grant.redirectUri) return 'this code is not good';
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '');
    return challenge.digest('base64url') === grant.challenge ? grant : 'the verifier is another one';
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const json = (status: number, body: object): void => {
      const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    switch (`${request.method} ${pathname.replace('/realms/ops', '')}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, {
          issuer: mood.issuer,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: mood.tokenEndpoint,
          jwks_uri: `${url}/keys`,
        });
      case 'GET /keys':
        return json(200, { keys: [jwk] });
      case 'GET /authorize': {
        asked.authorization = searchParams;
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(signInPage(searchParams));
        return undefined;
      }
      case 'GET /decision':
        return sendBack(searchParams, response);
      case 'POST /token': {
        const form = new URLSearchParams(await bodyOf(request));
        asked.tokens.push(form);
        const grant = grantFor(form);
        return typeof grant === 'string'
          ? json(400, { error: 'invalid_grant', error_description: grant })
          : json(200, await tokensFor(grant));
      }
      default:
        response.writeHead(404).end();
        return undefined;
    }
  }

  function sendBack(asking: URLSearchParams, response: ServerResponse): void {
    const get = (name: string): string => asking.get(name) ?? '';
    const target = new URL(get('redirect_uri'));
    target.searchParams.set('state', mood.state ?? get('state'));
    target.searchParams.set('iss', url);
    if (get('decision') === 'No') {
      target.searchParams.set('error', 'access_denied');
      target.searchParams.set('error_description', '<b>Jo</b> is not in the group');
    } else {
      const code = randomUUID();
      codes.set(code, {
        challenge: get('code_challenge'),
        redirectUri: get('redirect_uri'),
        nonce: get('nonce'),
        scope: get('scope'),
      });
      issued.push(code);
      target.searchParams.set('code', code);
    }
    response.writeHead(302, { location: target.href }).end();
  }

  return {
    url,
    clientId,
    audience,
    mood,
    behave: () => Object.assign(mood, good()),
    asked,
    tokens: issued,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Forwards all request parameters. */
function signInPage(asking: URLSearchParams): string {
  const fields = [...asking].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
  );
  return `<!doctype html><html lang="en"><title>Issuer</title><main><h1>Sign in as Jo?</h1>
    <form action="decision">${fields.join('')}
    <button name="decision" value="Yes" autofocus>Yes</button> <button name="decision" value="No">No</button></form></main></html>`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
