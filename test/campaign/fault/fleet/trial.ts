import { Deliveries, DELIVERIES } from '../harness/deliveries.ts';
import { type FaultRates, NO_FAULTS } from '../harness/rates.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { FaultKind, TrialOptions, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import type { Report } from './reporters.ts';
import { CLUSTERS, type FleetScene, inFleetScene, MINUTE } from './scene.ts';
import { OFFER_CHANGES } from './upstream.ts';

const RATES: Readonly<Record<FaultKind, FaultRates>> = {
  any: { refused: 0.03, lost: 0.03, torn: 0.1, stale: 0.3, pause: 0.003, events: 0.25 },
  'lost-answers': { ...NO_FAULTS, lost: 0.3, events: 0.3 },
  duplicates: { ...NO_FAULTS, lost: 0.02, events: 0.1 },
  clock: { ...NO_FAULTS, lost: 0.02, events: 0.1 },
  concurrent: { ...NO_FAULTS, lost: 0.02, pause: 0.02, events: 0.1 },
  throttled: NO_FAULTS,
};

/** Some hours or days of a fleet: clusters report, upstream changes, slots come once, often, late or not at all. */
export function fleetTrial(stage: FaultStage, { kind, ...options }: TrialOptions): Promise<TrialOutcome> {
  return inFleetScene(stage, options, async (scene) => {
    await rounds(scene, kind);
    if (scene.violations.length === 0) await comeToRest(scene);
    return scene.outcome();
  });
}

async function rounds(scene: FleetScene, kind: FaultKind): Promise<void> {
  const { random, stage, disturbances, reporters, runs, journal, coming } = scene;
  const deliveries = new Deliveries(scene, kind, [8, 30]);
  for (const id of CLUSTERS.slice(0, 2)) reporters.launch(id, { version: '4.19.8', isBlocked: false });
  await scene.play();
  const count = 4 + random.below(3);
  for (let round = 0; round < count && scene.violations.length === 0; round++) {
    const slot = scene.nextSlot(random.pick([1, 1, 1, 2, 13, 289]));
    if (random.chance(0.1)) stage.clock.advance(4 * MINUTE);
    // The first round notes what is so: most of the time it is not the one to look at.
    disturbances.rates = round > 0 || random.chance(0.3) ? RATES[kind] : NO_FAULTS;
    if (round > 0 && random.chance(0.6)) coming.push(random.pick(OFFER_CHANGES));
    for (let reports = round === 0 ? 0 : random.below(4); reports > 0; reports--) {
      const id = random.pick(CLUSTERS);
      reporters.launch(id, drawReport(scene, id), deliveries.mayBreak(0.1));
    }
    const atOnce = random.pick(DELIVERIES[kind].atOnce);
    journal.counts.duplicates += atOnce - 1;
    for (let delivery = 0; delivery < atOnce; delivery++) {
      const isLate = round > 0 && random.chance(0.1);
      runs.launch(deliveries.draw(isLate ? slot - scene.slotMs : slot));
    }
    await scene.play();
  }
}

/** It runs what it ran or something newer, is blocked or not, or is deleted. */
function drawReport({ random, truth }: FleetScene, id: string): Report {
  const now = truth.clusterNow(id);
  if (now !== null && random.chance(0.08)) return null;
  const { patches } = truth.offer;
  const newer = patches.slice(patches.indexOf(now?.version ?? '4.19.8'));
  return { version: random.chance(0.8) ? newer[0]! : random.pick(newer), isBlocked: random.chance(0.5) };
}
