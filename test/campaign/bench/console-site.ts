import { join } from 'node:path';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { createQueryApp } from '../../../functions/query-app.ts';
import { runSync } from '../../../functions/sync/job.ts';
import { buildConsole } from '../../../infra/build/console.ts';
import { startEngines } from '../../../infra/local/engines.ts';
import { startFront } from '../../../infra/local/front.ts';
import { openUpstream } from '../../../infra/local/upstream.ts';
import { startCincinnatiStub, type StubSource } from '../../helpers/upstream/cincinnati-stub.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface ConsoleSite {
  readonly url: string;
  close(): Promise<void>;
}

/** The console on channels that were synced from a source, as a browser meets it. */
export async function startConsoleSite(
  folder: string,
  source: StubSource,
  config: ReleaseConfig,
): Promise<ConsoleSite> {
  const engines = await startEngines(folder, (reason) => {
    throw new Error(reason);
  });
  const { table, bucket } = engines;
  const upstream = await startCincinnatiStub(source);
  const result = await runSync(
    {
      table,
      bucket,
      config,
      upstream: { kind: 'live', url: upstream.url, open: () => openUpstream(upstream.url) },
      events: { publish: async () => [] },
      log: silent,
      clock: Date.now,
    },
    { scheduledTime: new Date().toISOString(), trigger: 'manual' },
  );
  await upstream.close();
  if (result.status !== 'Done' || result.record.outcome !== 'Succeeded') {
    throw new Error(`the sync did not succeed: ${JSON.stringify(result).slice(0, 1000)}`);
  }
  const consoleFolder = join(folder, 'console');
  buildConsole(consoleFolder);
  const app = createQueryApp({
    table,
    sync: { intervalMs: 600_000, retirementGraceMs: 0 },
    log: silent,
    consoleFolder,
  });
  // What else the page asks for, such as clusters, is not there.
  const front = await startFront({ host: '127.0.0.1', port: 0, apps: { query: app, manage: app } });
  return {
    url: front.url,
    async close() {
      await front.close();
      await engines.close();
    },
  };
}
