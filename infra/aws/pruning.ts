import { Duration } from 'aws-cdk-lib';
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
} from './job-start.ts';
import { NodeFunction } from './node-function.ts';
import { grantRegistryListing, grantRegistryPruning, grantRegistryRole } from './registry-access.ts';
import type { RegistryBucket } from './settings/settings.ts';
import type { TableReference } from './table.ts';

export interface PruningProps {
  readonly registryBuckets: readonly RegistryBucket[];
  readonly table: TableReference;
  readonly bucket: Bucket;
  /** The schedules of pruners join these. */
  readonly schedules: ScheduleSurroundings;
  readonly logRetention: RetentionDays;
}

const { pruner, prunerList, run, switches } = PARTITION_PREFIX;

/** All that pruning registries takes: the job and who may schedule it. Schedules are made at run time. */
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
      // The most there is. A run that needs longer pauses, and the watch goes on with it.
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
      else grantRegistryRole(this.job, registry.roleArn);
    }
    if (registryBuckets.some(({ roleArn }) => roleArn !== undefined)) {
      this.job.addEnvironment(ENV.registryBuckets, JSON.stringify(registryBuckets));
    }
    this.#role = startingRole(this, this.job, schedules);
    retryRuns(this.job, schedules);
  }

  /** What a key, a bucket or a role of another account has to let in. */
  get roleArn(): string {
    return this.job.role!.roleArn;
  }

  /** Lets a function keep pruners and their schedules, start their runs, read what these came to and tell what is in use. */
  bindManager(manager: NodeFunction): void {
    this.#bindSchedules(manager);
    const targets = this.#props.registryBuckets.map(({ bucket, prefix }) => ({ bucket, prefix }));
    manager.addEnvironment(ENV.registryBuckets, JSON.stringify(targets));
    const { bucket } = this.#props;
    manager.bindBucket(bucket, { prefix: 'runs/', operations: ['GetObject'], list: true });
    manager.bindBucket(bucket, { prefix: 'runs/*/in-use/', operations: ['PutObject', 'DeleteObject'] });
  }

  /** Lets a function make the first pruners, repair schedules and go on with runs. */
  bindWatch(watch: NodeFunction): void {
    this.#bindSchedules(watch);
    const { table, registryBuckets } = this.#props;
    watch.addEnvironment(ENV.registryBuckets, JSON.stringify(registryBuckets));
    watch.bindLists(table, [prunerList]);
    watch.bindTable(table, { GetItem: [pruner], BatchGetItem: [pruner], PutItem: [pruner] });
    for (const registry of registryBuckets) {
      if (registry.roleArn === undefined) grantRegistryListing(watch, registry);
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
