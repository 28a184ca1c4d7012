import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { RunRecord } from '../../../functions/releases/sync-state.ts';
import { startEngine, type EngineEndpoints, startEngines } from '../../../infra/local/engines.ts';
import { watchCommands } from '../../helpers/wrap-command.ts';
import type { ChannelSet } from './channel-set.ts';
import { onUnexpectedEnd, syncOnce } from './sync-once.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const INTERVAL_MS = 10 * 60_000;

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
  const engines = await startEngines(folder, onUnexpectedEnd);
  const upstream = await startEngine(
    new URL('upstream-process.ts', import.meta.url),
    { channels: channels.name },
    onUnexpectedEnd,
  );
  let calls: string[] = [];
  for (const { client } of [engines.table, engines.bucket]) {
    watchCommands(client, (command) => calls.push(command));
  }
  let now = START;
  return {
    endpoints: engines.endpoints,
    async sync() {
      calls = [];
      now += INTERVAL_MS;
      return { record: await syncOnce(engines, { config, upstream, now }), calls };
    },
    async close() {
      await Promise.all([engines.close(), upstream.close()]);
    },
  };
}
