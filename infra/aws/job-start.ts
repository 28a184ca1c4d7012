import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import type { FailureQueue } from './failure-queue.ts';
import type { NodeFunction } from './node-function.ts';

/** What schedules of this stack share. */
export interface ScheduleSurroundings {
  readonly group: ScheduleGroup;
  /** Where events end that could not be delivered. */
  readonly deliveryQueue: FailureQueue;
  /** Where runs end that threw. */
  readonly runQueue: FailureQueue;
}

/** The variables that every job has. */
export const JOB_ENVIRONMENT = {
  [ENV.serviceName]: Aws.STACK_NAME,
  NODE_OPTIONS: '--enable-source-maps',
} as const;

/** A role with which schedules of the group may start a job, and nothing else. */
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

/** A run that throws is tried once more, then kept. */
export function retryRuns(job: NodeFunction, { runQueue }: ScheduleSurroundings): void {
  job.configureAsyncInvoke({
    retryAttempts: 1,
    maxEventAge: Duration.minutes(15),
    // The destination of CDK would also let it ask about the queue.
    onFailure: { bind: () => ({ destination: runQueue.queueArn }) },
  });
  job.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [runQueue.queueArn] }));
}

/** Lets a function do this with schedules of the group, by names of its own: `CreateSchedule`. */
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
  holder.addToRolePolicy(
    new PolicyStatement({
      actions: operations.map((operation) => `scheduler:${operation}`),
      resources: [scheduleArns],
    }),
  );
  holder.acknowledgeWildcard(
    'arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/<AWS::StackName>/*',
    'schedules get their names at run time, and only the group of this stack is open to it',
  );
}

/** Lets a function hand the role to schedules that it makes. */
export function grantStartingRole(holder: NodeFunction, role: Role): void {
  holder.addToRolePolicy(
    new PolicyStatement({
      actions: ['iam:PassRole'],
      resources: [role.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    }),
  );
}
