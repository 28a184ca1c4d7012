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
