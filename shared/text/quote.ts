const LONGEST = 100;

/** A value is shown back to who sent it, not at any length. */
export function shown(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}…`;
}
