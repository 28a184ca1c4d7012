import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { RESPONSES } from '../openapi/responses.ts';
import type { RouteId, routes } from '../routes.ts';
import { isPassing } from '../runtime/errors.ts';
import type { DeepReadonly, Output } from '../runtime/lazy.ts';
import type { Log } from '../runtime/log.ts';
import { type Authorizer, principalOf } from './middleware/audit-changes.ts';
import { crossOriginHeaders } from './middleware/cross-origin.ts';
import { assistedBody, cincinnatiBody, Problem, problemBody } from './problem.ts';
import { type HttpResult, type Reply, type Whole, json } from './reply.ts';
import { parseBody, parseQuery } from './request.ts';
import { errorsAt, matchPath, RELEASE_DATA, type Route, routeKey } from './route.ts';

/** Text by name, as it was sent. */
export type SentFields = Readonly<Record<string, string | undefined>>;

type RouteOf<Id> = Extract<(typeof routes)[number], { readonly id: Id }>;

/** Where documents may be sent, and in the update protocol, the endpoint checks the query itself. */
type QueryOf<R> = R extends { readonly documents: unknown } | { readonly errors: 'cincinnati' }
  ? SentFields
  : R extends { readonly query: () => infer Schema extends z.ZodMiniType }
    ? DeepReadonly<z.output<Schema>>
    : Readonly<Record<string, never>>;

type BodyOf<R> = R extends { readonly documents: unknown } | { readonly resource: unknown }
  ? Uint8Array
  : R extends { readonly body: () => infer Schema extends z.ZodMiniType }
    ? DeepReadonly<z.output<Schema>>
    : undefined;

/** What the code of a route sees of a request: parsed and checked, with the types of the route's schemas. */
export interface Call<Id extends RouteId = RouteId> {
  readonly query: QueryOf<RouteOf<Id>>;
  readonly path: SentFields;
  /** The bytes of it on a route that takes documents or a resource. */
  readonly body: BodyOf<RouteOf<Id>>;
  readonly method: Route['method'];
  /** By lower-case name. */
  readonly headers: SentFields;
  /** Who calls. */
  readonly principal: string;
}

/** What a route answers, as its response schema has it; never where it answers no JSON. */
export type Wire<Id extends RouteId> = Id extends keyof typeof RESPONSES
  ? Output<(typeof RESPONSES)[Id]>
  : never;
export type Endpoint<Id extends RouteId> = (call: Call<Id>) => Promise<Reply<Wire<Id>>> | Reply<Wire<Id>>;

/** An endpoint of any route, as those that send requests to endpoints see it. */
export type AnyEndpoint = (call: never) => Promise<Reply<unknown>> | Reply<unknown>;

type DataOf<R> = R extends { readonly data: infer Data } | Whole<infer Data> ? Data : never;
type Answer<E> = E extends (...given: never[]) => infer R ? DataOf<Awaited<R>> : never;
type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never;
type KeysOf<T> = T extends unknown ? keyof T : never;
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** Of a union of answers those that this one may be. */
type Fitting<Got, Want> = Want extends unknown ? (Got extends Want ? Want : never) : never;

/** Keys of an answer, at any depth, that its schema does not have. */
type Extra<Got, Want> = unknown extends Want
  ? never
  : Got extends readonly (infer Element)[]
    ? Extra<Element, ElementOf<Want>>
    : Got extends object
      ? ExtraKeys<Got, [Fitting<Got, Want>] extends [never] ? Extract<Want, object> : Fitting<Got, Want>>
      : never;
type ExtraKeys<Got, Want> = {
  [K in keyof Got & string]-?: K extends KeysOf<Want> ? Extra<Got[K], Member<Want, K>> : K;
}[keyof Got & string];

type Checked<Made> = {
  [Id in keyof Made]: Id extends RouteId
    ? [Extra<Answer<Made[Id]>, Wire<Id>>] extends [never]
      ? Endpoint<Id>
      : { readonly 'not in the response schema': Extra<Answer<Made[Id]>, Wire<Id>> }
    : never;
};

/**
 * Ties endpoints to the response schemas of their routes when it compiles: a key that is missing, or that the schema does
 * not have, is an error. Does nothing when it runs.
 */
export function endpoints<Made extends { [Id in RouteId]?: Endpoint<Id> }>(
  made: Made & Checked<Made>,
): { readonly [Id in keyof Made & RouteId]: Endpoint<Id> } {
  return made as never;
}

/** Endpoints that are loaded with their first request, so that the start is without them. */
export function onDemand<Id extends RouteId>(
  ids: readonly Id[],
  load: () => Promise<{ readonly [Served in Id]: Endpoint<Served> }>,
): { readonly [Served in Id]: Endpoint<Served> } {
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const served = ids.map((id) => [id, async (call: Call<Id>) => (await loaded())[id](call)]);
  return Object.fromEntries(served) as { [Served in Id]: Endpoint<Served> };
}

/** The part of an event of API Gateway (payload 2.0) that is read. */
export type HttpEvent = Pick<
  APIGatewayProxyEventV2,
  'routeKey' | 'rawPath' | 'rawQueryString' | 'headers' | 'pathParameters' | 'body' | 'isBase64Encoded'
> & {
  readonly requestContext: {
    readonly requestId: string;
    readonly http: { readonly method: string; readonly sourceIp?: string };
    readonly authorizer?: Authorizer;
  };
};
/** Refuses a request that is well formed, by throwing. */
export type Guard = (route: Route) => Promise<void>;

export interface RouteLists {
  /** Those of this Lambda. */
  readonly own: readonly Route[];
  /** Those of every Lambda, so that a path of another one is told apart from one that does not exist. */
  readonly all: () => Promise<readonly Route[]>;
}

/** Answers requests to a list of routes, whoever brings them. */
interface Responder {
  /** Throws a `Problem`, or what nobody expected. */
  readonly respond: (event: HttpEvent) => Promise<HttpResult>;
  /** What is answered for something that was thrown. */
  readonly toResponse: (event: HttpEvent, error: unknown) => Promise<HttpResult>;
  /** The route of the list that an event names. */
  readonly routeOf: (event: HttpEvent) => Route | undefined;
}

/**
 * The key of the route that the front has matched finds the endpoint. The whole list is asked for with what is not its own,
 * as it would be a noticeable part of every cold start.
 */
export function responder(
  lists: RouteLists,
  served: Readonly<Record<string, AnyEndpoint>>,
  log: Log,
  guard: Guard = async () => {},
): Responder {
  const byKey = new Map(lists.own.map((route) => [routeKey(route), route]));

  const answer = async (event: HttpEvent, route: Route): Promise<HttpResult> => {
    const call = {
      query: parseQuery(route, event.rawQueryString),
      path: event.pathParameters ?? {},
      body: await parseBody(route, event),
      method: route.method,
      headers: event.headers,
      principal: principalOf(event.requestContext.authorizer),
    };
    await guard(route);
    // Each has the type of its own route, which nothing here knows.
    const reply = await served[route.id]!(call as never);
    const whole =
      'answer' in reply
        ? reply.answer
        : json(reply.status ?? route.success.status, reply.data, reply.headers);
    return event.requestContext.http.method === 'HEAD' ? { ...whole, body: '' } : whole;
  };

  const respond = async (event: HttpEvent): Promise<HttpResult> => {
    const own = byKey.get(event.routeKey);
    if (own) return answer(event, own);
    // The gateway's `$default` route brings every path and method that is not in the list.
    const { route, pathParameters } = headStandIn(event, await lists.all(), byKey);
    return answer({ ...event, pathParameters: { ...pathParameters } }, route);
  };

  const toResponse = async (event: HttpEvent, error: unknown): Promise<HttpResult> => {
    const { requestId } = event.requestContext;
    const isExpected = error instanceof Problem;
    if (!isExpected) log.error('request failed', { requestId, route: event.routeKey, error });
    const problem = isExpected ? error : problemOf(error, requestId);
    const shape = byKey.get(event.routeKey)?.errors ?? errorsAt(await lists.all(), event.rawPath);
    if (shape === 'assisted') return json(problem.status, assistedBody(problem), problem.headers);
    if (shape === 'cincinnati') {
      const headers = { ...crossOriginHeaders(event.headers['origin']), ...problem.headers };
      return json(problem.status, cincinnatiBody(problem), headers);
    }
    return json(problem.status, problemBody(problem, requestId), {
      ...problem.headers,
      'content-type': 'application/problem+json',
    });
  };

  return { respond, toResponse, routeOf: ({ routeKey: key }) => byKey.get(key) };
}

/** The GET route that answers a HEAD request; throws what is wrong with any other request. */
function headStandIn(event: HttpEvent, all: readonly Route[], own: ReadonlyMap<string, Route>) {
  const matches = matchPath(all, event.rawPath);
  const { method } = event.requestContext.http;
  const get = matches.find((match) => match.route.method === 'GET' && own.has(routeKey(match.route)));
  // `$default` is open wherever release data is, so it may stand in for no route that then is closed.
  if (method === 'HEAD' && get && RELEASE_DATA.includes(get.route.access)) return get;
  if (matches.length === 0) {
    const what = `${method} ${event.rawPath}`;
    throw new Problem(
      'not-found',
      errorsAt(all, event.rawPath) === 'cincinnati'
        ? `does not exist: ${what}`
        : `${what} does not exist; GET /openapi.json lists what does`,
    );
  }
  const allow = matches.map((match) => match.route.method).join(', ');
  throw new Problem('method-not-allowed', `${method} is not supported here, accepted: ${allow}`, {
    headers: { allow },
  });
}

/** What is told of an error that nobody expected. */
function problemOf(error: unknown, requestId: string): Problem {
  const where = `the logs have it under ${requestId}`;
  if (!isPassing(error)) return new Problem('internal', `the request could not be answered; ${where}`);
  return new Problem(
    'unavailable',
    `the storage is busy or out of reach, a change may have been made or not; send it again; ${where}`,
    { headers: { 'retry-after': '2' } },
  );
}
