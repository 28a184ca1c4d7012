import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { ENV, requireEnv } from '../runtime/env.ts';
import { schedulerLauncher } from '../runtime/scheduler-launcher.ts';
import { createTableClient } from '../store/client.ts';
import { createManageApp } from './manage-app.ts';
import { once } from './schemas/once.ts';

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

export const handler = createManageApp({
  table: { client: createTableClient(4), name: environment[ENV.tableName] },
  sync: { intervalMs: Number(environment[ENV.syncIntervalMinutes]) * 60_000 },
  historyLimit: Number(environment[ENV.historyLimit]),
  launcher: schedulerLauncher(new SchedulerClient({}), {
    functionArn: environment[ENV.syncFunctionArn],
    roleArn: environment[ENV.schedulerRoleArn],
    group: environment[ENV.scheduleGroup],
    deliveryQueueArn: environment[ENV.deliveryQueueArn],
  }),
  // Few requests need the bucket, whose client is as large as all the rest.
  openUploads: once(async () => {
    const { bucketUploads } = await import('../store/uploads.ts');
    return bucketUploads(environment[ENV.bucketName]);
  }),
});
