import {
  BACKSLASH,
  BRACE_BIT,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';

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

const SPACE = 0x20;
const FOUR_SPACES = 0x20202020;

/**
 * Passes over an object or array, in pieces of any size, to its closing bracket. Only strings and the number of open
 * brackets count. Nearly all bytes of a cluster's documents go through here, and most of them are indentation.
 */
export class NestedJson {
  #bytes: Uint8Array = new Uint8Array();
  /** All of the memory that the bytes are in, four at a time. */
  #words: Int32Array = new Int32Array();
  #open = 0;
  #values = 0;
  #isInString = false;
  /** Bytes of the next piece that belong to an escape at the end of the last one. */
  #ahead = 0;

  use(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2);
  }

  /** Called at the opening bracket. */
  start(): void {
    this.#open = 1;
    this.#values = 1;
  }

  /** So far: brackets that open, and commas. */
  get values(): number {
    return this.#values;
  }

  get isOver(): boolean {
    return this.#open === 0;
  }

  /**
   * Where it goes on after the value, or the end of the piece, or behind the first value that is more than `most`; -1 -
   * position of a bracket that is one too deep.
   */
  pass(start: number, deepest: number, most: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const { length, byteOffset } = bytes;
    const wholeWords = (byteOffset + length) >> 2;
    let open = this.#open;
    let values = this.#values;
    let isInString = this.#isInString;
    let at = start + this.#ahead;
    this.#ahead = 0;
    while (at < length && values <= most) {
      if (isInString) {
        while (at < length) {
          const byte = bytes[at]!;
          at++;
          if (byte === QUOTE) {
            isInString = false;
            break;
          }
          if (byte === BACKSLASH) at++;
        }
        continue;
      }
      const byte = bytes[at]!;
      at++;
      if (byte === SPACE) {
        if (((byteOffset + at) & 3) === 0) {
          let word = (byteOffset + at) >> 2;
          while (word < wholeWords && words[word] === FOUR_SPACES) word++;
          at = (word << 2) - byteOffset;
        }
      } else if (byte === QUOTE) {
        isInString = true;
      } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
        if (++open > deepest) return -at;
        values++;
      } else if (byte === COMMA) {
        values++;
      } else if ((byte | BRACE_BIT) === CLOSE_BRACE && --open === 0) {
        break;
      }
    }
    this.#open = open;
    this.#values = values;
    this.#isInString = isInString;
    if (at > length) this.#ahead = 1;
    return Math.min(at, length);
  }
}
