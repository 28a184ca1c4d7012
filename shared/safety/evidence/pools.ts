import type { ClusterFacts, NodeFacts, PoolFacts } from '../../cluster/facts.ts';
import { isControlPlane as hasControlPlaneRole } from '../../cluster/nodes.ts';
import { poolOfNodes } from '../../cluster/pools.ts';
import { groupBy } from '../../collection/group-by.ts';
import { shellWord } from '../../text/quote.ts';
import { listInWords } from '../../text/words.ts';
import { type Finding, finding } from '../condition.ts';

const CONTROL_PLANE_POOL = 'master';

/** Where a node belongs. */
export interface NodePlace {
  /** Null for a node of no pool, and when the pools were not supplied. */
  readonly pool: PoolFacts | null;
  readonly isControlPlane: boolean;
  /** Whether it moves when a pool rolls; nodes of no pool are updated by hand. */
  readonly isManaged: boolean;
}

export function isControlPlanePool({ name }: Pick<PoolFacts, 'name'>): boolean {
  return name === CONTROL_PLANE_POOL;
}

/** The place of each node, by name. When the pools were not supplied, every node is taken to be in one that is not paused. */
export function nodePlaces({ nodes, pools }: ClusterFacts): ReadonlyMap<string, NodePlace> {
  const byName = new Map((pools ?? []).map((pool) => [pool.name, pool]));
  const poolNames = poolOfNodes(nodes ?? [], pools ?? []);
  return new Map(
    (nodes ?? []).map((node) => {
      const pool = byName.get(poolNames.get(node.name) ?? '') ?? null;
      const isControlPlane =
        pools === null ? hasControlPlaneRole(node) : pool !== null && isControlPlanePool(pool);
      return [node.name, { pool, isControlPlane, isManaged: pools === null || pool !== null }];
    }),
  );
}

/** The nodes of each pool, by the name of the pool; those of none are left out. */
export function nodesByPool(facts: ClusterFacts): ReadonlyMap<string, readonly NodeFacts[]> {
  const places = nodePlaces(facts);
  return groupBy(
    (facts.nodes ?? []).filter(({ name }) => places.get(name)!.pool !== null),
    ({ name }) => places.get(name)!.pool!.name,
  );
}

/** A check of nodes that was given a list of none. */
export function noNodes(type: string): Finding {
  const message = 'Not known, because the list of nodes that was supplied is empty';
  return {
    ...finding({ type, status: 'Unknown', reason: 'NoNodes', message, effect: 'warn' }),
    remediation: ['oc get nodes -o json'],
  };
}

const SHARE = /^([0-9]{1,3})%$/;

/**
 * How many machines of a pool may be away at once: a number as it is, a share rounded down, never less than 1 or
 * more than there are. Of 25 machines `10%` is 2, of 5 it is 1.
 */
export function maxUnavailableOf(declared: number | string, machines: number): number {
  const share = SHARE.exec(String(declared))?.[1];
  // Multiplied before it is divided: 0.07 × 100 is more than 7.
  const count =
    share === undefined ? Math.floor(Number(declared)) : Math.floor((machines * Number(share)) / 100);
  return count >= 1 ? Math.min(count, Math.max(machines, 1)) : 1;
}

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
