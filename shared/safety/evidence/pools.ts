import { isKnown } from '../../cluster/cluster-version.ts';
import type { ClusterFacts, NodeFacts, PoolFacts } from '../../cluster/facts.ts';
import { isBroken, isInQuorum } from '../../cluster/nodes.ts';
import { CONTROL_PLANE_POOL, poolOfNodes } from '../../cluster/pools.ts';
import { groupBy } from '../../collection/group-by.ts';
import { excerpt, shellWord } from '../../text/quote.ts';
import { listInWords } from '../../text/words.ts';
import { type Finding, finding } from '../condition.ts';

export interface NodePlace {
  /** Null for a node without a pool, and if no pools were sent. */
  readonly pool: PoolFacts | null;
  readonly isControlPlane: boolean;
  /** Updated by a pool rollout; other nodes are updated manually. */
  readonly isManaged: boolean;
}

const ARBITER_POOL = 'arbiter';

/** No update completes before it has rolled out: the Machine Config Operator requires both. */
export function isControlPlanePool({ name }: Pick<PoolFacts, 'name'>): boolean {
  return name === CONTROL_PLANE_POOL || name === ARBITER_POOL;
}

/** Pool by node name; null if unmanaged. If no pools were sent, the role of a node decides. */
export function poolNames({
  nodes,
  pools,
}: Pick<ClusterFacts, 'nodes' | 'pools'>): ReadonlyMap<string, string | null> {
  if (pools) return poolOfNodes(nodes ?? [], pools);
  return new Map((nodes ?? []).map((node) => [node.name, isInQuorum(node) ? CONTROL_PLANE_POOL : 'worker']));
}

/** By node name. If no pools were sent, every node counts as a member of an unpaused pool. */
export function nodePlaces({ nodes, pools }: ClusterFacts): ReadonlyMap<string, NodePlace> {
  const byName = new Map((pools ?? []).map((pool) => [pool.name, pool]));
  const poolNames = poolOfNodes(nodes ?? [], pools ?? []);
  return new Map(
    (nodes ?? []).map((node) => {
      const pool = byName.get(poolNames.get(node.name) ?? '') ?? null;
      const isControlPlane = pools === null ? isInQuorum(node) : pool !== null && isControlPlanePool(pool);
      return [node.name, { pool, isControlPlane, isManaged: pools === null || pool !== null }];
    }),
  );
}

/** By pool name; nodes without a pool are omitted. */
export function nodesByPool(facts: ClusterFacts): ReadonlyMap<string, readonly NodeFacts[]> {
  const places = nodePlaces(facts);
  return groupBy(
    (facts.nodes ?? []).filter(({ name }) => places.get(name)!.pool !== null),
    ({ name }) => places.get(name)!.pool!.name,
  );
}

export function noNodes(type: string): Finding {
  const message = 'Not known, because the list of nodes that was supplied is empty';
  return {
    ...finding({ type, status: 'Unknown', reason: 'NoNodes', message, effect: 'warn' }),
    remediation: ['oc get nodes -o json'],
  };
}

const SHARE = /^([0-9]{1,3})%$/;

/** Rounds percentages down and clamps to 1 and the pool size: `10%` of 25 machines is 2, of 5 machines 1. */
export function maxUnavailableOf(declared: number | string, machines: number): number {
  const share = SHARE.exec(String(declared))?.[1];
  // Multiply before dividing: 0.07 × 100 is more than 7.
  const count =
    share === undefined ? Math.floor(Number(declared)) : Math.floor((machines * Number(share)) / 100);
  return count >= 1 ? Math.min(count, Math.max(machines, 1)) : 1;
}

export function isDegraded(pool: PoolFacts): boolean {
  return hasCondition(pool, 'Degraded') || pool.machines.degraded > 0;
}

/** No operator reports on the pool, or does not know whether it is degraded. */
export function isSilent(pool: PoolFacts): boolean {
  const { conditions } = pool;
  const reported = conditions.find(({ type }) => type === 'Degraded');
  return !isDegraded(pool) && !(reported ? isKnown(reported) : conditions.some(isKnown));
}

export function isUpdating(pool: PoolFacts): boolean {
  return hasCondition(pool, 'Updating');
}

/** Reasons of the Machine Config Operator, sorted: `n1: cannot drain`. */
export function brokenNodes(nodes: readonly NodeFacts[]): string[] {
  return nodes
    .filter(isBroken)
    .map(({ name, machineConfig: { state, reason } }) => `${name}: ${excerpt(reason) || state}`)
    .toSorted();
}

/** Steps that let a pool roll out, by cause: degraded, paused, in progress, or unknown. */
export function rolloutChoices(pool: PoolFacts, nodes: readonly NodeFacts[]): string[] {
  const { updated, total } = pool.machines;
  const steps: string[] = [];
  if (isDegraded(pool)) {
    const broken = brokenNodes(nodes);
    if (broken.length > 0) steps.push(`Repair what is broken in pool ${pool.name}: ${listInWords(broken)}`);
    steps.push(`oc describe mcp/${shellWord(pool.name)}`);
  }
  if (pool.paused) {
    steps.push(pauseCommand(pool.name, false));
  } else if (isUpdating(pool)) {
    steps.push(`Wait for pool ${pool.name}: ${updated} of ${total} machines are updated`);
  }
  // A degraded pool never reports Updated, so a wait for it cannot succeed.
  if ((pool.paused || isUpdating(pool)) && !isDegraded(pool)) {
    steps.push(waitCommand(pool.name, rolloutMinutes(total, pool.maxUnavailable)));
  }
  return steps.length > 0
    ? steps
    : [`Find out why pool ${pool.name} does not roll`, `oc describe mcp/${shellWord(pool.name)}`];
}

export function pauseCommand(pool: string, paused: boolean): string {
  return `oc patch mcp/${shellWord(pool)} --type merge -p '{"spec":{"paused":${paused}}}'`;
}

/** Minutes for a worker to drain, update and reboot; nodes that reboot together count once. */
export const MINUTES_PER_WORKER = { min: 5, expected: 10, max: 20 } as const;

/** Expected minutes until all machines of a pool are updated. */
export function rolloutMinutes(machines: number, maxUnavailable: number | string): number {
  return Math.ceil(machines / maxUnavailableOf(maxUnavailable, machines)) * MINUTES_PER_WORKER.expected;
}

const SHORTEST_WAIT_MINUTES = 30;

/** Twice the expected time, so that a timeout means that something is wrong: 55 minutes expected → 110. */
export function waitMinutes(expected: number): number {
  return Math.max(SHORTEST_WAIT_MINUTES, Math.ceil((2 * expected) / 5) * 5);
}

/** Waits for a bounded time. */
export function waitCommand(pool: string, expectedMinutes: number): string {
  return `oc wait mcp/${shellWord(pool)} --for=condition=Updated=True --timeout=${waitMinutes(expectedMinutes)}m`;
}

function hasCondition({ conditions }: PoolFacts, wanted: string): boolean {
  return conditions.some(({ type, status }) => type === wanted && status === 'True');
}
