import { S3Error } from './errors.ts';

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const MAX_DEPTH = 8;

export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** `leaf('Key', 'a<b')` is `<Key>a&lt;b</Key>`. */
export function leaf(name: string, value: string | number | boolean): string {
  return `<${name}>${escapeText(String(value))}</${name}>`;
}

export function branch(name: string, ...children: readonly string[]): string {
  return `<${name}>${children.join('')}</${name}>`;
}

export function xmlDocument(root: string, ...children: readonly string[]): string {
  const attributes = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attributes}>${children.join('')}</${root}>`;
}

/** No DTD or CDATA. Keeps white space: a key can end with a space. Throws MalformedXML, like S3. */
export function parseXml(source: string): XmlElement {
  const root: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [root];
  const tags = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
  let at = /^\uFEFF?\s*(?:<\?xml[^>]*\?>)?\s*/.exec(source)![0].length;
  while (at < source.length) {
    const current = open.at(-1)!;
    const nextTag = source.indexOf('<', at);
    const end = nextTag === -1 ? source.length : nextTag;
    current.text += unescapeText(source.slice(at, end));
    if (nextTag === -1) break;
    tags.lastIndex = nextTag;
    const tag = tags.exec(source);
    if (tag === null) throw malformed();
    const [, closing, name, , empty] = tag;
    at = tags.lastIndex;
    if (closing === '/') {
      if (open.length === 1 || current.name !== name || empty === '/') throw malformed();
      open.pop();
    } else {
      const child: OpenElement = { name: name!, text: '', children: [] };
      current.children.push(child);
      if (empty === '') open.push(child);
      if (open.length > MAX_DEPTH) throw malformed();
    }
  }
  const [document, ...more] = root.children;
  if (open.length !== 1 || document === undefined || more.length > 0 || root.text.trim() !== '') {
    throw malformed();
  }
  return document;
}

export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: OpenElement[];
}

function malformed(): S3Error {
  return new S3Error('MalformedXML', 'the body is not the XML document this operation takes');
}

// Writes control characters as references: parsers would drop them or turn a carriage return into \n.
function escapeText(text: string): string {
  return text.replace(/[<>&"'\p{Cc}]/gu, (character) => {
    for (const [name, plain] of NAMED) if (plain === character) return `&${name};`;
    return `&#x${character.charCodeAt(0).toString(16)};`;
  });
}

function unescapeText(text: string): string {
  return text.replace(/&([^;&]{0,10})(;?)/g, (_, reference: string, end: string) => {
    const plain = end === ';' ? (NAMED.get(reference) ?? characterOf(reference)) : undefined;
    if (plain === undefined) throw malformed();
    return plain;
  });
}

function characterOf(reference: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
