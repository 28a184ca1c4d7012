import { readJson } from '../text/json.ts';

/** Where text that a parser has refused goes wrong, and what was expected there. */
export function faultIn(text: string): { bytesBefore: number; problem: string } {
  const reading = readJson(text);
  if (reading.ok) return { bytesBefore: 0, problem: 'expected JSON' };
  const before = text.split('\n', reading.line);
  const last = before.pop()!.slice(0, reading.column - 1);
  return {
    bytesBefore: new TextEncoder().encode([...before, last].join('\n')).length,
    problem: reading.problem,
  };
}

const NEWLINE = 0x0a;

/** A position in bytes as an editor tells it: `line 3, column 7`. */
export function lineAndColumn(bytes: Uint8Array, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < offset; at = bytes.indexOf(NEWLINE, start)) {
    line++;
    start = at + 1;
  }
  const column = new TextDecoder().decode(bytes.subarray(start, offset)).length + 1;
  return `line ${line}, column ${column}`;
}
