import type { Break } from '../harness/client-boundary.ts';
import { drawBreak } from '../harness/draw-break.ts';
import { drawClock, drawWrongSlot } from '../harness/program-clock.ts';
import { type FaultRates, NO_FAULTS } from '../harness/rates.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { FaultKind, TrialOptions, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import type { Report } from './reporters.ts';
import type { RunOptions } from './runs.ts';
import { CLUSTERS, FleetScene } from './scene.ts';
import { MINUTE, SLOT_MS, untilSlot } from './slots.ts';
import { OFFER_CHANGES } from './upstream.ts';

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

const MIXED: FaultRates = { refused: 0.03, lost: 0.03, torn: 0.1, stale: 0.3, pause: 0.003, events: 0.25 };

const PROFILES: Readonly<Record<Exclude<FaultKind, 'throttled'>, Profile>> = {
  any: { rates: MIXED, kills: [1, 3], deliveries: [1, 1, 1, 2, 3], wrongClocks: 0.1 },
  'lost-answers': {
    rates: { ...NO_FAULTS, lost: 0.3, events: 0.3 },
    kills: [0, 0],
    deliveries: [1],
    wrongClocks: 0,
  },
  duplicates: {
    rates: { ...NO_FAULTS, lost: 0.02, events: 0.1 },
    kills: [0, 1],
    deliveries: [2, 3, 4, 5],
    wrongClocks: 0,
  },
  clock: {
    rates: { ...NO_FAULTS, lost: 0.02, events: 0.1 },
    kills: [0, 2],
    deliveries: [1, 1, 2],
    wrongClocks: 0.8,
    wrongSlots: [0.5, 0.4],
  },
  concurrent: {
    rates: { ...NO_FAULTS, lost: 0.02, pause: 0.02, events: 0.1 },
    kills: [0, 1],
    deliveries: [2, 3, 4],
    wrongClocks: 0.2,
  },
};

/** Some hours or days of a fleet: clusters report, upstream changes, slots come once, often, late or not at all. */
export async function fleetTrial(stage: FaultStage, options: TrialOptions): Promise<TrialOutcome> {
  const { seed, kind, bug, without } = options;
  const scene = await FleetScene.open(stage, { seed, bug, without });
  try {
    await rounds(scene, PROFILES[kind as keyof typeof PROFILES]);
    if (scene.chronicle.violations.length === 0) await comeToRest(scene);
    return scene.outcome();
  } finally {
    await scene.close();
  }
}

async function rounds(scene: FleetScene, profile: Profile): Promise<void> {
  const { random, faults, stage, disturbances, reporters, runs, journal, coming } = scene;
  const [least, most] = profile.kills;
  const kills = { left: least + faults.random.below(most - least + 1) };
  const [ofTrials, ofSlots] = profile.wrongSlots ?? [0, 0];
  const wrongSlots = faults.random.chance(ofTrials) ? ofSlots : 0;
  for (const id of CLUSTERS.slice(0, 2)) reporters.launch(id, { version: '4.14.8', isBlocked: false });
  await scene.play();
  const count = 4 + random.below(3);
  for (let round = 0; round < count && scene.chronicle.violations.length === 0; round++) {
    stage.clock.advance(untilSlot(random.pick([1, 1, 1, 2, 13, 289])));
    const slot = Date.now();
    if (random.chance(0.1)) stage.clock.advance(4 * MINUTE);
    // The first round notes what is so: most of the time it is not the one to look at.
    disturbances.rates = round > 0 || random.chance(0.3) ? profile.rates : NO_FAULTS;
    if (round > 0 && random.chance(0.6)) coming.push(random.pick(OFFER_CHANGES));
    for (let reports = round === 0 ? 0 : random.below(4); reports > 0; reports--) {
      const id = random.pick(CLUSTERS);
      reporters.launch(id, drawReport(scene, id), mayBreak(scene, kills, 0.1));
    }
    const deliveries = random.pick(profile.deliveries);
    journal.counts.duplicates += deliveries - 1;
    for (let delivery = 0; delivery < deliveries; delivery++) {
      const breakAt = mayBreak(scene, kills, 0.6);
      const isLate = round > 0 && random.chance(0.1);
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

/** It runs what it ran or something newer, is blocked or not, or is deleted. */
function drawReport({ random, truth }: FleetScene, id: string): Report {
  const now = truth.clusterNow(id);
  if (now !== null && random.chance(0.08)) return null;
  const { patches } = truth.offer;
  const newer = patches.slice(patches.indexOf(now?.version ?? '4.14.8'));
  return { version: random.chance(0.8) ? newer[0]! : random.pick(newer), isBlocked: random.chance(0.5) };
}

function mayBreak(
  { faults, disturbances }: FleetScene,
  kills: { left: number },
  chance: number,
): Break | null {
  if (kills.left === 0 || disturbances.rates === NO_FAULTS || !faults.random.chance(chance)) return null;
  kills.left--;
  return drawBreak(faults, [8, 30], 0.8);
}

function wrongClock({ faults, journal }: FleetScene, { wrongClocks }: Profile): Pick<RunOptions, 'clock'> {
  const clock = drawClock(faults, wrongClocks);
  if (clock) journal.counts.clockJumps++;
  return clock ? { clock } : {};
}
