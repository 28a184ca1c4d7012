import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { SyncScene } from './scene.ts';
import { untilSlot } from './slots.ts';

const KILLS = 2;

/** Runs in processes of their own, which are killed by the system at some call. */
export async function killTrial(stage: FaultStage, seed: number): Promise<TrialOutcome> {
  const scene = await SyncScene.open(stage, { seed, minors: ['4.12', '4.13'], readers: 1 });
  const { random, model, faults } = scene;
  try {
    if (random.chance(0.7)) {
      scene.runs.launch({ slot: Date.now() });
      await scene.play();
    }
    for (let kill = 0; kill < KILLS && scene.history.violations.length === 0; kill++) {
      stage.clock.advance(untilSlot());
      if (random.chance(0.7)) model.addEverywhere();
      else model.change('stable-4.12/amd64', 'edge gone');
      const call = 1 + faults.random.below(30);
      const side = faults.random.pick(['before', 'after'] as const);
      faults.take(call, `a process is killed ${side} call ${call}`);
      await scene.runs.launchProcess(Date.now(), { call, side });
      await scene.play();
    }
    await comeToRest(scene);
    return scene.outcome();
  } finally {
    await scene.close();
  }
}
