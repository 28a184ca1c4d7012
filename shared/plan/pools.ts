import type { ClusterFacts, NodeFacts, PoolFacts } from '../cluster/facts.ts';
import type { NodePoolFacts } from '../cluster/hosted/facts.ts';
import { groupBy } from '../collection/group-by.ts';
import { poolVersions } from '../safety/evidence/hosted.ts';
import { kubeletMinorOf } from '../safety/evidence/kubelets.ts';
import {
  isControlPlanePool,
  isDegraded,
  maxUnavailableOf,
  MINUTES_PER_WORKER,
  poolNames,
} from '../safety/evidence/pools.ts';
import type { Hop, SkewPolicy, Strategy } from '../safety/hop.ts';
import { kubeletLimit } from '../safety/tables/kubelet-limits.ts';
import { minorOf } from '../version/minor.ts';
import { isExtendedSupport, kubernetesMinorOf } from '../version/release-line.ts';
import type { PoolKind, RollReason } from './values.ts';
import { eachMinutes, roundMinutes, type Minutes } from './words.ts';

/** Nodes that update together. */
interface PoolGroup {
  /** Null for nodes without a pool. */
  readonly pool: string | null;
  readonly kind: PoolKind;
  /** Null without a pool, or if pools are missing from the input. */
  readonly facts: PoolFacts | null;
  /** In input order; null if nodes are missing from the input. */
  readonly nodes: readonly NodeFacts[] | null;
  /** Only for a hosted cluster that is seen from its management cluster, which does not know the nodes. */
  readonly nodePool?: NodePoolFacts;
}

/** Pools of every cluster, used if pools are missing from the input. */
const STANDARD_POOLS = [{ name: 'master' }, { name: 'worker' }] as const;

/**
 * Orders `master` first, other pools by name, nodes without a pool last. Without pools, node labels decide between
 * `master` and `worker`.
 */
export function poolGroups({ nodes, pools }: Pick<ClusterFacts, 'nodes' | 'pools'>): readonly PoolGroup[] {
  const names = poolNames({ nodes, pools });
  const members = groupBy(nodes ?? [], ({ name }) => names.get(name) ?? null);
  const managed = (pools ?? STANDARD_POOLS)
    .map(({ name }): PoolGroup => ({
      pool: name,
      kind: isControlPlanePool({ name }) ? 'control-plane' : 'workers',
      facts: pools?.find((pool) => pool.name === name) ?? null,
      nodes: nodes && (members.get(name) ?? []),
    }))
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const rest = members.get(null);
  return rest ? [...managed, { pool: null, kind: 'unmanaged', facts: null, nodes: rest }] : managed;
}

function sortKey({ pool, kind }: PoolGroup): string {
  return `${kind === 'control-plane' ? 0 : 1} ${pool}`;
}

/** Point of the path at which a pool reboots into a release. */
export interface RolloutPoint {
  /** Release of the cluster at that point, and of the pool afterwards. */
  readonly version: string;
  /** Hop that waits for the rollout; null at the end of the path. */
  readonly beforeHop: number | null;
  readonly reason: RollReason;
  readonly text: string;
}

/** Kubelets of a pool during a hop: minors of Kubernetes 1, ascending. */
export interface PoolHop {
  readonly hop: number;
  readonly kubeletsBefore: readonly number[];
  readonly kubeletsAfter: readonly number[];
  /** Minors between the updated API servers and the oldest kubelet; null if no version is readable. */
  readonly lag: number | null;
  readonly limit: number | null;
  /** A rollout cannot fix nodes without a pool or of a degraded pool, or a hop that exceeds the policy. */
  readonly isWithinLimit: boolean | null;
}

export interface PoolPlan {
  /** Null for nodes without a pool. */
  readonly pool: string | null;
  readonly kind: PoolKind;
  /** Number of nodes; null if unknown. */
  readonly nodes: number | null;
  /** Current state. */
  readonly paused: boolean;
  /** True if the pool is paused and reboots only at its rollout points. */
  readonly staysBehind: boolean;
  readonly rolls: readonly RolloutPoint[];
  /** Reboots saved per machine, compared with one per hop; catching up before the first hop does not count. */
  readonly rebootsSaved: number;
  readonly hops: readonly PoolHop[];
  /** True if nodes are missing from the input and kubelets are assumed to be at the cluster's minor. */
  readonly assumed: boolean;
  /** Nodes without a readable kubelet version; they are ignored. */
  readonly unreadableNodes: readonly string[];
}

export interface PoolQuestion extends Pick<ClusterFacts, 'nodes' | 'pools'> {
  readonly hops: readonly Hop[];
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  /**
   * Rolls out at every EUS minor that the path leaves, instead of as late as skew allows. Default: true with
   * `openshift`.
   */
  readonly rollAtEUS?: boolean;
  /** Node pools of a hosted cluster, in place of nodes and pools; they keep their release until it is changed. */
  readonly hostedPools?: readonly NodePoolFacts[] | null;
  /** Nodes of a hosted control plane, which keep their release until it is changed. */
  readonly isHosted?: boolean;
}

/**
 * Finds the fewest rollouts that the policy allows: workers paused from 4.6 to 4.10 reboot at 4.8 and 4.10 and save
 * two of four reboots. The control plane updates at every hop, nodes without a pool never. A pool that is paused today
 * stays paused until it must update, with any strategy.
 */
export function simulatePools(question: PoolQuestion): readonly PoolPlan[] {
  const groups = question.hostedPools?.map(hostedGroup) ?? poolGroups(question);
  return groups.map((group) => simulatePool(group, question));
}

function hostedGroup(nodePool: NodePoolFacts): PoolGroup {
  return { pool: nodePool.name, kind: 'workers', facts: null, nodes: null, nodePool };
}

function simulatePool(group: PoolGroup, question: PoolQuestion): PoolPlan {
  const { hops, strategy, isHosted = false } = question;
  const paused = group.facts?.paused ?? false;
  const { nodePool } = group;
  const staysBehind =
    nodePool !== undefined ||
    (group.kind === 'workers' && (paused || isHosted || strategy === 'control-plane-only'));
  const nodes = group.nodes?.length ?? group.facts?.machines.total ?? nodePool?.replicas ?? null;
  const isRolled = group.kind === 'workers' && nodes !== 0;
  const rolls: RolloutPoint[] = [];
  const steps: PoolHop[] = [];
  // Its rollouts are planned, but may never complete.
  const isUncertain = group.kind === 'workers' && group.facts !== null && isDegraded(group.facts);
  let kubelets = kubeletsToday(group, hops);
  let planned = kubelets;
  for (const [index, hop] of hops.entries()) {
    const why = isRolled ? rolloutBefore(index, planned[0], staysBehind, question) : null;
    if (why !== null) {
      rolls.push({ version: hop.from.raw, beforeHop: index, ...why });
      planned = [hop.kubeFrom];
      if (!isUncertain) kubelets = planned;
    }
    const after = group.kind === 'control-plane' && nodes !== 0 ? [hop.kubeTo] : kubelets;
    steps.push(poolHop(index, hop, { before: kubelets, after }, question.policy));
    kubelets = after;
  }
  const last = hops.at(-1);
  if (isRolled && last) rolls.push({ version: last.to.raw, beforeHop: null, ...rolloutAtEnd(staysBehind) });
  const owedAnyway = rolls.filter(({ beforeHop }) => beforeHop === 0).length;
  return {
    pool: group.pool,
    kind: group.kind,
    nodes,
    paused,
    staysBehind,
    rolls,
    rebootsSaved: isRolled ? hops.length - (rolls.length - owedAnyway) : 0,
    hops: steps,
    assumed: group.nodes === null && nodePool === undefined,
    unreadableNodes: (group.nodes ?? [])
      .filter(({ kubeletVersion }) => kubeletMinorOf(kubeletVersion) === null)
      .map(({ name }) => name)
      .toSorted(),
  };
}

function kubeletsToday({ nodes, nodePool }: PoolGroup, hops: readonly Hop[]): readonly number[] {
  if (nodePool) {
    const versions = poolVersions(nodePool);
    const minors = versions
      ? [versions.oldest, versions.newest].map((each) => kubernetesMinorOf(each).minor)
      : [];
    return [...new Set(minors)];
  }
  if (nodes === null) return hops.slice(0, 1).map(({ kubeFrom }) => kubeFrom);
  const minors = nodes.map(({ kubeletVersion }) => kubeletMinorOf(kubeletVersion));
  return [...new Set(minors)].filter((minor) => minor !== null).toSorted((a, b) => a - b);
}

type Why = Pick<RolloutPoint, 'reason' | 'text'>;

function rolloutBefore(
  index: number,
  oldest: number | undefined,
  staysBehind: boolean,
  { hops, policy, rollAtEUS = policy === 'openshift' }: PoolQuestion,
): Why | null {
  const hop = hops[index]!;
  if (!staysBehind && index > 0) return { reason: 'every-hop', text: 'Workers update at every hop' };
  // A rollout helps only kubelets that lag behind the cluster, and patches never need one.
  if (oldest === undefined || oldest >= hop.kubeFrom || hop.kubeTo === hop.kubeFrom) return null;
  const lag = hop.kubeTo - oldest;
  const limit = kubeletLimit(policy, hop.to, oldest);
  if (lag > limit) {
    return {
      reason: 'skew',
      text:
        `Kubelets of Kubernetes 1.${oldest} would be ${lag} minors behind ${minorOf(hop.to)}, ` +
        `where policy ${policy} allows ${limit}`,
    };
  }
  if (rollAtEUS && isExtendedSupport(hop.from)) {
    return { reason: 'extended-support', text: `${minorOf(hop.from)} has Extended Update Support` };
  }
  return null;
}

function rolloutAtEnd(staysBehind: boolean): Why {
  return staysBehind
    ? { reason: 'target', text: 'Workers update to the target last' }
    : { reason: 'every-hop', text: 'Workers update at every hop' };
}

function poolHop(
  index: number,
  hop: Hop,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
  policy: SkewPolicy,
): PoolHop {
  const [oldest] = before;
  const common = { hop: index, kubeletsBefore: before, kubeletsAfter: after };
  if (oldest === undefined) return { ...common, lag: null, limit: null, isWithinLimit: null };
  const lag = hop.kubeTo - oldest;
  const limit = kubeletLimit(policy, hop.to, oldest);
  return { ...common, lag, limit, isWithinLimit: lag <= limit };
}

export interface PoolRollout extends Minutes {
  readonly pool: string;
  readonly nodes: number;
  /** Machines that may be unavailable at once. */
  readonly maxUnavailable: number;
  readonly iterations: number;
  /** Nodes of past updates that the minutes come from; absent for the usual minutes. */
  readonly measuredNodes?: number;
}

/** Minutes of one node of a pool in past updates. */
export interface MeasuredMinutes extends Minutes {
  readonly measuredNodes: number;
}

/** All pools that roll out at one point of the path. */
export interface WorkerRollout {
  readonly version: string;
  /** Hop that waits for the rollout; null at the end of the path. */
  readonly beforeHop: number | null;
  readonly pools: readonly PoolRollout[];
  /** Maximum over the pools, which roll out in parallel; null if a pool size is unknown. */
  readonly minutes: Minutes | null;
}

/**
 * Rollout durations in path order, separate from the duration of the update: 6 nodes, 2 at a time, take 3 rounds of 10
 * minutes.
 */
export function workerRollouts(
  plans: readonly PoolPlan[],
  pools: readonly Pick<PoolFacts, 'name' | 'maxUnavailable'>[] | null,
  measured: ReadonlyMap<string, MeasuredMinutes> = new Map(),
): readonly WorkerRollout[] {
  const declared = new Map((pools ?? []).map(({ name, maxUnavailable }) => [name, maxUnavailable]));
  const rolls = plans.flatMap((plan) => plan.rolls.map((roll) => ({ ...roll, plan })));
  const points = groupBy(rolls, ({ beforeHop }) => beforeHop ?? Infinity);
  return [...points]
    .toSorted(([a], [b]) => a - b)
    .map(([, [first, ...others]]) => {
      const rolling = [first!, ...others].map(({ plan }) => plan);
      const rollouts = rolling.flatMap((plan) => poolRollout(plan, declared, measured));
      return {
        version: first!.version,
        beforeHop: first!.beforeHop,
        pools: rollouts,
        minutes:
          rollouts.length === rolling.length
            ? eachMinutes((bound) => Math.max(...rollouts.map((rollout) => rollout[bound])))
            : null,
      };
    });
}

function poolRollout(
  { pool, nodes }: PoolPlan,
  declared: ReadonlyMap<string, number | string>,
  measured: ReadonlyMap<string, MeasuredMinutes>,
): readonly PoolRollout[] {
  if (pool === null || nodes === null) return [];
  const perNode = measured.get(pool);
  return [
    {
      pool,
      nodes,
      ...rolloutOf(nodes, declared.get(pool) ?? 1, perNode),
      ...(perNode && { measuredNodes: perNode.measuredNodes }),
    },
  ];
}

export function rolloutOf(
  nodes: number,
  declared: number | string,
  perNode: Minutes = MINUTES_PER_WORKER,
): Pick<PoolRollout, 'maxUnavailable' | 'iterations' | keyof Minutes> {
  const maxUnavailable = maxUnavailableOf(declared, nodes);
  const iterations = Math.ceil(nodes / maxUnavailable);
  const minutes = eachMinutes((bound) => roundMinutes(iterations * perNode[bound]));
  return { maxUnavailable, iterations, ...minutes };
}
