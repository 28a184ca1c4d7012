import { CLOCK_SKEW_MS } from '@cairn/shared/time/future';
import { LONGEST_LEASE_MS } from '../../../../functions/store/leases.ts';
import { NO_FAULTS } from '../harness/rates.ts';
import { checkMessages, checkNews } from './check-news.ts';
import { checkTable } from './check-table.ts';
import type { FleetScene } from './scene.ts';
import { SLOT_MS, untilSlot } from './slots.ts';

const DAY_MS = 24 * 3600_000;

/**
 * Lets those go on that stood still, then two undisturbed runs, by schedule and by hand, the second when all may be told
 * again. No lease or slot may be in their way, whatever clocks wrote it.
 */
export async function comeToRest(scene: FleetScene): Promise<void> {
  const { stage, turns, disturbances, table, truth, chronicle } = scene;
  disturbances.rates = NO_FAULTS;
  while (turns.present.length > 0) {
    const wake = turns.nextWake!;
    if (wake > Date.now()) stage.clock.advance(wake - Date.now());
    await scene.play();
  }
  stage.clock.advance(LONGEST_LEASE_MS + CLOCK_SKEW_MS);
  const restedAt = Date.now();
  stage.clock.advance(untilSlot(2));
  await undisturbedRun(scene, 'schedule');
  stage.clock.advance(DAY_MS + untilSlot());
  await undisturbedRun(scene, 'manual');
  if (!chronicle.hasWrongSlots) {
    checkNews(truth, chronicle);
    // Older messages may have been dropped for their age.
    checkMessages(truth, chronicle, restedAt + 4 * SLOT_MS - DAY_MS);
  }
  await checkTable(table, truth, chronicle);
}

async function undisturbedRun(scene: FleetScene, trigger: 'schedule' | 'manual'): Promise<void> {
  const { runs, chronicle } = scene;
  const run = runs.launch({ slot: Date.now(), trigger });
  await scene.play();
  if (run.result?.status !== 'Done' || run.result.counts.failed > 0) {
    chronicle.violate(`an undisturbed run by ${trigger} ends as ${JSON.stringify(run.result)}`);
  }
}
