import { pointerToken } from '@cairn/shared/input/input-value';
import { nearestName } from '@cairn/shared/text/nearest';
import { quoteValue, SENT, truncate } from '@cairn/shared/text/quote';
import type * as z from 'zod/mini';
import type { ErrorDetail } from '../runtime/errors.ts';
import { listedNames } from './aliases.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
}

/** Types of a field, without optionality: `string` and `array` for a name or a list. */
export function typesOf(field: z.core.$ZodType): readonly string[] {
  const { type, innerType, options } = field._zod.def as Definition;
  if (innerType) return typesOf(innerType);
  return options ? options.flatMap(typesOf) : [type];
}

type Issue = z.core.$ZodIssue;

/** Faults reported per request. */
export const MOST_FAULTS = 20;

/** Parses the query string itself, because API Gateway joins repeated keys with commas. */
export function parseQuery(route: Route, rawQueryString: string): Record<string, string | undefined> {
  // Fields beside documents may be in the query or the body, so both are checked together.
  if (route.documents) return givenFields(route, route.documents().shape, rawQueryString);
  const query = route.query?.();
  if (!query) {
    refuseQuery(route, rawQueryString);
    return {};
  }
  if (route.errors === 'cincinnati') return lastValues(Object.keys(query.shape), rawQueryString);
  const { given, errors } = givenValues(route, query.shape, route.lists ?? [], rawQueryString);
  const parsed = query.safeParse(
    Object.fromEntries([...given].filter(([name]) => Object.hasOwn(query.shape, name))),
  );
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const parameter = String(issue.path[0] ?? '');
      const detail = describe(issue, listedNames(query.shape));
      errors.push({ parameter, value: truncateIfGiven(given.get(parameter)), detail });
    }
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return parsed.data as Record<string, string | undefined>;
}

/** Pages and probes keep what a sign-in, a cache or a load balancer adds to their address. */
function refuseQuery({ errors, access, body }: Route, rawQueryString: string): void {
  if (errors !== 'problem' || access === 'open') return;
  const given = new Set(new URLSearchParams(rawQueryString).keys());
  if (given.size === 0) return;
  const detail = `is not known, ${body ? 'fields are accepted in the body' : 'no parameter is accepted'}`;
  throw invalidRequest([...given].slice(0, MOST_FAULTS).map((parameter) => ({ parameter, detail })));
}

type Fields = Readonly<Record<string, z.core.$ZodType>>;

function givenFields(route: Route, fields: Fields, rawQueryString: string): Record<string, string> {
  const lists = Object.keys(fields).filter((name) => typesOf(fields[name]!).includes('array'));
  const { given, errors } = givenValues(route, fields, lists, rawQueryString);
  if (errors.length > 0) throw invalidRequest(errors);
  return Object.fromEntries(given);
}

function givenValues(
  route: Route,
  fields: Fields,
  lists: readonly string[],
  rawQueryString: string,
): { given: Map<string, string>; errors: ErrorDetail[] } {
  const given = new Map<string, string>();
  const errors: ErrorDetail[] = [];
  for (const [parameter, value] of new URLSearchParams(rawQueryString)) {
    const earlier = given.get(parameter);
    if (earlier !== undefined && lists.includes(parameter)) {
      given.set(parameter, `${earlier},${value}`);
      continue;
    }
    if (earlier !== undefined && earlier !== value) {
      errors.push({
        parameter,
        value: truncate(value),
        detail: `is given twice, as ${quoteValue(earlier, SENT)} and ${quoteValue(value, SENT)}`,
      });
    }
    given.set(parameter, value);
  }
  // Clients of assisted-service may send ignored names; on other routes an unknown name is a typing mistake.
  if (route.errors === 'problem') {
    const unknown = [...given.keys()].filter((name) => !Object.hasOwn(fields, name));
    const known = listedNames(fields);
    errors.push(...unknown.map((parameter) => ({ parameter, detail: unknownName(parameter, known) })));
  }
  return { given, errors };
}

/** As in the update protocol: the last value wins, unknown names are ignored, and the endpoint checks the rest. */
function lastValues(names: readonly string[], rawQueryString: string): Record<string, string | undefined> {
  const given = new URLSearchParams(rawQueryString);
  const values: Record<string, string | undefined> = {};
  for (const name of names) values[name] = given.getAll(name).at(-1);
  return values;
}

/** `known` are the names at the top of the body. */
export function bodyErrors(issues: readonly Issue[], known: readonly string[]): ErrorDetail[] {
  return issues.slice(0, MOST_FAULTS).flatMap((issue): ErrorDetail[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MOST_FAULTS).map((key) => ({
          pointer: pointerTo([...issue.path, truncate(key)]),
          // Only the schema knows nested names; its message lists them.
          detail: issue.path.length === 0 ? unknownName(key, known) : issue.message,
        }))
      : [{ pointer: pointerTo(issue.path), detail: describe(issue, known) }],
  );
}

/** Names each fault in its text. */
export function invalidRequest(errors: readonly ErrorDetail[]): Problem {
  const isOfBody = errors.some(({ pointer }) => pointer !== undefined);
  const sentences = errors.map(({ parameter, pointer, value, detail }) => {
    const where = parameter ?? (pointer || 'the body');
    return value === undefined ? `${where}: ${detail}` : `${where}=${quoteValue(value, SENT)}: ${detail}`;
  });
  return new Problem(isOfBody ? 'invalid-body' : 'invalid-parameter', sentences.join('; '), { errors });
}

export function describe(issue: Issue, known: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') return unknownName(issue.keys.join(', '), known);
  if (issue.code !== 'invalid_type' || issue.message !== 'Invalid input') return issue.message;
  return `${ACCEPTED[issue.expected] ?? issue.expected} is accepted`;
}

const ACCEPTED: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
};

export function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest
    ? `is not known, did you mean ${nearest}?`
    : `is not known, accepted are ${known.join(', ') || 'none'}`;
}

/** RFC 6901. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${pointerToken(String(part))}`).join('');
}

export function truncateIfGiven(value: string | undefined): string | undefined {
  return value === undefined ? undefined : truncate(value);
}

const LONGEST_PRINCIPAL = 256;

/** Caller in an API Gateway event (payload 2.0). */
export interface Authorizer {
  readonly iam?: { readonly userArn?: string | null };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

/** ARN of a signed request, `sub` with the client of a token, or `local` without authentication. */
export function principalOf(authorizer: Authorizer | undefined): string {
  const arn = authorizer?.iam?.userArn;
  if (arn) return arn.slice(0, LONGEST_PRINCIPAL);
  const claims = authorizer?.jwt?.claims;
  if (claims === undefined) return 'local';
  const names = [claims['sub'], claims['client_id']].filter((name) => typeof name === 'string');
  return (names.length > 0 ? names.join(' by ') : 'unknown').slice(0, LONGEST_PRINCIPAL);
}
