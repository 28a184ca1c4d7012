import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';
import { NestedJson } from './nested-json.ts';

/** A member of an object, by where its value stands in the text. */
export interface JsonMember {
  /** Empty for one that is too long to be known. */
  readonly key: string;
  /** Of the value, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** Longer keys are not decoded: no known name is that long, even with every letter escaped. */
const KEY_BYTES = 256;

/** The members of the object that a text begins with, as far as it is one: the rest is left to who parses it. */
export function* membersOf(body: Uint8Array): Generator<JsonMember> {
  let at = valueStart(body) + 1;
  for (;;) {
    while (at < body.length && (isSpace(body[at]!) || body[at] === COMMA)) at++;
    if (body[at] !== QUOTE) return;
    const keyEnd = endOfValue(body, at);
    const key = keyIn(body.subarray(at, keyEnd));
    at = afterSpace(body, keyEnd);
    if (key === null || body[at] !== COLON) return;
    const start = afterSpace(body, at + 1);
    const end = endOfValue(body, start);
    if (end === start) return;
    yield { key, start, end };
    at = end;
  }
}

/** Where a text begins, behind a byte order mark and space. */
export function valueStart(body: Uint8Array): number {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return afterSpace(body, hasMark ? 3 : 0);
}

export function afterSpace(body: Uint8Array, start: number): number {
  let at = start;
  while (at < body.length && isSpace(body[at]!)) at++;
  return at;
}

export function endOfValue(body: Uint8Array, start: number): number {
  const first = body[start];
  if (first === OPEN_BRACE || first === OPEN_BRACKET) {
    const nested = new NestedJson();
    nested.use(body);
    nested.start();
    return nested.pass(start + 1, Infinity, Infinity);
  }
  let at = start;
  if (first === QUOTE) {
    at++;
    while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    return Math.min(at + 1, body.length);
  }
  while (at < body.length && !endsScalar(body[at]!)) at++;
  return at;
}

function endsScalar(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

function keyIn(quoted: Uint8Array): string | null {
  if (quoted.length > KEY_BYTES) return '';
  try {
    return JSON.parse(new TextDecoder().decode(quoted)) as string;
  } catch {
    return null;
  }
}
