import * as z from 'zod/mini';
import { jobHandler } from './jobs/pipeline.ts';
import { countMetrics, jobLog } from './jobs/telemetry.ts';
import { pruneMetrics, runPruner } from './prune-runs/job.ts';
import { createRegistryClient, type GrantedRegistry, registryByRole } from './prune-runs/registry-role.ts';
import { ENV, optionalEnv, requireEnv } from './runtime/env.ts';
import { createTableClient } from './store/client.ts';
import { EVENT_TRIGGERS } from './store/leases.ts';

const environment = requireEnv([ENV.tableName, ENV.bucketName]);
const optional = optionalEnv([ENV.registryBuckets, ENV.serviceName]);
const granted = JSON.parse(optional[ENV.registryBuckets] ?? '[]') as GrantedRegistry[];

const Input = z.object({
  pruner: z.string().check(z.minLength(1)),
  scheduledTime: z.iso.datetime(),
  trigger: z.enum(EVENT_TRIGGERS),
  dryRun: z.optional(z.boolean()),
  agree: z.optional(z.string()),
  /** Identifies the delivery in the log. */
  executionId: z.optional(z.string()),
  attempt: z.optional(z.string()),
});

const bucketClient = createRegistryClient();

const dependencies = {
  table: { client: createTableClient(8), name: environment[ENV.tableName] },
  bucket: { client: bucketClient, name: environment[ENV.bucketName] },
  registry: bucketClient,
  registryByRole: registryByRole(granted, optional[ENV.serviceName] ?? 'Cairn'),
  log: jobLog,
  count: countMetrics,
  clock: Date.now,
} as const;

export const handler = jobHandler({
  name: 'prune invocation',
  input: Input,
  run: ({ executionId: _execution, attempt: _attempt, ...request }, context) =>
    runPruner({ ...dependencies, remainingMs: () => context.getRemainingTimeInMillis() }, request),
  finishedFields: (result, request) => ({ ...request, ...result }),
  metricsOf: (result, { pruner }) => pruneMetrics(pruner, result),
  log: jobLog,
  count: countMetrics,
});
