import { type AnyEndpoint, type Call, type Endpoint, endpoints } from '../http/endpoint.ts';
import { chooseMediaType } from '../http/negotiation.ts';
import { Problem } from '../http/problem.ts';
import { JSON_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { ConsolePage } from './page.ts';
import { consoleRoutes, type ConsoleRouteId } from './routes.ts';
import type { SignIn } from './schema.ts';

interface OpenapiDocument extends Readonly<Record<string, unknown>> {
  readonly info: { readonly title: string; readonly version: string };
}

interface SiteSources {
  /** Build folder of the console; undefined without a console. */
  readonly consoleFolder: string | undefined;
  readonly signIn: SignIn;
  /** Loaded on demand: larger than the code that serves everything else. */
  readonly openapi: () => Promise<OpenapiDocument>;
  readonly routes: () => Promise<readonly Route[]>;
}

/** Console pages, route list and health check. */
export function siteEndpoints(sources: SiteSources) {
  return {
    ...consoleEndpoints(sources),
    ...endpoints({
      getHealth: () => ({ data: { status: 'ok' as const } }),
      getOpenapi: async () => ({
        data: await sources.openapi(),
        headers: { 'cache-control': 'public, max-age=300' },
      }),
    }),
  };
}

function consoleEndpoints(sources: SiteSources): { [Id in ConsoleRouteId]: Endpoint<Id> } {
  const { consoleFolder, signIn } = sources;
  let loaded: ConsolePage | undefined;
  const open = async (): Promise<ConsolePage> => {
    if (consoleFolder === undefined) {
      throw new Problem('not-found', 'the console is not served here; GET /openapi.json lists what is');
    }
    const { readConsolePage } = await import('./page.ts');
    return (loaded ??= readConsolePage(consoleFolder, signIn));
  };
  const page = async (call: Pick<Call, 'headers'>) => ({ answer: (await open()).page(call) });
  const asset = async (call: Pick<Call, 'headers' | 'path'>) => ({ answer: (await open()).asset(call) });
  // Clients that accept anything, such as curl, are not browsers.
  const wantsPage = ({ headers }: Call<'getIndex'>) =>
    consoleFolder !== undefined &&
    chooseMediaType(headers['accept'], [JSON_TYPE, 'text/html']) === 'text/html';
  const { getIndex, getSignIn } = endpoints({
    getIndex: (call) => (wantsPage(call) ? page(call) : serviceIndex(sources)),
    getSignIn: () => ({ data: signIn, headers: { 'cache-control': 'no-cache' } }),
  });
  const others: Readonly<Record<string, AnyEndpoint>> = {
    '/': getIndex,
    '/assets/{file}': asset,
    '/sign-in.json': getSignIn,
  };
  const entries = consoleRoutes.map(({ id, path }) => [id, others[path] ?? page]);
  return Object.fromEntries(entries) as { [Id in ConsoleRouteId]: Endpoint<Id> };
}

/** `GET /` */
async function serviceIndex({ openapi, routes }: SiteSources) {
  const [{ info }, all] = await Promise.all([openapi(), routes()]);
  const listed = all.filter(({ isUnlisted }) => !isUnlisted);
  return {
    data: {
      name: info.title,
      version: info.version,
      routes: listed.map(({ method, path, summary }) => ({ method, path, summary })),
    },
    headers: { vary: 'Accept' },
  };
}
