import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
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
import {
  grantSchedules,
  grantStartingRole,
  retryRuns,
  type ScheduleSurroundings,
  startingRole,
} from './job-start.ts';
import type { NodeFunction } from './node-function.ts';

export interface JobScheduleProps {
  readonly job: NodeFunction;
  readonly description: string;
  readonly interval: Duration;
  /**
   * Another schedule, with which it shares group and queues.
   * @default it has its own
   */
  readonly beside?: ScheduleSurroundings;
}

/**
 * Runs a job at a fixed rate, with a role that may start it and nothing else. Two retriers: the schedule's covers delivery
 * (its events end in `deliveryQueue`), the function's covers runs that throw (they end in `runQueue`).
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
        // Its rights are spelled; CDK would add every version of the function to them.
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
    // It names its group by text, in which CloudFormation can't see what has to be there first.
    schedule.node.addDependency(this.group);
  }

  /** Lets a function start a run now: by a one-time schedule beside the standing one, with the same role and queue. */
  bindStarter(starter: NodeFunction): void {
    starter.addEnvironment(ENV.syncFunctionArn, this.#job.functionArn);
    starter.addEnvironment(ENV.schedulerRoleArn, this.#role.roleArn);
    starter.addEnvironment(ENV.scheduleGroup, this.group.scheduleGroupName);
    starter.addEnvironment(ENV.deliveryQueueArn, this.deliveryQueue.queueArn);
    grantSchedules(starter, this, ['CreateSchedule']);
    grantStartingRole(starter, this.#role);
  }
}
