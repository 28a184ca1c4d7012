import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { createManageApp } from '../../../functions/manage-app.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import type { SignIn } from '../../../functions/site/schema.ts';
import type { Table } from '../../../functions/store/table.ts';
import { DEMO_CHANNELS } from '../../../infra/local/demo/channels.ts';
import { demoGraph } from '../../../infra/local/demo/graph.ts';
import { startFront } from '../../../infra/local/front.ts';
import { builtConsole } from '../lambda/built.ts';
import type { StubSource } from '../upstream/cincinnati-stub.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../upstream/drawn-upstream.ts';
import { configOf, following, startHarness, type SyncHarness } from '../upstream/sync-harness.ts';

const SYNC = { intervalMs: 600_000, retirementGraceMs: 14 * 24 * 3600_000 };
const silent = { info: () => {}, warn: () => {}, error: console.error };

/** The whole product for a browser: built page, front, apps and a synced table. */
export interface Site {
  readonly url: string;
  readonly table: Table;
  /** Calls the API. */
  ask<T>(path: string): Promise<T>;
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly source: StubSource;
  readonly config: ReleaseConfig;
  readonly token?: string;
  readonly signIn?: SignIn;
  /** Marks the data as demo data. */
  readonly isDemo?: boolean;
  /** False for a new installation. */
  readonly isSynced?: boolean;
}

export async function startSite(options: SiteOptions): Promise<Site> {
  const { source, config, token, signIn, isDemo = false, isSynced = true } = options;
  const harness = await startHarness({ config, source });
  if (isSynced) await syncNow(harness, isDemo);
  const { table } = harness;
  const front = await startFront({
    host: '127.0.0.1',
    port: 0,
    token,
    apps: {
      query: createQueryApp({
        table,
        sync: SYNC,
        log: silent,
        consoleFolder: builtConsole(),
        ...(signIn && { signIn }),
      }),
      manage: createManageApp({
        table,
        sync: SYNC,
        historyLimit: 100,
        launcher: { launchSync: refuse, launchPruner: refuse },
        openUploads: refuse,
        log: silent,
      }),
    },
  });
  return {
    url: front.url,
    table,
    async ask<T>(path: string) {
      return (await (await fetch(front.url + path)).json()) as T;
    },
    async close() {
      await front.close();
      await harness.close();
    },
  };
}

async function syncNow(harness: SyncHarness, isDemo: boolean): Promise<void> {
  const { upstream } = harness.dependencies;
  const result = await harness.sync(
    0,
    { scheduledTime: new Date().toISOString(), trigger: 'manual' },
    { clock: Date.now, ...(isDemo && { upstream: { ...upstream, kind: 'demo' } }) },
  );
  if (result.status !== 'Done' || result.record.outcome !== 'Succeeded') {
    throw new Error(`the site was not synced: ${JSON.stringify(result)}`);
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('this site runs no jobs'));
}

/** Uses channels drawn as in `test/helpers/path/channels.ts`. */
export function drawnSite(upstream: DrawnUpstream, more: Partial<SiteOptions> = {}): Promise<Site> {
  return startSite({ source: drawnSource(upstream), config: configOf(drawnConfig(upstream)), ...more });
}

export function demoSite(more: Partial<SiteOptions> = {}): Promise<Site> {
  return startSite({ source: demoGraph, config: following(...DEMO_CHANNELS), isDemo: true, ...more });
}
