import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { Duration, Stack } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../functions/store/keys.ts';
import {
  grantSchedules,
  grantStartingRole,
  JOB_ENVIRONMENT,
  retryRuns,
  type ScheduleSurroundings,
  startingRole,
} from './job-schedule.ts';
import { NodeFunction } from './node-function.ts';
import type { RegistryBucket } from './settings/settings.ts';
import type { TableReference } from './storage.ts';

interface PruningProps {
  readonly registryBuckets: readonly RegistryBucket[];
  readonly table: TableReference;
  readonly bucket: Bucket;
  /** Pruner schedules share these. */
  readonly schedules: ScheduleSurroundings;
  readonly logRetention: RetentionDays;
}

const { pruner, prunerList, run, switches } = PARTITION_PREFIX;

export class Pruning extends Construct {
  readonly job: NodeFunction;
  readonly #props: PruningProps;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: PruningProps) {
    super(scope, id);
    const { registryBuckets, table, bucket, schedules, logRetention } = props;
    this.#props = props;
    this.job = new NodeFunction(this, 'RunPruner', {
      name: 'run-pruner',
      description: 'Prunes the storage of registries',
      // A million blobs take 300 MB; the rest buys CPU.
      memorySize: 2048,
      // The Lambda maximum. A longer run stops, and housekeeping resumes it.
      timeout: Duration.minutes(15),
      logRetention,
      environment: JOB_ENVIRONMENT,
    });
    this.job.bindTable(table, {
      GetItem: [pruner, switches],
      Query: [run],
      PutItem: [pruner, run],
      UpdateItem: [pruner],
      DeleteItem: [run],
    });
    this.job.bindBucket(bucket, {
      prefix: 'runs/',
      operations: ['GetObject', 'PutObject', 'DeleteObject'],
      list: true,
    });
    for (const registry of registryBuckets) {
      if (registry.roleArn === undefined) grantRegistryPruning(this.job, registry);
      // The role of the registry bucket defines the permissions there.
      else this.job.allow(['sts:AssumeRole'], registry.roleArn);
    }
    if (registryBuckets.some(({ roleArn }) => roleArn !== undefined)) {
      this.job.addEnvironment(ENV.registryBuckets, JSON.stringify(registryBuckets));
    }
    this.#role = startingRole(this, this.job, schedules);
    retryRuns(this.job, schedules);
  }

  /** Principal to allow in the key, bucket or role policy of another account. */
  get roleArn(): string {
    return this.job.role!.roleArn;
  }

  bindManager(manager: NodeFunction): void {
    this.#bindSchedules(manager);
    const targets = this.#props.registryBuckets.map(({ bucket, prefix }) => ({ bucket, prefix }));
    manager.addEnvironment(ENV.registryBuckets, JSON.stringify(targets));
    const { bucket } = this.#props;
    manager.bindBucket(bucket, { prefix: 'runs/', operations: ['GetObject'], list: true });
    manager.bindBucket(bucket, { prefix: 'runs/*/in-use/', operations: ['PutObject', 'DeleteObject'] });
  }

  bindHousekeeping(housekeeping: NodeFunction): void {
    this.#bindSchedules(housekeeping);
    const { table, registryBuckets } = this.#props;
    housekeeping.addEnvironment(ENV.registryBuckets, JSON.stringify(registryBuckets));
    housekeeping.bindLists(table, [prunerList]);
    housekeeping.bindTable(table, { GetItem: [pruner], BatchGetItem: [pruner], PutItem: [pruner] });
    for (const registry of registryBuckets) {
      if (registry.roleArn === undefined) grantRegistryListing(housekeeping, registry);
    }
  }

  #bindSchedules(holder: NodeFunction): void {
    const { schedules } = this.#props;
    holder.addEnvironment(ENV.prunerFunctionArn, this.job.functionArn);
    holder.addEnvironment(ENV.prunerRoleArn, this.#role.roleArn);
    holder.addEnvironment(ENV.scheduleGroup, schedules.group.scheduleGroupName);
    holder.addEnvironment(ENV.deliveryQueueArn, schedules.deliveryQueue.queueArn);
    grantSchedules(holder, schedules, ['GetSchedule', 'CreateSchedule', 'UpdateSchedule', 'DeleteSchedule']);
    grantStartingRole(holder, this.#role);
  }
}

function grantRegistryListing(holder: NodeFunction, target: RegistryTarget): void {
  holder.allow(['s3:ListBucket'], bucketArn(holder, target), {
    StringLike: { 's3:prefix': `${storageRoot(target.prefix)}*` },
  });
}

/** Limited to the storage folder of the registry. */
function grantRegistryPruning(holder: NodeFunction, target: RegistryTarget): void {
  const root = storageRoot(target.prefix);
  const arn = bucketArn(holder, target);
  const below = { 's3:prefix': `${root}*` };
  // For a missing object S3 checks the list permission without a prefix; without it, S3 returns 403.
  holder.allow(['s3:ListBucket'], arn, { StringLikeIfExists: below });
  holder.allow(['s3:ListBucketVersions'], arn, { StringLike: below });
  // S3 supports no prefix condition for these.
  holder.allow(['s3:GetBucketVersioning', 's3:ListBucketMultipartUploads'], arn);
  const operations = [
    'GetObject',
    'PutObject',
    'DeleteObject',
    'DeleteObjectVersion',
    'AbortMultipartUpload',
  ];
  holder.allow(
    operations.map((operation) => `s3:${operation}`),
    `${arn}/${root}*`,
  );
  holder.acknowledgeWildcard(
    `arn:<AWS::Partition>:s3:::${target.bucket}/${root}*`,
    'a registry names its objects by their content, and only its own folder is open',
  );
}

function bucketArn(holder: NodeFunction, { bucket }: RegistryTarget): string {
  return Stack.of(holder).formatArn({ service: 's3', region: '', account: '', resource: bucket });
}
