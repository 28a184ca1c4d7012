export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** With this bit a bracket is the brace of its side; asking a set for each byte takes twice as long. */
export const BRACE_BIT = 0x20;

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** What can neither begin a value nor stand in a number or name. */
export function isPunctuation(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

/** What the bytes between two quotes mean; undefined when they are no JSON. One of `cutAt` bytes was cut, and is as it is. */
export function decodeString(bytes: readonly number[], cutAt: number): string | undefined {
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x80 && byte !== BACKSLASH)) {
    return String.fromCharCode(...bytes);
  }
  const text = new TextDecoder().decode(Uint8Array.from(bytes));
  if (bytes.length >= cutAt) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
