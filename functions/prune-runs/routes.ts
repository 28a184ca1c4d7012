import { TEXT_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { imagePrunerRunQuery, imagePrunerRunRequest } from './schema.ts';

const runs = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;
const RUNS = '/v1/image-pruners/{name}/runs';

export const imagePrunerRunRoutes = [
  {
    ...runs,
    id: 'startImagePrunerRun',
    method: 'POST',
    path: RUNS,
    access: 'admin',
    summary: 'Run a pruner now, also one that is suspended; every guard holds',
    body: imagePrunerRunRequest,
    success: { status: 202, description: 'The run will start within a minute' },
    failures: [400, 404, 409, 413, 415],
  },
  {
    ...runs,
    id: 'listImagePrunerRuns',
    method: 'GET',
    path: RUNS,
    access: 'read',
    summary: 'The runs of a pruner, newest first: the one under way, then as many as its history keeps',
    success: { status: 200, description: 'The runs' },
    failures: [400, 404],
  },
  {
    ...runs,
    id: 'getImagePrunerRun',
    method: 'GET',
    path: `${RUNS}/{run}`,
    access: 'read',
    summary: 'How far a run is; once it has ended, its report',
    query: imagePrunerRunQuery,
    success: {
      status: 200,
      description: 'By `state`: its progress, why it was skipped, or its report',
      mediaTypes: ['application/json', TEXT_TYPE],
    },
    failures: [400, 404],
  },
] as const satisfies readonly Route[];
