import type { FetchLimits } from './limits.ts';

/** Full jitter: anywhere between nothing and the doubled base, so that callers who failed together come back apart. */
export function backoffMs(
  attempt: number,
  limits: Pick<FetchLimits, 'backoffBaseMs' | 'backoffCapMs'>,
  random: () => number,
): number {
  return random() * Math.min(limits.backoffCapMs, limits.backoffBaseMs * 2 ** (attempt - 1));
}

/** What a Retry-After header asks for, in seconds or as a date; 0 when there is none or it makes no sense. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  if (typeof header !== 'string') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header)
    ? Date.parse(header)
    : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
