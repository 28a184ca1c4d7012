import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { inSyncScene } from './scene.ts';

export const OUTAGES = ['table', 'bucket', 'upstream'] as const;
export const OUTAGE_PHASES = 12;
const CALLS_PER_PHASE = 3;
const READS = 60;

/**
 * Something is gone altogether from some call of a run on, for that run and the next, while readers go on: a function
 * that is warm has what it had, or says when to come back.
 */
export function outageTrial(
  stage: FaultStage,
  what: (typeof OUTAGES)[number],
  phase: number,
): Promise<TrialOutcome> {
  const options = { seed: 1000 + phase, minors: ['4.12', '4.13'], readers: 2 };
  return inSyncScene(stage, options, async (scene) => {
    const { model, disturbances, faults, journal } = scene;
    await scene.nextRun();
    model.addEverywhere();
    disturbances.onCall = ({ number }) => {
      if (number < phase * CALLS_PER_PHASE) return;
      if (what === 'upstream') model.isDown = true;
      else disturbances.outage = what;
    };
    faults.take(what, `the ${what} is gone from call ${phase * CALLS_PER_PHASE} on`);
    journal.counts.faults++;
    await scene.nextRun();
    await scene.nextRun();
    for (let read = 0; read < READS; read++) {
      stage.clock.advance(5000);
      await scene.read();
    }
    disturbances.onCall = () => {};
    await comeToRest(scene);
    return scene.outcome();
  });
}
