import {
  COLON,
  COMMA,
  decode,
  decodeString,
  hasByteOrderMark,
  isSpace,
  NAME_BYTES,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';
import { afterSpace, endOfString, endOfValue } from './scan.ts';

/** A value, by where it stands in the text. */
interface JsonPart {
  readonly start: number;
  readonly end: number;
}

interface JsonMember extends JsonPart {
  /** Empty for one that is too long to be known. */
  readonly key: string;
}

/** The members of the object that a text begins with, as far as it is one: the rest is left to who parses it. */
export function* membersOf(body: Uint8Array): Generator<JsonMember> {
  let end = valueStart(body) + 1;
  if (body[end - 1] !== OPEN_BRACE) return;
  for (;;) {
    const quote = afterComma(body, end);
    if (body[quote] !== QUOTE) return;
    const keyEnd = endOfString(body, quote + 1);
    const key = keyEnd - quote < NAME_BYTES ? decodeString([...body.subarray(quote + 1, keyEnd)]) : '';
    const colon = afterSpace(body, keyEnd + 1);
    if (key === null || body[colon] !== COLON) return;
    const start = afterSpace(body, colon + 1);
    end = endOfValue(body, start);
    if (end === start) return;
    yield { key, start, end };
  }
}

/** The items of the array that a text begins with, as far as it is one. */
export function* itemsOf(body: Uint8Array): Generator<JsonPart> {
  let end = valueStart(body) + 1;
  if (body[end - 1] !== OPEN_BRACKET) return;
  for (;;) {
    const start = afterComma(body, end);
    end = endOfValue(body, start);
    if (end === start) return;
    yield { start, end };
  }
}

/** Where a text begins, behind a byte order mark and space. */
export function valueStart(body: Uint8Array): number {
  return afterSpace(body, hasByteOrderMark(body) ? 3 : 0);
}

function afterComma(body: Uint8Array, start: number): number {
  let at = start;
  while (at < body.length && (isSpace(body[at]!) || body[at] === COMMA)) at++;
  return at;
}

/** The items of a JSON array as they stand in the text: `[4.10, "a"]` → `4.10`, `"a"`, where a parser makes 4.1 of the first. */
export function sourceItems(json: string): string[] {
  const bytes = new TextEncoder().encode(json);
  return Array.from(itemsOf(bytes), ({ start, end }) => decode(bytes.subarray(start, end)));
}

/** The members of a JSON object by key, each as it stands in the text; of a key given twice the last, as parsers do. */
export function sourceMembers(json: string): ReadonlyMap<string, string> {
  const bytes = new TextEncoder().encode(json);
  return new Map(
    Array.from(membersOf(bytes), ({ key, start, end }) => [key, decode(bytes.subarray(start, end))]),
  );
}
