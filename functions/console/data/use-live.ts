import { useEffect, useRef, useState } from 'preact/hooks';
import { readJson, send } from './api.ts';
import { useQuery, type Resource } from './use-query.ts';

const EVERY_MS = 30_000;
/** A page that shows nothing in motion notices the next update too. */
const EVERY_IDLE_MS = 300_000;

/** Current time, twice a minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface Held<T> {
  readonly path: string;
  readonly tag: string;
  readonly value: T;
}

export interface Live<T> extends Resource<T> {
  /** Last response; null before the first. */
  readonly readAt: number | null;
}

/** Reads the path again by its entity tag while the page is visible. A null path loads nothing. */
export function useLive<T>(path: string | null, isMoving: (value: T) => boolean): Live<T> {
  const held = useRef<Held<T> | null>(null);
  const { value, ...query } = useQuery(path, async (signal) => {
    const known = held.current?.path === path ? held.current : null;
    const response = await send(path!, {
      signal,
      ...(known && { headers: { 'if-none-match': known.tag } }),
    });
    const read = (found: T) => ({ value: found, readAt: Date.now() });
    if (response.status === 304 && known) return read(known.value);
    const found = await readJson<T>(response);
    const tag = response.headers.get('etag');
    held.current = tag === null ? null : { path: path!, tag, value: found };
    return read(found);
  });
  // An error stays until the next answer, so that it does not flicker.
  const shown = useRef({ path, error: query.error });
  if (!query.isLoading || shown.current.path !== path) shown.current = { path, error: query.error };
  const every = value === null || isMoving(value.value) ? EVERY_MS : EVERY_IDLE_MS;
  useReadAgain(path === null ? null : every, value?.readAt ?? 0, query.reload);
  return { ...query, error: shown.current.error, value: value?.value ?? null, readAt: value?.readAt ?? null };
}

/** Also when the page becomes visible after a longer time. */
function useReadAgain(every: number | null, readAt: number, reload: () => void): void {
  const latest = useRef({ reload, readAt });
  latest.current = { reload, readAt };
  useEffect(() => {
    if (every === null) return undefined;
    const read = (): void => {
      if (!document.hidden) latest.current.reload();
    };
    const readIfOld = (): void => {
      if (Date.now() - latest.current.readAt >= every) read();
    };
    const timer = setInterval(read, every);
    document.addEventListener('visibilitychange', readIfOld);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', readIfOld);
    };
  }, [every]);
}
