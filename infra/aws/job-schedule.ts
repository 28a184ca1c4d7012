import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { FailureQueue } from './failure-queue.ts';
import type { NodeFunction } from './node-function.ts';

export interface JobScheduleProps {
  readonly job: NodeFunction;
  readonly description: string;
  readonly interval: Duration;
  /**
   * Another schedule, with which it shares group and queues.
   * @default it has its own
   */
  readonly beside?: JobSchedule;
}

/**
 * Runs a job at a fixed rate, with a role that may start it and nothing else. Two retriers: the schedule's covers delivery
 * (its events end in `deliveryQueue`), the function's covers runs that throw (they end in `runQueue`).
 */
export class JobSchedule extends Construct {
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
    this.group = beside?.group ?? new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    this.#job = props.job;
    this.#role = this.#invokeRole();

    props.job.configureAsyncInvoke({
      retryAttempts: 1,
      maxEventAge: Duration.minutes(15),
      onFailure: new SqsDestination(this.runQueue),
    });
    new Schedule(this, 'Schedule', {
      description: props.description,
      scheduleGroup: this.group,
      schedule: ScheduleExpression.rate(props.interval),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(props.job, {
        // The rights are spelled below; CDK would add every version of the function to them.
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
  }

  /** Lets a function start a run now: by a one-time schedule beside the standing one, with the same role and queue. */
  bindStarter(starter: NodeFunction): void {
    const scheduleArns = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.group.scheduleGroupName}/*`,
    });
    starter.addEnvironment(ENV.syncFunctionArn, this.#job.functionArn);
    starter.addEnvironment(ENV.schedulerRoleArn, this.#role.roleArn);
    starter.addEnvironment(ENV.scheduleGroup, this.group.scheduleGroupName);
    starter.addEnvironment(ENV.deliveryQueueArn, this.deliveryQueue.queueArn);
    starter.addToRolePolicy(
      new PolicyStatement({ actions: ['scheduler:CreateSchedule'], resources: [scheduleArns] }),
    );
    starter.addToRolePolicy(
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.#role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    );
    starter.acknowledgeWildcard(
      `arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${this.group.scheduleGroupName}/*`,
      'each one-time schedule has a new name, and only the group of this stack is open to it',
    );
  }

  #invokeRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Aws.ACCOUNT_ID,
            'aws:SourceArn': this.group.scheduleGroupArn,
          },
        },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [this.#job.functionArn],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deliveryQueue.queueArn] }),
    );
    return role;
  }
}
