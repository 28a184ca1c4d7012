import { ApiError } from './api-error.ts';
import { readJson, send } from './api.ts';
import { noteKept } from './status.ts';

export const CACHE = 'cairn-1';

export interface KeptAnswer<T> {
  readonly body: T;
  readonly headers: Headers;
}

/**
 * Asks for release data and keeps the answer. While the service is away the kept one serves, and the page says so: a
 * plan made before must still be there when the network is not.
 */
export async function fetchKept<T>(path: string, signal?: AbortSignal): Promise<KeptAnswer<T>> {
  // Browsers have the cache on https and on localhost only.
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
