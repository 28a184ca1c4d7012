import { Deliveries, DELIVERIES } from '../harness/deliveries.ts';
import { type FaultRates, NO_FAULTS } from '../harness/rates.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { FaultKind, TrialOptions, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { inSyncScene, MINUTE, type SyncScene } from './scene.ts';

const MINORS = ['4.12', '4.13', '4.14'];

const RATES: Readonly<Record<FaultKind, FaultRates>> = {
  any: { refused: 0.03, lost: 0.02, torn: 0.12, stale: 0.3, pause: 0.002, events: 0.1 },
  'lost-answers': { ...NO_FAULTS, lost: 0.3, stale: 0.3, events: 0.3 },
  duplicates: { ...NO_FAULTS, lost: 0.02, stale: 0.2 },
  clock: { ...NO_FAULTS, lost: 0.02, stale: 0.2 },
  concurrent: { ...NO_FAULTS, lost: 0.02, stale: 0.2, pause: 0.012 },
  throttled: NO_FAULTS,
};

/** Some hours or weeks of the sync: upstream and configuration change, slots come once, often, late or not at all. */
export function syncTrial(stage: FaultStage, { kind, ...options }: TrialOptions): Promise<TrialOutcome> {
  return inSyncScene(stage, { ...options, minors: MINORS, readers: 2 }, async (scene) => {
    if (kind === 'throttled') await throttledRounds(scene);
    else if (kind === 'concurrent' && scene.random.chance(0.2)) await retirementRounds(scene);
    else await rounds(scene, kind);
    if (scene.violations.length === 0) await comeToRest(scene);
    return scene.outcome();
  });
}

async function rounds(scene: SyncScene, kind: FaultKind): Promise<void> {
  const { random, model, stage, disturbances, runs, journal } = scene;
  const count = 4 + random.below(4);
  const deliveries = new Deliveries(scene, kind, [8, 30, 60]);
  let removed: string | null = null;
  for (let round = 0; round < count && scene.violations.length === 0; round++) {
    if (round > 0) {
      for (let changes = random.below(4); changes > 0; changes--) journal.note(model.evolve());
      if (random.chance(0.3)) removed = editConfiguration(scene, removed);
    }
    const slot = scene.nextSlot(random.pick([1, 1, 1, 2, 13, 36, 500, 15 * 144]));
    // The first round fills an empty table: most of the time it is not the one to look at.
    disturbances.rates = round > 0 || random.chance(0.3) ? RATES[kind] : NO_FAULTS;
    if (random.chance(0.1)) stage.clock.advance(6 * MINUTE);
    const atOnce = round === 0 ? 1 : random.pick(DELIVERIES[kind].atOnce);
    journal.counts.duplicates += atOnce - 1;
    for (let delivery = 0; delivery < atOnce; delivery++) {
      const isLate = round > 0 && random.chance(0.1);
      runs.launch(deliveries.draw(isLate ? slot - scene.slotMs : slot));
    }
    await scene.play();
  }
}

/** Half of all calls are refused for a minute of the clock, then none. */
async function throttledRounds(scene: SyncScene): Promise<void> {
  const { random, model, disturbances, runs, journal } = scene;
  runs.launch({ slot: Date.now() });
  await scene.play();
  for (let changes = 1 + random.below(4); changes > 0; changes--) journal.note(model.evolve());
  const slot = scene.nextSlot();
  disturbances.rates = { ...NO_FAULTS, refused: 0.5, stale: 0.3 };
  const until = Date.now() + MINUTE;
  disturbances.onCall = () => {
    if (Date.now() > until) disturbances.rates = NO_FAULTS;
  };
  runs.launch({ slot });
  await scene.play();
  disturbances.rates = NO_FAULTS;
}

/** A minor goes for good while runs stand still, and comes back before they go on: by chance alone that is too rare. */
async function retirementRounds(scene: SyncScene): Promise<void> {
  const { random, model, disturbances, runs, journal } = scene;
  const rates = RATES.concurrent;
  const { atOnce } = DELIVERIES.concurrent;
  const round = async (slots: number, runsAtOnce: number) => {
    const slot = scene.nextSlot(slots);
    for (let delivery = 0; delivery < runsAtOnce; delivery++) runs.launch({ slot });
    journal.counts.duplicates += runsAtOnce - 1;
    await scene.play();
  };
  await round(1, 1);
  const minor = random.pick(MINORS);
  scene.configure(
    MINORS.filter((other) => other !== minor),
    [minor],
  );
  await round(1, 1);
  if (random.chance(0.5)) journal.note(model.evolve());
  disturbances.rates = { ...rates, pause: 2 * rates.pause };
  await round(15 * 144, random.pick(atOnce));
  disturbances.rates = rates;
  scene.configure(MINORS);
  for (let rounds = 1 + random.below(3); rounds > 0 && scene.violations.length === 0; rounds--) {
    if (random.chance(0.3)) journal.note(model.evolve());
    await round(1, random.pick([1, ...atOnce]));
  }
}

/** A minor leaves, with or without a word that this is meant, or the one that left comes back. */
function editConfiguration(scene: SyncScene, removed: string | null): string | null {
  if (removed !== null && scene.random.chance(0.5)) {
    scene.configure(MINORS);
    return null;
  }
  const minor = removed ?? scene.random.pick(MINORS);
  scene.configure(
    MINORS.filter((other) => other !== minor),
    scene.random.chance(0.5) ? [minor] : [],
  );
  return minor;
}
