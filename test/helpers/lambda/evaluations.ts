import { afterAll, beforeAll } from 'vitest';
import { drawnConfig, drawnSource } from '../upstream/drawn-upstream.ts';
import { type Deployment, type HttpAnswer, startDeployment } from './deployment.ts';
import { parseStrictly } from './strict.ts';

const SCHEMAS = {
  history: 'evaluateHistoryPruning',
  resources: 'evaluateResourcePruning',
  images: 'evaluateImagePruning',
} as const;

export type EvaluationRoute = keyof typeof SCHEMAS;

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly detail: string;
  readonly errors?: readonly object[];
}

export interface Evaluations {
  readonly deployment: Deployment;
  /** Sends bytes as gzip, text unchanged, everything else as JSON. Checks the response against its schema. */
  readonly post: (route: EvaluationRoute, body: unknown, query?: string) => Promise<HttpAnswer>;
  readonly refusal: (route: EvaluationRoute, body: unknown, query?: string) => Promise<Refusal>;
}

/** One deployment for all tests of a file. */
export function openEvaluations(): Evaluations {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment({ releases: drawnConfig({}), source: drawnSource({}) });
  });
  afterAll(() => deployment.close());

  const post: Evaluations['post'] = async (route, body, query = '') => {
    const isGzip = Buffer.isBuffer(body);
    const answer = await deployment.request('POST', `/v1/prune-evaluations/${route}${query}`, {
      body: isGzip || typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': isGzip ? 'application/gzip' : 'application/json' },
    });
    if (answer.status === 200 && answer.body !== null) parseStrictly(SCHEMAS[route], answer.body);
    return answer;
  };
  return {
    get deployment() {
      return deployment;
    },
    post,
    refusal: async (route, body, query) => {
      const { status, body: problem } = await post(route, body, query);
      return { ...(problem as Refusal), status };
    },
  };
}
