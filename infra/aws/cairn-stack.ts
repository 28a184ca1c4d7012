import { basename, join } from 'node:path';
import { Aws, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../functions/store/keys.ts';
import { buildConsole } from '../console/build-console.ts';
import { ArchiveBucket } from './bucket.ts';
import type { Deployment } from './deployment.ts';
import { CairnApi } from './http-api.ts';
import { JobSchedule } from './job-schedule.ts';
import { grantSchedules } from './job-start.ts';
import { NodeFunction } from './node-function.ts';
import { Pruning } from './pruning.ts';
import type { AccessSettings } from './settings.ts';
import { StateTable } from './table.ts';

export interface CairnStackProps extends StackProps {
  readonly deployment: Deployment;
}

/**
 * The whole of Cairn in one stack. Functions have no reserved concurrency: new accounts have too little to reserve
 * any, leases keep the jobs apart, and the gateway throttles the rest.
 */
export class CairnStack extends Stack {
  constructor(scope: Construct, id: string, props: CairnStackProps) {
    const { deployment, ...stackProps } = props;
    super(scope, id, {
      description: 'Cairn: OpenShift release channels, followed and served',
      ...stackProps,
    });
    const { settings, releasesFile } = deployment;
    const logRetention = settings.logRetentionDays;
    const { syncState, document, release, change, cluster, clusterList, watchState, run, pruner } =
      PARTITION_PREFIX;
    const retirementGrace = { [ENV.retirementGraceDays]: String(settings.retirementGraceDays) };
    const historyLimit = { [ENV.historyLimit]: String(settings.historyLimit) };

    const table = new StateTable(this, 'Table');
    const bucket = new ArchiveBucket(this, 'Bucket');
    const bus = new EventBus(this, 'Events');

    const query = new NodeFunction(this, 'Query', {
      name: 'query',
      description: 'Answers every route that only reads the table',
      // A cold start is bound by CPU, and Lambda gives CPU by memory.
      memorySize: 1024,
      timeout: Duration.seconds(10),
      logRetention,
      addFiles: (outdir) => buildConsole(join(outdir, 'console')),
      environment: {
        [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
        ...retirementGrace,
      },
    });
    query.bindTable(table, { operations: ['GetItem', 'Query'] });

    const syncReleases = new NodeFunction(this, 'SyncReleases', {
      name: 'sync-releases',
      description: 'Follows the release channels and publishes what changed',
      memorySize: 1024,
      // A run stops by itself at 8 minutes; the rest is for saying so.
      timeout: Duration.minutes(9),
      logRetention,
      files: [releasesFile],
      environment: {
        [ENV.graphUrl]: settings.graphUrl,
        [ENV.payloadHosts]: settings.payloadHosts.join(','),
        [ENV.releasesFile]: basename(releasesFile),
        ...retirementGrace,
        NODE_OPTIONS: '--enable-source-maps',
      },
    });
    syncReleases.bindTable(table, {
      operations: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
      prefixes: [syncState, document, release, change],
    });
    syncReleases.bindBucket(bucket, { prefix: 'archive/', operations: ['PutObject'] });
    syncReleases.bindEventBus(bus);
    const syncSchedule = new JobSchedule(this, 'Sync', {
      job: syncReleases,
      description: 'Follows the release channels',
      interval: Duration.minutes(settings.syncIntervalMinutes),
    });

    const watch = new NodeFunction(this, 'Watch', {
      name: 'watch',
      description: 'Looks after histories, run records and pruners',
      memorySize: 512,
      // A run begins nothing more after half of it.
      timeout: Duration.minutes(5),
      logRetention,
      environment: { ...historyLimit, NODE_OPTIONS: '--enable-source-maps' },
    });
    watch.bindTable(table, {
      operations: ['Query'],
      prefixes: [cluster, clusterList, run],
      index: true,
    });
    watch.bindTable(table, {
      operations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      prefixes: [watchState, run, cluster],
    });
    const watchInterval = Duration.minutes(settings.watchIntervalMinutes);
    new JobSchedule(this, 'WatchSchedule', {
      beside: syncSchedule,
      job: watch,
      description: 'Looks after what is stored',
      interval: watchInterval,
    });

    const manage = new NodeFunction(this, 'Manage', {
      name: 'manage',
      description: 'Answers the routes that start or keep something',
      // Uploads of half a gigabyte are read within one request, which the gateway ends after 30 seconds.
      memorySize: 1024,
      timeout: Duration.seconds(29),
      logRetention,
      environment: {
        [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
        ...historyLimit,
      },
    });
    manage.bindTable(table, { operations: ['GetItem', 'Query'], index: true });
    manage.bindTable(table, {
      operations: ['BatchGetItem', 'PutItem', 'BatchWriteItem'],
      prefixes: [cluster],
    });
    manage.bindTable(table, { operations: ['BatchGetItem', 'PutItem'], prefixes: [pruner] });
    // An address that it gives out carries its own right to put.
    manage.bindBucket(bucket, { prefix: 'uploads/', operations: ['PutObject', 'GetObject'] });
    syncSchedule.bindStarter(manage);
    // Pruners whose bucket has left the settings can still be removed, with their schedules.
    grantSchedules(manage, syncSchedule, ['DeleteSchedule']);

    const { registryBuckets } = settings;
    if (registryBuckets.length > 0) {
      const schedules = syncSchedule;
      const props = { registryBuckets, table, bucket, schedules, watchInterval, logRetention };
      const pruning = new Pruning(this, 'Pruning', props);
      pruning.bindManager(manage);
      pruning.bindWatch(watch);
    }

    const api = new CairnApi(this, 'Http', {
      access: settings.access,
      lambdas: { query, manage },
      logRetention,
    });

    const output = (name: string, description: string, value: string) =>
      new CfnOutput(this, name, { description, value });
    output('ApiUrl', 'Where it answers; in a browser, the console', api.url);
    output('TryIt', 'A first request', firstRequest(api.url, settings.access));
    output('TableName', 'Holds everything that is served', table.tableName);
    output('BucketName', 'Holds every graph that was accepted', bucket.bucketName);
    output('EventBusName', 'Tells what changed in a channel', bus.eventBusName);
    output('UndeliveredQueueUrl', 'Runs that could not be started', syncSchedule.deliveryQueue.queueUrl);
    output('FailedRunQueueUrl', 'Runs that failed twice', syncSchedule.runQueue.queueUrl);
  }
}

function firstRequest(apiUrl: string, access: AccessSettings): string {
  const url = `${apiUrl}/v2/openshift-versions`;
  if (access.publicReleaseData) return `curl ${url}`;
  if (access.jwt) return `curl -H "Authorization: Bearer $TOKEN" ${url}`;
  return [
    `curl --aws-sigv4 aws:amz:${Aws.REGION}:execute-api`,
    '--user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"',
    '-H "x-amz-security-token: $AWS_SESSION_TOKEN"',
    url,
  ].join(' ');
}
