interface QuoteOptions {
  readonly longest?: number;
  /** Escapes direction marks and zero-width characters, which JSON keeps and a terminal would obey. */
  readonly escapesUnseen?: boolean;
}

/** Limit for request values that go back to their sender. */
export const SENT = { longest: 100 } as const satisfies QuoteOptions;

export function truncate(text: string, longest: number = SENT.longest): string {
  return text.length <= longest ? text : `${cut(text, longest)}…`;
}

/** Drops a surrogate that would lose its second half. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

/** Characters that answers have of a message of the cluster. */
const LONGEST_MESSAGE = 500;

/** Message of the cluster as it is, with line breaks. */
export function excerpt(message: string): string {
  return cut(message, LONGEST_MESSAGE);
}

/** Short form for messages: `"4.14"`, `4.14`, `null`, `an array`. */
export function quoteValue(
  value: unknown,
  { longest = 80, escapesUnseen = false }: QuoteOptions = {},
): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const quoted = JSON.stringify(truncate(value, longest));
  return escapesUnseen ? quoted.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unicodeEscape) : quoted;
}

function unicodeEscape(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
}

/** Makes untrusted text safe for logs and responses: one line, escaped control characters, limited length. */
export function escapeForLog(text: string): string {
  return JSON.stringify(truncate(text, 120)).slice(1, -1).replaceAll('\\"', '"');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : quoteValue(error);
}

/**
 * Terminal control sequences: colors, cursor, titles, links, single shifts. An unterminated sequence must not consume
 * the rest of the line.
 */
const TERMINAL_SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u{1b}\[|\u{9b})[0-?]*[ -/]*[@-~]|(?:\u{1b}[\]PX^_]|[\u{90}\u{98}\u{9d}-\u{9f}])[^\u{7}\u{1b}\u{90}\u{98}\u{9c}-\u{9f}]*(?:\u{7}|\u{1b}\\|\u{9c})|\u{1b}[ -/]*[0-~]/gu;
/** Control characters, and characters that hide in text or change its direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Makes untrusted text a safe line with single spaces: `a\n\u001b[31mb` → `a b`. */
export function singleLine(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
}

/** Applies `singleLine` to each line and drops empty ones. */
export function singleLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(singleLine)
    .filter((line) => line !== '');
}

/**
 * Replaces invisible characters one by one: removing whole sequences could remove a quote that keeps a hostile name
 * one word.
 */
export function singleLineCommand(command: string): string {
  return command.replace(UNSEEN, ' ').trim();
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/;

/** Quotes untrusted names for shell commands: `worker` stays, `a; reboot` becomes `'a; reboot'`. */
export function shellWord(name: string): string {
  return PLAIN.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
