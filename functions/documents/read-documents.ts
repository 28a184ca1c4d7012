import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ReadOptions, ClusterReader } from '@cairn/shared/cluster/kinds';
import type { InputSummary } from '@cairn/shared/cluster/object-reader';
import {
  type DocumentReader,
  splitDocuments,
  splitDocumentStream,
} from '@cairn/shared/cluster/split-documents';
import type { Mistake } from '@cairn/shared/input/input-value';
import { SPLIT_LIMITS, type SplitLimits } from '@cairn/shared/json/frames';
import { OPEN_BRACE, OPEN_BRACKET } from '@cairn/shared/json/scan';
import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import type * as z from 'zod/mini';
import { startsLikeGzip, MAX_UPLOAD_BYTES } from '../http/body.ts';
import type { SentFields } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import { type ErrorDetail, errorDetail } from '../runtime/errors.ts';
import type { OpenUploads, Uploads } from '../uploads/store.ts';
import { requestEnvelope, countDocuments, refuseBrokenJson, type RequestEnvelope } from './envelope.ts';
import { requestFields } from './fields.ts';
import { UPLOAD_ID } from './schema.ts';

/**
 * Reads every form of a request with documents: `{"documents": […], …fields}`, `{"upload": "…", …fields}`, or bare
 * documents as `oc get` prints them, with the fields in the query. Throws a problem that names each fault.
 */
export async function readDocumentInput<Schema extends z.ZodMiniObject>(
  { body: bytes, query }: { readonly body: Uint8Array; readonly query: SentFields },
  schema: Schema,
  openUploads: OpenUploads,
  optionsOf: (fields: z.output<Schema>) => Omit<ReadOptions, 'isRemovedApi'> = () => ({}),
) {
  const envelope = requestEnvelope(bytes);
  const fields = requestFields(schema, query, envelope?.members ?? new Map(), DOCUMENT_SOURCES);
  const reader = new ClusterReader({ ...optionsOf(fields), isRemovedApi });
  const { facts, input } = await readDocumentSource(bytes, envelope, openUploads, reader);
  return { fields, facts, input };
}

/** Request members that supply documents. */
export const DOCUMENT_SOURCES = ['documents', 'upload'] as const;

/**
 * Output of `oc get` has at least 40 bytes per value; without indentation, a ClusterOperator has 24 and a Node 36.
 * Only extracts of `cairn` are denser: a million values cover the 150,000 pods of the largest clusters, 5,000 nodes
 * and 1,000 APIs.
 */
const UPLOAD_LIMITS: SplitLimits = { ...SPLIT_LIMITS, values: 1_000_000, valueBytes: 24 };
/** Covers those pods and all other kinds that are read. As many images need an upload. */
const BODY_LIMITS: SplitLimits = { ...UPLOAD_LIMITS, objects: 160_000 };

const UPLOAD_LESS = 'send what `oc get … -o json` prints, with fewer kinds in one request';
const SEND_LESS = `${UPLOAD_LESS}, or upload it by POST /v1/uploads`;

type Outcome =
  | { readonly ok: true; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/**
 * Reads documents from the envelope, from its upload or, without an envelope, from the whole body. Throws a problem
 * that names each fault.
 */
export async function readDocumentSource<Reading extends Outcome>(
  body: Uint8Array,
  envelope: RequestEnvelope | null,
  openUploads: OpenUploads,
  reader: DocumentReader<Reading>,
): Promise<Extract<Reading, { ok: true }>> {
  if (envelope === null) return accept(splitDocuments(body, reader, BODY_LIMITS), errorDetail, SEND_LESS);
  const source = sourceOf(envelope);
  if ('upload' in source) {
    const pieces = inflatedUpload(await openUploads(), source.upload);
    return accept(await splitDocumentStream(pieces, reader, UPLOAD_LIMITS), errorDetail, UPLOAD_LESS);
  }
  const reading = splitDocuments(source.documents, reader, BODY_LIMITS);
  if (!reading.ok && excessIn(reading.mistakes) === undefined) refuseBrokenJson(body);
  const accepted = accept(reading, inBody, SEND_LESS);
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
  place: (mistake: Mistake) => ErrorDetail,
  whenTooLarge: string,
): Extract<Reading, { ok: true }> {
  if (reading.ok) return reading as Extract<Reading, { ok: true }>;
  const excess = excessIn(reading.mistakes);
  const errors = (excess === undefined ? reading.mistakes : [excess]).map(place);
  const sentences = errors.map(({ document, pointer, detail }) => {
    const where = document === undefined ? pointer : `document ${document} ${pointer}`.trimEnd();
    return `${where}: ${detail}`;
  });
  if (excess === undefined) throw new Problem('invalid-documents', sentences.join('; '), { errors });
  throw new Problem('body-too-large', `${sentences.join('; ')}; ${whenTooLarge}`, { errors });
}

function excessIn(mistakes: readonly Mistake[]): Mistake | undefined {
  return mistakes.find(({ isExcess }) => isExcess);
}

/** A list of documents is read as one document. */
const inBody = ({ pointer, detail }: Mistake): ErrorDetail => ({
  pointer: `/documents${pointer}`,
  detail,
});

const CHUNK_BYTES = 256 * 1024;

/** Streams an upload; inflates it if it starts like gzip. */
export async function* inflatedUpload(
  uploads: Uploads,
  id: string,
  maxBytes = MAX_UPLOAD_BYTES,
): AsyncGenerator<Uint8Array> {
  const stored = await uploads.open(id);
  if (stored === null) {
    const detail = 'is not there: nothing was sent to its address yet, or it is older than a day';
    throw new Problem('unknown-upload', `upload ${JSON.stringify(id)} ${detail}`, {
      errors: [{ pointer: '/upload', value: id, detail }],
    });
  }
  let length = 0;
  try {
    for await (const piece of inflated(stored)) {
      length += piece.length;
      if (length > maxBytes) {
        throw new Problem(
          'body-too-large',
          `the upload holds more than ${maxBytes} bytes, which is the most that is accepted, inflated`,
        );
      }
      yield piece;
    }
  } finally {
    // A reader stops at its first fault; close the connection instead of waiting for it.
    stored.destroy();
  }
}

async function* inflated(stored: Readable): AsyncGenerator<Uint8Array> {
  const pieces = stored[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let head = Buffer.alloc(0);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= 2) break;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  if (!startsLikeGzip(head)) {
    yield* whole();
    return;
  }
  try {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // The reader receives the errors.
    yield* pipeline(whole(), gunzip, () => {}) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new Problem('invalid-documents', `the upload is not whole gzip: ${message}`);
  }
}
