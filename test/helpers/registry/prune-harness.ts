import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { type InUse, inUseToJson } from '@cairn/shared/prune/images/in-use/facts';
import { inUseTaken, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { type PrunerSpec, readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { type PruneRequest, type PruneResult, runPruner } from '../../../functions/prune-runs/job.ts';
import type { PruneDependencies } from '../../../functions/prune-runs/session.ts';
import { RunFiles, RUN_FILE } from '../../../functions/pruners/files.ts';
import { changePruner, readPruner, revisePruner } from '../../../functions/pruners/store.ts';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { newTable } from '../table/table.ts';
import { TestRegistry } from './test-registry.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
export const PRUNER = 'cluster';
const HOUR = 3600_000;

export interface PruneHarness {
  readonly table: Table;
  readonly s3: S3Client;
  readonly registry: TestRegistry;
  readonly dependencies: PruneDependencies;
  readonly files: RunFiles;
  readonly url: string;
  /** Bucket of the registry. */
  readonly bucket: string;
  put(spec: object): Promise<PrunerSpec>;
  /** A scheduled run in the given number of hours. Current objects are then that much older. */
  run(
    hours: number,
    request?: Partial<PruneRequest>,
    dependencies?: Partial<PruneDependencies>,
  ): Promise<PruneResult>;
  /** Stores an in-use report, collected in the given number of hours. */
  use(hours: number, inUse: Partial<InUse>): Promise<void>;
  report(result: PruneResult): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface PruneHarnessOptions {
  readonly versioned?: boolean;
  /**
   * URL of an existing S3 server.
   * @default a new one
   */
  readonly s3Url?: string;
}

export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** A registry in a versioned bucket, a table and a pruner to be put, on real engines. */
export async function startPruneHarness(options: PruneHarnessOptions = {}): Promise<PruneHarness> {
  const server =
    options.s3Url === undefined ? await startS3() : { url: options.s3Url, close: async () => {} };
  // Several harnesses can share a server.
  const [own, target] = [`own-${randomUUID()}`, `registry-${randomUUID()}`];
  const s3 = new S3Client({
    endpoint: server.url,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
  });
  for (const Bucket of [own, target]) await s3.send(new CreateBucketCommand({ Bucket }));
  if (options.versioned !== false) {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await s3.send(new PutBucketVersioningCommand({ Bucket: target, VersioningConfiguration }));
  }
  const table = await newTable();
  const bucket = { client: s3, name: own };
  const files = new RunFiles(bucket, PRUNER);
  const dependencies: PruneDependencies = {
    table,
    bucket,
    registry: s3,
    log: silent,
    count: () => {},
    clock: Date.now,
    remainingMs: () => 900_000,
  };
  return {
    table,
    s3,
    dependencies,
    files,
    url: server.url,
    bucket: target,
    registry: new TestRegistry(s3, target),
    async put(spec) {
      const reading = readPrunerSpec(
        { dryRun: false, ...spec },
        { name: PRUNER, targets: [{ bucket: target, prefix: '' }] },
      );
      if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
      const now = new Date().toISOString();
      await changePruner(table, PRUNER, (former) =>
        takeSpec(former?.record ?? null, reading.spec, { now, uid: randomUUID() }),
      );
      return reading.spec;
    },
    run(hours, request = {}, changes = {}) {
      const scheduledTime = new Date(Date.now() + hours * HOUR).toISOString();
      const known = { pruner: PRUNER, scheduledTime, trigger: 'schedule', ...request } as const;
      return runPruner({ ...dependencies, ...changes }, known);
    },
    async use(hours, changes) {
      const collectedAt = Date.now() + hours * HOUR;
      const none = new Set<string>();
      const inUse: InUse = {
        complete: true,
        collectedAt,
        usedImages: none,
        usedTags: none,
        usedDigests: none,
        protectedRepositories: none,
        streams: null,
        ...changes,
      };
      const revision = randomUUID();
      await files.write(RUN_FILE.inUse(revision), inUseToJson(inUse), { json: true });
      const { record } = (await readPruner(table, PRUNER))!;
      await revisePruner(table, PRUNER, record.uid, (former) =>
        inUseTaken(former, {
          revision,
          collectedAt: new Date(collectedAt).toISOString(),
          complete: inUse.complete,
          missing: [],
          images: inUse.usedImages.size,
          tags: inUse.usedTags.size,
          digests: inUse.usedDigests.size,
          imageStreams: inUse.streams?.size ?? null,
          invalidReferences: 0,
        }),
      );
    },
    async report(result) {
      if (result.status !== 'Done') throw new Error(JSON.stringify(result));
      const bytes = await files.read(RUN_FILE.report(result.run));
      return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    },
    async close() {
      s3.destroy();
      await server.close();
    },
  };
}

async function startS3(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-prune-'));
  const where = { dir, host: '127.0.0.1', port: 0, region: 'us-east-1' };
  const server = await startBucketServer({ ...where, ...credentials });
  return {
    url: server.url,
    async close() {
      await server.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
