import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { SyncScene } from './scene.ts';
import { untilSlot } from './slots.ts';

export const OUTAGES = ['table', 'bucket', 'upstream'] as const;
export const OUTAGE_PHASES = 12;
const CALLS_PER_PHASE = 3;
const READS = 60;

/**
 * Something is gone altogether from some call of a run on, for that run and the next, while readers go on: a function
 * that is warm has what it had, or says when to come back.
 */
export async function outageTrial(
  stage: FaultStage,
  what: (typeof OUTAGES)[number],
  phase: number,
): Promise<TrialOutcome> {
  const scene = await SyncScene.open(stage, { seed: 1000 + phase, minors: ['4.12', '4.13'], readers: 2 });
  try {
    await nextRun(scene);
    scene.model.addEverywhere();
    scene.disturbances.onCall = ({ number }) => {
      if (number < phase * CALLS_PER_PHASE) return;
      if (what === 'upstream') scene.model.isDown = true;
      else scene.disturbances.outage = what;
    };
    scene.faults.take(what, `the ${what} is gone from call ${phase * CALLS_PER_PHASE} on`);
    scene.journal.counts.faults++;
    await nextRun(scene);
    await nextRun(scene);
    for (let read = 0; read < READS; read++) {
      stage.clock.advance(5000);
      await scene.read();
    }
    scene.disturbances.onCall = () => {};
    await comeToRest(scene);
    return scene.outcome();
  } finally {
    await scene.close();
  }
}

async function nextRun(scene: SyncScene): Promise<void> {
  scene.stage.clock.advance(untilSlot());
  scene.runs.launch({ slot: Date.now() });
  await scene.play();
}
