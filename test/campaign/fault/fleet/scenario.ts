import type { Scenario } from '../scenario.ts';
import { fleetCrashCases } from './crash-cases.ts';
import { FLEET_BUGS } from './planted-bugs.ts';
import { fleetTrial } from './trial.ts';

export const fleetScenario: Scenario = {
  name: 'fleet',
  kinds: ['any', 'lost-answers', 'duplicates', 'clock', 'concurrent'],
  trial: fleetTrial,
  crashCases: fleetCrashCases,
  bugs: FLEET_BUGS,
};
