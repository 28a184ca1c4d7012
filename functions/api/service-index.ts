import type { Endpoint } from '../runtime/http.ts';
import openapi from './openapi.json' with { type: 'json' };
import { routes } from './routes.ts';

/** `GET /` */
export const serviceIndex: Endpoint = () => ({
  data: {
    name: 'Cairn',
    version: openapi.info.version,
    routes: routes.map(({ method, path, summary }) => ({ method, path, summary })),
  },
});

/** `GET /healthz` */
export const health: Endpoint = () => ({ data: { status: 'ok' } });

/** `GET /openapi.json` */
export const openapiDocument: Endpoint = () => ({
  data: openapi,
  headers: { 'cache-control': 'public, max-age=300' },
});
