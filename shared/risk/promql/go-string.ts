const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
const ESCAPE = /\\(?:([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))|[^\\]|\\$/gu;

/** The text of a literal by the rules of Go; null where Go sees an error. */
export function unquoteGo(literal: string): string | null {
  const quote = literal[0]!;
  const inner = literal.slice(1, -1);
  if (literal.length < 2 || !literal.endsWith(quote)) return null;
  if (quote === '`') return inner;
  if (inner.includes('\n')) return null;
  let text = '';
  for (const [all, octal, byte, short, long, simple] of inner.matchAll(ESCAPE)) {
    const char =
      all[0] === '\\'
        ? simple === undefined
          ? charOf(octal, byte, short ?? long)
          : (SIMPLE[simple] ?? (simple === quote ? quote : null))
        : all;
    if (char === null) return null;
    text += char;
  }
  return text;
}

function charOf(octal?: string, byte?: string, rune?: string): string | null {
  const code = octal === undefined ? Number.parseInt(byte ?? rune ?? '', 16) : Number.parseInt(octal, 8);
  // A byte above ASCII is no character by itself.
  const isValid = rune === undefined ? code < 0x80 : code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isValid ? String.fromCodePoint(code) : null;
}
