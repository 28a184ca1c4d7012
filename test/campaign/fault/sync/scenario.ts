import type { Scenario } from '../scenario.ts';
import { syncCrashCases } from './crash-cases.ts';
import { SYNC_BUGS } from './planted-bugs.ts';
import { syncTrial } from './trial.ts';

export const syncScenario: Scenario = {
  name: 'sync',
  kinds: ['any', 'lost-answers', 'duplicates', 'clock', 'concurrent', 'throttled'],
  trial: syncTrial,
  crashCases: syncCrashCases,
  bugs: SYNC_BUGS,
};
