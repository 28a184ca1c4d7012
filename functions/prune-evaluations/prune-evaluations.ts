import { InUseReader } from '@cairn/shared/prune/images/in-use/documents';
import { ResourceReader } from '@cairn/shared/prune/objects/documents';
import { endpoints } from '../http/endpoint.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { boundedAnswer, boundedJson, TEXT_TYPE } from '../http/reply.ts';
import { readDocumentSource } from '../documents/read-documents.ts';
import { historiesAsText, historyAsText } from './history.ts';
import { evaluateHistories } from './history-evaluations.ts';
import { evaluateImages } from './images.ts';
import { imageVerdictAsText, imageVerdictView } from './images-report.ts';
import { readImagePolicy } from './image-policy.ts';
import { readPolicyFields } from './endpoints.ts';
import { requestEnvelope } from '../documents/envelope.ts';
import { evaluateResources } from './resources.ts';
import { verdictAsText, verdictView } from './resources-report.ts';
import { readPolicy } from './resource-policy.ts';
import { imageEvaluationBody, imageEvaluationQuery } from './images-schema.ts';
import { resourceEvaluationBody, resourceEvaluationQuery } from './prune-evaluation-requests.ts';

export interface EvaluationDependencies {
  readonly openUploads: OpenUploads;
  readonly clock: () => number;
}

/** As many pods as a cluster can run, and what fits into the memory of a Lambda. */
const MOST_RESOURCES = 150_000;

/** `POST /v1/prune-evaluations/history`, `…/resources` and `…/images` */
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
