import { FLEET_LIMITS } from '../../../functions/jobs/fleet/context.ts';
import { FLEET_STATE_KEY } from '../../../functions/store/keys.ts';
import { breakLease, leaseOf, readLeaseItem } from '../../../functions/store/leases.ts';
import { NO_FAULTS } from '../rig/rates.ts';
import { checkMessages, checkNews } from './check-news.ts';
import { checkTable } from './check-table.ts';
import type { FleetScene } from './scene.ts';
import { SLOT_MS, untilSlot } from './slots.ts';

const DAY_MS = 24 * 3600_000;

/** Lets those go on that stood still, then two undisturbed runs, the second when all may be told again. */
export async function comeToRest(scene: FleetScene): Promise<void> {
  const { stage, turns, disturbances, table, truth, chronicle } = scene;
  disturbances.rates = NO_FAULTS;
  while (turns.present.length > 0) {
    const wake = turns.nextWake!;
    if (wake > Date.now()) stage.clock.advance(wake - Date.now());
    await scene.play();
  }
  const restedAt = Date.now();
  stage.clock.advance(untilSlot(2));
  await undisturbedRun(scene);
  stage.clock.advance(DAY_MS + untilSlot());
  await undisturbedRun(scene);
  checkNews(truth, chronicle);
  // Older messages may have been dropped for their age.
  checkMessages(truth, chronicle, restedAt + 4 * SLOT_MS - DAY_MS);
  await checkTable(table, truth, chronicle);
}

async function undisturbedRun(scene: FleetScene): Promise<void> {
  const { table, runs, chronicle, journal } = scene;
  const { leaseUntil } = leaseOf((await readLeaseItem(table, FLEET_STATE_KEY)) ?? {});
  // A clock that was wrong by years may have held it for as long: that is for people to end.
  if (leaseUntil > Date.now() + FLEET_LIMITS.leaseMs) {
    journal.counts.brokenLeases++;
    await breakLease(table, FLEET_STATE_KEY);
  }
  const run = runs.launch({ slot: Date.now() });
  await scene.play();
  if (run.result?.status !== 'Done' || run.result.counts.failed > 0) {
    chronicle.violate(`an undisturbed run ends as ${JSON.stringify(run.result)}`);
  }
}
