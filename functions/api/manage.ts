import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { ENV, requireEnv } from '../runtime/env.ts';
import { schedulerLauncher } from '../runtime/scheduler-launcher.ts';
import { createTableClient } from '../store/client.ts';
import { createManageApp } from './manage-app.ts';

const environment = requireEnv([
  ENV.tableName,
  ENV.syncFunctionArn,
  ENV.schedulerRoleArn,
  ENV.scheduleGroup,
  ENV.deliveryQueueArn,
]);

export const handler = createManageApp({
  table: { client: createTableClient(4), name: environment[ENV.tableName] },
  launcher: schedulerLauncher(new SchedulerClient({}), {
    functionArn: environment[ENV.syncFunctionArn],
    roleArn: environment[ENV.schedulerRoleArn],
    group: environment[ENV.scheduleGroup],
    deliveryQueueArn: environment[ENV.deliveryQueueArn],
  }),
});
