import type { HttpMiddleware } from '../endpoint.ts';
import type { HttpResult } from '../reply.ts';

/** Sent with every graph so that caches keep variants apart. */
export const VARY = 'Accept, Accept-Encoding, Origin';

/**
 * Lets pages of any origin read responses of the update protocol. Echoes the origin, as the public update service
 * does; this works for requests with credentials too.
 */
export function crossOrigin(): HttpMiddleware {
  const addHeaders: HttpMiddleware['after'] = (request) => {
    if (request.context.errors !== 'cincinnati') return;
    const origin = request.event.headers['origin'];
    const result = request.response as HttpResult;
    request.response = {
      ...result,
      headers: {
        ...result.headers,
        vary: VARY,
        ...(origin !== undefined && {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'ETag, X-Graph-Stale, X-Graph-Synced-At',
        }),
      },
    };
  };
  return { after: addHeaders, onError: addHeaders };
}
