import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { schedulerPrunerLauncher } from '../jobs/launcher.ts';
import type { GrantedRegistry } from '../prune-runs/registry-role.ts';
import { registryPresence } from '../prune-runs/registry-storage.ts';
import { schedulerPrunerSchedules } from '../pruners/schedules.ts';
import { placeOf } from '../pruners/store.ts';
import { ENV, requireEnv } from '../runtime/env.ts';
import { clientSettings } from '../store/client.ts';
import type { HousekeepingPruning } from './run.ts';

export function awsPruning(registryBuckets: string): HousekeepingPruning {
  const environment = requireEnv([
    ENV.prunerFunctionArn,
    ENV.prunerRoleArn,
    ENV.scheduleGroup,
    ENV.deliveryQueueArn,
  ]);
  const scheduler = new SchedulerClient(clientSettings(4));
  const target = {
    functionArn: environment[ENV.prunerFunctionArn],
    roleArn: environment[ENV.prunerRoleArn],
    group: environment[ENV.scheduleGroup],
    deliveryQueueArn: environment[ENV.deliveryQueueArn],
  };
  const launcher = schedulerPrunerLauncher(scheduler, target);
  const granted = JSON.parse(registryBuckets) as GrantedRegistry[];
  // The role of these buckets may delete, so housekeeping must not assume it: expect a registry there.
  const places = new Set(granted.filter(({ roleArn }) => roleArn !== undefined).map(placeOf));
  const holdsRegistry = registryPresence();
  return {
    grantedBuckets: granted.map(({ bucket, prefix }) => ({ bucket, prefix })),
    schedules: schedulerPrunerSchedules(scheduler, target, Date.now),
    holdsRegistry: async (registry) => places.has(placeOf(registry)) || holdsRegistry(registry),
    async resume(pruner, slot) {
      await launcher.launchPruner({ pruner, slot, trigger: 'resume', now: Date.now() });
    },
  };
}
