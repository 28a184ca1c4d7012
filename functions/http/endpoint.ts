import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { RESPONSES } from '../openapi/responses.ts';
import type { RouteId, routes } from '../routes.ts';
import type { DeepReadonly, Output } from '../runtime/lazy.ts';
import type { HttpResult, Reply, Whole } from './reply.ts';
import type { Authorizer } from './request.ts';
import type { Route } from './route.ts';

export type SentFields = Readonly<Record<string, string | undefined>>;

type RouteOf<Id> = Extract<(typeof routes)[number], { readonly id: Id }>;

/** Routes with documents and the update protocol check the query in the endpoint. */
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

/** Parsed and validated request, typed by the schemas of the route. */
export interface Call<Id extends RouteId = RouteId> {
  readonly query: QueryOf<RouteOf<Id>>;
  readonly path: SentFields;
  /** Raw bytes on a route that takes documents or an object. */
  readonly body: BodyOf<RouteOf<Id>>;
  readonly method: Route['method'];
  /** By lower-case name. */
  readonly headers: SentFields;
  /** Identity of the caller. */
  readonly principal: string;
}

/** Response type of a route, from its schema; `never` without JSON. */
export type Wire<Id extends RouteId> = Id extends keyof typeof RESPONSES
  ? Output<(typeof RESPONSES)[Id]>
  : never;
export type Endpoint<Id extends RouteId> = (call: Call<Id>) => Promise<Reply<Wire<Id>>> | Reply<Wire<Id>>;

/** Endpoint of any route, for code that dispatches requests. */
export type AnyEndpoint = (call: never) => Promise<Reply<unknown>> | Reply<unknown>;

type DataOf<R> = R extends { readonly data: infer Data } | Whole<infer Data> ? Data : never;
type Answer<E> = E extends (...given: never[]) => infer R ? DataOf<Awaited<R>> : never;
type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never;
type KeysOf<T> = T extends unknown ? keyof T : never;
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** Members of a union that the value can be. */
type Fitting<Got, Want> = Want extends unknown ? (Got extends Want ? Want : never) : never;

/** Keys at any depth that the schema lacks. */
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
 * Checks endpoints against their response schemas at compile time: missing and extra keys are errors. No effect at run
 * time.
 */
export function endpoints<Made extends { [Id in RouteId]?: Endpoint<Id> }>(
  made: Made & Checked<Made>,
): { readonly [Id in keyof Made & RouteId]: Endpoint<Id> } {
  return made as never;
}

/** Loads endpoints with their first request, to keep the cold start short. */
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

/** Used part of an API Gateway event (payload 2.0). */
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

/** State that middlewares pass on. Fields are optional so that the runtime's context has this type. */
export interface HttpContext extends Context {
  readonly route?: Route;
  /** Error format at the path, even without a route. */
  readonly errors?: Route['errors'];
  readonly path?: SentFields;
  readonly call?: Call;
  /** Methods of the path, if the request is OPTIONS of a path without such a route. */
  readonly allow?: string;
}

/** Throws to reject a request; never returns a value, because middy would skip the middlewares after it. */
export type HttpMiddleware = MiddlewareObj<HttpEvent, Reply<unknown> | HttpResult, Error, HttpContext>;
