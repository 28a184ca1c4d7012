import type { CrashCase, TrialOutcome } from '../scenario.ts';
import type { Break } from './client-boundary.ts';
import type { FaultList } from './fault-list.ts';
import type { FaultStage } from './stage.ts';

interface CutScene {
  readonly faults: FaultList;
  readonly counts: { readonly calls: number };
  outcome(): TrialOutcome;
}

interface Staging<Scene, Step> {
  /** Opens a scene in which the step comes next. */
  readonly play: <Result>(
    stage: FaultStage,
    step: Step,
    act: (scene: Scene) => Promise<Result>,
  ) => Promise<Result>;
  readonly perform: (scene: Scene, step: Step, breakAt?: Break) => Promise<void>;
  /** After the step was cut. */
  readonly recover: (scene: Scene, step: Step, name: string) => Promise<void>;
}

/** Steps that are cut at each of their calls, by name. */
export function crashCasesOf<Scene extends CutScene, Step>(
  steps: Readonly<Record<string, Step>>,
  { play, perform, recover }: Staging<Scene, Step>,
): readonly CrashCase[] {
  return Object.entries(steps).map(([name, step]) => ({
    name,
    calls: (stage) =>
      play(stage, step, async (scene) => {
        const before = scene.counts.calls;
        await perform(scene, step);
        return scene.counts.calls - before;
      }),
    crashAt: (stage, call, side) =>
      play(stage, step, async (scene) => {
        const breakAt = { call, isAfter: side === 'after', isKill: true };
        scene.faults.take(breakAt, `killed ${side} call ${call}`);
        await perform(scene, step, breakAt);
        await recover(scene, step, name);
        return scene.outcome();
      }),
  }));
}
