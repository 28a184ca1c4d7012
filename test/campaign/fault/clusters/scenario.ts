import type { Scenario } from '../scenario.ts';
import { clustersCrashCases } from './crash-cases.ts';
import { CLUSTER_BUGS } from './planted-bugs.ts';
import { clustersTrial } from './trial.ts';

export const clustersScenario: Scenario = {
  name: 'clusters',
  kinds: ['any', 'lost-answers', 'concurrent', 'clock', 'throttled', 'duplicates'],
  trial: clustersTrial,
  crashCases: clustersCrashCases,
  bugs: CLUSTER_BUGS,
};
