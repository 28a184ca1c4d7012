import type * as z from 'zod/mini';
import type { SentFields } from '../http/endpoint.ts';
import type { ProblemDetail } from '../http/problem.ts';
import { invalidRequest, shownIfGiven } from '../http/request.ts';
import { DOCUMENT_SOURCES } from '../documents/read-documents.ts';
import type { RequestEnvelope } from '../documents/envelope.ts';
import { requestFields } from '../documents/fields.ts';

/** Says where a field of the policy was given, for who has to mend it. */
export type PlaceOfField = (field: string, index: number | null) => Omit<ProblemDetail, 'detail'>;

interface SentPolicy<Fields> {
  readonly fields: Fields;
  readonly format: 'json' | 'text' | undefined;
  readonly placeOf: PlaceOfField;
}

interface PolicySchemas<Fields> {
  /** In the query, where the policy has no name of its own. */
  readonly query: () => z.ZodMiniObject & z.ZodMiniType<Fields & { format?: 'json' | 'text' | undefined }>;
  /** Beside the documents in the body. */
  readonly body: () => z.ZodMiniObject &
    z.ZodMiniType<{ policy?: Fields | undefined; format?: 'json' | 'text' | undefined }>;
}

/** The policy stands in the body by this name, or its fields in the query. */
export function readPolicyFields<Fields extends object>(
  schemas: PolicySchemas<Fields>,
  query: SentFields,
  envelope: RequestEnvelope | null,
): SentPolicy<Fields> {
  const { format: formatInQuery, ...inQuery } = requestFields(schemas.query(), query, new Map());
  const members = envelope?.members ?? new Map<string, unknown>();
  const inBody = requestFields(schemas.body(), {}, members, DOCUMENT_SOURCES);
  const faults: ProblemDetail[] = [];
  if (formatInQuery !== undefined && inBody.format !== undefined) {
    faults.push({ pointer: '/format', detail: 'is given in the query as well' });
  }
  const [stray] = Object.keys(inQuery);
  if (inBody.policy !== undefined && stray !== undefined) {
    faults.push({ pointer: '/policy', detail: `is given in the query as well, by ${stray}` });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  const placeOf: PlaceOfField = (field, index) =>
    envelope === null || query[field] !== undefined
      ? { parameter: field, value: shownIfGiven(query[field]) }
      : { pointer: ['/policy', field, ...(index === null ? [] : [index])].join('/') };
  return {
    fields: inBody.policy ?? (inQuery as unknown as Fields),
    format: inBody.format ?? formatInQuery,
    placeOf,
  };
}
