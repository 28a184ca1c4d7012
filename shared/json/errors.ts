import { NEWLINE } from './bytes.ts';

/** Where text that a parser has refused goes wrong, and what was expected there. */
export function faultIn(text: string): { bytesBefore: number; problem: string } {
  const fault = findFault(text);
  if (fault === null) return { bytesBefore: 0, problem: 'expected JSON' };
  const { offset, problem } = fault;
  return { bytesBefore: new TextEncoder().encode(text.slice(0, offset)).length, problem };
}

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

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly where: string; readonly problem: string };

/**
 * Reads JSON that a person wrote and says where it goes wrong, which JSON.parse does in some engines and for some
 * faults only. A key given twice in one object is a fault as well: JSON.parse drops the first without a word.
 *
 * `readJson('{"a": 1,}')` is `{ok: false, where: 'line 1, column 9', problem: 'expected a key'}`.
 */
export function readJson(text: string): JsonReading {
  const fault = findFault(text);
  if (fault === null) return { ok: true, value: JSON.parse(text) };
  const before = new TextEncoder().encode(text.slice(0, fault.offset));
  return { ok: false, where: lineAndColumn(before, before.length), problem: fault.problem };
}

const SPACE = /[ \t\n\r]*/y;
/** A string holds every character from the space on but the quote and, unescaped, the backslash. */
const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

const VALUE_STARTS = '{["-0123456789tfn';

/** What may come next, and the characters it begins with. */
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

/** Where a text is no JSON, in characters. Walks the tokens with an explicit stack, so that depth costs memory and never the call stack. */
function findFault(text: string): { offset: number; problem: string } | null {
  /** The keys of each open object so far, null for an open array. */
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
