import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import { JOB_ENVIRONMENT } from '../job-schedule.ts';
import { NodeFunction } from '../node-function.ts';
import type { DeploySettings } from '../settings/settings.ts';
import type { Storage } from '../storage.ts';

const {
  document,
  cluster,
  fleet,
  subscriptionList,
  dueList,
  fleetState,
  webhook,
  pruner,
  prunerList,
  switches,
} = PARTITION_PREFIX;

export function followFleetFunction(
  scope: Construct,
  settings: DeploySettings,
  { table, bus }: Pick<Storage, 'table' | 'bus'>,
): NodeFunction {
  const followFleet = new NodeFunction(scope, 'FollowFleet', {
    name: 'follow-fleet',
    description: 'Looks again at clusters that something has changed for, and tells of it',
    // Holds all graphs of a large architecture in memory.
    memorySize: 1024,
    // A run starts no cluster after three minutes.
    timeout: Duration.minutes(5),
    logRetention: settings.logRetentionDays,
    environment: {
      [ENV.newsWindowHours]: String(settings.news.windowHours),
      [ENV.digestAbove]: String(settings.news.digestAbove),
      ...JOB_ENVIRONMENT,
    },
  });
  followFleet.bindTable(table, {
    GetItem: [fleet, fleetState, webhook, switches],
    BatchGetItem: [document, pruner],
    Query: [document, cluster, fleet],
    PutItem: [fleet],
    UpdateItem: [fleetState],
    DeleteItem: [fleet],
    BatchWriteItem: [fleet],
  });
  followFleet.bindLists(table, [subscriptionList, dueList, prunerList]);
  followFleet.bindEventBus(bus);
  return followFleet;
}
