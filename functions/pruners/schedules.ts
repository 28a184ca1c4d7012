import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  type GetScheduleCommandOutput,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
  type UpdateScheduleCommandInput,
} from '@aws-sdk/client-scheduler';
import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { Schedule } from '@cairn/shared/prune/schedule/next-times';
import { toAws } from '@cairn/shared/prune/schedule/to-aws';
import { isInFuture } from '@cairn/shared/time/future';
import type { SchedulerTarget } from '../jobs/launcher.ts';
import { sha256Hex } from '../runtime/hash.ts';

/** `suspend` keeps the schedule, but disables it. */
export interface PrunerScheduleDefinition extends Pick<
  PrunerSpec,
  'timeZone' | 'suspend' | 'startingDeadlineSeconds'
> {
  readonly schedule: Schedule;
}

/** Payload of a schedule. The same time can fire twice: `scheduledTime` identifies it. */
export interface PrunerFiring {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: 'schedule';
  /** Identifies the delivery in the log; AWS only. */
  readonly executionId?: string;
  readonly attempt?: string;
}

/** EventBridge Scheduler on AWS, a clock in the process for `npm start`. */
export interface PrunerSchedules {
  /** Creates or replaces the schedule. Restarts intervals. */
  put(pruner: string, definition: PrunerScheduleDefinition): Promise<void>;
  /** Returns whether this definition applies; `put` repairs a difference. */
  holds(pruner: string, definition: PrunerScheduleDefinition): Promise<boolean>;
  /** A missing schedule is no error. */
  remove(pruner: string): Promise<void>;
}

/** One schedule per pruner; two if a cron expression has both dates and weekdays. */
export function schedulerPrunerSchedules(
  client: SchedulerClient,
  target: SchedulerTarget,
  clock: () => number,
): PrunerSchedules {
  const key = (name: string) => ({ Name: name, GroupName: target.group });
  const read = (name: string) => orNull(client.send(new GetScheduleCommand(key(name))));
  const remove = (name: string) => orNull(client.send(new DeleteScheduleCommand(key(name))));
  return {
    async put(pruner, definition) {
      const [first, second] = schedulesOf(pruner, definition, target, clock());
      await retryConflicts(() => updateOrCreate(client, first));
      await retryConflicts(() =>
        second === null ? remove(secondNameOf(pruner)) : updateOrCreate(client, second),
      );
    },
    async holds(pruner, definition) {
      const held = await Promise.all([read(nameOf(pruner)), read(secondNameOf(pruner))]);
      const wanted = schedulesOf(pruner, definition, target, clock());
      const isStarting = held.every((one, index) => !startsTooLate(one, wanted[index]));
      return isStarting && isDeepStrictEqual(held.map(essentials), wanted.map(essentials));
    },
    async remove(pruner) {
      for (const name of [nameOf(pruner), secondNameOf(pruner)]) {
        await retryConflicts(() => remove(name));
      }
    },
  };
}

type Definition = UpdateScheduleCommandInput;

/** Complete definitions: an update resets omitted fields to their defaults. */
function schedulesOf(
  pruner: string,
  definition: PrunerScheduleDefinition,
  target: SchedulerTarget,
  now: number,
): readonly [Definition, Definition | null] {
  const { schedule } = definition;
  const withExpression = (name: string, expression: string): Definition => ({
    Name: name,
    GroupName: target.group,
    Description: `image pruner ${pruner}: ${schedule.text}`.slice(0, 512),
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: definition.timeZone,
    // Without a start date, a rate fires at once.
    ...(schedule.kind === 'interval' && { StartDate: new Date(now + schedule.minutes * 60_000) }),
    State: definition.suspend ? 'DISABLED' : 'ENABLED',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: target.functionArn,
      RoleArn: target.roleArn,
      Input: JSON.stringify(firingOf(pruner)),
      DeadLetterConfig: { Arn: target.deliveryQueueArn },
      RetryPolicy: {
        MaximumRetryAttempts: 3,
        MaximumEventAgeInSeconds: Math.min(Math.max(definition.startingDeadlineSeconds, 60), 86_400),
      },
    },
  });
  const [first, second] = toAws(schedule) as [string, string?];
  return [
    withExpression(nameOf(pruner), first),
    second === undefined ? null : withExpression(secondNameOf(pruner), second),
  ];
}

/** EventBridge Scheduler replaces the placeholders when it fires. */
function firingOf(pruner: string): PrunerFiring {
  return {
    pruner,
    scheduledTime: '<aws.scheduler.scheduled-time>',
    trigger: 'schedule',
    executionId: '<aws.scheduler.execution-id>',
    attempt: '<aws.scheduler.attempt-number>',
  };
}

const PLAIN_NAME = /^[a-z0-9.-]{1,53}$/;

/** At most 60 of 64 characters. Plain names have no underscore, so they cannot collide with shortened ones. */
function nameOf(pruner: string): string {
  if (PLAIN_NAME.test(pruner)) return `pruner-${pruner}`;
  const hash = sha256Hex(pruner).slice(0, 16);
  return `pruner-${pruner.slice(0, 36).replaceAll(/[^a-zA-Z0-9.-]/g, '-')}_${hash}`;
}

function secondNameOf(pruner: string): string {
  return `${nameOf(pruner)}_dow`;
}

/** Fields that change when or how a pruner runs. The start of an interval does not. */
function essentials(schedule: Definition | GetScheduleCommandOutput | null) {
  return (
    schedule && {
      expression: schedule.ScheduleExpression,
      timeZone: schedule.ScheduleExpressionTimezone,
      state: schedule.State,
      end: schedule.EndDate,
      window: schedule.FlexibleTimeWindow?.Mode,
      functionArn: schedule.Target?.Arn,
      roleArn: schedule.Target?.RoleArn,
      input: schedule.Target?.Input,
      deadLetters: schedule.Target?.DeadLetterConfig?.Arn,
      attempts: schedule.Target?.RetryPolicy?.MaximumRetryAttempts,
      age: schedule.Target?.RetryPolicy?.MaximumEventAgeInSeconds,
    }
  );
}

/** Detects a start date from a clock that was ahead: the schedule would not fire until then. */
function startsTooLate(
  held: GetScheduleCommandOutput | null | undefined,
  wanted: Definition | null | undefined,
): boolean {
  const { StartDate: start } = held ?? {};
  return start !== undefined && wanted?.StartDate !== undefined && isInFuture(+start, +wanted.StartDate);
}

async function updateOrCreate(client: SchedulerClient, definition: Definition): Promise<void> {
  const isThere = await orNull(client.send(new UpdateScheduleCommand(definition)));
  if (isThere === null) await client.send(new CreateScheduleCommand(definition));
}

/** Returns null if the schedule is missing. */
async function orNull<Output>(call: Promise<Output>): Promise<Output | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return null;
  }
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;

/** EventBridge Scheduler rejects one of two concurrent changes. */
async function retryConflicts(change: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await change();
      return;
    } catch (error) {
      if (!(error instanceof ConflictException) || attempt === ATTEMPTS) throw error;
      await delay(attempt * PAUSE_MS);
    }
  }
}
