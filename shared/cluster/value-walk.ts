import { isListKind, itemKindOf } from './list-kind.ts';
import type { ObjectReader } from './object-reader.ts';
import { type Header, type Place, SPLIT_LIMITS } from './source-object.ts';

const DEEPEST = SPLIT_LIMITS.lists;

/** Hands over the objects of a parsed document as `DocumentSplitter` does of its text. */
export function walkValues(place: Place, value: unknown, reader: ObjectReader): void {
  walk({ ...place, kind: null, apiVersion: null }, value, reader, 0);
}

/** `header` is what the list says of its items. */
function walk(header: Header, value: unknown, reader: ObjectReader, depth: number): void {
  if (Array.isArray(value) && depth < DEEPEST) {
    walkItems({ ...header, kind: null, apiVersion: null }, header.pointer, value, reader, depth);
    reader.list({ ...header, kind: null, apiVersion: null }, value.length);
    return;
  }
  const own: Header = {
    ...header,
    kind: textOf(value, 'kind') ?? header.kind,
    apiVersion: textOf(value, 'apiVersion') ?? header.apiVersion,
  };
  const items: unknown = memberOf(value, 'items');
  const ownKind = textOf(value, 'kind');
  if (Array.isArray(items) && (ownKind === null || isListKind(ownKind)) && depth < DEEPEST) {
    const list: Header = { ...header, kind: ownKind, apiVersion: textOf(value, 'apiVersion') };
    const ofItems: Header = { ...list, kind: itemKindOf(ownKind) };
    walkItems(ofItems, `${header.pointer}/items`, items, reader, depth);
    reader.list(list, items.length);
  } else {
    reader.value(own, value);
  }
}

function walkItems(
  header: Header,
  pointer: string,
  items: readonly unknown[],
  reader: ObjectReader,
  depth: number,
): void {
  for (const [index, item] of items.entries()) {
    walk({ ...header, pointer: `${pointer}/${index}` }, item, reader, depth + 1);
  }
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function textOf(value: unknown, key: string): string | null {
  const member = memberOf(value, key);
  return typeof member === 'string' ? member : null;
}
