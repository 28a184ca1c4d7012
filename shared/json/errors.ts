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

/**
 * The items of a JSON array, or the keys and values of an object in turn, as they stand in the text: `[4.10, "a"]` →
 * `4.10`, `"a"`, where a parser would have made 4.1 of the first. The text must be JSON.
 */
export function sourceParts(json: string): string[] {
  const parts: string[] = [];
  const start = json.search(/[[{]/) + 1;
  let from = start;
  let open = 0;
  let isInString = false;
  for (let at = start; at < json.length; at++) {
    const character = json[at]!;
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') open++;
    else if (character === '}' || character === ']') open--;
    const isPartOver = open < 0 || (open === 0 && (character === ',' || character === ':'));
    if (!isPartOver) continue;
    const part = json.slice(from, at).trim();
    if (part !== '') parts.push(part);
    from = at + 1;
  }
  return parts;
}

/** The members of a JSON object by key, each as it stands in the text; of a key given twice the last, as parsers do. */
export function sourceMembers(json: string): ReadonlyMap<string, string> {
  const parts = sourceParts(json);
  const members = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2)
    members.set(JSON.parse(parts[at]!) as string, parts[at + 1]!);
  return members;
}

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly problem: string };

/**
 * Reads JSON that a person wrote and says where it goes wrong, which JSON.parse does in some engines and for some
 * faults only. A key given twice in one object is a fault as well: JSON.parse drops the first without a word.
 *
 * `readJson('{"a": 1,}')` is `{ok: false, line: 1, column: 9, problem: 'expected a key'}`.
 */
export function readJson(text: string): JsonReading {
  const fault = findFault(text);
  if (fault === null) return { ok: true, value: JSON.parse(text) };
  const { offset, problem } = fault;
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    line++;
    start = at + 1;
  }
  return { ok: false, line, column: offset - start + 1, problem };
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
