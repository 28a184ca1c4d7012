interface QuoteOptions {
  readonly longest?: number;
  /** JSON leaves direction marks and zero-width characters as they are; a terminal would obey them. */
  readonly escapesUnseen?: boolean;
}

/** For a value in a request that its sender reads again. */
export const SENT = { longest: 100 } as const satisfies QuoteOptions;

export function truncate(text: string, longest: number = SENT.longest): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** A value as a message names it, short whatever was given: `"4.14"`, `4.14`, `null`, `an array`. */
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

/** Foreign text made fit for logs and answers: one line, control characters escaped, cut to a length. */
export function escapeForLog(text: string): string {
  return JSON.stringify(truncate(text, 120)).slice(1, -1).replaceAll('\\"', '"');
}

/** What an error says; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : quoteValue(error);
}

/**
 * Sequences that make a terminal do something: colours and cursor, titles and links up to their end, single shifts. One
 * that has no end must not take the rest of the line with it.
 */
const TERMINAL_SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u{1b}\[|\u{9b})[0-?]*[ -/]*[@-~]|(?:\u{1b}[\]PX^_]|[\u{90}\u{98}\u{9d}-\u{9f}])[^\u{7}\u{1b}\u{90}\u{98}\u{9c}-\u{9f}]*(?:\u{7}|\u{1b}\\|\u{9c})|\u{1b}[ -/]*[0-~]/gu;
/** Control characters, and those that change the direction of text or hide in it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text of any origin as a line that is safe to show, with single spaces: `a\n\u001b[31mb` → `a b`. */
export function singleLine(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
}

/** The same for each line that is not empty. */
export function singleLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(singleLine)
    .filter((line) => line !== '');
}

/**
 * A command as one line to paste. Only what is not seen goes, character by character: taking out whole sequences could
 * take a quote with them, and with it what keeps a hostile name a single word.
 */
export function singleLineCommand(command: string): string {
  return command.replace(UNSEEN, ' ').trim();
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * A name as one word of a shell command that somebody may paste: `worker` stays, `a; reboot` becomes `'a; reboot'`. Names
 * come from documents that anybody may have written.
 */
export function shellWord(name: string): string {
  return PLAIN.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
