import type { World } from '../world.ts';
import { pruneCrashScenarios } from './crash-scenarios.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { pruneTrial } from './trial.ts';

export const pruneWorld: World = {
  name: 'prune',
  kinds: ['any'],
  trial: pruneTrial,
  crashScenarios: pruneCrashScenarios,
  bugs: Object.fromEntries(Object.keys(PLANTED_BUGS).map((name) => [name, { what: name, kind: 'any' }])),
};
