import type { World } from '../world.ts';
import { syncCrashScenarios } from './crash-scenarios.ts';
import { SYNC_BUGS } from './planted-bugs.ts';
import { syncTrial } from './trial.ts';

export const syncWorld: World = {
  name: 'sync',
  kinds: ['any', 'lost-answers', 'duplicates', 'clock', 'concurrent', 'throttled'],
  trial: syncTrial,
  crashScenarios: syncCrashScenarios,
  bugs: SYNC_BUGS,
};
