import type { Break } from '../harness/client-boundary.ts';
import { crashCasesOf } from '../harness/crash-cases.ts';
import { comeToRest } from './come-to-rest.ts';
import { UNDISTURBED } from './rates.ts';
import { type Wish, wishOf } from './requests.ts';
import { type ClustersScene, inClustersScene } from './scene.ts';

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

export const clustersCrashCases = crashCasesOf<ClustersScene, Step>(STEPS, {
  // Two clusters that reported twice, with histories as long as they tell.
  play: (stage, _step, act) =>
    inClustersScene(stage, { seed: 4, rates: UNDISTURBED }, async (scene) => {
      scene.historyLimit = 100;
      const ids = [...scene.stories.keys()];
      for (const id of [...ids, ...ids]) await ask(scene, reportOf(scene, id));
      return act(scene);
    }),
  perform: (scene, step, breakAt) => step(scene, breakAt),
  async recover(scene) {
    // One whose lease may still be held, and then one that comes to the end.
    scene.stage.clock.advance(MINUTE);
    await watch(scene);
    await comeToRest(scene);
  },
});

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
