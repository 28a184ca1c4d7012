import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/responses.ts';

type LoadPage<Item> = (
  address: string,
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>;

interface Pages<Item> {
  /** Null until the first page is loaded; keeps the items of the previous address until then. */
  readonly items: readonly Item[] | null;
  readonly hasMore: boolean;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly more: () => void;
  /** Reloads all visible items and keeps them until the new ones arrive. */
  readonly reload: () => void;
  /** Reloads without a loading state. */
  readonly refresh: () => void;
}

interface Held<Item> extends Pick<Pages<Item>, 'items' | 'error' | 'isLoading'> {
  readonly address: string;
  readonly cursor: string | null;
}

export function usePages<Item>(address: string, loadPage: LoadPage<Item>): Pages<Item> {
  const [held, setHeld] = useState<Held<Item>>({
    address,
    items: null,
    cursor: null,
    error: null,
    isLoading: true,
  });
  const abort = useRef<AbortController>(undefined);

  const load = async (first: readonly Item[], after: string | null, wanted: number): Promise<void> => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    try {
      const loaded = [...first];
      let cursor = after;
      do {
        const page = await loadPage(cursor === null ? address : withCursor(address, cursor), signal);
        if (signal.aborted) return;
        loaded.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null && loaded.length < wanted);
      setHeld({ address, items: loaded, cursor, error: null, isLoading: false });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setHeld((former) => ({
        ...(former.address === address ? former : { address, items: null, cursor: null }),
        error,
        isLoading: false,
      }));
    }
  };
  const loadSeen: typeof load = (first, after, wanted) => {
    setHeld((former) => ({ ...former, error: null, isLoading: true }));
    return load(first, after, wanted);
  };
  useEffect(() => {
    void loadSeen([], null, 0);
    return () => abort.current?.abort();
  }, [address]);

  const { items, cursor, error, isLoading } = held;
  const shown = items?.length ?? 0;
  return {
    items,
    hasMore: cursor !== null,
    error,
    isLoading: isLoading || held.address !== address,
    more: () => void loadSeen(items ?? [], cursor, 0),
    reload: () => void loadSeen([], null, shown),
    refresh: () => void load([], null, shown),
  };
}

export function withCursor(address: string, cursor: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}

const EVERY_MS = 10_000;

/** Polls every ten seconds while something is pending and the page is visible. */
export function useAwaited(isAwaited: boolean, poll: () => void): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isAwaited]);
}

/** Debounces typed text; an empty field applies at once. */
export function useSettled(typed: string, ms: number): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), ms);
    return () => clearTimeout(timer);
  }, [typed, ms]);
  return typed === '' ? '' : settled;
}
