import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api-error.ts';

export interface Resource<T> {
  /** The last good one for this key, also while it is asked for again or that fails. */
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Held<T> {
  readonly key: string | null;
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
}

/** What `load` gives for a key; null asks for nothing. What comes for a key that is no longer wanted is dropped. */
export function useResource<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ key: null, value: null, error: null, isLoading: false });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    if (key === null) return undefined;
    const abort = new AbortController();
    setHeld((former) => ({
      key,
      value: former.key === key ? former.value : null,
      error: null,
      isLoading: true,
    }));
    latest.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setHeld({ key, value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setHeld((former) => ({ ...former, error: inWords(error), isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [key, round]);

  const reload = (): void => setRound((last) => last + 1);
  if (held.key !== key) return { value: null, error: null, isLoading: key !== null, reload };
  return { value: held.value, error: held.error, isLoading: held.isLoading, reload };
}

/** A fault of the page itself, or of what was answered, is for its makers too. */
function inWords(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  reportError(error);
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiError(detail, { status: 200, code: 'unreadable', title: 'The answer could not be used' });
}
