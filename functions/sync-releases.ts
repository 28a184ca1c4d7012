import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describeMistake } from '@cairn/shared/input/input-value';
import { DEFAULT_EUS_TERMS } from '@cairn/shared/releases/lifecycle';
import { combineReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { EUS_TERMS } from '@cairn/shared/releases/values';
import * as z from 'zod/mini';
import { jobHandler } from './jobs/pipeline.ts';
import { countMetrics, jobLog } from './jobs/telemetry.ts';
import { createCincinnati } from './outbound/cincinnati.ts';
import { ENV, optionalEnv, PEER_VARIABLES, requireEnv } from './runtime/env.ts';
import { eventBridgeSink } from './runtime/events.ts';
import { VERSION } from './runtime/version.ts';
import { createBucketClient } from './store/bucket.ts';
import { createTableClient, clientSettings } from './store/client.ts';
import { RUN_TRIGGERS } from './store/run-records.ts';
import { runSync, syncMetrics } from './sync/job.ts';

const environment = requireEnv([
  ENV.tableName,
  ENV.bucketName,
  ENV.graphUrl,
  ENV.payloadHosts,
  ENV.releasesFile,
  ENV.eventBusName,
  ENV.retirementGraceDays,
  ENV.eusTerms,
]);
const url = environment[ENV.graphUrl];
const isLocal = optionalEnv([ENV.localUpstream])[ENV.localUpstream] === 'true';

const Input = z.object({
  scheduledTime: z.iso.datetime(),
  trigger: z.enum(RUN_TRIGGERS),
  accept: z.optional(z.array(z.string())),
});

function readConfig(): ReleaseConfig {
  const file = readFileSync(join(import.meta.dirname, environment[ENV.releasesFile]), 'utf8');
  const reading = combineReleaseConfig({ file, ...optionalEnv(PEER_VARIABLES) });
  if (!reading.ok)
    throw new Error(`release configuration: ${reading.mistakes.map(describeMistake).join('; ')}`);
  return reading.config;
}

const dependencies = {
  table: { client: createTableClient(8), name: environment[ENV.tableName] },
  bucket: { client: createBucketClient(8), name: environment[ENV.bucketName] },
  config: readConfig(),
  eusTerms: EUS_TERMS.find((terms) => terms === Number(environment[ENV.eusTerms])) ?? DEFAULT_EUS_TERMS,
  upstream: {
    kind: 'live',
    url,
    open: () => createCincinnati({ version: VERSION, url, policy: { allowLoopbackHttp: isLocal } }),
    payloadHosts: environment[ENV.payloadHosts].split(','),
  },
  events: eventBridgeSink(new EventBridgeClient(clientSettings(4)), environment[ENV.eventBusName]),
  log: jobLog,
  clock: Date.now,
  limits: { retirementGraceMs: Number(environment[ENV.retirementGraceDays]) * 24 * 3600_000 },
} as const;

export const handler = jobHandler({
  name: 'sync',
  input: Input,
  run: ({ accept = [], ...request }) => runSync(dependencies, { ...request, accept }),
  answerOf: (result) => (result.status === 'Done' ? { status: result.status, ...result.record } : result),
  metricsOf: (result) => [[syncMetrics(result)]],
  failedMetric: 'syncFailed',
  log: jobLog,
  count: countMetrics,
});
