import { type ReadOptions, ClusterReader } from '@cairn/shared/cluster/kinds';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { InputSummary } from '@cairn/shared/cluster/object-reader';
import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import type * as z from 'zod/mini';
import type { SentFields } from '../http/endpoint.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { DOCUMENT_SOURCES, readDocumentSource } from './document-source.ts';
import { requestEnvelope } from './envelope.ts';
import { requestFields } from './fields.ts';

export interface DocumentInput<Fields> {
  readonly fields: Fields;
  readonly facts: ClusterFacts;
  readonly input: InputSummary;
}

/**
 * What a request on a route with `documents` says, in any of its forms: `{"documents": […], …fields}`,
 * `{"upload": "…", …fields}`, or nothing but documents, of which `oc get` prints several in a row, with the fields in the
 * query. Documents that are not as they should be are a problem that names each fault.
 */
export async function readDocumentInput<Schema extends z.ZodMiniObject>(
  { body: bytes, query }: { readonly body: Uint8Array; readonly query: SentFields },
  schema: Schema,
  openUploads: OpenUploads,
  optionsOf: (fields: z.output<Schema>) => Omit<ReadOptions, 'isRemovedApi'> = () => ({}),
): Promise<DocumentInput<z.output<Schema>>> {
  const envelope = requestEnvelope(bytes);
  const fields = requestFields(schema, query, envelope?.members ?? new Map(), DOCUMENT_SOURCES);
  const reader = new ClusterReader({ ...optionsOf(fields), isRemovedApi });
  const { facts, input } = await readDocumentSource(bytes, envelope, openUploads, reader);
  return { fields, facts, input };
}
