import { writeFileSync } from 'node:fs';
import { ARCHES, OTHER_NAMES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import type { Route } from '../http/route.ts';
import { type JsonRouteId, routes } from '../routes.ts';
import { ERRORS, RESPONSES } from './responses.ts';

const ERROR_MEDIA_TYPE = {
  problem: 'application/problem+json',
  assisted: 'application/json',
  cincinnati: 'application/json',
} as const;

/** Builds an OpenAPI 3.1 document from the route list. Build time only: `npm run openapi`. */
export function createOpenapi(): Record<string, unknown> {
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of routes as readonly Route[]) {
    if (route.isUnlisted) continue;
    const operations = paths.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = operation(route);
    paths.set(route.path, operations);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version: manifest.version,
      description: manifest.description,
      license: { name: manifest.license, identifier: manifest.license },
    },
    paths: Object.fromEntries(paths),
    components: { schemas: componentSchemas() },
  };
}

function operation(route: Route): Record<string, unknown> {
  const { status, description, created, isTagged, mediaTypes = ['application/json'] } = route.success;
  const schema = isDescribed(route.id) ? jsonSchema(RESPONSES[route.id](), 'output') : { type: 'object' };
  const content = mediaTypes.length > 0 && {
    content: Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: type.includes('json') ? schema : { type: 'string' } }]),
    ),
  };
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.isDeprecated && { deprecated: true }),
    'x-cairn-access': route.access,
    ...parametersOf(route),
    ...(route.body && {
      requestBody: { content: { 'application/json': { schema: jsonSchema(route.body(), 'input') } } },
    }),
    ...(route.documents && {
      requestBody: documentBody((route.documentsBody ?? route.documents)(), route.insteadOfDocuments),
    }),
    ...(route.resource && { requestBody: resourceBody(route.resource()) }),
    responses: {
      [status]: { description, ...content },
      ...(created !== undefined && { 201: { description: created, ...content } }),
      ...(isTagged && { 304: { description: 'It is still what If-None-Match names' } }),
      ...Object.fromEntries(failuresOf(route).map((failure) => [failure, errorResponse(route)])),
    },
  };
}

/** Promised only to be an object: for people, or this document itself. */
const UNDESCRIBED: readonly string[] = ['getIndex', 'getHealth', 'getOpenapi'] satisfies JsonRouteId[];

function isDescribed(id: string): id is JsonRouteId {
  return id in RESPONSES && !UNDESCRIBED.includes(id);
}

/** Every route can find storage unavailable, and every change can be stopped by a kill switch. */
function failuresOf({ failures }: Route): number[] {
  return [...failures, 500, 503];
}

/** Forms that `readDocumentSource` reads; none required if a field can replace documents. */
function documentBody(fields: z.ZodMiniObject, instead: string | undefined) {
  const { properties } = fieldsOf(fields);
  const sources = ['documents', 'upload', ...(instead === undefined ? [] : [instead])];
  const request = {
    type: 'object',
    properties: {
      documents: {
        description: 'What `oc get … -o json` prints: one document, or a list of them',
        anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
      },
      upload: {
        description: 'In the place of `documents`: the id of an upload that holds them',
        type: 'string',
      },
      ...properties,
    },
    oneOf: sources.map((source) => ({ required: [source] })),
    additionalProperties: false,
  };
  const documents = {
    description:
      'Nothing but documents, also several in a row; the other fields are then parameters of the query',
    anyOf: [
      { type: 'object', required: ['kind'] },
      { type: 'array', items: { type: 'object' } },
    ],
  };
  return {
    required: instead === undefined,
    description:
      'Up to 4 MB as sent; compressed, up to 64 MB inflated, with at most 160,000 objects and 200,000 values in one of them. What is larger goes to POST /v1/uploads',
    content: {
      'application/json': { schema: { anyOf: [request, documents] } },
      'application/gzip': { schema: { description: 'The same, compressed by gzip' } },
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
      'application/gzip': { schema: { description: 'Either, compressed by gzip' } },
    },
  };
}

function errorResponse(route: Route) {
  const schema = jsonSchema(ERRORS[route.errors](), 'output');
  return { description: 'What went wrong', content: { [ERROR_MEDIA_TYPE[route.errors]]: { schema } } };
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  channel: 'A channel, such as stable-4.14',
  arch: ARCHES.map((arch) => (OTHER_NAMES[arch] === null ? arch : `${arch} or ${OTHER_NAMES[arch]}`)).join(
    ', ',
  ),
  version: 'A version, such as 4.14.20',
  name: 'A pruner: lower-case letters, digits, dots and hyphens, at most 63',
  id: 'A cluster, as named by who reports it: letters, digits, dots, underscores and hyphens, at most 100',
};

function parametersOf({ path, query, documents, headers = {} }: Route) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: 'string' },
  }));
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
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(deprecated && { deprecated }),
    // `?only_latest` without a value equals `?only_latest=true`.
    ...(!required.includes(name) && { allowEmptyValue: acceptsEmpty(query, name) }),
    description,
    schema,
  }));
}

/** Expands the object: a schema that is also a component would become a reference. */
function fieldsOf({ shape }: z.ZodMiniObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(shape), {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, { description?: string; deprecated?: true }>; required?: string[] };
  return { properties, required };
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
  const entries = Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutDialect(schema: object): Record<string, unknown> {
  const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema as Record<string, unknown>;
  return rest;
}

if (import.meta.main) {
  writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(createOpenapi(), null, 2)}\n`);
}
