import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import type { HttpEvent } from '../../../functions/http/endpoint.ts';
import type { HttpResult } from '../../../functions/http/reply.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { RESPONSES } from '../../../functions/openapi/responses.ts';
import { type JsonRouteId, type RouteId, routes } from '../../../functions/routes.ts';

const made = new Map<z.core.$ZodType, z.core.$ZodType>();

/** The same schema, but its objects reject unknown keys. */
export function strict(schema: z.core.$ZodType): z.core.$ZodType {
  const known = made.get(schema);
  if (known) return known;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const copy = z.core.clone(schema, { ...def, checks: constraints(def), ...strictParts(def) });
  made.set(schema, copy);
  return copy;
}

function strictParts(def: z.core.$ZodTypes['_zod']['def']): object {
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape).map(([name, field]) => [name, strict(field)]);
      return { shape: Object.fromEntries(shape) as z.core.$ZodShape, catchall: def.catchall ?? z.never() };
    }
    case 'array':
      return { element: strict(def.element) };
    case 'record':
      return { valueType: strict(def.valueType) };
    case 'union':
      return { options: def.options.map(strict) };
    case 'optional':
    case 'nullable':
    case 'readonly':
      return { innerType: strict(def.innerType) };
    default:
      if ('innerType' in def) throw new Error(`the inner schema of ${def.type} would not be strict`);
      return {};
  }
}

/** Omits descriptions: a copy must not be registered under the ID of its schema. */
function constraints({ checks = [] }: z.core.$ZodTypeDef) {
  return checks.filter((check) => !['describe', 'meta'].includes(check._zod.def.check));
}

/** Throws if the body does not match the response schema exactly. */
export function parseStrictly(id: RouteId, body: unknown): unknown {
  if (!(id in RESPONSES)) throw new Error(`${id} has no response schema, but answers JSON`);
  const parsed = z.safeParse(strict(RESPONSES[id as JsonRouteId]()) as z.ZodMiniType, body);
  if (parsed.success) return parsed.data;
  throw new Error(`${id} does not answer by its schema: ${JSON.stringify(parsed.error.issues, null, 1)}`);
}

const idsByKey = new Map<string, RouteId>(routes.map((route) => [routeKey(route), route.id]));

/** Skips errors and other media types, which have no response schema. */
export function checkAnswer({ routeKey: key }: Pick<HttpEvent, 'routeKey'>, result: HttpResult): void {
  const { statusCode = 200, headers = {}, body = '', isBase64Encoded } = result;
  const id = idsByKey.get(key);
  const isData = statusCode < 300 && body !== '' && String(headers['content-type']).includes('json');
  if (!id || !isData) return;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const content = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  parseStrictly(id, JSON.parse(content.toString('utf8')));
}

type App = (event: HttpEvent, context: object) => Promise<HttpResult>;

/** An app that throws if a response does not match its schema. */
export function strictly(app: App): App {
  return async (event, context) => {
    const result = await app(event, context);
    checkAnswer(event, result);
    return result;
  };
}
