import { Aws, Duration, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { ArchiveBucket, stateTable } from './storage.ts';
import { Cdn } from './cdn.ts';
import { consoleHint, ApiDomain } from './domain.ts';
import type { Deployment } from './deployment.ts';
import { CairnApi } from './http-api.ts';
import { InvokePolicies } from './invoke-policies.ts';
import { JobSchedule, grantSchedules } from './job-schedule.ts';
import { followFleetFunction } from './lambdas/reassess-fleet.ts';
import { manageFunction } from './lambdas/manage.ts';
import { queryFunction } from './lambdas/query.ts';
import { syncReleasesFunction } from './lambdas/sync-releases.ts';
import { watchFunction } from './lambdas/housekeeping.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { News } from './notifications.ts';
import { firstRequest, Outputs } from './outputs.ts';
import { Pruning } from './pruning.ts';

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
    const { settings } = deployment;
    for (const [key, value] of Object.entries(settings.tags)) Tags.of(this).add(key, value);
    if (settings.permissionsBoundary !== null) {
      const boundary = ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', settings.permissionsBoundary);
      PermissionsBoundary.of(this).apply(boundary);
    }

    const table = stateTable(this, settings.restoredTable);
    const bucket = new ArchiveBucket(this, 'Bucket');
    const bus = new EventBus(this, 'Events', { eventBusName: Aws.STACK_NAME });
    const query = queryFunction(this, settings, { table });
    const syncReleases = syncReleasesFunction(this, deployment, { table, bucket, bus });
    const watch = watchFunction(this, settings, { table });
    const followFleet = followFleetFunction(this, settings, { table, bus });
    const news = new News(this, 'News', { bus, email: settings.news.email });
    const manage = manageFunction(this, settings, { table, bucket });

    const intervals = {
      sync: Duration.minutes(settings.syncIntervalMinutes),
      watch: Duration.minutes(settings.watchIntervalMinutes),
      fleet: Duration.minutes(settings.fleetIntervalMinutes),
    };
    const schedules = new JobSchedule(this, 'Sync', {
      job: syncReleases,
      description: 'Follows the release channels',
      interval: intervals.sync,
    });
    new JobSchedule(this, 'WatchSchedule', {
      beside: schedules,
      job: watch,
      description: 'Looks after what is stored',
      interval: intervals.watch,
    });
    new JobSchedule(this, 'FleetSchedule', {
      beside: schedules,
      job: followFleet,
      description: 'Looks again at clusters, and tells what changed',
      interval: intervals.fleet,
    });
    schedules.bindStarter(manage);
    // Pruners whose bucket has left the settings can still be removed, with their schedules.
    grantSchedules(manage, schedules, ['DeleteSchedule']);

    const { registryBuckets, logRetentionDays: logRetention } = settings;
    const pruning =
      registryBuckets.length > 0
        ? new Pruning(this, 'Pruning', { registryBuckets, table, bucket, schedules, logRetention })
        : null;
    pruning?.bindManager(manage);
    pruning?.bindWatch(watch);

    const {
      api,
      url: apiUrl,
      accessLog,
    } = new CairnApi(this, 'Http', {
      access: settings.access,
      cloudFront: settings.cloudFront,
      lambdas: { query, manage },
      logRetention,
    });
    const domain = settings.domain && new ApiDomain(this, 'Domain', { api, domain: settings.domain });
    const url = domain?.url ?? apiUrl;
    // Tokens open the routes where there is an issuer; a policy would then open nothing.
    const policies = settings.access.jwt ? null : new InvokePolicies(this, 'InvokePolicies', api);
    const { access, originShieldRegion } = settings;
    const cdn = settings.cloudFront
      ? new Cdn(this, 'Cdn', { apiUrl: url, access, originShieldRegion })
      : null;
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings: settings.alarms,
      api,
      apiUrl: url,
      accessLog,
      functions: {
        query,
        manage,
        syncReleases,
        watch,
        followFleet,
        ...(pruning && { runPruner: pruning.job }),
      },
      table,
      schedules,
      intervals,
    });

    new Outputs(this, 'Outputs', {
      ApiUrl: url,
      TryIt: firstRequest(url, settings.access),
      ConsoleHint: consoleHint(url, settings.access, cdn?.url),
      ...(domain?.target !== undefined && { DomainTarget: domain.target }),
      ...(cdn && { CloudFrontUrl: cdn.url }),
      ...(policies && {
        ReadPolicyArn: policies.arns.read,
        WritePolicyArn: policies.arns.write,
        AdminPolicyArn: policies.arns.admin,
      }),
      TableName: table.tableName,
      BucketName: bucket.bucketName,
      EventBusName: bus.eventBusName,
      NewsTopicArn: news.topic.topicArn,
      UndeliveredQueueUrl: schedules.deliveryQueue.queueUrl,
      FailedRunQueueUrl: schedules.runQueue.queueUrl,
      ...(pruning && { PrunerRoleArn: pruning.roleArn }),
      PageTopicArn: monitoring.topics.page.topicArn,
      TicketTopicArn: monitoring.topics.ticket.topicArn,
      DashboardName: monitoring.dashboardName,
    });
  }
}
