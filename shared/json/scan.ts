export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** Turns a bracket into the brace of the same side; a set lookup per byte takes twice as long. */
export const BRACE_BIT = 0x20;

export function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

/** Bytes that cannot start a value or be part of a number or name. */
export function isPunctuation(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

export function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

/** Exceeds every known name, even with all letters escaped. */
export const NAME_BYTES = 256;

/** Keeps a byte order mark inside a string. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export function decode(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

/** Decodes the bytes between two quotes; null if they are not JSON. */
export function decodeString(bytes: readonly number[]): string | null {
  if (bytes.length <= NAME_BYTES && bytes.every(isPlain)) return String.fromCharCode(...bytes);
  try {
    return String(JSON.parse(`"${decode(Uint8Array.from(bytes))}"`));
  } catch {
    return null;
  }
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x80 && byte !== BACKSLASH;
}

/**
 * Index of the closing quote of the string at `start`; at or beyond the length if the string continues in the next
 * piece.
 */
export function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}

export function endOfScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && !isSpace(bytes[at]!) && !isPunctuation(bytes[at]!)) at++;
  return at;
}

export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return Math.min(endOfString(bytes, start + 1) + 1, bytes.length);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfScalar(bytes, start);
  const nested = new NestedJson();
  nested.use(bytes);
  nested.start();
  return nested.pass(start + 1, Infinity, Infinity);
}

export function afterSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

const FOUR_SPACES = 0x20202020;
/** Set in one of four bytes if it is not ASCII. */
const NOT_ASCII = 0x80808080 | 0;

/** The whole underlying memory in words of four bytes. */
function wordsOf({ buffer }: Uint8Array): Int32Array {
  return new Int32Array(buffer, 0, buffer.byteLength >> 2);
}

/**
 * Skips an object or array up to its closing bracket, in pieces of any size. Tracks only strings and open brackets.
 * This is the hot loop: nearly all bytes of documents pass here, mostly indentation.
 */
export class NestedJson {
  #bytes: Uint8Array = new Uint8Array();
  #words: Int32Array = new Int32Array();
  #open = 0;
  #values = 0;
  #isInString = false;
  /** Bytes of the next piece that belong to an escape at the end of the last one. */
  #ahead = 0;

  use(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
  }

  /** Call at the opening bracket, which counts as a value. */
  start(values = 1): void {
    this.#open = 1;
    this.#values = values;
  }

  /** Opening brackets and commas so far. */
  get values(): number {
    return this.#values;
  }

  get isOver(): boolean {
    return this.#open === 0;
  }

  /**
   * Returns the position after the value, the end of the piece, or the position after the first value above `most`; -1
   * - position for a bracket that is too deep.
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
    while (at < length && values <= most) {
      if (isInString) {
        at = endOfString(bytes, at);
        if (at >= length) break;
        isInString = false;
        at++;
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
    this.#ahead = Math.max(at - length, 0);
    return Math.min(at, length);
  }
}

/** A parsed value takes up to 100 bytes of memory but only two of text: `[[],[],[]…`. */
export const MAX_VALUES = 100_000;
/** Deeper values can be parsed, but not serialized again. */
export const MAX_DEPTH = 1000;

/** Checks before parsing whether the text exceeds the limits. */
export function jsonExcess(bytes: Uint8Array, most: number): 'values' | 'depth' | null {
  const nested = new NestedJson();
  nested.use(bytes);
  // Scans as if inside one more bracket; a surplus closing bracket starts it again.
  nested.start(0);
  for (let at = 0; ; nested.start(nested.values)) {
    at = nested.pass(at, MAX_DEPTH + 1, most);
    if (at < 0) return 'depth';
    if (nested.values > most) return 'values';
    if (!nested.isOver) return null;
  }
}

const JSON_LIMITS = {
  depth: 32,
  /** Source bytes of one string, including escapes. */
  stringBytes: 64 * 1024,
  keysPerObject: 1000,
  /** Total values: an array of small numbers takes many times its text in memory. */
  values: 4_000_000,
};

export type JsonScanCode =
  | 'NotUtf8'
  | 'TooManyValues'
  | 'TooDeep'
  | 'StringTooLong'
  | 'TooManyKeys'
  | 'DuplicateKey';

type JsonScan =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: JsonScanCode; readonly detail: string };

/**
 * Checks JSON bytes before parsing: plain UTF-8, limited depth, strings, and objects, and no duplicate top-level key,
 * of which a parser silently takes the last. One pass without recursion; other syntax is left to the parser.
 * `{"nodes":[],"nodes":[]}` is `DuplicateKey`.
 */
export function scanJson(bytes: Uint8Array, limits: Readonly<typeof JSON_LIMITS> = JSON_LIMITS): JsonScan {
  const mark = foreignEncoding(bytes);
  if (mark !== null) return refuse('NotUtf8', `the body is ${mark}, accepted is UTF-8 without a mark`);
  const invalid = invalidByte(bytes);
  if (invalid !== null) return refuse('NotUtf8', `byte ${invalid} does not belong to a UTF-8 sequence`);

  // Every member has one colon outside strings, so counting colons per open object counts its keys.
  const keys = new Uint32Array(limits.depth + 1);
  const topLevelKeys = new Set<string>();
  const { length } = bytes;
  let depth = 0;
  let values = 1;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      stringStart = at;
      stringEnd = Math.min(endOfString(bytes, at + 1), length);
      at = stringEnd;
      const size = stringEnd - stringStart - 1;
      if (size > limits.stringBytes) {
        return refuse(
          'StringTooLong',
          `the string at byte ${stringStart} has ${size} bytes, at most ${limits.stringBytes} are accepted`,
        );
      }
    } else if (byte === COMMA) {
      if (++values > limits.values) {
        return refuse('TooManyValues', `there are more than ${limits.values} values, see byte ${at}`);
      }
    } else if (byte === COLON) {
      if (++keys[depth]! > limits.keysPerObject) {
        return refuse('TooManyKeys', `an object has more than ${limits.keysPerObject} keys, see byte ${at}`);
      }
      if (depth === 1 && stringEnd > 0) {
        const key = decodeString([...bytes.subarray(stringStart + 1, stringEnd)]);
        if (key !== null && topLevelKeys.has(key)) {
          return refuse('DuplicateKey', `${JSON.stringify(key.slice(0, 64))} comes twice at the top level`);
        }
        if (key !== null) topLevelKeys.add(key);
      }
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      if (++depth > limits.depth) {
        return refuse('TooDeep', `nesting is deeper than ${limits.depth} levels at byte ${at}`);
      }
      keys[depth] = 0;
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      if (depth > 0) depth--;
    }
  }
  return { ok: true };
}

/** First byte outside a UTF-8 sequence. Skips ASCII, which is nearly everything, word by word. */
function invalidByte(bytes: Uint8Array): number | null {
  const words = wordsOf(bytes);
  const { length, byteOffset } = bytes;
  const wholeWords = (byteOffset + length) >> 2;
  let at = 0;
  while (at < length) {
    const size = bytes[at]! < 0x80 ? 1 : sequenceLength(bytes, at);
    if (size === 0) return at;
    at += size;
    if (((byteOffset + at) & 3) === 0) {
      let word = (byteOffset + at) >> 2;
      while (word < wholeWords && (words[word]! & NOT_ASCII) === 0) word++;
      at = (word << 2) - byteOffset;
    }
  }
  return null;
}

/** Length of the well-formed UTF-8 sequence at this position, or 0: rejects overlong forms and surrogates. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return isContinuation(second) ? 2 : 0;
  const third = bytes[at + 2] ?? 0;
  if (first >= 0xe0 && first <= 0xef) {
    const isRanged = first === 0xe0 ? second >= 0xa0 : first === 0xed ? second <= 0x9f : true;
    return isRanged && isContinuation(second) && isContinuation(third) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const isRanged = first === 0xf0 ? second >= 0x90 : first === 0xf4 ? second <= 0x8f : true;
    const fourth = bytes[at + 3] ?? 0;
    return isRanged && isContinuation(second) && isContinuation(third) && isContinuation(fourth) ? 4 : 0;
  }
  return 0;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** Detects another encoding by its first bytes. JSON starts with two ASCII characters. */
function foreignEncoding(bytes: Uint8Array): string | null {
  const [first = SPACE, second = SPACE] = bytes;
  if (hasByteOrderMark(bytes)) return 'UTF-8 with a byte order mark';
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16';
  if (first === 0 || second === 0) return 'UTF-16 or UTF-32';
  return null;
}

function refuse(code: JsonScanCode, detail: string): JsonScan {
  return { ok: false, code, detail };
}
