import { InUseReader } from '@cairn/shared/prune/images/in-use/documents';
import { ResourceReader } from '@cairn/shared/prune/objects/documents';
import type * as z from 'zod/mini';
import { type RequestEnvelope, requestEnvelope } from '../documents/envelope.ts';
import { requestFields } from '../documents/fields.ts';
import { DOCUMENT_SOURCES, readDocumentSource } from '../documents/read-documents.ts';
import { sentName } from '../http/aliases.ts';
import { type SentFields, endpoints } from '../http/endpoint.ts';
import { boundedAnswer, boundedJson, TEXT_TYPE } from '../http/reply.ts';
import { invalidRequest, truncateIfGiven } from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { historiesAsText, historyAsText, evaluateHistories } from './history.ts';
import { imageVerdictAsText, imageVerdictView } from './images-report.ts';
import { imageEvaluationBody, imageEvaluationQuery } from './images-schema.ts';
import { evaluateImages, readImagePolicy } from './images.ts';
import { verdictAsText, verdictView } from './resources-report.ts';
import { evaluateResources, readPolicy } from './resources.ts';
import { resourceEvaluationBody, resourceEvaluationQuery, type PlaceOfField } from './schema.ts';

interface PolicySchemas<Fields> {
  /** The fields of the policy as query parameters. */
  readonly query: () => z.ZodMiniObject & z.ZodMiniType<Fields & { format?: 'json' | 'text' | undefined }>;
  /** The policy as one member of the body, beside the documents. */
  readonly body: () => z.ZodMiniObject &
    z.ZodMiniType<{ policy?: Fields | undefined; format?: 'json' | 'text' | undefined }>;
}

/** Accepts the policy in the body or in the query, not in both. */
function readPolicyFields<Fields extends object>(
  schemas: PolicySchemas<Fields>,
  query: SentFields,
  envelope: RequestEnvelope | null,
) {
  const { format: formatInQuery, ...inQuery } = requestFields(schemas.query(), query, new Map());
  const members = envelope?.members ?? new Map<string, unknown>();
  const inBody = requestFields(schemas.body(), {}, members, DOCUMENT_SOURCES);
  const faults: ErrorDetail[] = [];
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
      ? { parameter: field, value: truncateIfGiven(query[field]) }
      : {
          pointer: ['/policy', sentName(inBody.policy ?? {}, field), ...(index === null ? [] : [index])].join(
            '/',
          ),
        };
  return {
    fields: inBody.policy ?? (inQuery as unknown as Fields),
    format: inBody.format ?? formatInQuery,
    placeOf,
  };
}

interface EvaluationDependencies {
  readonly openUploads: OpenUploads;
  readonly clock: () => number;
}

/** Covers the pods of the largest cluster and fits into the memory of the Lambda. */
const MOST_RESOURCES = 150_000;

export function pruneEvaluationEndpoints({ openUploads, clock }: EvaluationDependencies) {
  return endpoints({
    evaluateHistoryPruning: ({ body: request }) => {
      const verdict = evaluateHistories(request);
      if (request.format !== 'text') return boundedJson(verdict);
      return boundedAnswer(
        TEXT_TYPE,
        'evaluations' in verdict ? historiesAsText(verdict) : historyAsText(verdict),
      );
    },
    evaluateResourcePruning: async ({ query, body: bytes }) => {
      const envelope = requestEnvelope(bytes);
      const { fields, format, placeOf } = readPolicyFields(
        { query: resourceEvaluationQuery, body: resourceEvaluationBody },
        query,
        envelope,
      );
      const policy = readPolicy(fields, clock(), placeOf);
      const { resources, input } = await readDocumentSource(
        bytes,
        envelope,
        openUploads,
        new ResourceReader({
          kinds: policy.kinds,
          labels: policy.labels !== null || policy.keepNewestPer?.by === 'label',
          most: MOST_RESOURCES,
        }),
      );
      const verdict = await evaluateResources(resources, policy);
      return format === 'text'
        ? boundedAnswer(TEXT_TYPE, verdictAsText(verdict, policy))
        : boundedJson(verdictView(verdict, policy, input));
    },
    evaluateImagePruning: async ({ query, body: bytes }) => {
      const envelope = requestEnvelope(bytes);
      const schemas = { query: imageEvaluationQuery, body: imageEvaluationBody };
      const { fields, format, placeOf } = readPolicyFields(schemas, query, envelope);
      const policy = readImagePolicy(fields, clock(), placeOf);
      const reading = await readDocumentSource(
        bytes,
        envelope,
        openUploads,
        new InUseReader({
          youngerThan: policy.now - policy.keepYoungerThanMs,
          collectedAt: policy.now,
          asked: policy.collected,
          images: true,
        }),
      );
      const evaluation = evaluateImages(reading, policy);
      return format === 'text'
        ? boundedAnswer(TEXT_TYPE, imageVerdictAsText(evaluation, policy))
        : boundedJson(imageVerdictView(evaluation, policy));
    },
  });
}
