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

/** Views of the console beside the plan, which is at `/`. */
const VIEWS = ['versions', 'channels', 'risks', 'clusters', 'updates', 'pruners'] as const;

/** The console has a title and a screen for each. */
export type View = 'plan' | (typeof VIEWS)[number];

const pageRoute = <Name extends string>(name: Name, path: string) =>
  ({ ...page, id: `get${name}Page`, method: 'GET', path }) as const;

/** Distributes over the names, so that each identifier has its own route type. */
type PageRoute<Name> = Name extends string ? ReturnType<typeof pageRoute<Name>> : never;

const viewRoutes = VIEWS.map((view) =>
  pageRoute(view[0]!.toUpperCase() + view.slice(1), `/${view}`),
) as PageRoute<Capitalize<(typeof VIEWS)[number]>>[];

/** Console files contain no data, so they are public; their API requests need authorization as any other. */
export const consoleRoutes = [
  { ...index, id: 'getIndex', method: 'GET' },
  ...viewRoutes,
  // Redirect target of the issuer.
  pageRoute('SignedIn', '/signed-in'),
  { ...signIn, id: 'getSignIn', method: 'GET' },
  { ...asset, id: 'getConsoleAsset', method: 'GET' },
] as const satisfies readonly Route[];

export type ConsoleRouteId = (typeof consoleRoutes)[number]['id'];

export const siteRoutes = [
  ...consoleRoutes,
  {
    ...open,
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    summary: 'A constant, to see that the service answers',
    success: { status: 200, description: 'It answers' },
  },
  {
    ...open,
    id: 'getOpenapi',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { status: 200, description: 'OpenAPI document' },
  },
] as const satisfies readonly Route[];
