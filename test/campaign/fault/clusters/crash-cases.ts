import type { Break } from '../harness/client-boundary.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { CrashCase } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { UNDISTURBED } from './rates.ts';
import { type Wish, wishOf } from './requests.ts';
import { ClustersScene } from './scene.ts';

const MINUTE = 60_000;
const ID = 'cluster-1';

/** What is asked of one program, which may be cut. */
type Step = (scene: ClustersScene, breakAt?: Break) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  'history lowered': (scene, breakAt) => {
    scene.historyLimit = 8;
    return watch(scene, breakAt);
  },
  'report taken': (scene, breakAt) => ask(scene, reportOf(scene, ID), breakAt),
  'cluster removed': (scene, breakAt) => ask(scene, wishOf({ what: 'delete', id: ID }), breakAt),
};

export const clustersCrashCases: readonly CrashCase[] = Object.entries(STEPS).map(([name, step]) => ({
  name,
  async calls(stage) {
    const scene = await prepared(stage);
    try {
      const before = scene.counts.calls;
      await step(scene);
      return scene.counts.calls - before;
    } finally {
      await scene.close();
    }
  },
  async crashAt(stage, call, side) {
    const scene = await prepared(stage);
    try {
      scene.note(`killed ${side} call ${call}`);
      await step(scene, { call, isAfter: side === 'after', isKill: true });
      // One whose lease may still be held, and then one that comes to the end.
      stage.clock.advance(MINUTE);
      await watch(scene);
      await comeToRest(scene);
      return scene.outcome();
    } finally {
      await scene.close();
    }
  },
}));

/** Two clusters that reported twice, with histories as long as they tell. */
async function prepared(stage: FaultStage): Promise<ClustersScene> {
  const scene = await ClustersScene.open(stage, { seed: 4, rates: UNDISTURBED });
  scene.historyLimit = 100;
  for (const id of [...scene.stories.keys(), ...scene.stories.keys()]) await ask(scene, reportOf(scene, id));
  return scene;
}

function reportOf(scene: ClustersScene, id: string): Wish {
  const report = scene.stories.get(id)!.lastReport(scene.nextReport());
  return wishOf({ what: 'put', id, report: { ...report, replace: false } });
}

function ask(scene: ClustersScene, wish: Wish, breakAt?: Break): Promise<void> {
  return scene.turns.act(async (actor) => {
    await scene.ask(scene.instance(actor, null, breakAt), wish);
  });
}

function watch(scene: ClustersScene, breakAt?: Break): Promise<void> {
  return scene.turns.act(async (actor) => {
    await scene.watch(scene.instance(actor, null, breakAt), new Date(Date.now()).toISOString());
  });
}
