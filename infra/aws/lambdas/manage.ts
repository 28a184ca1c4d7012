import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import { NodeFunction } from '../node-function.ts';
import type { DeploySettings } from '../settings/settings.ts';
import type { Storage } from '../storage.ts';

const {
  syncState,
  document,
  cluster,
  clusterList,
  fleet,
  fleetState,
  webhook,
  run,
  pruner,
  prunerList,
  switches,
} = PARTITION_PREFIX;

export function manageFunction(
  scope: Construct,
  settings: DeploySettings,
  { table, bucket }: Pick<Storage, 'table' | 'bucket'>,
): NodeFunction {
  const manage = new NodeFunction(scope, 'Manage', {
    name: 'manage',
    description: 'Answers the routes that start or keep something',
    // Reads uploads of half a gigabyte within one request, which the gateway limits to 30 seconds.
    memorySize: 1024,
    timeout: Duration.seconds(29),
    logRetention: settings.logRetentionDays,
    environment: {
      [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
      [ENV.historyLimit]: String(settings.historyLimit),
    },
  });
  manage.bindTable(table, {
    GetItem: [syncState, document, fleet, fleetState, webhook, pruner, switches],
    BatchGetItem: [cluster, fleet, pruner],
    Query: [document, cluster, run],
    PutItem: [cluster, fleet, webhook, pruner, switches],
    DeleteItem: [webhook],
    BatchWriteItem: [cluster],
  });
  manage.bindLists(table, [clusterList, prunerList]);
  // A presigned URL carries the function's own right to put objects.
  manage.bindBucket(bucket, { prefix: 'uploads/', operations: ['PutObject', 'GetObject'] });
  return manage;
}
