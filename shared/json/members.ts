import {
  afterSpace,
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
  endOfString,
  endOfValue,
} from './scan.ts';

/** Position of a value in the text. */
interface JsonPart {
  readonly start: number;
  readonly end: number;
}

interface JsonMember extends JsonPart {
  /** Empty if longer than every known key. */
  readonly key: string;
}

/** Members of the leading object; leaves syntax errors to the parser. */
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

/** Items of the leading array; leaves syntax errors to the parser. */
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

/** Skips a byte order mark and whitespace. */
export function valueStart(body: Uint8Array): number {
  return afterSpace(body, hasByteOrderMark(body) ? 3 : 0);
}

function afterComma(body: Uint8Array, start: number): number {
  let at = start;
  while (at < body.length && (isSpace(body[at]!) || body[at] === COMMA)) at++;
  return at;
}

/** Source text of the items: `[4.10, "a"]` → `4.10`, `"a"`; a parser would turn 4.10 into 4.1. */
export function sourceItems(json: string): string[] {
  const bytes = new TextEncoder().encode(json);
  return Array.from(itemsOf(bytes), ({ start, end }) => decode(bytes.subarray(start, end)));
}

/** Source text of the members by key; the last of duplicate keys wins, as in parsers. */
export function sourceMembers(json: string): ReadonlyMap<string, string> {
  const bytes = new TextEncoder().encode(json);
  return new Map(
    Array.from(membersOf(bytes), ({ key, start, end }) => [key, decode(bytes.subarray(start, end))]),
  );
}
