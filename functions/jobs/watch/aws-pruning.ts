import { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner-spec';
import { ENV, requireEnv } from '../../runtime/env.ts';
import { schedulerPrunerLauncher } from '../../runtime/scheduler-launcher.ts';
import { schedulerPrunerSchedules } from '../../runtime/scheduler-pruner-schedules.ts';
import { registryPresence } from '../../store/registry-presence.ts';
import type { WatchedPruning } from './context.ts';

/** Pruners as they are on AWS, of the buckets that a deployment names. */
export function awsPruning(registryBuckets: string): WatchedPruning {
  const environment = requireEnv([
    ENV.prunerFunctionArn,
    ENV.prunerRoleArn,
    ENV.scheduleGroup,
    ENV.deliveryQueueArn,
  ]);
  const scheduler = new SchedulerClient({ maxAttempts: 4 });
  const target = {
    functionArn: environment[ENV.prunerFunctionArn],
    roleArn: environment[ENV.prunerRoleArn],
    group: environment[ENV.scheduleGroup],
    deliveryQueueArn: environment[ENV.deliveryQueueArn],
  };
  const launcher = schedulerPrunerLauncher(scheduler, target);
  return {
    grantedBuckets: JSON.parse(registryBuckets) as RegistryTarget[],
    schedules: schedulerPrunerSchedules(scheduler, target, Date.now),
    holdsRegistry: registryPresence(),
    async resume(pruner, slot) {
      await launcher.launchPruner({ pruner, slot, trigger: 'resume', now: Date.now() });
    },
  };
}
