import { OPEN_BRACE, OPEN_BRACKET } from '@cairn/shared/json/bytes';
import { itemsOf, membersOf, valueStart } from '@cairn/shared/json/members';
import { jsonExcess } from '@cairn/shared/json/scan';
import { Problem } from '../http/problem.ts';
import { ExpectedError } from '../runtime/errors.ts';

/** A body that says what is asked of the documents beside them. */
export interface RequestEnvelope {
  /** Its members as parsed, but for `documents`. */
  readonly members: ReadonlyMap<string, unknown>;
  /** The value of `documents` as it stands in the body; null when there is none. */
  readonly documents: Uint8Array | null;
}

/** Of all but the documents, which are never parsed as a whole. */
const MAX_MEMBERS_BYTES = 256 * 1024;
/** Of a request and of an object of a cluster: neither has more than a few dozen. */
const MAX_MEMBERS = 1000;
/** Of a body that is parsed only to say what is wrong with it. */
const MAX_CHECKED_VALUES = 2_500_000;

/** Of these the first decides: objects of a cluster have the latter, requests the former. */
const REQUEST_KEYS: ReadonlySet<string> = new Set(['documents', 'upload']);
const OBJECT_KEYS: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'items', 'metadata']);

/**
 * The request around documents; null when the body is nothing but documents. `{"documents": […], "target": "4.16"}` gives
 * the target parsed, and the documents as bytes, since they may be large and most of them is never needed parsed.
 */
export function requestEnvelope(body: Uint8Array): RequestEnvelope | null {
  if (body[valueStart(body)] !== OPEN_BRACE) return null;
  const parts: Uint8Array[] = [];
  let documents: Uint8Array | null = null;
  let passed = 0;
  let members = 0;
  // When neither is there it is most likely a request that lacks its documents; that is what will be told.
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

/** Throws when the body as a whole is not JSON, which reading its documents alone would tell with a place of their own. */
export function refuseBrokenJson(body: Uint8Array): void {
  if (jsonExcess(body, MAX_CHECKED_VALUES) !== null) return;
  try {
    JSON.parse(decode(body));
  } catch (error) {
    throw error instanceof ExpectedError ? error : notJson(error);
  }
}

/** How many there are in the `documents` of a request, which is JSON. */
export function countDocuments(documents: Uint8Array): number {
  return documents[0] === OPEN_BRACKET ? [...itemsOf(documents)].length : 1;
}

function parseObject(rest: Uint8Array, body: Uint8Array): object {
  try {
    return JSON.parse(decode(rest)) as object;
  } catch (error) {
    // With the documents in it, so that the place that the message tells is the right one.
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
