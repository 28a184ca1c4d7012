import { Aws, Duration, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { Cdn } from './cdn.ts';
import type { Deployment } from './deployment.ts';
import { ApiDomain, consoleHint } from './domain.ts';
import { CairnApi } from './http-api.ts';
import { InvokePolicies } from './invoke-policies.ts';
import { grantSchedules, JobSchedule } from './job-schedule.ts';
import {
  housekeepingFunction,
  manageFunction,
  queryFunction,
  reassessFleetFunction,
  syncReleasesFunction,
} from './lambdas.ts';
import type { Intervals } from './monitoring/alarm-definition.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import type { MonitoredFunctions } from './monitoring/service-alarms.ts';
import { News } from './notifications.ts';
import { firstRequest, Outputs } from './outputs.ts';
import { Pruning } from './pruning.ts';
import type { DeploySettings } from './settings/settings.ts';
import { ArchiveBucket, stateTable } from './storage.ts';

interface CairnStackProps extends StackProps {
  readonly deployment: Deployment;
}

/** No reserved concurrency: new accounts have too little, leases serialize jobs, the gateway throttles. */
export class CairnStack extends Stack {
  constructor(scope: Construct, id: string, props: CairnStackProps) {
    const { deployment, ...stackProps } = props;
    super(scope, id, {
      description: 'Cairn: OpenShift release channels, followed and served',
      ...stackProps,
    });
    const { settings } = deployment;
    this.#applyToAll(settings);
    const { table, bucket, bus, news, functions } = this.#addFunctions(deployment);
    const intervals = {
      sync: Duration.minutes(settings.syncIntervalMinutes),
      housekeeping: Duration.minutes(settings.watchIntervalMinutes),
      fleet: Duration.minutes(settings.fleetIntervalMinutes),
    };
    const schedules = this.#addSchedules(functions, intervals);

    const { registryBuckets, logRetentionDays: logRetention } = settings;
    const pruning =
      registryBuckets.length > 0
        ? new Pruning(this, 'Pruning', { registryBuckets, table, bucket, schedules, logRetention })
        : null;
    pruning?.bindManager(functions.manage);
    pruning?.bindHousekeeping(functions.watch);

    const { api, accessLog, url, outputs } = this.#addHttp(settings, functions);
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings: settings.alarms,
      api,
      apiUrl: url,
      accessLog,
      functions: { ...functions, ...(pruning && { runPruner: pruning.job }) },
      table,
      schedules,
      intervals,
    });

    new Outputs(this, 'Outputs', {
      ...outputs,
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

  #applyToAll({ tags, permissionsBoundary }: DeploySettings): void {
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);
    if (permissionsBoundary === null) return;
    const boundary = ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', permissionsBoundary);
    PermissionsBoundary.of(this).apply(boundary);
  }

  #addFunctions(deployment: Deployment) {
    const { settings } = deployment;
    const table = stateTable(this, settings.restoredTable);
    const bucket = new ArchiveBucket(this, 'Bucket');
    const bus = new EventBus(this, 'Events', { eventBusName: Aws.STACK_NAME });
    const storage = { table, bucket, bus };
    const query = queryFunction(this, settings, storage);
    const syncReleases = syncReleasesFunction(this, deployment, storage);
    const housekeeping = housekeepingFunction(this, settings, storage);
    const reassessFleet = reassessFleetFunction(this, settings, storage);
    const news = new News(this, 'News', { bus, email: settings.news.email });
    const manage = manageFunction(this, settings, storage);
    const functions = { query, manage, syncReleases, watch: housekeeping, followFleet: reassessFleet };
    return { ...storage, news, functions };
  }

  #addSchedules(
    { syncReleases, watch, followFleet, manage }: MonitoredFunctions,
    intervals: Intervals,
  ): JobSchedule {
    const schedules = new JobSchedule(this, 'Sync', {
      job: syncReleases,
      description: 'Follows the release channels',
      interval: intervals.sync,
    });
    new JobSchedule(this, 'WatchSchedule', {
      beside: schedules,
      job: watch,
      description: 'Looks after what is stored',
      interval: intervals.housekeeping,
    });
    new JobSchedule(this, 'FleetSchedule', {
      beside: schedules,
      job: followFleet,
      description: 'Looks again at clusters, and tells what changed',
      interval: intervals.fleet,
    });
    schedules.bindStarter(manage);
    // Pruners whose bucket left the settings can still be deleted with their schedules.
    grantSchedules(manage, schedules, ['DeleteSchedule']);
    return schedules;
  }

  #addHttp(settings: DeploySettings, { query, manage }: MonitoredFunctions) {
    const { access, cloudFront, originShieldRegion, logRetentionDays: logRetention } = settings;
    const {
      api,
      url: apiUrl,
      accessLog,
    } = new CairnApi(this, 'Http', { access, cloudFront, lambdas: { query, manage }, logRetention });
    const domain = settings.domain && new ApiDomain(this, 'Domain', { api, domain: settings.domain });
    const url = domain?.url ?? apiUrl;
    // With an issuer, tokens authorize the routes, and a policy would have no effect.
    const policies = access.jwt ? null : new InvokePolicies(this, 'InvokePolicies', api);
    const cdn = cloudFront ? new Cdn(this, 'Cdn', { apiUrl: url, access, originShieldRegion }) : null;
    const outputs = {
      ApiUrl: url,
      TryIt: firstRequest(url, access),
      ConsoleHint: consoleHint(url, access, cdn?.url),
      ...(domain?.target !== undefined && { DomainTarget: domain.target }),
      ...(cdn && { CloudFrontUrl: cdn.url }),
      ...(policies && {
        ReadPolicyArn: policies.arns.read,
        WritePolicyArn: policies.arns.write,
        AdminPolicyArn: policies.arns.admin,
      }),
    };
    return { api, accessLog, url, outputs };
  }
}
