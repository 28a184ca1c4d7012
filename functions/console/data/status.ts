import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './responses.ts';

/** How fresh the graphs are that something on the page comes from. */
export interface Freshness {
  /** When upstream last gave a good answer; of several graphs the oldest. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
}

/** What the header says of the data on the page, and of the right to it. */
export interface Status {
  readonly freshness: Freshness | null;
  /** Why kept answers are shown in place of new ones; null when they are not. */
  readonly kept: ApiError | null;
  /** What was last refused for want of a right; null when nothing was. */
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

/** Kept for as long as the tab is open; `sign-in/session.ts` puts it there. */
export function readToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}
