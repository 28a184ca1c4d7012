import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './responses.ts';

export interface Freshness {
  /** Last successful sync; for several graphs the oldest. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
}

export interface Status {
  readonly freshness: Freshness | null;
  /** Reason for showing cached responses; null if they are current. */
  readonly kept: ApiError | null;
  /** Last response with a missing permission. */
  readonly refused: ApiError | null;
}

let status: Status = { freshness: null, kept: null, refused: null };
const listeners = new Set<() => void>();

function change(patch: Partial<Status>): void {
  status = { ...status, ...patch };
  for (const listener of listeners) listener();
}

export function noteFreshness(freshness: Freshness): void {
  const { freshness: former } = status;
  if (former?.syncedAt !== freshness.syncedAt || former.stale !== freshness.stale) change({ freshness });
}

export function noteKept(kept: ApiError | null): void {
  if (status.kept !== kept) change({ kept });
}

export function noteRefused(refused: ApiError): void {
  change({ refused });
}

export function useStatus(): Status {
  const [shown, setShown] = useState(status);
  useEffect(() => {
    const update = (): void => setShown(status);
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, []);
  return shown;
}

export const TOKEN_KEY = 'cairn-token';

/** Cleared when the tab closes; written by `sign-in/session.ts`. */
export function readToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}
