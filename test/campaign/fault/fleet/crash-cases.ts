import type { Break } from '../harness/client-boundary.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { CrashCase } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import type { Report } from './reporters.ts';
import { FleetScene } from './scene.ts';
import { untilSlot } from './slots.ts';

const FREE: Report = { version: '4.14.8', isBlocked: false };
const BLOCKED: Report = { version: '4.14.8', isBlocked: true };

/** What there is before the run that is cut. */
const STEPS: Readonly<Record<string, (scene: FleetScene) => Promise<void>>> = {
  'first look': (scene) => report(scene, FREE, FREE),
  'news of a report': async (scene) => {
    await report(scene, FREE, FREE);
    await follow(scene);
    await report(scene, BLOCKED, BLOCKED);
  },
  'news of a channel': async (scene) => {
    await report(scene, FREE, BLOCKED);
    await follow(scene);
    await scene.changeUpstream('newer patch');
    await scene.changeUpstream('closed');
  },
  'news held for a day': async (scene) => {
    await report(scene, FREE, FREE);
    await follow(scene);
    await report(scene, BLOCKED, FREE);
    await follow(scene);
    await report(scene, FREE, FREE);
  },
  'cluster deleted': async (scene) => {
    await report(scene, FREE, FREE);
    await follow(scene);
    await report(scene, null, BLOCKED);
  },
};

export const fleetCrashCases: readonly CrashCase[] = Object.entries(STEPS).map(([name, prepare]) => ({
  name,
  calls: (stage) =>
    staged(stage, prepare, async (scene) => {
      const before = scene.journal.counts.calls;
      await follow(scene);
      return scene.journal.counts.calls - before;
    }),
  crashAt: (stage, call, side) =>
    staged(stage, prepare, async (scene) => {
      const told = `killed ${side} call ${call}`;
      const breakAt = scene.faults.take({ call, isAfter: side === 'after', isKill: true }, told)!;
      await follow(scene, breakAt);
      await comeToRest(scene);
      return scene.outcome();
    }),
}));

async function staged<T>(
  stage: FaultStage,
  prepare: (scene: FleetScene) => Promise<void>,
  act: (scene: FleetScene) => Promise<T>,
): Promise<T> {
  const scene = await FleetScene.open(stage, { seed: 1 });
  try {
    await prepare(scene);
    return await act(scene);
  } finally {
    await scene.close();
  }
}

async function report(scene: FleetScene, ...reports: readonly Report[]): Promise<void> {
  for (const [index, one] of reports.entries()) scene.reporters.launch(`c${index + 1}`, one);
  await scene.play();
}

async function follow(scene: FleetScene, breakAt?: Break): Promise<void> {
  scene.stage.clock.advance(untilSlot());
  scene.runs.launch({ slot: Date.now(), ...(breakAt && { breakAt }) });
  await scene.play();
}
