import type { Endpoint } from '../runtime/http.ts';
import { routes } from './routes.ts';

/** Read when it is asked for: the document is larger than the code that serves everything else. */
const readDocument = async () => (await import('./openapi.json', { with: { type: 'json' } })).default;

/** `GET /` */
export const serviceIndex: Endpoint = async () => {
  const { info } = await readDocument();
  return {
    data: {
      name: info.title,
      version: info.version,
      routes: routes.map(({ method, path, summary }) => ({ method, path, summary })),
    },
  };
};

/** `GET /healthz` */
export const health: Endpoint = () => ({ data: { status: 'ok' } });

/** `GET /openapi.json` */
export const openapiDocument: Endpoint = async () => ({
  data: await readDocument(),
  headers: { 'cache-control': 'public, max-age=300' },
});
