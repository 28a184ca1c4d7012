/** Clusters ask every two to four minutes; upstream holds its own answers for one. */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=300';

/** What every answer has that is a published document as it is stored. */
export function releaseDataHeaders(vary: string, changedAt: string | null): Record<string, string> {
  return {
    vary,
    'cache-control': CACHE_CONTROL,
    ...(changedAt !== null && { 'last-modified': new Date(changedAt).toUTCString() }),
  };
}
