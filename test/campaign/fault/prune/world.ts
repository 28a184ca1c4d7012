import type { World } from '../world.ts';
import { pruneCrashScenarios } from './crash-scenarios.ts';
import { type BugName, kindOfBug, PLANTED_BUGS } from './planted-bugs.ts';
import { PRUNE_KINDS } from './profiles.ts';
import { pruneTrial } from './trial.ts';

export const pruneWorld: World = {
  name: 'prune',
  kinds: PRUNE_KINDS,
  trial: pruneTrial,
  crashScenarios: pruneCrashScenarios,
  bugs: Object.fromEntries(
    Object.keys(PLANTED_BUGS).map((name) => [name, { what: name, kind: kindOfBug(name as BugName) }]),
  ),
};
