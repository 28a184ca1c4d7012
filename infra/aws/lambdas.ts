import { basename, join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../functions/store/keys.ts';
import { buildConsole } from '../build/console.ts';
import type { Deployment } from './deployment.ts';
import { consoleSignIn } from './domain.ts';
import { JOB_ENVIRONMENT } from './job-schedule.ts';
import { NodeFunction } from './node-function.ts';
import type { DeploySettings } from './settings/settings.ts';
import type { Storage } from './storage.ts';

const { syncState, watchState, fleetState, document, release, change, run, switches } = PARTITION_PREFIX;
const { cluster, clusterList, updateList, fleet, subscriptionList, dueList, webhook, pruner, prunerList } =
  PARTITION_PREFIX;
const { acceptances } = PARTITION_PREFIX;

export function queryFunction(scope: Construct, settings: DeploySettings, { table }: Storage): NodeFunction {
  const query = new NodeFunction(scope, 'Query', {
    name: 'query',
    description: 'Answers every route that only reads the table',
    // Cold starts are CPU-bound, and Lambda allocates CPU by memory.
    memorySize: 1024,
    timeout: Duration.seconds(10),
    logRetention: settings.logRetentionDays,
    addFiles: (outdir) => buildConsole(join(outdir, 'console')),
    environment: {
      [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
      [ENV.retirementGraceDays]: String(settings.retirementGraceDays),
      [ENV.signIn]: JSON.stringify(consoleSignIn(settings.access)),
    },
  });
  query.bindTable(table, { GetItem: [syncState, watchState, document], Query: [document, change] });
  return query;
}

export function manageFunction(
  scope: Construct,
  settings: DeploySettings,
  { table, bucket }: Storage,
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
      [ENV.stalledAfter]: JSON.stringify(settings.updates.stalledAfterMinutes),
    },
  });
  manage.bindTable(table, {
    GetItem: [syncState, document, fleet, fleetState, webhook, pruner, switches, acceptances],
    BatchGetItem: [cluster, fleet, pruner],
    Query: [document, cluster, run, acceptances],
    PutItem: [cluster, fleet, webhook, pruner, switches, acceptances],
    DeleteItem: [webhook],
    BatchWriteItem: [cluster],
  });
  manage.bindLists(table, [clusterList, updateList, prunerList]);
  // A presigned URL carries the function's own right to put objects.
  manage.bindBucket(bucket, { prefix: 'uploads/', operations: ['PutObject', 'GetObject'] });
  return manage;
}

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
      [ENV.eusTerms]: String(settings.eusTerms),
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

export function housekeepingFunction(
  scope: Construct,
  settings: DeploySettings,
  { table }: Storage,
): NodeFunction {
  const housekeeping = new NodeFunction(scope, 'Watch', {
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
  housekeeping.bindTable(table, {
    GetItem: [watchState, switches, syncState],
    BatchGetItem: [cluster],
    Query: [cluster, run, acceptances],
    PutItem: [run, cluster, fleet],
    UpdateItem: [watchState],
    DeleteItem: [run, acceptances],
    BatchWriteItem: [cluster],
  });
  housekeeping.bindLists(table, [clusterList]);
  return housekeeping;
}

export function reassessFleetFunction(
  scope: Construct,
  settings: DeploySettings,
  { table, bus }: Storage,
): NodeFunction {
  const reassessFleet = new NodeFunction(scope, 'FollowFleet', {
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
      [ENV.stalledAfter]: JSON.stringify(settings.updates.stalledAfterMinutes),
      ...JOB_ENVIRONMENT,
    },
  });
  reassessFleet.bindTable(table, {
    GetItem: [fleet, fleetState, webhook, switches, acceptances],
    BatchGetItem: [document, cluster, fleet, pruner],
    Query: [document, cluster, fleet, acceptances],
    PutItem: [fleet, acceptances],
    UpdateItem: [fleetState],
    DeleteItem: [fleet],
    BatchWriteItem: [fleet],
  });
  reassessFleet.bindLists(table, [clusterList, subscriptionList, dueList, updateList, prunerList]);
  reassessFleet.bindEventBus(bus);
  return reassessFleet;
}
