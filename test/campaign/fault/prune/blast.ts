import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { hostileConfigurationTrial } from './registry/hostile-configuration.ts';
import { hostileRegistryTrial } from './registry/hostile-registry.ts';

/** How much may go at once when what is read is not what anybody meant: of three seeds two are of a registry. */
export function blastTrial(stage: FaultStage, seed: number): Promise<TrialOutcome> {
  stage.clock.restart();
  stage.tableProxy.use(null);
  stage.bucketProxy.use(null);
  return seed % 3 === 0 ? hostileConfigurationTrial(stage, seed) : hostileRegistryTrial(stage, seed);
}
