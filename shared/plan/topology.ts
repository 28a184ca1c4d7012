import type { ClusterFacts } from '../cluster/facts.ts';
import { isHosted, isSingleNode } from '../safety/evidence/hosted.ts';
import type { SafetyOptions } from '../safety/hop.ts';
import type { Caveat } from './caveats.ts';
import type { PlanQuestion } from './figures.ts';
import { poolGroups } from './pools.ts';

/** Question as the topology of the cluster allows it, and what was changed. */
export function forTopology(question: PlanQuestion): PlanQuestion & { readonly changes: readonly Caveat[] } {
  const { facts, options } = question;
  // Hosted control planes have their own skew limit, and no machine config pools.
  const hosted = isHosted(facts)
    ? { facts: { ...facts, pools: null }, options: { ...options, policy: hostedPolicy(options) } }
    : { facts, options };
  if (options.strategy === 'rolling' || hasWorkers(hosted.facts))
    return { ...question, ...hosted, changes: [] };
  return {
    ...question,
    ...hosted,
    options: { ...hosted.options, strategy: 'rolling' },
    changes: [NO_WORKERS],
  };
}

const NO_WORKERS: Caveat = {
  type: 'NothingGained',
  effect: 'warn',
  text: 'Planned as rolling, as there is nothing to hold back: no worker pool has a node',
};

function hostedPolicy({ policy }: SafetyOptions): SafetyOptions['policy'] {
  return policy === 'openshift' ? 'hosted' : policy;
}

/** True if not known, except for a cluster whose topology says that it has one node. */
function hasWorkers(facts: ClusterFacts): boolean {
  return poolGroups(facts).some(({ kind, nodes, facts: pool }) => {
    const count = nodes?.length ?? pool?.machines.total ?? (isSingleNode(facts) ? 0 : 1);
    return kind === 'workers' && count > 0;
  });
}
