import * as z from 'zod/mini';
import { countFreshness } from './housekeeping/freshness.ts';
import { housekeepingMetrics, runHousekeeping } from './housekeeping/job.ts';
import type { HousekeepingPruning } from './housekeeping/run.ts';
import { jobHandler } from './jobs/pipeline.ts';
import { countMetrics, jobLog } from './jobs/telemetry.ts';
import { ENV, optionalEnv, requireEnv } from './runtime/env.ts';
import { createTableClient } from './store/client.ts';
import { RUN_TRIGGERS } from './store/run-records.ts';

const environment = requireEnv([ENV.tableName, ENV.historyLimit, ENV.syncIntervalMinutes]);
const { [ENV.registryBuckets]: registryBuckets } = optionalEnv([ENV.registryBuckets]);

const Input = z.object({ scheduledTime: z.iso.datetime(), trigger: z.enum(RUN_TRIGGERS) });

/** Loads the S3 and EventBridge Scheduler clients only where registry buckets are granted. */
async function openPruning(): Promise<HousekeepingPruning> {
  const { awsPruning } = await import('./housekeeping/aws-pruning.ts');
  return awsPruning(registryBuckets ?? '[]');
}

const dependencies = {
  table: { client: createTableClient(8), name: environment[ENV.tableName] },
  historyLimit: Number(environment[ENV.historyLimit]),
  ...(registryBuckets !== undefined && { openPruning }),
  log: jobLog,
  count: countMetrics,
  clock: Date.now,
} as const;

export const handler = jobHandler({
  name: 'housekeeping',
  input: Input,
  async run(request) {
    // Emit freshness first, independent of housekeeping: it reveals a sync that does not run at all.
    await countFreshness(dependencies, Number(environment[ENV.syncIntervalMinutes]) * 60_000);
    return runHousekeeping(dependencies, request);
  },
  answerOf: (result) => (result.status === 'Done' ? { status: result.status, ...result.record } : result),
  finishedFields: (result) => (result.status === 'Done' ? { ...result.record } : null),
  metricsOf: housekeepingMetrics,
  failedMetric: 'watchFailed',
  log: jobLog,
  count: countMetrics,
});
