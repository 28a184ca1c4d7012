import { SYNC_LIMITS } from '../../../functions/jobs/sync/context.ts';
import { breakSyncLease, readSyncState } from '../../../functions/store/sync-state.ts';
import { checkFinalState } from './final-check.ts';
import { NO_FAULTS } from '../rig/rates.ts';
import type { SyncScene } from './scene.ts';
import { MINUTE, SLOT_MS } from './slots.ts';

/** Lets those go on that stood still, then two undisturbed runs; then all must be well. */
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
  for (const isLast of [false, true]) await undisturbedRun(scene, isLast);
  await checkFinalState(table, history, model, configuration.config);
}

async function undisturbedRun(scene: SyncScene, isLast: boolean): Promise<void> {
  const { stage, table, model, runs, history, journal } = scene;
  stage.clock.advance(SLOT_MS + MINUTE);
  const state = await readSyncState(table);
  // A clock that was wrong by years may have held it for as long: that is for people to end.
  if (state && state.leaseUntil > Date.now() + SYNC_LIMITS.leaseMs) {
    journal.counts.brokenLeases++;
    await breakSyncLease(table);
  }
  // Whatever was doubtful, or will be, is accepted by hand in the end.
  const accept = isLast ? Object.keys(state?.book.pairs ?? {}) : [];
  // The last one finds something new everywhere, so that it tidies up after all the others.
  if (isLast) model.addEverywhere();
  const request = { slot: Date.now(), trigger: 'manual' as const, ...(accept.length > 0 && { accept }) };
  history.undisturbed.add(runs.launch(request));
  await scene.play();
  const result = runs.lastResult;
  if (result?.status !== 'Done') {
    history.violate(`an undisturbed run ends as ${result ? result.reason : 'a failure'}`);
  }
}
