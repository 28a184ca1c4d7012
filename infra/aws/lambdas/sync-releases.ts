import { basename } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import type { Deployment } from '../deployment.ts';
import { JOB_ENVIRONMENT } from '../job-schedule.ts';
import { NodeFunction } from '../node-function.ts';
import type { Storage } from '../storage.ts';

const { syncState, document, release, change, switches } = PARTITION_PREFIX;

export function syncReleasesFunction(
  scope: Construct,
  { settings, releasesFile }: Deployment,
  { table, bucket, bus }: Storage,
): NodeFunction {
  const syncReleases = new NodeFunction(scope, 'SyncReleases', {
    name: 'sync-releases',
    description: 'Follows the release channels and publishes what changed',
    memorySize: 1024,
    // A run stops itself after 8 minutes; the rest is for its final report.
    timeout: Duration.minutes(9),
    logRetention: settings.logRetentionDays,
    files: [releasesFile],
    environment: {
      [ENV.graphUrl]: settings.graphUrl,
      [ENV.payloadHosts]: settings.payloadHosts.join(','),
      [ENV.releasesFile]: basename(releasesFile),
      [ENV.retirementGraceDays]: String(settings.retirementGraceDays),
      ...JOB_ENVIRONMENT,
    },
  });
  syncReleases.bindTable(table, {
    GetItem: [syncState, document, switches],
    BatchGetItem: [document],
    Query: [document, release, change],
    PutItem: [document, change],
    UpdateItem: [syncState, document, release],
    DeleteItem: [document, release],
    BatchWriteItem: [document],
  });
  syncReleases.bindBucket(bucket, { prefix: 'archive/', operations: ['PutObject'] });
  syncReleases.bindEventBus(bus);
  return syncReleases;
}
