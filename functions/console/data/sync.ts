import type { SyncAnswer } from './responses.ts';
import { getJson } from './api.ts';
import { useResource } from './resource.ts';

let pending: Promise<SyncAnswer> | undefined;

/** The state of the sync; null where it is not known or may not be read. Asked for once, whoever needs it. */
export function useSync(): SyncAnswer | null {
  return useResource('sync', readSync).value;
}

function readSync(): Promise<SyncAnswer> {
  const asked = (pending ??= getJson<SyncAnswer>('/v1/sync'));
  // Who needs it next may try again.
  asked.catch(() => (pending = undefined));
  return asked;
}
