import { createManageApp } from '../../../functions/manage-app.ts';
import { RunFiles } from '../../../functions/pruners/files.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import { bucketUploads } from '../../../functions/uploads/store.ts';
import { startFront } from '../../../infra/local/front.ts';
import type { StubSource } from '../upstream/cincinnati-stub.ts';
import { at, configOf, startHarness } from '../upstream/sync-harness.ts';
import { strictly } from './strict.ts';

export interface ServedCairn {
  readonly url: string;
  /** URL of the followed update service. */
  readonly upstream: string;
  readonly now: number;
  close(): Promise<void>;
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const MINUTE = 60_000;

/** Serves the API over HTTP after one sync, on a fixed clock. */
export async function serveCairn(options: {
  readonly releases: unknown;
  readonly source: StubSource;
  readonly token?: string;
}): Promise<ServedCairn> {
  const harness = await startHarness({ config: configOf(options.releases), source: options.source });
  // Addresses for uploads are good for a while after they are made, by the clock of whoever takes them.
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const result = await harness.sync((now - Date.parse(at(0))) / MINUTE);
  if (result.status !== 'Done' || result.record.outcome !== 'Succeeded')
    throw new Error(JSON.stringify(result));
  const clock = () => now;
  const sync = { intervalMs: 600_000, retirementGraceMs: 14 * 24 * 3600_000 };
  const { table, dependencies } = harness;
  const { bucket } = dependencies;
  const query = createQueryApp({ table, clock, sync, log: silent });
  const manage = createManageApp({
    table,
    clock,
    sync,
    log: silent,
    historyLimit: 100,
    launcher: { startSync: fail, startPruner: fail } as never,
    openPruning: async () => ({
      grantedBuckets: [{ bucket: 'registry', prefix: '' }],
      schedules: { put: async () => {}, holds: async () => true, remove: async () => {} },
      openRunFiles: async () => (pruner) => new RunFiles(bucket, pruner),
    }),
    openUploads: async () =>
      bucketUploads(bucket.name, {
        endpoint: bucket.client.config.endpoint!,
        region: 'us-east-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        forcePathStyle: true,
      }),
  });
  const front = await startFront({
    host: '127.0.0.1',
    port: 0,
    apps: { query: strictly(query), manage: strictly(manage) },
    token: options.token,
  });
  return {
    url: front.url,
    upstream: harness.stub.url,
    now,
    async close() {
      await front.close();
      await harness.close();
    },
  };
}

function fail(): Promise<never> {
  return Promise.reject(new Error('nothing is launched here'));
}
