import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import { UPLOAD_ID } from '../documents/schema.ts';
import type { Route } from '../http/route.ts';
import { type JsonRouteId, routes } from '../routes.ts';
import { errorHeaders, isConditional, successHeaders } from './headers.ts';
import { ACCESS, EXAMPLES, FAILURES, pathParameter, SECURITY_SCHEMES, SERVERS, TAGS } from './interface.ts';
import { ERRORS, RefusalBody, RESPONSES } from './responses.ts';

const ERROR_MEDIA_TYPE = {
  problem: 'application/problem+json',
  assisted: 'application/json',
  cincinnati: 'application/json',
} as const;

/** Builds an OpenAPI 3.1 document from the route list. Build time only: `npm run openapi`. */
export function createOpenapi(): Record<string, unknown> {
  const paths = new Map<string, Record<string, unknown>>();
  const bodies: Record<string, unknown> = {};
  for (const route of routes as readonly Route[]) {
    if (route.isUnlisted) continue;
    Object.assign(bodies, documentForms(route));
    const operations = paths.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = operation(route);
    paths.set(route.path, operations);
  }
  return forGenerators({
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version: manifest.version,
      description: `${manifest.description} Every GET operation also answers HEAD, and every path answers OPTIONS with the methods it has.`,
      contact: { name: 'Cairn' },
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: SERVERS,
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: sorted({ ...componentSchemas(), ...bodies }) },
  });
}

function operation(route: Route): Record<string, unknown> {
  const { status, description, created, mediaTypes = ['application/json'] } = route.success;
  const { text: access, security } = ACCESS[route.access];
  const headers = successHeaders(route);
  const schema = isDescribed(route.id) ? jsonSchema(RESPONSES[route.id](), 'output') : { type: 'object' };
  const content = mediaTypes.length > 0 && {
    content: Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: type.includes('json') ? schema : { type: 'string' } }]),
    ),
  };
  return {
    operationId: route.id,
    tags: TAGS.filter(({ ids }) => ids.has(route.id)).map(({ name }) => name),
    summary: route.summary,
    description: `${description}. ${access}`,
    security,
    ...(route.isDeprecated && { deprecated: true }),
    'x-cairn-access': route.access,
    ...parametersOf(route),
    ...(route.body && {
      requestBody: {
        // Without a body, the server reads `{}`.
        required: !route.body().safeParse({}).success,
        content: {
          'application/json': { schema: jsonSchema(route.body(), 'input'), ...exampleOf(route.id) },
        },
      },
    }),
    ...(route.documents && {
      requestBody: documentBody(route),
    }),
    ...(route.resource && { requestBody: resourceBody(route.resource()) }),
    responses: {
      [status]: { description, ...headers, ...content },
      ...(created !== undefined && { 201: { description: created, ...headers, ...content } }),
      ...(isConditional(route) && { 304: { description: NOT_MODIFIED, ...headers } }),
      ...Object.fromEntries(failuresOf(route).map((failure) => [failure, errorResponse(route, failure)])),
    },
  };
}

/** Promised only to be an object: for people, or this document itself. */
const UNDESCRIBED: readonly string[] = ['getIndex', 'getHealth', 'getOpenapi'] satisfies JsonRouteId[];

function isDescribed(id: string): id is JsonRouteId {
  return id in RESPONSES && !UNDESCRIBED.includes(id);
}

const NOT_MODIFIED =
  'The client has the current representation, as its If-None-Match or If-Modified-Since says';

/**
 * Every route can find storage unavailable, and every change can be stopped by a kill switch. A gateway refuses callers
 * and limits requests. Routes without parameters refuse any.
 */
function failuresOf({ failures, access, errors }: Route): number[] {
  const own = access === 'open' ? [] : errors === 'problem' ? [400, 401] : [401];
  return [...new Set([...failures, ...own, 403, 429, 500, 503])];
}

const BINARY = { type: 'string', format: 'binary' } as const;

/** Forms that `readDocumentSource` reads, by the name of their component: `PlanUpgradeWithUpload`. */
function documentForms({ id, documents: query, documentsBody = query, insteadOfDocuments: instead }: Route) {
  if (!documentsBody) return {};
  const { [instead ?? '']: replacement, ...properties } = fieldsOf(documentsBody()).properties;
  const sources = {
    documents: {
      description: 'What `oc get … -o json` prints: one document, or a list of them',
      anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
    },
    upload: {
      description: 'The id of an upload that holds the documents',
      type: 'string',
      pattern: UPLOAD_ID.source,
    },
    ...(instead !== undefined && { [instead]: replacement }),
  };
  const forms = Object.entries(sources).map(([name, source]) => [
    `${pascalCase(id)}With${pascalCase(name)}`,
    {
      type: 'object',
      description: `Fields of \`${id}\` with \`${name}\``,
      properties: { [name]: source, ...properties },
      required: [name],
      additionalProperties: false,
    },
  ]);
  // A list is accepted too. openapi-python-client cannot generate a choice between lists and objects.
  const bare = {
    type: 'object',
    description:
      'Nothing but documents, also several in a row or a list of them; the other fields are then parameters of the query',
    properties: { kind: { type: 'string' } },
    required: ['kind'],
  };
  return Object.fromEntries([...forms, ['Documents', bare]]) as Record<string, unknown>;
}

/** No body is required if a field can replace documents. */
function documentBody(route: Route) {
  const forms = Object.keys(documentForms(route)).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    required: route.insteadOfDocuments === undefined,
    description:
      'Up to 4 MB as sent; compressed, up to 64 MB inflated, with at most 160,000 objects and 200,000 values in one of them. What is larger goes to POST /v1/uploads',
    content: {
      'application/json': { schema: { anyOf: forms } },
      'application/gzip': { schema: { ...BINARY, description: 'The same, compressed by gzip' } },
    },
  };
}

/** Forms that `readResource` reads. */
function resourceBody(resource: NonNullable<ReturnType<NonNullable<Route['resource']>>>) {
  const schema = {
    anyOf: [jsonSchema(resource, 'input'), jsonSchema(resource.shape.spec, 'input')],
  };
  return {
    required: true,
    description: 'The object whole, or its spec alone; up to 64 kB',
    content: {
      'application/json': { schema },
      'application/yaml': { schema },
      'application/gzip': { schema: { ...BINARY, description: 'Either, compressed by gzip' } },
    },
  };
}

/** Refused before the route is known, so never in the error format of a legacy protocol. */
const OF_GATEWAY: readonly number[] = [401, 403, 429];

function errorResponse(route: Route, status: number) {
  const description = FAILURES[status];
  if (description === undefined)
    throw new Error(`${route.id} fails with ${status}, which has no description`);
  if (OF_GATEWAY.includes(status)) {
    const refusal = { schema: jsonSchema(RefusalBody(), 'output') };
    const content = { 'application/json': refusal, [ERROR_MEDIA_TYPE.problem]: refusal };
    return { description, ...errorHeaders(status), content };
  }
  const own = { schema: jsonSchema(ERRORS[route.errors](), 'output') };
  const content = { [ERROR_MEDIA_TYPE[route.errors]]: own };
  return { description, ...errorHeaders(status), content };
}

function parametersOf(route: Route) {
  const { path, query, documents } = route;
  const headers = {
    ...route.headers,
    ...(isConditional(route) && {
      'If-None-Match': 'Answer 304 if the response has one of these entity tags',
    }),
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name, index, 0: place }) => {
    const { schema, example } = pathParameter(path.slice(0, index + place.length));
    const { description, ...rest } = jsonSchema(schema, 'input');
    return { name, in: 'path', required: true, description, example, schema: rest };
  });
  const parameters = [
    ...inPath,
    ...(query ? queryParameters(query()) : []),
    // Each can be in the body instead.
    ...(documents ? queryParameters(documents()).map((field) => ({ ...field, required: false })) : []),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return parameters.length > 0 && { parameters };
}

function queryParameters(query: z.ZodMiniObject) {
  const { properties, required } = fieldsOf(query);
  return Object.entries(properties).map(([name, { deprecated, description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(deprecated && { deprecated }),
    // `?only_latest` without a value equals `?only_latest=true`.
    ...(!required.includes(name) && { allowEmptyValue: acceptsEmpty(query, name) }),
    description: description ?? componentDescription(schema.$ref),
    ...(name in EXAMPLES.query && { example: EXAMPLES.query[name] }),
    schema,
  }));
}

function exampleOf(id: string) {
  return id in EXAMPLES.body && { example: EXAMPLES.body[id] };
}

interface Property {
  readonly description?: string;
  readonly deprecated?: true;
  readonly $ref?: string;
}

function componentDescription(reference = ''): string | undefined {
  const schemas = componentSchemas() as Readonly<Record<string, { description?: string }>>;
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)]?.description;
}

/** Expands the object: a schema that is also a component would become a reference. */
function fieldsOf({ shape }: z.ZodMiniObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(shape), {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, Property>; required?: string[] };
  return { properties: withComponents(properties), required };
}

function acceptsEmpty(query: z.ZodMiniObject, name: string): boolean {
  return z.safeParse(query.shape[name] as z.ZodMiniType, '').success;
}

/** References a schema with an ID and inlines any other. */
function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  return withoutDialect(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
}

function componentSchemas(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

function sorted(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutDialect(schema: object): Record<string, unknown> {
  const {
    $schema: _dialect,
    $id: _id,
    id: _name,
    $defs: _components,
    ...rest
  } = schema as Record<string, unknown>;
  return withComponents(rest);
}

/**
 * Generators need two things: a nullable array as a list of types, and a Go name for a deprecated `time_zone` beside
 * `timeZone`, because names in Go ignore `_`.
 */
function forGenerators<Json extends object>(document: Json): Json {
  const text = JSON.stringify(document, (name, value: unknown) => {
    if (name === 'properties') return withGoNames(value as Parameters<typeof withGoNames>[0]);
    const { anyOf, ...rest } = Object(value) as { anyOf?: readonly { type?: string }[] };
    const isNullableArray = anyOf?.length === 2 && anyOf[0]!.type === 'array' && anyOf[1]!.type === 'null';
    return isNullableArray ? { ...anyOf[0], ...rest, type: ['array', 'null'] } : value;
  });
  return JSON.parse(text) as Json;
}

function withGoNames(properties: Readonly<Record<string, { deprecated?: true; enum?: readonly string[] }>>) {
  const named = Object.entries(properties).map(([field, schema]) => [
    field,
    schema.deprecated
      ? {
          ...schema,
          'x-go-name': `Deprecated${pascalCase(field)}`,
          ...(schema.enum && { 'x-go-type': 'string' }),
        }
      : schema,
  ]);
  return Object.fromEntries(named) as unknown;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** A schema inside another one is a definition of that one; here each is a component. */
function withComponents<Json extends object>(json: Json): Json {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

if (import.meta.main) {
  writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(createOpenapi(), null, 2)}\n`);
}
