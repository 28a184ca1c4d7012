import { messageOf } from '@cairn/shared/text/quote';
import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson, readJson, send } from './api.ts';
import { ApiError } from './responses.ts';
import { noteKept } from './status.ts';

export interface Resource<T> {
  /** Last successful value of this key, kept during a reload or after its failure. */
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Held<T> extends Omit<Resource<T>, 'reload'> {
  readonly key: string | null;
}

/** A null key loads nothing. Drops results of an outdated key. */
export function useQuery<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
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
  return { ...held, reload };
}

/** `revision` changes with the data behind the path. A null path loads nothing. */
export function useJson<T>(path: string | null, revision = ''): Resource<T> {
  return useQuery(path && `${path} ${revision}`, (signal) => getJson<T>(path!, signal));
}

/** Unexpected errors also go to the browser's error reporting. */
function inWords(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  reportError(error);
  const detail = messageOf(error);
  return new ApiError(detail, { status: 200, code: 'unreadable', title: 'The answer could not be used' });
}

export const CACHE = 'cairn-1';

interface KeptAnswer<T> {
  readonly body: T;
  readonly headers: Headers;
}

/** Serves cached release data, with a notice, while the service is unreachable: plans must stay readable. */
export async function fetchKept<T>(path: string, signal?: AbortSignal): Promise<KeptAnswer<T>> {
  // Browsers offer the cache on https and localhost only.
  const cache = 'caches' in globalThis ? await caches.open(CACHE).catch(() => null) : null;
  try {
    const response = await send(path, signal ? { signal } : {});
    const copy = response.clone();
    const body = await readJson<T>(response);
    await cache?.put(path, copy).catch(() => {});
    noteKept(null);
    return { body, headers: response.headers };
  } catch (error) {
    const isPassing = error instanceof ApiError && error.isPassing && !signal?.aborted;
    const kept = isPassing ? await cache?.match(path) : undefined;
    if (!kept) throw error;
    noteKept(error as ApiError);
    return { body: await readJson<T>(kept), headers: kept.headers };
  }
}
