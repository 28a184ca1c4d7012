import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { inSyncScene } from './scene.ts';

const KILLS = 2;

/** Runs in processes of their own, which are killed by the system at some call. */
export function killTrial(stage: FaultStage, seed: number): Promise<TrialOutcome> {
  return inSyncScene(stage, { seed, minors: ['4.12', '4.13'], readers: 1 }, async (scene) => {
    const { random, model, faults } = scene;
    if (random.chance(0.7)) {
      scene.runs.launch({ slot: Date.now() });
      await scene.play();
    }
    for (let kill = 0; kill < KILLS && scene.violations.length === 0; kill++) {
      const slot = scene.nextSlot();
      if (random.chance(0.7)) model.addEverywhere();
      else model.change('stable-4.12/amd64', 'edge gone');
      const call = 1 + faults.random.below(30);
      const side = faults.random.pick(['before', 'after'] as const);
      faults.take(call, `a process is killed ${side} call ${call}`);
      await scene.runs.launchProcess(slot, { call, side });
      await scene.play();
    }
    await comeToRest(scene);
    return scene.outcome();
  });
}
