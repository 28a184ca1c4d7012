import type { ReadOptions } from './cluster-kinds.ts';
import { ClusterReader, type DocumentReading } from './cluster-reader.ts';
import { NO_DOCUMENTS, splitDocuments, splitDocumentStream } from './split-documents.ts';
import { SPLIT_LIMITS, type SplitLimits } from './source-object.ts';
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
  return splitDocuments(bytes, new ClusterReader(options), limits);
}

/** The same of documents that come in pieces, of which only the object at hand is kept. */
export function readDocumentStream(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
  limits: SplitLimits = SPLIT_LIMITS,
): Promise<DocumentReading> {
  return splitDocumentStream(pieces, new ClusterReader(options), limits);
}

/** The same of documents that are parsed already. */
export function readParsedDocuments(documents: readonly unknown[], options: ReadOptions): DocumentReading {
  const reader = new ClusterReader(options);
  for (const [document, value] of documents.entries()) {
    walkValues({ document, pointer: '' }, value, reader.objects);
  }
  return reader.finish(documents.length, documents.length === 0 ? NO_DOCUMENTS : null);
}
