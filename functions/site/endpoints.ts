import { type AnyEndpoint, type Call, type Endpoint, endpoints } from '../http/endpoint.ts';
import { JSON_TYPE } from '../http/reply.ts';
import { chooseMediaType } from '../http/negotiation.ts';
import { Problem } from '../http/problem.ts';
import type { ConsolePage } from './page.ts';
import { consoleRoutes, type ConsoleRouteId } from './routes.ts';
import type { SignIn } from './sign-in.ts';
import type { Route } from '../http/route.ts';

/** The pages of the console and their files, from the folder that it was built into; undefined where there is none. */
export function consoleEndpoints(
  folder: string | undefined,
  signIn: SignIn,
): { [Id in ConsoleRouteId]: Endpoint<Id> } {
  let loaded: ConsolePage | undefined;
  const open = async (): Promise<ConsolePage> => {
    if (folder === undefined) {
      throw new Problem('not-found', 'the console is not served here; GET /openapi.json lists what is');
    }
    const { readConsolePage } = await import('./page.ts');
    return (loaded ??= readConsolePage(folder, signIn));
  };
  const page = async (call: Pick<Call, 'headers'>) => ({ answer: (await open()).page(call) });
  const asset = async (call: Pick<Call, 'headers' | 'path'>) => ({ answer: (await open()).asset(call) });
  // Whoever takes anything, as curl does, is no browser.
  const wantsPage = ({ headers }: Call<'getIndex'>) =>
    folder !== undefined && chooseMediaType(headers['accept'], [JSON_TYPE, 'text/html']) === 'text/html';
  const { getIndex, getSignIn } = endpoints({
    getIndex: (call) => (wantsPage(call) ? page(call) : serviceIndex()),
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

/** Read when it is asked for: the document is larger than the code that serves everything else. */
const readDocument = async () =>
  (await import('../openapi/openapi.json', { with: { type: 'json' } })).default;

/** The routes of every Lambda, which few requests need. */
export const allRoutes = async (): Promise<readonly Route[]> => (await import('../routes.ts')).routes;

/** `GET /` */
export const serviceIndex = async () => {
  const [{ info }, routes] = await Promise.all([readDocument(), allRoutes()]);
  const listed = routes.filter(({ isUnlisted }) => !isUnlisted);
  return {
    data: {
      name: info.title,
      version: info.version,
      routes: listed.map(({ method, path, summary }) => ({ method, path, summary })),
    },
    headers: { vary: 'Accept' },
  };
};

/** `GET /healthz` */
export const health = () => ({ data: { status: 'ok' as const } });

/** `GET /openapi.json` */
export const openapiDocument = async () => ({
  data: await readDocument(),
  headers: { 'cache-control': 'public, max-age=300' },
});
