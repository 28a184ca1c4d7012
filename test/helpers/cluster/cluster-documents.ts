import { type ReadOptions, ClusterReader, type DocumentReading } from '@cairn/shared/cluster/kinds';
import type { ObjectReader } from '@cairn/shared/cluster/object-reader';
import { NO_DOCUMENTS, splitDocuments, splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import {
  isListKind,
  itemKindOf,
  type Header,
  extentOfToken,
  type Place,
  SPLIT_LIMITS,
} from '@cairn/shared/json/frames';

const DEEPEST = SPLIT_LIMITS.lists;

export function readDocuments(input: string | Uint8Array, options: ReadOptions): DocumentReading {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  return splitDocuments(bytes, new ClusterReader(options), SPLIT_LIMITS);
}

export function readDocumentStream(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
): Promise<DocumentReading> {
  return splitDocumentStream(pieces, new ClusterReader(options), SPLIT_LIMITS);
}

/** Reads parsed documents, for comparison with the splitter. */
export function readParsedDocuments(documents: readonly unknown[], options: ReadOptions): DocumentReading {
  const reader = new ClusterReader(options);
  for (const [document, value] of documents.entries()) {
    walkValues({ document, pointer: '' }, value, reader.objects);
  }
  return reader.finish(documents.length, documents.length === 0 ? NO_DOCUMENTS : null);
}

/** Passes objects on like `DocumentSplitter`. */
function walkValues(place: Place, value: unknown, reader: ObjectReader): void {
  walk({ ...place, kind: null, apiVersion: null }, value, reader, 0);
}

/** `header` is the kind of the items, from their list. */
function walk(header: Header, value: unknown, reader: ObjectReader, depth: number): void {
  if (Array.isArray(value) && depth < DEEPEST) {
    walkItems({ ...header, kind: null, apiVersion: null }, header.pointer, value, reader, depth);
    reader.list({ ...header, kind: null, apiVersion: null, extent: 'whole' }, value.length);
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
    const token = memberOf(memberOf(value, 'metadata'), 'continue');
    reader.list({ ...list, extent: extentOfToken(token) }, items.length);
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
