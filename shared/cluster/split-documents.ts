import type { Mistake } from '../input/input-value.ts';
import { lineAndColumn } from '../json/errors.ts';
import { type ObjectSink, SPLIT_LIMITS, type SplitLimits } from '../json/frames.ts';
import { DocumentSplitter } from '../json/splitter.ts';

export interface DocumentReader<Reading> {
  readonly objects: ObjectSink;
  /** `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): Reading;
}

export const NO_DOCUMENTS: Mistake = {
  document: 0,
  pointer: '',
  detail: 'expected at least one document, there is nothing',
};

/** `{"kind":"Node"}{"kind":"List","items":[]}` are two documents. */
export function splitDocuments<Reading>(
  bytes: Uint8Array,
  reader: DocumentReader<Reading>,
  limits: SplitLimits = SPLIT_LIMITS,
): Reading {
  const splitter = new DocumentSplitter(reader.objects, limits);
  const fault = splitter.push(bytes) ?? splitter.end();
  return finish(reader, splitter.documents, fault, (offset) => lineAndColumn(bytes, offset));
}

/** Streams the documents and keeps only the current object. */
export async function splitDocumentStream<Reading>(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: DocumentReader<Reading>,
  limits: SplitLimits = SPLIT_LIMITS,
): Promise<Reading> {
  const splitter = new DocumentSplitter(reader.objects, limits);
  for await (const piece of pieces) {
    if (splitter.push(piece) !== null || reader.objects.fault !== null) break;
  }
  return finish(reader, splitter.documents, splitter.end(), (offset) => `byte ${offset}`);
}

/** The reader's fault comes first: the splitter's is later in the text. */
function finish<Reading>(
  reader: DocumentReader<Reading>,
  documents: number,
  ofSplitter: Mistake | null,
  tell: (offset: number) => string,
): Reading {
  const fault = reader.objects.fault ?? ofSplitter;
  if (fault === null) return reader.finish(documents, documents === 0 ? NO_DOCUMENTS : null);
  const { offset = 0, ...mistake } = fault;
  return reader.finish(documents, { ...mistake, detail: `${tell(offset)}: ${mistake.detail}` });
}
