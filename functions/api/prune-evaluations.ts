import { ResourceReader } from '@cairn/shared/prune/resource-documents';
import type { Call, Endpoint } from '../runtime/http.ts';
import type { ProblemDetail } from '../runtime/problem.ts';
import { invalidRequest, shownIfGiven } from '../runtime/request.ts';
import type { OpenUploads } from '../store/uploads.ts';
import { boundedAnswer } from './bounded-answer.ts';
import { DOCUMENT_SOURCES, readDocumentSource } from './document-source.ts';
import { historiesAsText, historyAsText } from './history-evaluation-text.ts';
import { evaluateHistories } from './history-evaluations.ts';
import { requestEnvelope, type RequestEnvelope } from './request-envelope.ts';
import { requestFields } from './request-fields.ts';
import { evaluateResources } from './resource-evaluations.ts';
import { verdictAsText, verdictView } from './resource-evaluation-view.ts';
import { type PlaceOfField, readPolicy } from './resource-policy.ts';
import {
  type HistoryEvaluationRequest,
  resourceEvaluationBody,
  resourceEvaluationQuery,
  type ResourcePolicyFields,
} from './schemas/prune-evaluation-requests.ts';
import { TEXT_TYPE } from './upgrade-path-routes.ts';

export interface EvaluationDependencies {
  readonly openUploads: OpenUploads;
  readonly clock: () => number;
}

const JSON_TYPE = 'application/json';
/** As many pods as a cluster can run, and what fits into the memory of a Lambda. */
const MOST_RESOURCES = 150_000;

/** `POST /v1/prune-evaluations/history` and `POST /v1/prune-evaluations/resources` */
export function pruneEvaluationEndpoints({
  openUploads,
  clock,
}: EvaluationDependencies): Record<'evaluateHistoryPruning' | 'evaluateResourcePruning', Endpoint> {
  return {
    evaluateHistoryPruning: ({ body }) => {
      const request = body as HistoryEvaluationRequest;
      const verdict = evaluateHistories(request);
      if (request.format !== 'text') return boundedAnswer(JSON_TYPE, JSON.stringify(verdict));
      return boundedAnswer(
        TEXT_TYPE,
        'evaluations' in verdict ? historiesAsText(verdict) : historyAsText(verdict),
      );
    },
    evaluateResourcePruning: async ({ query, body }) => {
      const bytes = body as Uint8Array;
      const envelope = requestEnvelope(bytes);
      const { fields, format, placeOf } = policyFields(query, envelope);
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
        : boundedAnswer(JSON_TYPE, JSON.stringify(verdictView(verdict, policy, input)));
    },
  };
}

/** The policy stands in the body by this name, or its fields in the query. */
function policyFields(
  query: Call['query'],
  envelope: RequestEnvelope | null,
): { fields: ResourcePolicyFields; format: 'json' | 'text' | undefined; placeOf: PlaceOfField } {
  const { format: formatInQuery, ...inQuery } = requestFields(resourceEvaluationQuery(), query, new Map());
  const members = envelope?.members ?? new Map<string, unknown>();
  const inBody = requestFields(resourceEvaluationBody(), {}, members, DOCUMENT_SOURCES);
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
  return { fields: inBody.policy ?? inQuery, format: inBody.format ?? formatInQuery, placeOf };
}
