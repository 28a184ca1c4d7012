import { KEPT_SECONDS } from './cache-headers.ts';

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
