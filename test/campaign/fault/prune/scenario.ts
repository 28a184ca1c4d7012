import type { Scenario } from '../scenario.ts';
import { pruneCrashCases } from './crash-cases.ts';
import { type BugName, kindOfBug, PLANTED_BUGS } from './planted-bugs.ts';
import { PRUNE_KINDS } from './profiles.ts';
import { pruneTrial } from './trial.ts';

export const pruneScenario: Scenario = {
  name: 'prune',
  kinds: PRUNE_KINDS,
  trial: pruneTrial,
  crashCases: pruneCrashCases,
  bugs: Object.fromEntries(
    Object.keys(PLANTED_BUGS).map((name) => [name, { what: name, kind: kindOfBug(name as BugName) }]),
  ),
};
