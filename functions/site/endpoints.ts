import { type AnyEndpoint, type Call, type Endpoint, endpoints } from '../http/endpoint.ts';
import { JSON_TYPE } from '../http/reply.ts';
import { chooseMediaType } from '../http/negotiation.ts';
import { Problem } from '../http/problem.ts';
import type { ConsolePage } from './page.ts';
import { consoleRoutes, type ConsoleRouteId } from './routes.ts';
import { serviceIndex } from './service-index.ts';
import type { SignIn } from './sign-in.ts';

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
