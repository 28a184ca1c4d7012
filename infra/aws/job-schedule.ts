import { Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import type { NodeFunction } from './node-function.ts';

export interface ScheduleSurroundings {
  readonly group: ScheduleGroup;
  /** Events that could not be delivered. */
  readonly deliveryQueue: FailureQueue;
  /** Runs that threw. */
  readonly runQueue: FailureQueue;
}

interface JobScheduleProps {
  readonly job: NodeFunction;
  readonly description: string;
  readonly interval: Duration;
  /**
   * Schedule to share group and queues with.
   * @default it has its own
   */
  readonly beside?: ScheduleSurroundings;
}

/**
 * Runs a job at a fixed rate, with a role that can only start it. Two retries: the schedule retries delivery (then
 * `deliveryQueue`), the function retries runs that throw (then `runQueue`).
 */
export class JobSchedule extends Construct implements ScheduleSurroundings {
  readonly group: ScheduleGroup;
  readonly deliveryQueue: FailureQueue;
  readonly runQueue: FailureQueue;
  readonly #job: NodeFunction;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: JobScheduleProps) {
    super(scope, id);
    const { beside } = props;
    this.deliveryQueue = beside?.deliveryQueue ?? new FailureQueue(this, 'UndeliveredQueue');
    this.runQueue = beside?.runQueue ?? new FailureQueue(this, 'FailedRunQueue');
    this.group =
      beside?.group ??
      new ScheduleGroup(this, 'Group', {
        scheduleGroupName: Aws.STACK_NAME,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    this.#job = props.job;
    this.#role = startingRole(this, props.job, this);

    retryRuns(props.job, this);
    const schedule = new Schedule(this, 'Schedule', {
      description: props.description,
      scheduleGroup: this.group,
      schedule: ScheduleExpression.rate(props.interval),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(props.job, {
        // The role has explicit permissions; CDK would add every version of the function.
        role: this.#role.withoutPolicyUpdates(),
        input: ScheduleTargetInput.fromObject({
          scheduledTime: ContextAttribute.scheduledTime,
          trigger: 'schedule',
        }),
        retryAttempts: 3,
        maxEventAge: Duration.seconds(300),
        deadLetterQueue: this.deliveryQueue,
      }),
    });
    // The schedule names its group by text, so CloudFormation does not see the dependency.
    schedule.node.addDependency(this.group);
  }

  /** Lets a function start a run now, by a one-time schedule with the same role and queue. */
  bindStarter(starter: NodeFunction): void {
    starter.addEnvironment(ENV.syncFunctionArn, this.#job.functionArn);
    starter.addEnvironment(ENV.schedulerRoleArn, this.#role.roleArn);
    starter.addEnvironment(ENV.scheduleGroup, this.group.scheduleGroupName);
    starter.addEnvironment(ENV.deliveryQueueArn, this.deliveryQueue.queueArn);
    grantSchedules(starter, this, ['CreateSchedule']);
    grantStartingRole(starter, this.#role);
  }
}

export const JOB_ENVIRONMENT = {
  [ENV.serviceName]: Aws.STACK_NAME,
  NODE_OPTIONS: '--enable-source-maps',
} as const;

/** Role that lets schedules of the group start the job, and nothing else. */
export function startingRole(
  scope: Construct,
  job: NodeFunction,
  { group, deliveryQueue }: ScheduleSurroundings,
): Role {
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: {
          'aws:SourceAccount': Aws.ACCOUNT_ID,
          'aws:SourceArn': group.scheduleGroupArn,
        },
      },
    }),
  });
  role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [job.functionArn] }));
  role.addToPolicy(
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deliveryQueue.queueArn] }),
  );
  return role;
}

/** Retries a run that throws once, then keeps its event. */
export function retryRuns(job: NodeFunction, { runQueue }: ScheduleSurroundings): void {
  job.configureAsyncInvoke({
    retryAttempts: 1,
    maxEventAge: Duration.minutes(15),
    // The CDK destination would also grant reading queue attributes.
    onFailure: { bind: () => ({ destination: runQueue.queueArn }) },
  });
  job.allow(['sqs:SendMessage'], runQueue.queueArn);
}

/** Expects Scheduler operation names: `CreateSchedule`. */
export function grantSchedules(
  holder: NodeFunction,
  { group }: Pick<ScheduleSurroundings, 'group'>,
  operations: readonly string[],
): void {
  const scheduleArns = Stack.of(holder).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${group.scheduleGroupName}/*`,
  });
  holder.allow(
    operations.map((operation) => `scheduler:${operation}`),
    scheduleArns,
  );
  holder.acknowledgeWildcard(
    'arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/<AWS::StackName>/*',
    'schedules get their names at run time, and only the group of this stack is open to it',
  );
}

export function grantStartingRole(holder: NodeFunction, role: Role): void {
  holder.allow(['iam:PassRole'], role.roleArn, {
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  });
}

/** Dead-letter queue for manual inspection; it has no consumer. */
class FailureQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'it is itself a dead-letter queue, of a schedule or of a function, which the rule does not see',
    });
  }
}
