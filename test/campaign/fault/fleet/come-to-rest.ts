import { checkMessages, checkNews } from './check-news.ts';
import { checkTable } from './check-table.ts';
import type { FleetScene } from './scene.ts';

const DAY_MS = 24 * 3600_000;

/**
 * Two undisturbed runs, by schedule and by hand, the second when all may be told again. No lease or slot may be in their
 * way, whatever clocks wrote it.
 */
export async function comeToRest(scene: FleetScene): Promise<void> {
  const { stage, table, truth, chronicle, slotMs } = scene;
  await scene.settle();
  const restedAt = Date.now();
  scene.nextSlot();
  await undisturbedRun(scene, 'schedule');
  stage.clock.advance(DAY_MS);
  await undisturbedRun(scene, 'manual');
  if (!chronicle.hasWrongSlots) {
    checkNews(truth, chronicle);
    // Older messages may have been dropped for their age.
    checkMessages(truth, chronicle, restedAt + 4 * slotMs - DAY_MS);
  }
  await checkTable(table, truth, chronicle);
}

async function undisturbedRun(scene: FleetScene, trigger: 'schedule' | 'manual'): Promise<void> {
  const { runs, chronicle } = scene;
  const run = runs.launch({ slot: scene.nextSlot(), trigger });
  await scene.play();
  if (run.result?.status !== 'Done' || run.result.counts.failed > 0) {
    chronicle.violate(`an undisturbed run by ${trigger} ends as ${JSON.stringify(run.result)}`);
  }
}
