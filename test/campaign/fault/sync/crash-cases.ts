import { isDeepStrictEqual } from 'node:util';
import { itemContents } from '../../../helpers/table/item-contents.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { CrashCase, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import { allItems } from './final-check.ts';
import type { RunOptions } from './runs.ts';
import { SyncScene } from './scene.ts';
import { MINUTE, untilSlot } from './slots.ts';

const MINORS = ['4.12', '4.13', '4.14'];
const DAY = 24 * 60 * MINUTE;

interface Step {
  /** What there is before, beside a first run. */
  prepare(scene: SyncScene): Promise<void>;
  readonly run?: Pick<RunOptions, 'trigger' | 'accept'>;
}

const STEPS: Readonly<Record<string, Step>> = {
  'first sync': { prepare: async () => {} },
  'no change': { prepare: (scene) => undisturbed(scene) },
  'new version': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.model.addEverywhere();
    },
  },
  'edge withdrawn': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.model.change('stable-4.12/amd64', 'edge gone');
      scene.model.change('fast-4.12/amd64', 'version gone');
    },
  },
  'suspect answer held': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.model.change('stable-4.13/amd64', 'shrunken');
      scene.model.change('fast-4.12/amd64', 'empty');
    },
  },
  'accepted by hand': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.model.change('stable-4.13/amd64', 'shrunken');
      await undisturbed(scene);
    },
    run: { trigger: 'manual', accept: ['stable-4.13/amd64'] },
  },
  'minor removed': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.configure(['4.12', '4.14'], ['4.13']);
      await undisturbed(scene);
      scene.stage.clock.advance(15 * DAY);
    },
  },
  'configuration edited': {
    async prepare(scene) {
      await undisturbed(scene);
      scene.configure(['4.13', '4.14']);
    },
  },
};

export const syncCrashCases: readonly CrashCase[] = Object.entries(STEPS).map(([name, step]) => ({
  name,
  async calls(stage) {
    const scene = await prepared(stage, step);
    try {
      const before = scene.journal.counts.calls;
      await perform(scene, step, {});
      return scene.journal.counts.calls - before;
    } finally {
      await scene.close();
    }
  },
  async crashAt(stage, call, side): Promise<TrialOutcome> {
    const scene = await prepared(stage, step);
    try {
      const told = `killed ${side} call ${call}`;
      const breakAt = scene.faults.take({ call, isAfter: side === 'after', isKill: true }, told)!;
      await perform(scene, step, { breakAt });
      await comeToRest(scene);
      // What a person asked for once is not asked for again by those who complete the rest.
      if (step.run?.accept) return scene.outcome();
      const expected = (endings[name] ??= await undisturbedEnding(stage, step));
      const ending = itemContents(await allItems(scene.table));
      const differing = Object.keys({ ...expected, ...ending }).filter(
        (key) => !isDeepStrictEqual(ending[key], expected[key]),
      );
      if (differing.length > 0)
        scene.history.violate(`it ends otherwise than without: ${differing.join(' ')}`);
      return scene.outcome();
    } finally {
      await scene.close();
    }
  },
}));

/** What the table holds in the end when nothing happens, for each step that was asked for. */
const endings: Record<string, Record<string, unknown>> = {};

async function undisturbedEnding(stage: FaultStage, step: Step): Promise<Record<string, unknown>> {
  const scene = await prepared(stage, step);
  try {
    await perform(scene, step, {});
    await comeToRest(scene);
    return itemContents(await allItems(scene.table));
  } finally {
    await scene.close();
  }
}

async function prepared(stage: FaultStage, step: Step): Promise<SyncScene> {
  const scene = await SyncScene.open(stage, { seed: 1, minors: MINORS });
  await step.prepare(scene);
  return scene;
}

async function perform(scene: SyncScene, step: Step, more: Pick<RunOptions, 'breakAt'>): Promise<void> {
  scene.stage.clock.advance(untilSlot());
  scene.runs.launch({ slot: Date.now(), ...step.run, ...more });
  await scene.play();
}

async function undisturbed(scene: SyncScene): Promise<void> {
  scene.stage.clock.advance(untilSlot());
  scene.runs.launch({ slot: Date.now() });
  await scene.play();
}
