const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * A name as one word of a shell command that somebody may paste: `worker` stays, `a; reboot` becomes `'a; reboot'`. Names
 * come from documents that anybody may have written.
 */
export function shellWord(name: string): string {
  return PLAIN.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
