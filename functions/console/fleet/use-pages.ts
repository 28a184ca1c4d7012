import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/api-error.ts';

/** Asks for the page with this query: empty for the first, else with its cursor. */
type LoadPage<Item> = (
  query: string,
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>;

export interface Pages<Item> {
  /** Null until the first page is there. */
  readonly items: readonly Item[] | null;
  readonly hasMore: boolean;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly more: () => void;
  /** From the first page on; what is shown stays until it is there. */
  readonly reload: () => void;
}

interface Held<Item> {
  readonly items: readonly Item[] | null;
  readonly cursor: string | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
}

/** A list that the service gives page by page. */
export function usePages<Item>(loadPage: LoadPage<Item>): Pages<Item> {
  const [held, setHeld] = useState<Held<Item>>({ items: null, cursor: null, error: null, isLoading: true });
  const abort = useRef<AbortController>(undefined);

  const load = async (cursor: string | null): Promise<void> => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    setHeld((former) => ({ ...former, error: null, isLoading: true }));
    try {
      const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const page = await loadPage(query, signal);
      if (signal.aborted) return;
      setHeld(({ items: former }) => ({
        items: [...(cursor === null ? [] : (former ?? [])), ...page.items],
        cursor: page.nextCursor,
        error: null,
        isLoading: false,
      }));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setHeld((former) => ({ ...former, error, isLoading: false }));
    }
  };
  useEffect(() => {
    void load(null);
    return () => abort.current?.abort();
  }, []);

  const { items, cursor, error, isLoading } = held;
  return {
    items,
    hasMore: cursor !== null,
    error,
    isLoading,
    more: () => void load(cursor),
    reload: () => void load(null),
  };
}
