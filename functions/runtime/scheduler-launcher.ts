import { CreateScheduleCommand, type SchedulerClient } from '@aws-sdk/client-scheduler';
import type { RunLauncher } from './run-launcher.ts';

export interface SchedulerTarget {
  readonly functionArn: string;
  readonly roleArn: string;
  readonly group: string;
  readonly deliveryQueueArn: string;
}

/** Far enough ahead that EventBridge Scheduler does not find the time already past. */
const LEAD_MS = 5000;

/** Runs through EventBridge Scheduler, so that a run by hand has the same retries, role and dead-letter queue as others. */
export function schedulerLauncher(client: SchedulerClient, target: SchedulerTarget): RunLauncher {
  return {
    async launchSync({ accept, now }) {
      const slot = new Date(Math.ceil((now + LEAD_MS) / 1000) * 1000).toISOString();
      const at = slot.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
      await client.send(
        new CreateScheduleCommand({
          Name: `sync-now-${at.replaceAll(/[^0-9]/g, '')}`,
          GroupName: target.group,
          ScheduleExpression: `at(${at})`,
          FlexibleTimeWindow: { Mode: 'OFF' },
          ActionAfterCompletion: 'DELETE',
          Target: {
            Arn: target.functionArn,
            RoleArn: target.roleArn,
            Input: JSON.stringify({ scheduledTime: slot, trigger: 'manual', accept }),
            DeadLetterConfig: { Arn: target.deliveryQueueArn },
            RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 300 },
          },
        }),
      );
      return slot;
    },
  };
}
