import { itemsOf, membersOf, valueStart } from '@cairn/shared/json/members';
import { jsonExcess, OPEN_BRACE, OPEN_BRACKET } from '@cairn/shared/json/scan';
import { Problem } from '../http/problem.ts';
import { ExpectedError } from '../runtime/errors.ts';

/** Body with request fields beside the documents. */
export interface RequestEnvelope {
  /** Parsed members without `documents`. */
  readonly members: ReadonlyMap<string, unknown>;
  /** Source bytes of `documents`; null if missing. */
  readonly documents: Uint8Array | null;
}

/** Limit of everything except the documents, which are never parsed as a whole. */
const MAX_MEMBERS_BYTES = 256 * 1024;
/** Limit for requests and Kubernetes objects: both have at most a few dozen. */
const MAX_MEMBERS = 1000;
/** Limit for a body that is parsed only to report its fault. */
const MAX_CHECKED_VALUES = 2_500_000;

/** The first such key decides: Kubernetes objects have the latter, requests the former. */
const REQUEST_KEYS: ReadonlySet<string> = new Set(['documents', 'upload']);
const OBJECT_KEYS: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'items', 'metadata']);

/**
 * Separates the request from its documents; null if the body contains only documents. `{"documents": […], "target":
 * "4.16"}` gives a parsed target and the documents as bytes, because they are large and mostly never parsed.
 */
export function requestEnvelope(body: Uint8Array): RequestEnvelope | null {
  if (body[valueStart(body)] !== OPEN_BRACE) return null;
  const parts: Uint8Array[] = [];
  let documents: Uint8Array | null = null;
  let passed = 0;
  let members = 0;
  // Without either key, assume a request that lacks its documents; the error then names those.
  let isRequest = false;
  for (const { key, start, end } of membersOf(body)) {
    if (!isRequest && OBJECT_KEYS.has(key)) return null;
    isRequest ||= REQUEST_KEYS.has(key);
    if (++members > MAX_MEMBERS) {
      throw new Problem(
        'body-too-large',
        `the body has more than ${MAX_MEMBERS} members, at most so many are accepted beside documents`,
      );
    }
    if (key !== 'documents') continue;
    documents = body.subarray(start, end);
    parts.push(body.subarray(passed, start), Buffer.from('null'));
    passed = end;
  }
  const rest = Buffer.concat([...parts, body.subarray(passed)]);
  if (rest.length > MAX_MEMBERS_BYTES) {
    throw new Problem(
      'body-too-large',
      `what stands beside documents takes ${rest.length} bytes, at most ${MAX_MEMBERS_BYTES} are accepted`,
    );
  }
  const parsed = new Map(Object.entries(parseObject(rest, body)));
  parsed.delete('documents');
  return { members: parsed, documents };
}

/** Throws if the whole body is invalid JSON: reading only the documents would report a position relative to them. */
export function refuseBrokenJson(body: Uint8Array): void {
  if (jsonExcess(body, MAX_CHECKED_VALUES) !== null) return;
  try {
    JSON.parse(decode(body));
  } catch (error) {
    throw error instanceof ExpectedError ? error : notJson(error);
  }
}

/** Expects valid JSON. */
export function countDocuments(documents: Uint8Array): number {
  return documents[0] === OPEN_BRACKET ? [...itemsOf(documents)].length : 1;
}

function parseObject(rest: Uint8Array, body: Uint8Array): object {
  try {
    return JSON.parse(decode(rest)) as object;
  } catch (error) {
    // Includes the documents, so the message has the right position.
    refuseBrokenJson(body);
    throw error instanceof ExpectedError ? error : notJson(error);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('invalid-body', 'the body is not UTF-8');
  }
}

function notJson(error: unknown): Problem {
  return new Problem('invalid-body', `the body is not JSON: ${(error as SyntaxError).message}`);
}
