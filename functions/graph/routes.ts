import { JSON_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { graphQuery } from './schema.ts';

export const CINCINNATI_TYPE = 'application/vnd.redhat.cincinnati.v1+json';
export const GRAPH_METHODS = 'GET, HEAD, OPTIONS';

const getGraph = {
  method: 'GET',
  lambda: 'query',
  access: 'graph',
  errors: 'cincinnati',
  summary: 'The update graph of a channel, as clusters ask for it',
  query: graphQuery,
  headers: {
    'If-Modified-Since': 'Answer 304 if the graph has not changed since; ignored with `If-None-Match`',
  },
  success: {
    status: 200,
    description: 'The graph, empty for a channel or architecture that is not followed',
    mediaTypes: [JSON_TYPE, CINCINNATI_TYPE],
  },
  failures: [400, 406, 503],
} as const satisfies Partial<Route>;

const headGraph = {
  ...getGraph,
  method: 'HEAD',
  summary: 'The headers of the graph alone',
  success: { ...getGraph.success, description: 'The headers that GET answers with', mediaTypes: [] },
} as const satisfies Partial<Route>;

const optionsGraph = {
  method: 'OPTIONS',
  lambda: 'query',
  access: 'graph',
  errors: 'cincinnati',
  summary: 'What pages of other origins may ask',
  success: { status: 204, description: 'Allowed methods and headers', mediaTypes: [] },
  failures: [],
} as const satisfies Partial<Route>;

/** All paths that clients of the update protocol use; clusters get the first. */
export const graphRoutes = [
  { ...getGraph, id: 'getGraph', path: '/api/upgrades_info/v1/graph' },
  { ...headGraph, id: 'headGraph', path: '/api/upgrades_info/v1/graph' },
  { ...optionsGraph, id: 'optionsGraph', path: '/api/upgrades_info/v1/graph' },
  { ...getGraph, id: 'getGraphUnversioned', path: '/api/upgrades_info/graph' },
  { ...headGraph, id: 'headGraphUnversioned', path: '/api/upgrades_info/graph' },
  { ...optionsGraph, id: 'optionsGraphUnversioned', path: '/api/upgrades_info/graph' },
  { ...getGraph, id: 'getGraphShort', path: '/v1/graph' },
  { ...headGraph, id: 'headGraphShort', path: '/v1/graph' },
  { ...optionsGraph, id: 'optionsGraphShort', path: '/v1/graph' },
  { ...getGraph, id: 'getGraphShortUnversioned', path: '/graph' },
  { ...headGraph, id: 'headGraphShortUnversioned', path: '/graph' },
  { ...optionsGraph, id: 'optionsGraphShortUnversioned', path: '/graph' },
] as const satisfies readonly Route[];
