import {
  BACKSLASH,
  BRACE_BIT,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';

/** Parsed, a value takes up to a hundred bytes, of which two are enough in the text: `[[],[],[]…`. */
export const MAX_VALUES = 100_000;
/** What is deeper can be parsed, but not written again. */
export const MAX_DEPTH = 1000;

/** Whether parsing the text would give more than so many values, or deeper ones than anybody sends. */
export function jsonExcess(bytes: Uint8Array, most: number): 'values' | 'depth' | null {
  let values = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COMMA || (byte | BRACE_BIT) === OPEN_BRACE) {
      if (++values > most) return 'values';
      if (byte !== COMMA && ++depth > MAX_DEPTH) return 'depth';
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      depth--;
    }
  }
  return null;
}

export interface JsonLimits {
  readonly depth: number;
  /** Of one string as written, escapes included. */
  readonly stringBytes: number;
  readonly keysPerObject: number;
  /** Of all values: an array of small numbers takes many times its text in memory. */
  readonly values: number;
}

const JSON_LIMITS: JsonLimits = {
  depth: 32,
  stringBytes: 64 * 1024,
  keysPerObject: 1000,
  values: 4_000_000,
};

export type JsonScanCode =
  | 'NotUtf8'
  | 'TooManyValues'
  | 'TooDeep'
  | 'StringTooLong'
  | 'TooManyKeys'
  | 'DuplicateKey';

export type JsonScan =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: JsonScanCode; readonly detail: string };

/**
 * Looks at JSON bytes before a parser does: it is UTF-8 without a mark, not too deep, without huge strings or objects,
 * and no top-level key comes twice (a parser would silently take the last). One pass, no recursion; whether the rest is
 * JSON is left to the parser. `{"nodes":[],"nodes":[]}` is `DuplicateKey`.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits = JSON_LIMITS): JsonScan {
  const mark = foreignEncoding(bytes);
  if (mark !== null) return refuse('NotUtf8', `the body is ${mark}, accepted is UTF-8 without a mark`);

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
      stringEnd = endOfString(bytes, at + 1);
      if (stringEnd < 0) return invalidSequence(-stringEnd - 1);
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
      if (depth === 1) {
        const key = decodeString(bytes.subarray(stringStart, stringEnd + 1));
        if (key !== null && topLevelKeys.has(key)) {
          return refuse('DuplicateKey', `${JSON.stringify(key.slice(0, 64))} comes twice at the top level`);
        }
        if (key !== null) topLevelKeys.add(key);
      }
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++depth > limits.depth) {
        return refuse('TooDeep', `nesting is deeper than ${limits.depth} levels at byte ${at}`);
      }
      keys[depth] = 0;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      if (depth > 0) depth--;
    } else if (byte >= 0x80) {
      const size = sequenceLength(bytes, at);
      if (size === 0) return invalidSequence(at);
      at += size - 1;
    }
  }
  return { ok: true };
}

/** The position of the closing quote (or the end of the bytes), or -1 - position of an invalid UTF-8 sequence. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) {
      at += 2;
    } else if (byte < 0x80) {
      at++;
    } else {
      const size = sequenceLength(bytes, at);
      if (size === 0) return -1 - at;
      at += size;
    }
  }
  return length;
}

/** Bytes of the well-formed UTF-8 sequence that starts here, 0 when there is none: no overlong forms, no surrogates. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
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

/** Names the encoding when the first bytes give one away that is not plain UTF-8. JSON starts with two ASCII characters. */
function foreignEncoding(bytes: Uint8Array): string | null {
  const [first = 0x20, second = 0x20, third = 0x20] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'UTF-8 with a byte order mark';
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16';
  if (first === 0 || second === 0) return 'UTF-16 or UTF-32';
  return null;
}

/** The text of a string with its quotes, or null where it is none: the parser refuses that later. */
function decodeString(quoted: Uint8Array): string | null {
  try {
    return String(JSON.parse(new TextDecoder().decode(quoted)));
  } catch {
    return null;
  }
}

function invalidSequence(at: number): JsonScan {
  return refuse('NotUtf8', `byte ${at} does not belong to a UTF-8 sequence`);
}

function refuse(code: JsonScanCode, detail: string): JsonScan {
  return { ok: false, code, detail };
}
