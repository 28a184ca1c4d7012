import type { NodeFacts, PoolFacts } from '../../cluster/facts.ts';
import { shellWord } from '../../text/quote.ts';
import { listInWords } from '../../text/words.ts';

const BROKEN_STATES: ReadonlySet<string> = new Set(['Degraded', 'Unreconcilable']);

export function isDegraded(pool: PoolFacts): boolean {
  return hasCondition(pool, 'Degraded') || pool.machines.degraded > 0;
}

export function isUpdating(pool: PoolFacts): boolean {
  return hasCondition(pool, 'Updating');
}

/** What the machine-config operator says of the nodes that it cannot update, sorted: `n1: cannot drain`. */
export function brokenNodes(nodes: readonly NodeFacts[]): string[] {
  return nodes
    .filter(({ machineConfig }) => BROKEN_STATES.has(machineConfig.state))
    .map(({ name, machineConfig: { state, reason } }) => `${name}: ${reason || state}`)
    .toSorted();
}

/** What to do so that a pool rolls, by what holds it: it is broken, paused, on its way, or nobody knows. */
export function waysToRoll(pool: PoolFacts, nodes: readonly NodeFacts[]): string[] {
  const resource = `mcp/${shellWord(pool.name)}`;
  const { updated, total } = pool.machines;
  const steps: string[] = [];
  if (isDegraded(pool)) {
    const broken = brokenNodes(nodes);
    if (broken.length > 0) steps.push(`Repair what is broken in pool ${pool.name}: ${listInWords(broken)}`);
    steps.push(`oc describe ${resource}`);
  }
  if (pool.paused) {
    steps.push(
      `oc patch ${resource} --type merge -p '{"spec":{"paused":false}}'`,
      `oc wait ${resource} --for=condition=Updated --timeout=-1s`,
    );
  } else if (isUpdating(pool)) {
    steps.push(
      `Wait for pool ${pool.name}: ${updated} of ${total} machines are updated`,
      `oc wait ${resource} --for=condition=Updated --timeout=-1s`,
    );
  }
  return steps.length > 0
    ? steps
    : [`Find out why pool ${pool.name} does not roll`, `oc describe ${resource}`];
}

function hasCondition({ conditions }: PoolFacts, wanted: string): boolean {
  return conditions.some(({ type, status }) => type === wanted && status === 'True');
}
