import { isDeepStrictEqual } from 'node:util';
import { dumpTable } from '../../../helpers/table/dump-table.ts';
import { itemContents } from '../../../helpers/table/item-contents.ts';
import type { Break } from '../harness/client-boundary.ts';
import { crashCasesOf } from '../harness/crash-cases.ts';
import type { FaultStage } from '../harness/stage.ts';
import { comeToRest } from './come-to-rest.ts';
import type { RunOptions } from './runs.ts';
import { inSyncScene, MINUTE, type SyncScene } from './scene.ts';

const MINORS = ['4.12', '4.13', '4.14'];
const DAY = 24 * 60 * MINUTE;

interface Step {
  /** What there is before, beside a first run. */
  prepare(scene: SyncScene): Promise<void>;
  readonly run?: Pick<RunOptions, 'trigger' | 'accept'>;
}

const STEPS: Readonly<Record<string, Step>> = {
  'first sync': { prepare: async () => {} },
  'no change': { prepare: (scene) => scene.nextRun() },
  'new version': {
    async prepare(scene) {
      await scene.nextRun();
      scene.model.addEverywhere();
    },
  },
  'edge withdrawn': {
    async prepare(scene) {
      await scene.nextRun();
      scene.model.change('stable-4.12/amd64', 'edge gone');
      scene.model.change('fast-4.12/amd64', 'version gone');
    },
  },
  'suspect answer held': {
    async prepare(scene) {
      await scene.nextRun();
      scene.model.change('stable-4.13/amd64', 'shrunken');
      scene.model.change('fast-4.12/amd64', 'empty');
    },
  },
  'accepted by hand': {
    async prepare(scene) {
      await scene.nextRun();
      scene.model.change('stable-4.13/amd64', 'shrunken');
      await scene.nextRun();
    },
    run: { trigger: 'manual', accept: ['stable-4.13/amd64'] },
  },
  'minor removed': {
    async prepare(scene) {
      await scene.nextRun();
      scene.configure(['4.12', '4.14'], ['4.13']);
      await scene.nextRun();
      scene.stage.clock.advance(15 * DAY);
    },
  },
  'configuration edited': {
    async prepare(scene) {
      await scene.nextRun();
      scene.configure(['4.13', '4.14']);
    },
  },
};

export const syncCrashCases = crashCasesOf(STEPS, {
  play,
  perform,
  async recover(scene, step, name) {
    await comeToRest(scene);
    // What a person asked for once is not asked for again by those who complete the rest.
    if (step.run?.accept) return;
    const expected = (endings[name] ??= await undisturbedEnding(scene.stage, step));
    const ending = itemContents(await dumpTable(scene.table));
    const differing = Object.keys({ ...expected, ...ending }).filter(
      (key) => !isDeepStrictEqual(ending[key], expected[key]),
    );
    if (differing.length > 0) scene.history.violate(`it ends otherwise than without: ${differing.join(' ')}`);
  },
});

/** What the table holds in the end when nothing happens, for each step that was asked for. */
const endings: Record<string, Record<string, unknown>> = {};

function undisturbedEnding(stage: FaultStage, step: Step): Promise<Record<string, unknown>> {
  return play(stage, step, async (scene) => {
    await perform(scene, step);
    await comeToRest(scene);
    return itemContents(await dumpTable(scene.table));
  });
}

function play<Result>(
  stage: FaultStage,
  step: Step,
  act: (scene: SyncScene) => Promise<Result>,
): Promise<Result> {
  return inSyncScene(stage, { seed: 1, minors: MINORS }, async (scene) => {
    await step.prepare(scene);
    return act(scene);
  });
}

async function perform(scene: SyncScene, { run }: Step, breakAt?: Break): Promise<void> {
  scene.runs.launch({ slot: scene.nextSlot(), ...run, ...(breakAt && { breakAt }) });
  await scene.play();
}
