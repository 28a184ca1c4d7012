import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/api-error.ts';

/** Asks for one page at its address. */
type LoadPage<Item> = (
  address: string,
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>;

export interface Pages<Item> {
  /** Null until the first page is there; those of the former address stay until then. */
  readonly items: readonly Item[] | null;
  readonly hasMore: boolean;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly more: () => void;
  /** From the first page on; what is shown stays until it is there. */
  readonly reload: () => void;
}

interface Held<Item> {
  /** What the items are of. */
  readonly address: string;
  readonly items: readonly Item[] | null;
  readonly cursor: string | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
}

/** A list that the service gives page by page. */
export function usePages<Item>(address: string, loadPage: LoadPage<Item>): Pages<Item> {
  const [held, setHeld] = useState<Held<Item>>({
    address,
    items: null,
    cursor: null,
    error: null,
    isLoading: true,
  });
  const abort = useRef<AbortController>(undefined);

  const load = async (cursor: string | null): Promise<void> => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    setHeld((former) => ({ ...former, error: null, isLoading: true }));
    try {
      const page = await loadPage(cursor === null ? address : withCursor(address, cursor), signal);
      if (signal.aborted) return;
      setHeld(({ items: former }) => ({
        address,
        items: [...(cursor === null ? [] : (former ?? [])), ...page.items],
        cursor: page.nextCursor,
        error: null,
        isLoading: false,
      }));
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
  useEffect(() => {
    void load(null);
    return () => abort.current?.abort();
  }, [address]);

  const { items, cursor, error, isLoading } = held;
  return {
    items,
    hasMore: cursor !== null,
    error,
    isLoading: isLoading || held.address !== address,
    more: () => void load(cursor),
    reload: () => void load(null),
  };
}

export function withCursor(address: string, cursor: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}
