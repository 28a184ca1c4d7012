import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import type { Route } from '../runtime/route.ts';
import { type RouteId, routes } from './routes.ts';
import { ERRORS, RESPONSES } from './schemas/responses.ts';

const MEDIA_TYPE = { problem: 'application/problem+json', assisted: 'application/json' } as const;

/** The interface as an OpenAPI 3.1 document, made from the route list. Runs at build time only: `npm run openapi`. */
export function createOpenapi(): Record<string, unknown> {
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of routes as readonly Route[]) {
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
  const { status, description } = route.success;
  const schema = RESPONSES[route.id as RouteId];
  return {
    operationId: route.id,
    summary: route.summary,
    'x-cairn-access': route.access,
    ...(route.query && { parameters: queryParameters(route.query) }),
    ...(route.body && {
      requestBody: { content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
    }),
    responses: {
      [status]: {
        description,
        content: {
          'application/json': { schema: schema ? jsonSchema(schema, 'output') : { type: 'object' } },
        },
      },
      ...Object.fromEntries([...route.failures, 500].map((failure) => [failure, errorResponse(route)])),
    },
  };
}

function errorResponse(route: Route) {
  const schema = jsonSchema(ERRORS[route.errors], 'output');
  return { description: 'What went wrong', content: { [MEDIA_TYPE[route.errors]]: { schema } } };
}

function queryParameters(query: z.ZodMiniObject) {
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // `?only_latest` without a value is the same as `?only_latest=true`.
    allowEmptyValue: true,
    description,
    schema,
  }));
}

/** A schema with an id is referred to, any other stands where it is used. */
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
