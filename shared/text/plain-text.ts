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
