/** What an answer depends on beside its URL, said on every graph answer, so that a cache never mixes two up. */
export const VARY = 'Accept, Accept-Encoding, Origin';

/**
 * Lets pages of any origin read the answer. The origin is echoed, as the public update service does, which works for
 * requests with credentials too.
 */
export function crossOriginHeaders(origin: string | undefined): Record<string, string> {
  return {
    vary: VARY,
    ...(origin !== undefined && {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'ETag, X-Graph-Stale, X-Graph-Synced-At',
    }),
  };
}

/** The answer to a browser that asks whether a page may send a request. */
export function preflightHeaders(origin: string | undefined, methods: string): Record<string, string> {
  return {
    ...crossOriginHeaders(origin),
    allow: methods,
    ...(origin !== undefined && {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'Accept, Authorization, If-None-Match',
      'access-control-max-age': '86400',
    }),
  };
}
