import type { ReadOptions } from '@cairn/shared/cluster/cluster-kinds';
import type { DocumentMistake, DocumentReading, InputSummary } from '@cairn/shared/cluster/cluster-reader';
import { readDocuments, readDocumentStream } from '@cairn/shared/cluster/documents';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { OPEN_BRACE, OPEN_BRACKET } from '@cairn/shared/cluster/json-bytes';
import { isRemovedApi } from '@cairn/shared/skew/tables/api-removals';
import type * as z from 'zod/mini';
import type { Call } from '../runtime/http.ts';
import { Problem, type ProblemDetail } from '../runtime/problem.ts';
import { invalidRequest } from '../runtime/request.ts';
import type { OpenUploads } from '../store/uploads.ts';
import {
  countDocuments,
  refuseBrokenJson,
  requestEnvelope,
  type RequestEnvelope,
} from './request-envelope.ts';
import { requestFields } from './request-fields.ts';
import { inflatedUpload } from './uploaded-documents.ts';

export interface DocumentInput<Fields> {
  readonly fields: Fields;
  readonly facts: ClusterFacts;
  readonly input: InputSummary;
}

/** Members of a request that give the documents. */
const SOURCES = ['documents', 'upload'] as const;
const UPLOAD_ID = /^[A-Za-z0-9_-]{22}$/;

/**
 * What a request on a route with `documents` says, in any of its forms: `{"documents": […], …fields}`,
 * `{"upload": "…", …fields}`, or nothing but documents, of which `oc get` prints several in a row, with the fields in the
 * query. Documents that are not as they should be are a problem that names each fault.
 */
export async function readDocumentInput<Schema extends z.ZodMiniObject>(
  { body, query }: Pick<Call, 'body' | 'query'>,
  schema: Schema,
  openUploads: OpenUploads,
  optionsOf: (fields: z.output<Schema>) => Omit<ReadOptions, 'isRemovedApi'> = () => ({}),
): Promise<DocumentInput<z.output<Schema>>> {
  const bytes = body as Uint8Array;
  const envelope = requestEnvelope(bytes);
  const fields = requestFields(schema, query, envelope?.members ?? new Map(), SOURCES);
  const options: ReadOptions = { ...optionsOf(fields), isRemovedApi };
  if (envelope === null) return { fields, ...accept(readDocuments(bytes, options), inDocument) };
  const source = sourceOf(envelope);
  if ('upload' in source) {
    const pieces = inflatedUpload(await openUploads(), source.upload);
    return { fields, ...accept(await readDocumentStream(pieces, options), inDocument) };
  }
  const reading = readDocuments(source.documents, options);
  if (!reading.ok) refuseBrokenJson(bytes);
  const { facts, input } = accept(reading, inBody);
  return { fields, facts, input: { ...input, documents: countDocuments(source.documents) } };
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

function accept(
  reading: DocumentReading,
  place: (mistake: DocumentMistake) => ProblemDetail,
): Omit<DocumentInput<unknown>, 'fields'> {
  if (reading.ok) return { facts: reading.facts, input: reading.input };
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
