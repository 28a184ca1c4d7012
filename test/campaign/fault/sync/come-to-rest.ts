import { CLOCK_SKEW_MS } from '@cairn/shared/time/future';
import { readSyncState } from '../../../../functions/releases/sync-state.ts';
import { LONGEST_LEASE_MS } from '../../../../functions/store/leases.ts';
import { NO_FAULTS } from '../harness/rates.ts';
import { checkFinalState } from './final-check.ts';
import type { SyncScene } from './scene.ts';
import { MINUTE, SLOT_MS } from './slots.ts';

/**
 * Lets those go on that stood still, then two undisturbed runs, by schedule and by hand; then all must be well. No lease or
 * slot may be in their way, whatever clocks wrote it.
 */
export async function comeToRest(scene: SyncScene): Promise<void> {
  const { stage, table, turns, disturbances, model, history, configuration } = scene;
  disturbances.rates = NO_FAULTS;
  disturbances.outage = null;
  while (turns.present.length > 0) {
    const wake = turns.nextWake!;
    if (wake > Date.now()) stage.clock.advance(wake - Date.now());
    await scene.play();
  }
  model.recover();
  stage.clock.advance(LONGEST_LEASE_MS + CLOCK_SKEW_MS);
  for (const isLast of [false, true]) await undisturbedRun(scene, isLast);
  await checkFinalState(table, history, model, configuration.config);
}

async function undisturbedRun(scene: SyncScene, isLast: boolean): Promise<void> {
  const { stage, table, model, runs, history } = scene;
  stage.clock.advance(SLOT_MS + MINUTE);
  const state = await readSyncState(table);
  // Whatever was doubtful, or will be, is accepted by hand in the end.
  const accept = isLast ? Object.keys(state?.book.pairs ?? {}) : [];
  // The last one finds something new everywhere, so that it tidies up after all the others.
  if (isLast) model.addEverywhere();
  const trigger = isLast ? 'manual' : 'schedule';
  const request = { slot: Date.now(), trigger, ...(accept.length > 0 && { accept }) } as const;
  history.undisturbed.add(runs.launch(request));
  await scene.play();
  const result = runs.lastResult;
  if (result?.status !== 'Done') {
    history.violate(`an undisturbed run by ${trigger} ends as ${result ? result.reason : 'a failure'}`);
  }
}
