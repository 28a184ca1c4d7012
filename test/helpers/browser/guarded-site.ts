import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as ask,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { matchPath } from '../../../functions/http/match-path.ts';
import { servedRoutes } from '../../../functions/routes.ts';
import { scopesOf } from '../../../infra/aws/http-api.ts';
import type { OidcIssuer } from './oidc-issuer.ts';
import type { Site } from './site.ts';
import type { Visited } from './visit.ts';

export interface GuardedSite extends Visited {
  /** Tokens treated as expired. */
  readonly ended: Set<string>;
  /** Status and path of each rejected request. */
  readonly refusals: string[];
  close(): Promise<void>;
}

/** The site behind a model of API Gateway's JWT authorizer: checks signature, issuer, audience, time and scopes. */
export async function guardSite(site: Site, issuer: OidcIssuer): Promise<GuardedSite> {
  const keys = createRemoteJWKSet(new URL(`${issuer.url}/keys`));
  const ended = new Set<string>();
  const refusals: string[] = [];

  const verdictOn = async (request: IncomingMessage): Promise<200 | 401 | 403> => {
    const [path = ''] = (request.url ?? '').split('?');
    const match = matchPath(servedRoutes, path).find(({ route }) => route.method === request.method);
    const access = match?.route.access ?? 'public';
    if (access === 'open') return 200;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (ended.has(token)) return 401;
    try {
      const { payload } = await jwtVerify(token, keys, { issuer: issuer.url, audience: issuer.audience });
      const held = String(payload['scope']).split(' ');
      return scopesOf(access).some((scope) => held.includes(scope)) ? 200 : 403;
    } catch {
      return 401;
    }
  };

  const server = createServer((request, response) => {
    void verdictOn(request).then((status) => {
      if (status === 200) return pass(site.url, request, response);
      refusals.push(`${status} ${request.url}`);
      const message = status === 401 ? 'Unauthorized' : 'Forbidden';
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      return undefined;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    also: [issuer.url],
    ended,
    refusals,
    close: () => closed(server),
  };
}

function pass(to: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const passed = ask(new URL(request.url ?? '/', to), { method: method ?? 'GET', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
