import type { ReadOptions } from './cluster-kinds.ts';
import { ClusterReader, type DocumentMistake, type DocumentReading } from './cluster-reader.ts';
import { DocumentSplitter } from './document-splitter.ts';
import { lineAndColumn } from './json-fault.ts';
import { SPLIT_LIMITS, type SplitLimits, type TextFault } from './source-object.ts';
import { walkValues } from './value-walk.ts';

/**
 * What the documents of a cluster say, as `oc get … -o json` prints them: single objects, lists of one kind or of several,
 * arrays, one document after the other. Kinds that are not known are counted and do no harm. A text that is not JSON, and
 * an object that is not as its kind has to be, are told as mistakes with their place.
 *
 * `{"kind":"NodeList","items":[{"metadata":{"name":"a"}}]}` gives `facts.nodes` with one node, and all other kinds null.
 */
export function readDocuments(
  input: string | Uint8Array,
  options: ReadOptions,
  limits: SplitLimits = SPLIT_LIMITS,
): DocumentReading {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const reader = new ClusterReader(options);
  const splitter = new DocumentSplitter(reader, limits);
  const fault = splitter.push(bytes) ?? splitter.end();
  return finish(reader, splitter.documents, fault, (offset) => lineAndColumn(bytes, offset));
}

/** The same of documents that come in pieces, of which only the object at hand is kept. */
export async function readDocumentStream(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
  limits: SplitLimits = SPLIT_LIMITS,
): Promise<DocumentReading> {
  const reader = new ClusterReader(options);
  const splitter = new DocumentSplitter(reader, limits);
  for await (const piece of pieces) {
    if (splitter.push(piece) !== null || reader.fault !== null) break;
  }
  return finish(reader, splitter.documents, splitter.end(), (offset) => `byte ${offset}`);
}

/** The same of documents that are parsed already. */
export function readParsedDocuments(documents: readonly unknown[], options: ReadOptions): DocumentReading {
  const reader = new ClusterReader(options);
  for (const [document, value] of documents.entries()) walkValues({ document, pointer: '' }, value, reader);
  return reader.finish(documents.length, documents.length === 0 ? NOTHING : null);
}

const NOTHING: DocumentMistake = {
  document: 0,
  pointer: '',
  detail: 'expected at least one document, there is nothing',
};

/** What the splitter finds wrong comes after what the reader does: it is further on in the text. */
function finish(
  reader: ClusterReader,
  documents: number,
  ofSplitter: TextFault | null,
  tell: (offset: number) => string,
): DocumentReading {
  const fault = reader.fault ?? ofSplitter;
  if (fault === null) return reader.finish(documents, documents === 0 ? NOTHING : null);
  const { document, pointer, offset, detail } = fault;
  return reader.finish(documents, { document, pointer, detail: `${tell(offset)}: ${detail}` });
}
