import { DeleteObjectsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { HousekeepingPruning } from '../../functions/housekeeping/run.ts';
import { type PruneRequest, runPruner } from '../../functions/prune-runs/job.ts';
import { registryPresence } from '../../functions/prune-runs/registry-storage.ts';
import { RunFiles } from '../../functions/pruners/files.ts';
import { prunerNames } from '../../functions/pruners/store.ts';
import type { Bucket } from '../../functions/store/bucket.ts';
import { prunerLeaseKey } from '../../functions/store/keys.ts';
import { breakLease } from '../../functions/store/leases.ts';
import type { Table } from '../../functions/store/table.ts';
import type { Engines } from './engines.ts';
import { consoleLog } from './progress.ts';
import { LocalPrunerSchedules } from './schedule.ts';

const DAY_MS = 24 * 3600_000;

/** Equals the Lambda limit: a longer run stops, and housekeeping resumes it. */
const INVOCATION_MS = 15 * 60_000;

/** Replaces the lifecycle rule of the AWS bucket. */
export async function expireUploads({ client, name }: Bucket, now: number): Promise<void> {
  const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix: 'uploads/' });
  for await (const { Contents = [] } of pages) {
    const old = Contents.filter(
      ({ LastModified }) => LastModified !== undefined && now - +LastModified > DAY_MS,
    );
    if (old.length === 0) continue;
    const Objects = old.map(({ Key }) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }));
  }
}

export interface LocalPruning extends Omit<HousekeepingPruning, 'resume' | 'schedules'> {
  readonly schedules: LocalPrunerSchedules;
  readonly openRunFiles: () => Promise<(pruner: string) => RunFiles>;
  readonly prune: (request: PruneRequest) => Promise<unknown>;
}

export function openPruning({ table, bucket, registry }: Engines): LocalPruning {
  const prune = (request: PruneRequest): Promise<unknown> => {
    const end = Date.now() + INVOCATION_MS;
    return runPruner(
      {
        table,
        bucket,
        registry: registry.client,
        log: consoleLog,
        count: () => {},
        clock: Date.now,
        remainingMs: () => end - Date.now(),
      },
      request,
    );
  };
  return {
    prune,
    grantedBuckets: [{ bucket: registry.name, prefix: '' }],
    schedules: new LocalPrunerSchedules(prune, (pruner, error) =>
      consoleLog.error('prune failed', { pruner, error }),
    ),
    openRunFiles: async () => (pruner) => new RunFiles(bucket, pruner),
    holdsRegistry: registryPresence(registry.client),
  };
}

/** Expects their holders to be dead. */
export async function breakPrunerLeases(table: Table): Promise<void> {
  for await (const name of prunerNames(table)) await breakLease(table, prunerLeaseKey(name));
}
