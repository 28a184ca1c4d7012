import { findFault } from './json.ts';

/** Where text that a parser has refused goes wrong, and what was expected there. */
export function faultIn(text: string): { bytesBefore: number; problem: string } {
  const fault = findFault(text);
  if (fault === null) return { bytesBefore: 0, problem: 'expected JSON' };
  const { offset, problem } = fault;
  return { bytesBefore: new TextEncoder().encode(text.slice(0, offset)).length, problem };
}

const NEWLINE = 0x0a;

/** A position in bytes as an editor tells it: `line 3, column 7`. */
export function lineAndColumn(bytes: Uint8Array, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at++) {
    if (bytes[at] !== NEWLINE) continue;
    line++;
    start = at + 1;
  }
  const column = new TextDecoder().decode(bytes.subarray(start, offset)).length + 1;
  return `line ${line}, column ${column}`;
}
