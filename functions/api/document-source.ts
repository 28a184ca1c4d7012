import { OPEN_BRACE, OPEN_BRACKET } from '@cairn/shared/cluster/json-bytes';
import type { DocumentMistake, InputSummary } from '@cairn/shared/cluster/object-reader';
import {
  type DocumentReader,
  splitDocuments,
  splitDocumentStream,
} from '@cairn/shared/cluster/split-documents';
import { Problem, type ProblemDetail } from '../runtime/problem.ts';
import { invalidRequest } from '../runtime/request.ts';
import type { OpenUploads } from '../store/uploads.ts';
import { countDocuments, refuseBrokenJson, type RequestEnvelope } from './request-envelope.ts';
import { inflatedUpload } from './uploaded-documents.ts';

/** Members of a request that give the documents. */
export const DOCUMENT_SOURCES = ['documents', 'upload'] as const;
const UPLOAD_ID = /^[A-Za-z0-9_-]{22}$/;

/** What readers of documents come to. */
type Outcome =
  | { readonly ok: true; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly DocumentMistake[] };

/**
 * What a reader makes of the documents of a request, from where they are: in the envelope, in an upload that it names, or,
 * without one, all of the body. Documents that are not as they should be are a problem that names each fault.
 */
export async function readDocumentSource<Reading extends Outcome>(
  body: Uint8Array,
  envelope: RequestEnvelope | null,
  openUploads: OpenUploads,
  reader: DocumentReader<Reading>,
): Promise<Extract<Reading, { ok: true }>> {
  if (envelope === null) return accept(splitDocuments(body, reader), inDocument);
  const source = sourceOf(envelope);
  if ('upload' in source) {
    const pieces = inflatedUpload(await openUploads(), source.upload);
    return accept(await splitDocumentStream(pieces, reader), inDocument);
  }
  const reading = splitDocuments(source.documents, reader);
  if (!reading.ok) refuseBrokenJson(body);
  const accepted = accept(reading, inBody);
  return { ...accepted, input: { ...accepted.input, documents: countDocuments(source.documents) } };
}

function sourceOf({ members, documents }: RequestEnvelope): { documents: Uint8Array } | { upload: string } {
  const upload = members.get('upload');
  if (documents !== null && upload !== undefined) {
    throw invalidRequest([
      { pointer: '/upload', detail: 'is given beside documents, one of them is accepted' },
    ]);
  }
  if (typeof upload === 'string' && UPLOAD_ID.test(upload)) return { upload };
  if (upload !== undefined) {
    throw invalidRequest([{ pointer: '/upload', detail: 'an id that POST /v1/uploads gave is accepted' }]);
  }
  if (documents?.[0] === OPEN_BRACKET || documents?.[0] === OPEN_BRACE) return { documents };
  const detail = 'what `oc get … -o json` prints is accepted, one document or a list of them';
  throw invalidRequest([
    { pointer: '/documents', detail: documents === null ? `is missing, ${detail}` : detail },
  ]);
}

function accept<Reading extends Outcome>(
  reading: Reading,
  place: (mistake: DocumentMistake) => ProblemDetail,
): Extract<Reading, { ok: true }> {
  if (reading.ok) return reading as Extract<Reading, { ok: true }>;
  const errors = reading.mistakes.map(place);
  const sentences = errors.map(({ document, pointer, detail }) => {
    const where = document === undefined ? pointer : `document ${document} ${pointer}`.trimEnd();
    return `${where}: ${detail}`;
  });
  throw new Problem('invalid-documents', sentences.join('; '), { errors });
}

const inDocument = ({ document, pointer, detail }: DocumentMistake): ProblemDetail => ({
  document,
  pointer,
  detail,
});

/** A list of documents is itself read as one. */
const inBody = ({ pointer, detail }: DocumentMistake): ProblemDetail => ({
  pointer: `/documents${pointer}`,
  detail,
});
