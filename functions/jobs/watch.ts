import * as z from 'zod/mini';
import { ENV, requireEnv } from '../runtime/env.ts';
import { jobHandler } from '../runtime/job.ts';
import { countMetrics, jobLog } from '../runtime/job-telemetry.ts';
import { createTableClient } from '../store/client.ts';
import { runWatch } from './watch/run.ts';

const environment = requireEnv([ENV.tableName, ENV.historyLimit]);

const Input = z.object({ scheduledTime: z.iso.datetime(), trigger: z.enum(['schedule', 'manual']) });

const dependencies = {
  table: { client: createTableClient(8), name: environment[ENV.tableName] },
  historyLimit: Number(environment[ENV.historyLimit]),
  log: jobLog,
  count: countMetrics,
  clock: Date.now,
} as const;

export const handler = jobHandler(
  (event) => Input.parse(event),
  async (request) => {
    const result = await runWatch(dependencies, request);
    if (result.status === 'Skipped') return result;
    jobLog.info('watch finished', { ...result.record });
    return { status: result.status, ...result.record };
  },
  jobLog,
);
