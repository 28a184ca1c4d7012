import { HTML_TYPE, JSON_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

const open = {
  lambda: 'query',
  access: 'open',
  errors: 'problem',
  failures: [],
} as const satisfies Partial<Route>;

const index = {
  ...open,
  path: '/',
  summary: 'What is served here: the console for browsers, a list for everyone else',
  success: {
    status: 200,
    description: 'Name, version and routes',
    mediaTypes: [JSON_TYPE, HTML_TYPE],
  },
} as const satisfies Partial<Route>;

const page = {
  ...open,
  isUnlisted: true,
  summary: 'A page of the console',
  success: { status: 200, description: 'The page', mediaTypes: [HTML_TYPE] },
} as const satisfies Partial<Route>;

const asset = {
  ...open,
  isUnlisted: true,
  path: '/assets/{file}',
  summary: 'A file of the console',
  success: { status: 200, description: 'The file', mediaTypes: ['*/*'] },
  failures: [404],
} as const satisfies Partial<Route>;

const signIn = {
  ...open,
  isUnlisted: true,
  path: '/sign-in.json',
  summary: 'How people sign in to the console',
  success: { status: 200, description: 'The kind of sign-in, and what it needs' },
} as const satisfies Partial<Route>;

/**
 * Console files contain no data, so they are public; their API requests need authorization as any other. HEAD is
 * listed beside GET because the default route is not public.
 */
export const consoleRoutes = [
  { ...index, id: 'getIndex', method: 'GET' },
  { ...index, id: 'headIndex', method: 'HEAD', isUnlisted: true },
  { ...page, id: 'getVersionsPage', method: 'GET', path: '/versions' },
  { ...page, id: 'headVersionsPage', method: 'HEAD', path: '/versions' },
  { ...page, id: 'getChannelsPage', method: 'GET', path: '/channels' },
  { ...page, id: 'headChannelsPage', method: 'HEAD', path: '/channels' },
  { ...page, id: 'getRisksPage', method: 'GET', path: '/risks' },
  { ...page, id: 'headRisksPage', method: 'HEAD', path: '/risks' },
  { ...page, id: 'getClustersPage', method: 'GET', path: '/clusters' },
  { ...page, id: 'headClustersPage', method: 'HEAD', path: '/clusters' },
  { ...page, id: 'getPrunersPage', method: 'GET', path: '/pruners' },
  { ...page, id: 'headPrunersPage', method: 'HEAD', path: '/pruners' },
  // Redirect target of the issuer.
  { ...page, id: 'getSignedInPage', method: 'GET', path: '/signed-in' },
  { ...page, id: 'headSignedInPage', method: 'HEAD', path: '/signed-in' },
  { ...signIn, id: 'getSignIn', method: 'GET' },
  { ...signIn, id: 'headSignIn', method: 'HEAD' },
  { ...asset, id: 'getConsoleAsset', method: 'GET' },
  { ...asset, id: 'headConsoleAsset', method: 'HEAD' },
] as const satisfies readonly Route[];

export type ConsoleRouteId = (typeof consoleRoutes)[number]['id'];

export const siteRoutes = [
  ...consoleRoutes,
  {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    lambda: 'query',
    access: 'open',
    errors: 'problem',
    summary: 'A constant, to see that the service answers',
    success: { status: 200, description: 'It answers' },
    failures: [],
  },
  {
    id: 'getOpenapi',
    method: 'GET',
    path: '/openapi.json',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { status: 200, description: 'OpenAPI document' },
    failures: [],
  },
] as const satisfies readonly Route[];
