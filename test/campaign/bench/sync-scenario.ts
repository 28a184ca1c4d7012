import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { RunRecord } from '../../../functions/releases/sync-state.ts';
import { runSync } from '../../../functions/sync/job.ts';
import { startEngine, type EngineEndpoints, startEngines } from '../../../infra/local/engines.ts';
import { openUpstream } from '../../../infra/local/upstream.ts';
import type { ChannelSet } from './channel-set.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const INTERVAL_MS = 10 * 60_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface SyncScenario {
  readonly endpoints: EngineEndpoints;
  /** Runs the sync of the next slot; it has to succeed. Tells what it asked of table and bucket. */
  sync(): Promise<{ readonly record: RunRecord; readonly calls: readonly string[] }>;
  close(): Promise<void>;
}

/** A sync in this process; its upstream, table and bucket run in processes of their own. */
export async function startSyncScenario(
  folder: string,
  channels: ChannelSet,
  config: ReleaseConfig,
): Promise<SyncScenario> {
  const onUnexpectedEnd = (reason: string): never => {
    throw new Error(reason);
  };
  const engines = await startEngines(folder, onUnexpectedEnd);
  const upstream = await startEngine(
    new URL('upstream-process.ts', import.meta.url),
    { channels: channels.name },
    onUnexpectedEnd,
  );
  let calls: string[] = [];
  const { table, bucket } = engines;
  const counted = <Next extends (call: never) => unknown>(
    next: Next,
    { commandName = 'unknown' }: { commandName?: string },
  ): Next =>
    ((call: never) => {
      calls.push(commandName);
      return next(call);
    }) as Next;
  table.client.middlewareStack.add(counted, { step: 'initialize' });
  bucket.client.middlewareStack.add(counted, { step: 'initialize' });
  let now = START;
  return {
    endpoints: engines.endpoints,
    async sync() {
      calls = [];
      now += INTERVAL_MS;
      const result = await runSync(
        {
          table,
          bucket,
          config,
          upstream: { kind: 'demo', url: upstream.url, open: () => openUpstream(upstream.url) },
          events: { publish: async () => [] },
          log: silent,
          clock: () => now,
        },
        { scheduledTime: new Date(now).toISOString(), trigger: 'schedule' },
      );
      if (result.status !== 'Done' || result.record.outcome !== 'Succeeded') {
        throw new Error(`the sync did not succeed: ${JSON.stringify(result).slice(0, 1000)}`);
      }
      return { record: result.record, calls };
    },
    async close() {
      await Promise.all([engines.close(), upstream.close()]);
    },
  };
}
