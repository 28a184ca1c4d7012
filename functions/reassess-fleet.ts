import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { StalledAfter } from '@cairn/shared/update-status/answer';
import * as z from 'zod/mini';
import { fleetMetrics, reassessFleet } from './fleet/job.ts';
import { jobHandler } from './jobs/pipeline.ts';
import { countMetrics, jobLog } from './jobs/telemetry.ts';
import { ENV, optionalEnv, requireEnv } from './runtime/env.ts';
import { eventBridgeSink } from './runtime/events.ts';
import { createTableClient, clientSettings } from './store/client.ts';
import { RUN_TRIGGERS } from './store/run-records.ts';

const environment = requireEnv([ENV.tableName, ENV.eventBusName, ENV.newsWindowHours, ENV.digestAbove]);
const updates = optionalEnv([ENV.stalledAfter])[ENV.stalledAfter];
const isLocal = optionalEnv([ENV.localUpstream])[ENV.localUpstream] === 'true';

const Input = z.object({ scheduledTime: z.iso.datetime(), trigger: z.enum(RUN_TRIGGERS) });

const dependencies = {
  table: { client: createTableClient(8), name: environment[ENV.tableName] },
  events: eventBridgeSink(new EventBridgeClient(clientSettings(4)), environment[ENV.eventBusName]),
  openWebhook: async () => {
    const { postMessages } = await import('./notifications/post-webhook.ts');
    return postMessages({ allowLoopbackHttp: isLocal });
  },
  log: jobLog,
  count: countMetrics,
  clock: Date.now,
  limits: {
    windowMs: Number(environment[ENV.newsWindowHours]) * 3600_000,
    mostMessages: Number(environment[ENV.digestAbove]),
    ...(updates && { stalledAfter: JSON.parse(updates) as StalledAfter }),
  },
} as const;

export const handler = jobHandler({
  name: 'fleet',
  input: Input,
  run: (request) => reassessFleet(dependencies, request),
  metricsOf: fleetMetrics,
  failedMetric: 'fleetFailed',
  log: jobLog,
  count: countMetrics,
});
