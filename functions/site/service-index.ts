import type { Route } from '../http/route.ts';

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
