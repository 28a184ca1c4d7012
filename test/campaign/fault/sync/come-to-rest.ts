import { readSyncState } from '../../../../functions/releases/sync-state.ts';
import { checkFinalState } from './final-check.ts';
import { MINUTE, type SyncScene } from './scene.ts';

/** Two undisturbed runs, by schedule and by hand; then all must be well. No lease or slot may be in their way. */
export async function comeToRest(scene: SyncScene): Promise<void> {
  const { table, model, history, configuration } = scene;
  await scene.settle();
  model.recover();
  for (const isLast of [false, true]) await undisturbedRun(scene, isLast);
  await checkFinalState(table, history, model, configuration.config);
}

async function undisturbedRun(scene: SyncScene, isLast: boolean): Promise<void> {
  const { stage, table, model, runs, history } = scene;
  stage.clock.advance(scene.slotMs + MINUTE);
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
