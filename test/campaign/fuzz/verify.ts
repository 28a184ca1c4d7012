import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { MAX_BODY_BYTES } from '../../../functions/http/body.ts';
import { matchPath } from '../../../functions/http/match-path.ts';
import { type Route } from '../../../functions/http/route.ts';
import { ERRORS, RESPONSES } from '../../../functions/openapi/responses.ts';
import { type JsonRouteId, routes } from '../../../functions/routes.ts';
import { type Operation, OPERATIONS } from './grammar/interface.ts';
import { INJECTED } from './grammar/values.ts';
import type { FuzzRequest, Shot } from './request.ts';
import type { WireAnswer, WireOutcome } from './wire.ts';

/** What is wrong with what came of a request; nothing when all is well. */
export interface Verification {
  readonly faults: readonly string[];
  /** Where it went, to count by. */
  readonly route: string;
  /** A kill switch that a request before it had thrown: the one 5xx that is due. */
  readonly isStopped: boolean;
}

const documentation = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8');
const documentedNames = new Set([...documentation.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!));

/** Answers that any address may give: by the front, before a route is looked for. */
const GENERAL_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 413]);
/** Refused by the HTTP server itself, with a bare answer. */
const PROTOCOL_STATUSES: ReadonlySet<number> = new Set([400, 408, 413, 414, 417, 431]);

/** Node takes 16 kB. */
const LONG_HEAD = 15_000;

export function verify(shot: Shot, outcome: WireOutcome): Verification {
  if (shot.kind === 'raw') {
    const faults = outcome.kind === 'no answer' ? [outcome.detail] : [];
    if (outcome.kind === 'answer')
      faults.push(...faultsOfHead(outcome.answer), ...faultsOfRaw(outcome.answer));
    const isStopped = outcome.kind === 'answer' && saysStopped(outcome.answer);
    return { faults, route: `raw: ${shot.raw.name}`, isStopped };
  }
  const { method, target, headers, body } = shot.request;
  const path = target.split('?', 1)[0]!;
  const matches = matchPath(routes, path).map(({ route }) => route);
  const route = matches.find((match) => match.method === method) ?? headRoute(method, matches);
  const name = route ? `${route.method} ${route.path}` : `${method} elsewhere`;
  if (outcome.kind !== 'answer') {
    // Whoever sends too much may find the connection closed before reading why.
    const isTooMuch = (body?.length ?? 0) > MAX_BODY_BYTES;
    return {
      faults: isTooMuch ? [] : [`${outcome.kind}: ${outcome.detail}`],
      route: name,
      isStopped: false,
    };
  }
  const { answer } = outcome;
  if (isRefusedByServer(shot.request, answer))
    return { faults: faultsOfHead(answer), route: name, isStopped: false };
  const isConditional = headers.some(([header]) => header.toLowerCase() === 'if-none-match');
  const faults = [...faultsOfHead(answer), ...faultsOfStatus(answer, route, isConditional)];
  if (answer.status >= 400 && method !== 'HEAD') faults.push(...faultsOfError(answer));
  if (answer.status < 300 && method !== 'HEAD' && route) faults.push(...faultsOfData(answer, route));
  const isStopped = saysStopped(answer);
  if (answer.status >= 500 && !isStopped) faults.unshift(`answered ${answer.status}`);
  return { faults, route: name, isStopped };
}

/** Storage and machine are well under fuzz, so whatever else is unavailable is a fault. */
function saysStopped({ status, body }: WireAnswer): boolean {
  return status === 503 && body.includes('"urn:cairn:problem:stopped"');
}

/** Some bytes in a target, and a head that is too long, the HTTP server refuses in its own way. */
function isRefusedByServer({ target, headers }: FuzzRequest, { status, body }: WireAnswer): boolean {
  if (!PROTOCOL_STATUSES.has(status) || body.length > 0) return false;
  const length = headers.reduce((total, [name, value]) => total + name.length + value.length, target.length);
  return status === 431 ? length > LONG_HEAD : /[^\x21-\x7e]/.test(target);
}

function headRoute(method: string, matches: readonly Route[]): Route | undefined {
  return method === 'HEAD' ? matches.find((match) => match.method === 'GET') : undefined;
}

/** Every line is a header by itself, and none came out of a request. */
function faultsOfHead({ headerLines, headers }: WireAnswer): string[] {
  const faults: string[] = [];
  const broken = headerLines.find((line) => !/^[A-Za-z][A-Za-z0-9-]*: ?[\t\x20-\x7e\x80-\xff]*$/.test(line));
  if (broken !== undefined) faults.push(`a header line is ${JSON.stringify(broken)}`);
  if (headers.has(INJECTED)) faults.push('a header was injected');
  if (headers.size !== headerLines.length) faults.push('a header came twice');
  return faults;
}

function faultsOfRaw(answer: WireAnswer): string[] {
  if (answer.status >= 500 && !saysStopped(answer)) return [`answered ${answer.status}`];
  const isBare = PROTOCOL_STATUSES.has(answer.status) && answer.body.length === 0;
  return answer.status < 400 || isBare ? [] : faultsOfError(answer);
}

function faultsOfStatus(
  { status, headers }: WireAnswer,
  route: Route | undefined,
  isConditional: boolean,
): string[] {
  if (status === 304 && !isConditional) return ['answered 304 to a request without a condition'];
  if (GENERAL_STATUSES.has(status)) return [];
  const documented = documentedOf(route);
  if (!route || (route.isUnlisted && status < 400)) return [];
  const types = documented?.responses.get(status);
  if (!types) return [`${status} is not documented for ${route.id}`];
  const type = headers.get('content-type')?.split(';')[0];
  const isDocumented = type === undefined ? types.length === 0 || status === 304 : documentsType(types, type);
  return isDocumented || route.method === 'HEAD'
    ? []
    : [`${type} is not documented for ${status} of ${route.id}`];
}

function documentsType(types: readonly string[], type: string): boolean {
  return types.some((documented) => documented.split(';')[0] === type);
}

const operations = new Map<string, Operation>(OPERATIONS.map((operation) => [operation.id, operation]));

function documentedOf(route: Route | undefined): Operation | undefined {
  return route && operations.get(route.id);
}

/** Errors are of one of the three documented shapes, with a name that the documentation explains. */
function faultsOfError({ status, headers, body }: WireAnswer): string[] {
  const type = headers.get('content-type');
  const text = body.toString('utf8');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return [`the error ${status} is no JSON: ${text.slice(0, 200)}`];
  }
  if (type === 'application/problem+json') {
    if (!ERRORS.problem().safeParse(data).success) return ['the problem has another shape'];
    const problem = data as { type: string; status: number };
    const name = problem.type.replace('urn:cairn:problem:', '');
    if (problem.status !== status) return [`the problem says ${problem.status}, the answer ${status}`];
    return documentedNames.has(name) ? [] : [`the problem ${problem.type} is not documented`];
  }
  if (type !== 'application/json') return [`the error ${status} has the content type ${type}`];
  if (ERRORS.assisted().safeParse(data).success) return [];
  if (!ERRORS.cincinnati().safeParse(data).success) return [`the error ${status} has an unknown shape`];
  const { kind } = data as { kind: string };
  return documentedNames.has(kind) ? [] : [`the kind ${kind} is not documented`];
}

function faultsOfData({ status, headers, body }: WireAnswer, route: Route): string[] {
  const schema = RESPONSES[route.id as JsonRouteId]?.();
  const type = headers.get('content-type') ?? '';
  if (status === 204) return body.length > 0 ? ['204 has a body'] : [];
  if (!type.includes('json')) return [];
  let data: unknown;
  try {
    data = JSON.parse(body.toString('utf8'));
  } catch {
    return [`the answer is no JSON: ${body.toString('utf8', 0, 200)}`];
  }
  if (!schema) return [];
  const parsed = schema.safeParse(data);
  if (!parsed.success) return [`the answer is not as documented: ${JSON.stringify(parsed.error.issues[0])}`];
  // What the schema does not name, it leaves out.
  return isDeepStrictEqual(parsed.data, data) ? [] : ['the answer has fields that are not documented'];
}
