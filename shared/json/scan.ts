import { Problem } from '../../functions/http/problem.ts';

/** Parsed, a value takes up to a hundred bytes, of which two are enough in the text: `[[],[],[]…`. */
export const MAX_VALUES = 100_000;
/** What is deeper can be parsed, but not written again. */
const MAX_DEPTH = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** With this bit a bracket is the brace of its side; asking a set for each byte takes twice as long. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

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
    } else if (byte === COMMA || (byte | BRACE_BIT) === OPENING) {
      if (++values > most) return 'values';
      if (byte !== COMMA && ++depth > MAX_DEPTH) return 'depth';
    } else if ((byte | BRACE_BIT) === CLOSING) {
      depth--;
    }
  }
  return null;
}

/** A small body that inflates to millions of values must not take the memory of them. */
export function refuseExcess(bytes: Uint8Array, most: number): void {
  const excess = jsonExcess(bytes, most);
  if (excess === 'values') {
    throw new Problem(
      'body-too-large',
      `the body holds more than ${most} values, at most so many are accepted`,
    );
  }
  if (excess === 'depth') {
    throw new Problem('invalid-body', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
}
