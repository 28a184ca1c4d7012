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
import type { Schedule } from '@cairn/shared/prune/schedule/next-times';
import { toAws } from '@cairn/shared/prune/schedule/to-aws';
import { isInFuture } from '@cairn/shared/time/future';
import type { SchedulerTarget } from '../jobs/launcher.ts';
import { sha256Hex } from '../runtime/hash.ts';

export interface PrunerScheduleDefinition {
  readonly schedule: Schedule;
  readonly timeZone: string;
  /** Whether it is kept, but does not fire. */
  readonly suspend: boolean;
  readonly startingDeadlineSeconds: number;
}

/** What a schedule sends when it fires. The same time may come twice: `scheduledTime` tells. */
export interface PrunerFiring {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: 'schedule';
  /** Which delivery it was, for the log; only on AWS. */
  readonly executionId?: string;
  readonly attempt?: string;
}

/** The schedules of pruners: EventBridge Scheduler on AWS, a clock in the process of the local run. */
export interface PrunerSchedules {
  /** Creates the schedule of a pruner or makes it what it is to be. Intervals begin anew with it. */
  put(pruner: string, definition: PrunerScheduleDefinition): Promise<void>;
  /** Whether exactly this is in force; `put` repairs what is not. */
  holds(pruner: string, definition: PrunerScheduleDefinition): Promise<boolean>;
  /** One that is not there is no error. */
  remove(pruner: string): Promise<void>;
}

/** Pruners as schedules of EventBridge Scheduler: one each, two for what fires by dates and by weekdays. */
export function schedulerPrunerSchedules(
  client: SchedulerClient,
  target: SchedulerTarget,
  clock: () => number,
): PrunerSchedules {
  const key = (name: string) => ({ Name: name, GroupName: target.group });
  return {
    async put(pruner, definition) {
      const [first, second] = schedulesOf(pruner, definition, target, clock());
      await retryConflicts(() => updateOrCreate(client, first));
      await retryConflicts(() =>
        second === null ? removeOne(client, key(secondNameOf(pruner))) : updateOrCreate(client, second),
      );
    },
    async holds(pruner, definition) {
      const held = await Promise.all([
        readOne(client, key(nameOf(pruner))),
        readOne(client, key(secondNameOf(pruner))),
      ]);
      const wanted = schedulesOf(pruner, definition, target, clock());
      const isStarting = held.every((one, index) => !startsTooLate(one, wanted[index]));
      return isStarting && isDeepStrictEqual(held.map(essentials), wanted.map(essentials));
    },
    async remove(pruner) {
      for (const name of [nameOf(pruner), secondNameOf(pruner)]) {
        await retryConflicts(() => removeOne(client, key(name)));
      }
    },
  };
}

type Definition = UpdateScheduleCommandInput;

/** Everything of it: an update resets to the default what it does not name. */
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
    // Without it a rate fires as soon as it is made.
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

/** EventBridge Scheduler puts the values in when it fires. */
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

/** At most 60 characters of the 64 allowed. Plain names have no underscore, so none of them looks like a made one. */
function nameOf(pruner: string): string {
  if (PLAIN_NAME.test(pruner)) return `pruner-${pruner}`;
  const hash = sha256Hex(pruner).slice(0, 16);
  return `pruner-${pruner.slice(0, 36).replaceAll(/[^a-zA-Z0-9.-]/g, '-')}_${hash}`;
}

function secondNameOf(pruner: string): string {
  return `${nameOf(pruner)}_dow`;
}

/** What would make a pruner run otherwise if it were otherwise. When an interval began does not. */
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

/** A clock that was ahead made it: it would not fire before that time. */
function startsTooLate(
  held: GetScheduleCommandOutput | null | undefined,
  wanted: Definition | null | undefined,
): boolean {
  const { StartDate: start } = held ?? {};
  return start !== undefined && wanted?.StartDate !== undefined && isInFuture(+start, +wanted.StartDate);
}

async function updateOrCreate(client: SchedulerClient, definition: Definition): Promise<void> {
  try {
    await client.send(new UpdateScheduleCommand(definition));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await client.send(new CreateScheduleCommand(definition));
  }
}

interface ScheduleKey {
  readonly Name: string;
  readonly GroupName: string;
}

async function readOne(client: SchedulerClient, key: ScheduleKey): Promise<GetScheduleCommandOutput | null> {
  try {
    return await client.send(new GetScheduleCommand(key));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return null;
  }
}

async function removeOne(client: SchedulerClient, key: ScheduleKey): Promise<void> {
  try {
    await client.send(new DeleteScheduleCommand(key));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;

/** Two who change the same schedule at once: one of them is told so, and may come again. */
async function retryConflicts(change: () => Promise<void>): Promise<void> {
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
