import { drawBreak } from '../harness/draw-break.ts';
import { drawClock, drawWrongSlot } from '../harness/program-clock.ts';
import { type FaultRates, NO_FAULTS } from '../harness/rates.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { FaultKind, TrialOptions, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import type { RunOptions } from './runs.ts';
import { SyncScene } from './scene.ts';
import { MINUTE, SLOT_MS, untilSlot } from './slots.ts';

const MINORS = ['4.12', '4.13', '4.14'];

interface Profile {
  readonly rates: FaultRates;
  /** Kills in the whole trial. */
  readonly kills: readonly [least: number, most: number];
  /** Deliveries of one slot at once, as often as each is here. */
  readonly deliveries: readonly number[];
  readonly wrongClocks: number;
  /** Of trials: in these, of slots. */
  readonly wrongSlots?: readonly [trials: number, slots: number];
}

const MIXED: FaultRates = { refused: 0.03, lost: 0.02, torn: 0.12, stale: 0.3, pause: 0.002, events: 0.1 };

const PROFILES: Readonly<Record<FaultKind, Profile>> = {
  any: { rates: MIXED, kills: [1, 3], deliveries: [1, 1, 1, 2, 3], wrongClocks: 0.1 },
  'lost-answers': {
    rates: { ...NO_FAULTS, lost: 0.3, stale: 0.3, events: 0.3 },
    kills: [0, 0],
    deliveries: [1],
    wrongClocks: 0,
  },
  duplicates: {
    rates: { ...NO_FAULTS, lost: 0.02, stale: 0.2 },
    kills: [0, 1],
    deliveries: [2, 3, 4, 5],
    wrongClocks: 0,
  },
  clock: {
    rates: { ...NO_FAULTS, lost: 0.02, stale: 0.2 },
    kills: [0, 2],
    deliveries: [1, 1, 2],
    wrongClocks: 0.8,
    wrongSlots: [0.5, 0.4],
  },
  concurrent: {
    rates: { ...NO_FAULTS, lost: 0.02, stale: 0.2, pause: 0.012 },
    kills: [0, 1],
    deliveries: [2, 3, 4],
    wrongClocks: 0.2,
  },
  throttled: { rates: NO_FAULTS, kills: [0, 0], deliveries: [1], wrongClocks: 0 },
};

/** Some hours or weeks of the sync: upstream and configuration change, slots come once, often, late or not at all. */
export async function syncTrial(stage: FaultStage, options: TrialOptions): Promise<TrialOutcome> {
  const { seed, kind, bug, without } = options;
  const profile = PROFILES[kind];
  const scene = await SyncScene.open(stage, { seed, minors: MINORS, readers: 2, bug, without });
  try {
    if (kind === 'throttled') await throttledRounds(scene);
    else if (kind === 'concurrent' && scene.random.chance(0.2)) await retirementRounds(scene, profile);
    else await rounds(scene, profile);
    if (scene.history.violations.length === 0) await comeToRest(scene);
    return scene.outcome();
  } finally {
    await scene.close();
  }
}

async function rounds(scene: SyncScene, profile: Profile): Promise<void> {
  const { random, faults, model, stage, disturbances, runs, journal } = scene;
  const count = 4 + random.below(4);
  const [least, most] = profile.kills;
  let kills = least + faults.random.below(most - least + 1);
  let removed: string | null = null;
  const [ofTrials, ofSlots] = profile.wrongSlots ?? [0, 0];
  const wrongSlots = faults.random.chance(ofTrials) ? ofSlots : 0;
  for (let round = 0; round < count && scene.history.violations.length === 0; round++) {
    if (round > 0) {
      for (let changes = random.below(4); changes > 0; changes--) journal.note(model.evolve());
      if (random.chance(0.3)) removed = editConfiguration(scene, removed);
    }
    stage.clock.advance(untilSlot(random.pick([1, 1, 1, 2, 13, 36, 500, 15 * 144])));
    // The first round fills an empty table: most of the time it is not the one to look at.
    disturbances.rates = round > 0 || random.chance(0.3) ? profile.rates : NO_FAULTS;
    const slot = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
    if (random.chance(0.1)) stage.clock.advance(6 * MINUTE);
    const deliveries = round === 0 ? 1 : random.pick(profile.deliveries);
    journal.counts.duplicates += deliveries - 1;
    for (let delivery = 0; delivery < deliveries; delivery++) {
      const isLate = round > 0 && random.chance(0.1);
      const isKilled = kills > 0 && disturbances.rates !== NO_FAULTS && faults.random.chance(0.6);
      const breakAt = isKilled ? drawBreak(faults, [8, 30, 60], 0.8) : null;
      if (breakAt) kills--;
      const wrong = drawWrongSlot(faults, wrongSlots);
      if (wrong) journal.counts.clockJumps++;
      runs.launch({
        slot: (isLate ? slot - SLOT_MS : slot) + (wrong?.offset ?? 0),
        ...(breakAt && { breakAt }),
        ...(wrong ? { isSlotWrong: true, ...wrong } : wrongClock(scene, profile)),
      });
    }
    await scene.play();
  }
}

/** Half of all calls are refused for a minute of the clock, then none. */
async function throttledRounds(scene: SyncScene): Promise<void> {
  const { random, model, stage, disturbances, runs, journal } = scene;
  runs.launch({ slot: Date.now() });
  await scene.play();
  for (let changes = 1 + random.below(4); changes > 0; changes--) journal.note(model.evolve());
  stage.clock.advance(untilSlot());
  disturbances.rates = { ...NO_FAULTS, refused: 0.5, stale: 0.3 };
  const until = Date.now() + MINUTE;
  disturbances.onCall = () => {
    if (Date.now() > until) disturbances.rates = NO_FAULTS;
  };
  runs.launch({ slot: Date.now() });
  await scene.play();
  disturbances.rates = NO_FAULTS;
}

/** A minor goes for good while runs stand still, and comes back before they go on: by chance alone that is too rare. */
async function retirementRounds(scene: SyncScene, { rates, deliveries }: Profile): Promise<void> {
  const { random, model, stage, disturbances, runs, journal } = scene;
  const round = async (slots: number, runsAtOnce: number) => {
    stage.clock.advance(untilSlot(slots));
    for (let delivery = 0; delivery < runsAtOnce; delivery++) runs.launch({ slot: Date.now() });
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
  await round(15 * 144, random.pick(deliveries));
  disturbances.rates = rates;
  scene.configure(MINORS);
  for (let rounds = 1 + random.below(3); rounds > 0 && scene.history.violations.length === 0; rounds--) {
    if (random.chance(0.3)) journal.note(model.evolve());
    await round(1, random.pick([1, ...deliveries]));
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

function wrongClock({ faults, journal }: SyncScene, { wrongClocks }: Profile): Pick<RunOptions, 'clock'> {
  const clock = drawClock(faults, wrongClocks);
  if (clock) journal.counts.clockJumps++;
  return clock ? { clock } : {};
}
