import type { Break } from '../harness/client-boundary.ts';
import { crashCasesOf } from '../harness/crash-cases.ts';
import { comeToRest } from './come-to-rest.ts';
import type { Report } from './reporters.ts';
import { type FleetScene, inFleetScene } from './scene.ts';

const FREE: Report = { version: '4.19.8', isBlocked: false };
const BLOCKED: Report = { version: '4.19.8', isBlocked: true };

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

export const fleetCrashCases = crashCasesOf(STEPS, {
  play: (stage, prepare, act) =>
    inFleetScene(stage, { seed: 1 }, async (scene) => {
      await prepare(scene);
      return act(scene);
    }),
  perform: (scene, _prepare, breakAt) => follow(scene, breakAt),
  recover: comeToRest,
});

async function report(scene: FleetScene, ...reports: readonly Report[]): Promise<void> {
  for (const [index, one] of reports.entries()) scene.reporters.launch(`c${index + 1}`, one);
  await scene.play();
}

async function follow(scene: FleetScene, breakAt?: Break): Promise<void> {
  scene.runs.launch({ slot: scene.nextSlot(), ...(breakAt && { breakAt }) });
  await scene.play();
}
