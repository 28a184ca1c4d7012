/**
 * Seconds that a response with release data may be cached. Clusters ask every two to four minutes, and
 * upstream caches for one. A cluster is better off with a graph from an hour ago than with none.
 */
export const KEPT_SECONDS = { fresh: 60, whileRevalidating: 60, ifError: 3600 };

const CACHE_CONTROL = [
  'public',
  `max-age=${KEPT_SECONDS.fresh}`,
  `stale-while-revalidate=${KEPT_SECONDS.whileRevalidating}`,
  `stale-if-error=${KEPT_SECONDS.ifError}`,
].join(', ');

/** Headers of release data that a person or program reads: every cache asks again, so a new configuration shows at once. */
export const REVALIDATED = { vary: 'Accept-Encoding', 'cache-control': 'public, no-cache' } as const;

/** Headers of every response that is a graph as stored. */
export function releaseDataHeaders(vary: string, changedAt: string | null): Record<string, string> {
  return {
    vary,
    'cache-control': CACHE_CONTROL,
    ...(changedAt !== null && { 'last-modified': new Date(changedAt).toUTCString() }),
  };
}
