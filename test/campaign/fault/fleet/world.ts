import type { World } from '../world.ts';
import { fleetCrashScenarios } from './crash-scenarios.ts';
import { FLEET_BUGS } from './planted-bugs.ts';
import { fleetTrial } from './trial.ts';

export const fleetWorld: World = {
  name: 'fleet',
  kinds: ['any', 'lost-answers', 'duplicates', 'clock', 'concurrent'],
  trial: fleetTrial,
  crashScenarios: fleetCrashScenarios,
  bugs: FLEET_BUGS,
};
