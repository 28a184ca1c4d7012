import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import { JOB_ENVIRONMENT } from '../job-schedule.ts';
import { NodeFunction } from '../node-function.ts';
import type { DeploySettings } from '../settings/settings.ts';
import type { Storage } from '../storage.ts';

const { syncState, cluster, clusterList, fleet, watchState, run, switches } = PARTITION_PREFIX;

export function watchFunction(
  scope: Construct,
  settings: DeploySettings,
  { table }: Pick<Storage, 'table'>,
): NodeFunction {
  const watch = new NodeFunction(scope, 'Watch', {
    name: 'watch',
    description: 'Looks after histories, run records and pruners',
    memorySize: 512,
    // A run starts no new work after half of it.
    timeout: Duration.minutes(5),
    logRetention: settings.logRetentionDays,
    environment: {
      [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
      [ENV.historyLimit]: String(settings.historyLimit),
      ...JOB_ENVIRONMENT,
    },
  });
  watch.bindTable(table, {
    GetItem: [watchState, switches, syncState],
    BatchGetItem: [cluster],
    Query: [cluster, run],
    PutItem: [run, cluster, fleet],
    UpdateItem: [watchState],
    DeleteItem: [run],
    BatchWriteItem: [cluster],
  });
  watch.bindLists(table, [clusterList]);
  return watch;
}
