import { truncate } from '@cairn/shared/text/quote';
import type * as z from 'zod/mini';
import { listedNames } from '../http/aliases.ts';
import {
  typesOf,
  bodyErrors,
  describe,
  invalidRequest,
  MOST_FAULTS,
  pointerTo,
  truncateIfGiven,
  unknownName,
} from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Reads fields from query and body with the schema of the body. In the query, `a,b` is a list, and `true`, `1` or an
 * empty value is true. `others` are body members that are read elsewhere.
 */
export function requestFields<Schema extends z.ZodMiniObject>(
  schema: Schema,
  query: Query,
  body: ReadonlyMap<string, unknown>,
  others: readonly string[] = [],
): z.output<Schema> {
  const accepted = Object.keys(schema.shape);
  const known = listedNames(schema.shape);
  const given = new Map<string, unknown>();
  const errors: ErrorDetail[] = [];
  for (const name of accepted) {
    const text = query[name];
    if (text !== undefined) given.set(name, fromText(typesOf(schema.shape[name]!), text));
  }
  for (const [name, value] of body) {
    if (others.includes(name)) continue;
    if (errors.length === MOST_FAULTS) break;
    if (!accepted.includes(name)) {
      errors.push({ pointer: pointerTo([truncate(name)]), detail: unknownName(name, [...others, ...known]) });
    } else if (given.has(name)) {
      errors.push({ pointer: `/${name}`, detail: 'is given in the query as well' });
    } else {
      given.set(name, value);
    }
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    for (const issue of parsed.error.issues.slice(0, MOST_FAULTS)) {
      const name = String(issue.path[0] ?? '');
      const text = query[name];
      if (text === undefined && body.size > 0) errors.push(...bodyErrors([issue], known));
      else errors.push({ parameter: name, value: truncateIfGiven(text), detail: describe(issue, known) });
    }
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return parsed.data as z.output<Schema>;
}

/** Converts text to the type of the field; unconvertible text stays for the schema to reject. */
function fromText(types: readonly string[], text: string): unknown {
  if (types.includes('array') && (text.includes(',') || !types.includes('string'))) return text.split(',');
  if (types.includes('boolean')) {
    if (/^(true|1|)$/i.test(text)) return true;
    return /^(false|0)$/i.test(text) ? false : text;
  }
  return types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
