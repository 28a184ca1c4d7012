import { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import type { StalledAfter } from '@cairn/shared/update-status/answer';
import { schedulerPrunerLauncher, schedulerSyncLauncher } from './jobs/launcher.ts';
import { createManageApp } from './manage-app.ts';
import { ENV, optionalEnv, requireEnv } from './runtime/env.ts';
import { lazy } from './runtime/lazy.ts';
import { createTableClient, clientSettings } from './store/client.ts';

const environment = requireEnv([
  ENV.tableName,
  ENV.bucketName,
  ENV.syncFunctionArn,
  ENV.schedulerRoleArn,
  ENV.scheduleGroup,
  ENV.deliveryQueueArn,
  ENV.syncIntervalMinutes,
  ENV.historyLimit,
]);

const updates = optionalEnv([ENV.stalledAfter])[ENV.stalledAfter];
const registry = optionalEnv([ENV.registryBuckets, ENV.prunerFunctionArn, ENV.prunerRoleArn]);

const scheduler = new SchedulerClient(clientSettings(3));
const schedulerTarget = {
  group: environment[ENV.scheduleGroup],
  deliveryQueueArn: environment[ENV.deliveryQueueArn],
};
const syncTarget = {
  ...schedulerTarget,
  functionArn: environment[ENV.syncFunctionArn],
  roleArn: environment[ENV.schedulerRoleArn],
};
// Without registry buckets there is no pruner function; leftover pruners can still be removed.
const prunerTarget = {
  ...schedulerTarget,
  functionArn: registry[ENV.prunerFunctionArn] ?? '',
  roleArn: registry[ENV.prunerRoleArn] ?? '',
};

export const handler = createManageApp({
  table: { client: createTableClient(4), name: environment[ENV.tableName] },
  sync: { intervalMs: Number(environment[ENV.syncIntervalMinutes]) * 60_000 },
  historyLimit: Number(environment[ENV.historyLimit]),
  ...(updates && { stalledAfter: JSON.parse(updates) as StalledAfter }),
  launcher: {
    ...schedulerSyncLauncher(scheduler, syncTarget),
    ...schedulerPrunerLauncher(scheduler, prunerTarget),
  },
  // Load the S3 client lazily: few requests need it, and it is as large as the rest.
  openUploads: lazy(async () => {
    const { bucketUploads } = await import('./uploads/store.ts');
    return bucketUploads(environment[ENV.bucketName]);
  }),
  openPruning: lazy(async () => {
    const { schedulerPrunerSchedules } = await import('./pruners/schedules.ts');
    return {
      grantedBuckets: JSON.parse(registry[ENV.registryBuckets] ?? '[]') as RegistryTarget[],
      schedules: schedulerPrunerSchedules(scheduler, prunerTarget, Date.now),
      openRunFiles: lazy(async () => {
        const { bucketRunFiles } = await import('./pruners/files.ts');
        return bucketRunFiles(environment[ENV.bucketName]);
      }),
    };
  }),
});
