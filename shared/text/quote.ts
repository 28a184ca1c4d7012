const LONGEST = 100;

/** A value is shown back to who sent it, not at any length. */
export function shown(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}…`;
}

/** What an error says; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : showValue(error);
}

/**
 * Sequences that make a terminal do something: colours and cursor, titles and links up to their end, single shifts. One
 * that has no end must not take the rest of the line with it.
 */
const TERMINAL_SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u{1b}\[|\u{9b})[0-?]*[ -/]*[@-~]|(?:\u{1b}[\]PX^_]|[\u{90}\u{98}\u{9d}-\u{9f}])[^\u{7}\u{1b}\u{90}\u{98}\u{9c}-\u{9f}]*(?:\u{7}|\u{1b}\\|\u{9c})|\u{1b}[ -/]*[0-~]/gu;
/** All that is not seen: control characters, and those that turn the direction of text or hide in it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text of any origin as lines that are safe to show: what is not seen is gone, spaces are single, empty lines left out. */
export function cleanLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(cleanLine)
    .filter((line) => line !== '');
}

/** The same as one line: `a\n\u001b[31mb` → `a b`. */
export function cleanLine(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
}

/**
 * A command as one line to paste. Only what is not seen goes, character by character: taking out whole sequences could
 * take a quote with them, and with it what keeps a hostile name a single word.
 */
export function cleanCommand(command: string): string {
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

/** A value as a message names it, short whatever was given: `"4.14"`, `4.14`, `null`, `an array`. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
