import type { World } from '../world.ts';
import { clustersCrashScenarios } from './crash-scenarios.ts';
import { CLUSTER_BUGS } from './planted-bugs.ts';
import { clustersTrial } from './trial.ts';

export const clustersWorld: World = {
  name: 'clusters',
  kinds: ['any', 'lost-answers', 'concurrent', 'clock', 'throttled', 'duplicates'],
  trial: clustersTrial,
  crashScenarios: clustersCrashScenarios,
  bugs: CLUSTER_BUGS,
};
