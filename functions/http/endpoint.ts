import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { RESPONSES } from '../openapi/responses.ts';
import type { RouteId, routes } from '../routes.ts';
import type { DeepReadonly, Output } from '../runtime/lazy.ts';
import type { HttpResult, Reply, Whole } from './reply.ts';
import type { Authorizer } from './request.ts';
import type { Route } from './route.ts';

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

/** What middlewares hand on. The fields are optional, so that the runtime's context is one of these. */
export interface HttpContext extends Context {
  readonly route?: Route;
  /** Shape of errors at the path, also where there is no route. */
  readonly errors?: Route['errors'];
  readonly path?: SentFields;
  readonly call?: Call;
}

/** Throws to refuse a request; never returns a value, because middy would skip the middlewares after it. */
export type HttpMiddleware = MiddlewareObj<HttpEvent, Reply<unknown> | HttpResult, Error, HttpContext>;
