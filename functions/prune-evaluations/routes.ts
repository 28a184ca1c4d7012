import { TEXT_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { imageEvaluationBody, imageEvaluationQuery } from './images-schema.ts';
import { historyEvaluationRequest, resourceEvaluationBody, resourceEvaluationQuery } from './schema.ts';

const evaluation = {
  method: 'POST',
  lambda: 'manage',
  access: 'read',
  errors: 'problem',
} as const satisfies Partial<Route>;

/** Stateless: stores and deletes nothing. */
export const pruneEvaluationRoutes = [
  {
    ...evaluation,
    id: 'evaluateHistoryPruning',
    path: '/v1/prune-evaluations/history',
    summary: 'What the history of a ClusterVersion would lose, and why; also of many at once',
    body: historyEvaluationRequest,
    // Fits 200,000 entries with all fields, plus a margin.
    bodyValues: 2_500_000,
    success: {
      status: 200,
      description:
        'What stays, what would be removed, and the rank of every entry; of many histories in short',
      mediaTypes: ['application/json', TEXT_TYPE],
    },
    failures: [400, 413, 415],
  },
  {
    ...evaluation,
    id: 'evaluateResourcePruning',
    path: '/v1/prune-evaluations/resources',
    summary:
      'Which of the objects that `oc get … -o json` prints would go by a policy, and the commands for it',
    documents: resourceEvaluationQuery,
    documentsBody: resourceEvaluationBody,
    success: {
      status: 200,
      description: 'What would go, what is protected and why, and the `oc delete` commands',
      mediaTypes: ['application/json', TEXT_TYPE],
    },
    failures: [400, 404, 413, 415],
  },
  {
    ...evaluation,
    id: 'evaluateImagePruning',
    path: '/v1/prune-evaluations/images',
    summary:
      'Which tags of ImageStreams and which Images would go, what uses the others, and the commands for it',
    documents: imageEvaluationQuery,
    documentsBody: imageEvaluationBody,
    success: {
      status: 200,
      description: 'What would go, what is in use and by whom, and the `oc` commands',
      mediaTypes: ['application/json', TEXT_TYPE],
    },
    failures: [400, 404, 413, 415],
  },
] as const satisfies readonly Route[];
