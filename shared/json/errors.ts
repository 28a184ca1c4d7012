import { NEWLINE } from './scan.ts';

/** Locates the fault in text that a parser rejected. */
export function faultIn(text: string): { bytesBefore: number; problem: string } {
  const fault = findFault(text);
  if (fault === null) return { bytesBefore: 0, problem: 'expected JSON' };
  const { offset, problem } = fault;
  return { bytesBefore: new TextEncoder().encode(text.slice(0, offset)).length, problem };
}

/** Position as an editor shows it: `line 3, column 7`. */
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

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly where: string; readonly problem: string };

/**
 * Reports the position of a fault, which JSON.parse does only in some engines and for some faults. Rejects duplicate
 * keys: JSON.parse silently drops the first. `readJson('{"a": 1,}')` is `{ok: false, where: 'line 1, column 9',
 * problem: 'expected a key'}`.
 */
export function readJson(text: string): JsonReading {
  const fault = findFault(text);
  if (fault === null) return { ok: true, value: JSON.parse(text) };
  const before = new TextEncoder().encode(text.slice(0, fault.offset));
  return { ok: false, where: lineAndColumn(before, before.length), problem: fault.problem };
}

const SPACE = /[ \t\n\r]*/y;
/** A string contains any character from space on, except quotes and unescaped backslashes. */
const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

const VALUE_STARTS = '{["-0123456789tfn';

/** Expected tokens and their first characters. */
const STARTS = {
  'a value': VALUE_STARTS,
  'a value or "]"': `${VALUE_STARTS}]`,
  'a key': '"',
  'a key or "}"': '"}',
  '":"': ':',
  '"," or "}"': ',}',
  '"," or "]"': ',]',
  'nothing more': '',
} as const;
type Expected = keyof typeof STARTS;

/** Returns the offset in characters. Uses an explicit stack: deep input needs memory, never the call stack. */
function findFault(text: string): { offset: number; problem: string } | null {
  /** Keys of each open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  const afterValue = (): Expected => {
    if (open.length === 0) return 'nothing more';
    return open.at(-1) ? '"," or "}"' : '"," or "]"';
  };
  let expected: Expected = 'a value';
  let offset = matchAt(SPACE, text, 0)!.length;
  while (offset < text.length || expected !== 'nothing more') {
    const token = matchAt(TOKEN, text, offset);
    if (token === null || !STARTS[expected].includes(token[0]!)) {
      const end = offset >= text.length;
      return { offset, problem: end ? `the text ends before ${expected}` : `expected ${expected}` };
    }
    if (expected === 'a key' || (expected === 'a key or "}"' && token !== '}')) {
      const keys = open.at(-1)!;
      const key = JSON.parse(token) as string;
      if (keys.has(key)) return { offset, problem: `the key ${token} is given twice` };
      keys.add(key);
      expected = '":"';
    } else if (token === ':') {
      expected = 'a value';
    } else if (token === ',') {
      expected = open.at(-1) ? 'a key' : 'a value';
    } else if (token === '{') {
      open.push(new Set());
      expected = 'a key or "}"';
    } else if (token === '[') {
      open.push(null);
      expected = 'a value or "]"';
    } else {
      if (token === '}' || token === ']') open.pop();
      expected = afterValue();
    }
    offset += token.length;
    offset += matchAt(SPACE, text, offset)!.length;
  }
  return null;
}

function matchAt(sticky: RegExp, text: string, offset: number): string | null {
  sticky.lastIndex = offset;
  return sticky.exec(text)?.[0] ?? null;
}
