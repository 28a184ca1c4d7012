/**
 * For how many seconds an answer with release data may be kept. Clusters ask every two to four minutes, upstream holds its
 * own answers for one; a cluster is better off with the graph of an hour ago than with none.
 */
export const KEPT_SECONDS = { fresh: 60, whileRevalidating: 60, ifError: 3600 };

const CACHE_CONTROL = [
  'public',
  `max-age=${KEPT_SECONDS.fresh}`,
  `stale-while-revalidate=${KEPT_SECONDS.whileRevalidating}`,
  `stale-if-error=${KEPT_SECONDS.ifError}`,
].join(', ');

/** What every answer has that is a published document as it is stored. */
export function releaseDataHeaders(vary: string, changedAt: string | null): Record<string, string> {
  return {
    vary,
    'cache-control': CACHE_CONTROL,
    ...(changedAt !== null && { 'last-modified': new Date(changedAt).toUTCString() }),
  };
}
