import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { RunRecord } from '../../../functions/releases/sync-state.ts';
import { runSync, type SyncRequest } from '../../../functions/sync/job.ts';
import type { Engines } from '../../../infra/local/engines.ts';
import { openUpstream } from '../../../infra/local/upstream.ts';

interface SyncOptions {
  readonly config: ReleaseConfig;
  readonly upstream: { readonly url: string };
  readonly now: number;
  readonly request?: Partial<SyncRequest>;
}

/** Runs the sync of one slot, which has to succeed. */
export async function syncOnce(
  { table, bucket }: Pick<Engines, 'table' | 'bucket'>,
  { config, upstream: { url }, now, request }: SyncOptions,
): Promise<RunRecord> {
  const result = await runSync(
    {
      table,
      bucket,
      config,
      upstream: { kind: 'demo', url, open: () => openUpstream(url) },
      events: { publish: async () => [] },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      clock: () => now,
    },
    { scheduledTime: new Date(now).toISOString(), trigger: 'schedule', ...request },
  );
  if (result.status !== 'Done' || result.record.outcome !== 'Succeeded') {
    throw new Error(`the sync did not succeed: ${JSON.stringify(result).slice(0, 1000)}`);
  }
  return result.record;
}

/** For engines that a measurement cannot go on without. */
export function onUnexpectedEnd(reason: string): never {
  throw new Error(reason);
}
