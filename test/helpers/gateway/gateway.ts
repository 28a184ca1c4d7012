import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Lambda } from '../lambda/lambda-host.ts';
import { listen } from '../listen.ts';
import {
  ACCOUNT,
  API_ID,
  type DeployedApi,
  type DeployedRoute,
  type LambdaName,
  REGION,
} from './deployed-api.ts';
import { isAllowed, matchesWildcard } from './iam-policy.ts';
import { createJwtAuthorizer, type JwtAuthorizer, scopesIn } from './jwt.ts';
import type { GatewayRequest } from './request.ts';
import { type AwsCaller, verifySignature } from './signed-request.ts';
import { TokenBucket } from './throttle.ts';

/*
 * A model of API Gateway (HTTP API) after its documentation, because the real one does not run locally. It proves
 * what the template requests, not how AWS behaves.
 */

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface GatewayOptions {
  readonly api: DeployedApi;
  readonly lambdas: Readonly<Record<LambdaName, Lambda>>;
  /** Every caller with a key. */
  readonly callers: readonly AwsCaller[];
  /**
   * Maps issuer URLs to local ones.
   * @default unchanged
   */
  readonly reachIssuer?: (url: string) => string;
  /**
   * Enforces throttling limits.
   * @default false
   */
  readonly isThrottling?: boolean;
  readonly clock?: () => number;
}

export interface Gateway {
  handle(request: GatewayRequest): Promise<GatewayAnswer>;
  /** Listens on a free port. */
  listen(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** Host name of the deployment. Every signature covers it. */
export const GATEWAY_HOST = `${API_ID}.execute-api.${REGION}.amazonaws.com`;

/** Caller identity in an event. */
type Identity = { readonly iam?: object; readonly jwt?: object };

export function createGateway(options: GatewayOptions): Gateway {
  const { api, lambdas, isThrottling = false, clock = Date.now } = options;
  const jwt = api.jwt && createJwtAuthorizer(api.jwt, options.reachIssuer ?? ((url) => url));
  const buckets = new Map<string, TokenBucket>();

  const handle = async (request: GatewayRequest): Promise<GatewayAnswer> => {
    const path = request.target.split('?', 1)[0]!;
    const { route, pathParameters } = findRoute(api.routes, request.method, path);
    const bucket = buckets.get(route.key) ?? new TokenBucket(route.throttle, clock());
    buckets.set(route.key, bucket);
    if (isThrottling && !bucket.take(clock())) return refusal(429, 'Too Many Requests');
    const identity = await identify(request, route, path);
    if ('refusal' in identity) return identity.refusal;
    const called = route.key === '$default' ? '$default' : route.key.replace(' ', '');
    if (!api.permissions[route.lambda].some((source) => matchesWildcard(source, arnOf(called)))) {
      return refusal(500, 'Internal Server Error');
    }
    const event = eventOf(request, route, pathParameters, identity.authorizer, clock());
    const result = await lambdas[route.lambda].invoke(event);
    return result.ok ? answerOf(result.payload) : refusal(500, 'Internal Server Error');
  };

  const identify = async (
    request: GatewayRequest,
    route: DeployedRoute,
    path: string,
  ): Promise<{ authorizer?: Identity } | { refusal: GatewayAnswer }> => {
    if (route.authorization === 'NONE') return {};
    if (route.authorization === 'JWT') return identifyByToken(request, route, jwt!, clock());
    const caller = await verifySignature(request, options.callers, clock());
    const resource = arnOf(`${request.method}${path}`);
    if (!caller || !isAllowed(caller.policies, 'execute-api:Invoke', resource)) {
      return { refusal: refusal(403, 'Forbidden') };
    }
    const { accessKeyId, userArn } = caller;
    return { authorizer: { iam: { accessKey: accessKeyId, accountId: ACCOUNT, userArn } } };
  };

  return {
    handle,
    async listen() {
      const server = createServer((incoming, response) => {
        void buffer(incoming).then(async (body) => {
          const {
            status,
            headers,
            body: sent,
          } = await handle({
            method: incoming.method!,
            target: incoming.url!,
            headers: incoming.headers as Record<string, string>,
            ...(body.length > 0 && { body }),
          });
          response.writeHead(status, headers).end(sent);
        });
      });
      return listen(server);
    },
  };
}

async function identifyByToken(
  { headers }: GatewayRequest,
  { scopes }: DeployedRoute,
  authorizer: JwtAuthorizer,
  now: number,
): Promise<{ authorizer: Identity } | { refusal: GatewayAnswer }> {
  const token = headers['authorization']?.replace(/^Bearer /i, '');
  const claims = token === undefined ? null : await authorizer.verify(token, now);
  if (!claims) return { refusal: refusal(401, 'Unauthorized', { 'www-authenticate': 'Bearer' }) };
  const held = scopesIn(claims);
  const isEnough = scopes.length === 0 || scopes.some((scope) => held.includes(scope));
  if (!isEnough) return { refusal: refusal(403, 'Forbidden') };
  // API Gateway passes all claims as text.
  const texts = Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { authorizer: { jwt: { claims: Object.fromEntries(texts), scopes: held } } };
}

/** The most specific route: literal segments before parameters, `$default` last. */
export function findRoute(
  routes: readonly DeployedRoute[],
  method: string,
  path: string,
): { route: DeployedRoute; pathParameters: Record<string, string> } {
  const segments = path.split('/');
  const matches = routes.flatMap((route) => {
    const [routeMethod, routePath] = route.key.split(' ');
    const parts = routePath?.split('/') ?? [];
    if (routeMethod !== method || parts.length !== segments.length) return [];
    const pathParameters: Record<string, string> = {};
    for (const [index, part] of parts.entries()) {
      const segment = segments[index]!;
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined ? part !== segment : segment === '') return [];
      if (name !== undefined) pathParameters[name] = decodeURIComponent(segment);
    }
    return [
      { route, pathParameters, literals: parts.map((part) => (part.startsWith('{') ? '1' : '0')).join('') },
    ];
  });
  const [best] = matches.toSorted((a, b) => (a.literals < b.literals ? -1 : 1));
  return best ?? { route: routes.find(({ key }) => key === '$default')!, pathParameters: {} };
}

function arnOf(called: string): string {
  return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${API_ID}/$default/${called}`;
}

/** Payload format 2.0. */
function eventOf(
  { method, target, headers, body }: GatewayRequest,
  { key }: DeployedRoute,
  pathParameters: Record<string, string>,
  authorizer: Identity | undefined,
  now: number,
) {
  const queryAt = target.indexOf('?');
  const rawPath = queryAt === -1 ? target : target.slice(0, queryAt);
  const isText = /^(text\/|application\/(json|xml|javascript)\b)/.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: key,
    rawPath,
    rawQueryString: queryAt === -1 ? '' : target.slice(queryAt + 1),
    headers,
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: API_ID,
      ...(authorizer && { authorizer }),
      domainName: GATEWAY_HOST,
      domainPrefix: API_ID,
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: key,
      stage: '$default',
      timeEpoch: now,
    },
    isBase64Encoded: body !== undefined && !isText,
    ...(body !== undefined && { body: body.toString(isText ? 'utf8' : 'base64') }),
  };
}

function answerOf(payload: unknown): GatewayAnswer {
  const result = payload as {
    readonly statusCode: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly isBase64Encoded?: boolean;
  };
  return {
    status: result.statusCode,
    headers: result.headers ?? {},
    body: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Response shape of API Gateway itself. */
function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify({ message })),
  };
}
