import { join } from 'node:path';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { createQueryApp } from '../../../functions/query-app.ts';
import { buildConsole } from '../../../infra/build/console.ts';
import { startEngines } from '../../../infra/local/engines.ts';
import { startFront } from '../../../infra/local/front.ts';
import { startCincinnatiStub, type StubSource } from '../../helpers/upstream/cincinnati-stub.ts';
import { onUnexpectedEnd, syncOnce } from './sync-once.ts';

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
  const engines = await startEngines(folder, onUnexpectedEnd);
  const upstream = await startCincinnatiStub(source);
  await syncOnce(engines, { config, upstream, now: Date.now(), request: { trigger: 'manual' } });
  await upstream.close();
  const consoleFolder = join(folder, 'console');
  buildConsole(consoleFolder);
  const app = createQueryApp({
    table: engines.table,
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
