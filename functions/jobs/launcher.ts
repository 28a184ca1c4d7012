import { ConflictException, CreateScheduleCommand, type SchedulerClient } from '@aws-sdk/client-scheduler';
import { sha256Hex } from '../runtime/hash.ts';

interface SyncLauncher {
  /** Returns the slot, which identifies the run. */
  launchSync(run: { readonly accept: readonly string[]; readonly now: number }): Promise<string>;
}

export interface PrunerLaunch {
  readonly pruner: string;
  readonly now: number;
  readonly trigger: 'manual' | 'resume';
  /** Slot of the run to resume; a new run gets one. */
  readonly slot?: string;
  readonly dryRun?: boolean | undefined;
  /** Hash of a prune plan that is confirmed although it is large. */
  readonly agree?: string | undefined;
}

export interface PrunerLauncher {
  /** Returns the slot, which identifies the run. */
  launchPruner(launch: PrunerLaunch): Promise<string>;
}

/** Starts jobs now: with a one-time schedule on AWS, in process in the local run. */
export interface RunLauncher extends SyncLauncher, PrunerLauncher {}

export interface SchedulerTarget {
  readonly functionArn: string;
  readonly roleArn: string;
  readonly group: string;
  readonly deliveryQueueArn: string;
}

/** Early enough that EventBridge Scheduler does not reject the time as past. */
const LEAD_MS = 5000;
const SECOND = 1000;
/** Seconds tried when other calls start the same pruner at the same time. */
const SECONDS_TRIED = 5;

/** Uses EventBridge Scheduler, so that a manual run has the same retries, role and dead-letter queue. */
export function schedulerSyncLauncher(client: SchedulerClient, target: SchedulerTarget): SyncLauncher {
  return {
    async launchSync({ accept, now }) {
      const slot = nextSecond(now);
      const input = { scheduledTime: slot, trigger: 'manual', accept };
      await createOnce(client, target, { name: `sync-now-${digitsOf(slot)}`, at: slot, input });
      return slot;
    },
  };
}

/** Starts and resumes prune runs through EventBridge Scheduler. */
export function schedulerPrunerLauncher(client: SchedulerClient, target: SchedulerTarget): PrunerLauncher {
  return {
    async launchPruner({ now, ...launch }) {
      if (launch.slot !== undefined) {
        // An existing schedule has not fired yet and resumes the same run.
        await createPrunerRun(client, target, { ...launch, slot: launch.slot }, nextSecond(now));
        return launch.slot;
      }
      for (let second = 0; second < SECONDS_TRIED; second++) {
        const slot = nextSecond(now + second * SECOND);
        if (await createPrunerRun(client, target, { ...launch, slot }, slot)) return slot;
      }
      throw new Error(`${launch.pruner} is being started again and again`);
    },
  };
}

type NewRun = Omit<PrunerLaunch, 'now'> & { readonly slot: string };

/** False if that run is already scheduled. */
async function createPrunerRun(
  client: SchedulerClient,
  target: SchedulerTarget,
  { slot, ...run }: NewRun,
  at: string,
): Promise<boolean> {
  // A pruner name can be as long as a schedule name, so use its hash.
  const pruner = sha256Hex(run.pruner).slice(0, 16);
  const start = run.trigger === 'resume' ? 'resume' : 'prune-now';
  try {
    await createOnce(client, target, {
      name: `${start}-${digitsOf(slot)}-${pruner}`,
      description: `image pruner ${run.pruner}`,
      at,
      input: { ...run, scheduledTime: slot },
    });
    return true;
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
    return false;
  }
}

interface OneTimeRun {
  readonly name: string;
  readonly description?: string;
  /** In whole seconds. */
  readonly at: string;
  readonly input: object;
}

/** Creates a schedule that fires once and then deletes itself. */
async function createOnce(
  client: SchedulerClient,
  target: SchedulerTarget,
  { name, description, at, input }: OneTimeRun,
): Promise<void> {
  await client.send(
    new CreateScheduleCommand({
      Name: name,
      GroupName: target.group,
      ...(description !== undefined && { Description: description }),
      ScheduleExpression: `at(${at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: target.functionArn,
        RoleArn: target.roleArn,
        Input: JSON.stringify(input),
        DeadLetterConfig: { Arn: target.deliveryQueueArn },
        RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 300 },
      },
    }),
  );
}

function nextSecond(now: number): string {
  return new Date(Math.ceil((now + LEAD_MS) / SECOND) * SECOND).toISOString();
}

/** `2026-01-02T03:04:05.000Z` → `20260102030405` */
function digitsOf(slot: string): string {
  return slot.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replaceAll(/[^0-9]/g, '');
}
