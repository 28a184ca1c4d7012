import { CfnOutput, Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner-spec';
import { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../functions/store/keys.ts';
import {
  grantSchedules,
  grantStartingRole,
  retryRuns,
  type ScheduleSurroundings,
  startingRole,
} from './job-start.ts';
import { NodeFunction } from './node-function.ts';
import { PrunerAlarms } from './pruner-alarms.ts';
import { grantRegistryListing, grantRegistryPruning } from './registry-access.ts';

export interface PruningProps {
  readonly registryBuckets: readonly RegistryTarget[];
  readonly table: Table;
  readonly bucket: Bucket;
  /** The schedules of pruners join these. */
  readonly schedules: ScheduleSurroundings;
  /** How often it is looked after pruners. */
  readonly watchInterval: Duration;
  readonly logRetention: RetentionDays;
}

const { pruner, prunerList, run } = PARTITION_PREFIX;

/** All that pruning registries takes: the job, who may schedule it, and alarms. Schedules are made at run time. */
export class Pruning extends Construct {
  readonly #props: PruningProps;
  readonly #job: NodeFunction;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: PruningProps) {
    super(scope, id);
    const { registryBuckets, table, bucket, schedules, watchInterval, logRetention } = props;
    this.#props = props;
    this.#job = new NodeFunction(this, 'RunPruner', {
      name: 'run-pruner',
      description: 'Prunes the storage of registries',
      // A million blobs take 300 MB; the rest buys CPU.
      memorySize: 2048,
      // The most there is. A run that needs longer pauses, and the watch goes on with it.
      timeout: Duration.minutes(15),
      logRetention,
      environment: { NODE_OPTIONS: '--enable-source-maps' },
    });
    this.#job.bindTable(table, {
      operations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      prefixes: [pruner, run],
    });
    this.#job.bindBucket(bucket, {
      prefix: 'runs/',
      operations: ['GetObject', 'PutObject', 'DeleteObject'],
      list: true,
    });
    for (const target of registryBuckets) grantRegistryPruning(this.#job, target);
    this.#role = startingRole(this, this.#job, schedules);
    retryRuns(this.#job, schedules);
    new PrunerAlarms(this, 'Alarms', { watchInterval, schedules });
    // Beside this stack, a key or a bucket of another account has to let it in.
    new CfnOutput(this, 'RoleArn', {
      description: 'The role that prunes registries',
      value: this.#job.role!.roleArn,
    }).overrideLogicalId('PrunerRoleArn');
  }

  /** Lets a function keep pruners and their schedules, start their runs, read what these came to and tell what is in use. */
  bindManager(manager: NodeFunction): void {
    this.#bindSchedules(manager);
    const { bucket } = this.#props;
    manager.bindBucket(bucket, { prefix: 'runs/', operations: ['GetObject'], list: true });
    manager.bindBucket(bucket, { prefix: 'runs/*/in-use/', operations: ['PutObject', 'DeleteObject'] });
  }

  /** Lets a function make the first pruners, repair schedules and go on with runs. */
  bindWatch(watch: NodeFunction): void {
    this.#bindSchedules(watch);
    const { table, registryBuckets } = this.#props;
    watch.bindTable(table, { operations: ['Query'], prefixes: [prunerList], index: true });
    watch.bindTable(table, {
      operations: ['GetItem', 'BatchGetItem', 'PutItem'],
      prefixes: [pruner],
    });
    for (const target of registryBuckets) grantRegistryListing(watch, target);
  }

  #bindSchedules(holder: NodeFunction): void {
    const { registryBuckets, schedules } = this.#props;
    holder.addEnvironment(ENV.registryBuckets, JSON.stringify(registryBuckets));
    holder.addEnvironment(ENV.prunerFunctionArn, this.#job.functionArn);
    holder.addEnvironment(ENV.prunerRoleArn, this.#role.roleArn);
    holder.addEnvironment(ENV.scheduleGroup, schedules.group.scheduleGroupName);
    holder.addEnvironment(ENV.deliveryQueueArn, schedules.deliveryQueue.queueArn);
    grantSchedules(holder, schedules, ['GetSchedule', 'CreateSchedule', 'UpdateSchedule', 'DeleteSchedule']);
    grantStartingRole(holder, this.#role);
  }
}
