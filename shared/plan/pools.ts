import type { ClusterFacts, NodeFacts, PoolFacts } from '../cluster/facts.ts';
import { isControlPlane } from '../cluster/nodes.ts';
import { poolOfNodes } from '../cluster/pools.ts';
import { groupBy } from '../collection/group-by.ts';
import { kubeletMinorOf } from '../safety/evidence/kubelets.ts';
import { isControlPlanePool } from '../safety/evidence/pools.ts';
import type { Hop, SkewPolicy, Strategy } from '../safety/hop.ts';
import { kubeletLimit } from '../safety/tables/kubelet-limits.ts';
import { minorOf } from '../version/minor.ts';
import { isExtendedSupport } from '../version/release-line.ts';
import type { PoolKind, RollReason } from './values.ts';

/** Nodes that move together. */
interface PoolGroup {
  /** Null for nodes that no pool manages. */
  readonly pool: string | null;
  readonly kind: PoolKind;
  /** Null when there is no pool, or the pools were not supplied. */
  readonly facts: PoolFacts | null;
  /** In the order given; null when the nodes were not supplied. */
  readonly nodes: readonly NodeFacts[] | null;
}

/** What every cluster has, even when its pools were not supplied. */
const STANDARD_POOLS = [{ name: 'master' }, { name: 'worker' }] as const;

/**
 * The pools with their nodes: `master` first, the others by name, last the nodes that no pool manages, if any. Without
 * pools, nodes are in `master` or `worker` by their labels.
 */
export function poolGroups({ nodes, pools }: Pick<ClusterFacts, 'nodes' | 'pools'>): readonly PoolGroup[] {
  const membership = pools && poolOfNodes(nodes ?? [], pools);
  const poolOf = (node: NodeFacts) => {
    if (membership) return membership.get(node.name) ?? null;
    return isControlPlane(node) ? 'master' : 'worker';
  };
  const members = groupBy(nodes ?? [], poolOf);
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

/** A moment at which the machines of a pool are rebooted into a release. */
export interface RolloutPoint {
  /** The release that the cluster is at, and the pool gets to. */
  readonly version: string;
  /** The hop that waits for it; null at the end of the way. */
  readonly beforeHop: number | null;
  readonly reason: RollReason;
  readonly text: string;
}

/** Kubelets of a pool while the control plane takes a hop; minors of Kubernetes 1, in ascending order. */
export interface PoolHop {
  readonly hop: number;
  readonly kubeletsBefore: readonly number[];
  readonly kubeletsAfter: readonly number[];
  /** How far the oldest kubelet is behind once the API servers are updated; null when no version can be read. */
  readonly lag: number | null;
  readonly limit: number | null;
  /** Whether the policy allows it; no roll can help nodes without a pool, or a hop too long for the policy. */
  readonly isWithinLimit: boolean | null;
}

export interface PoolPlan {
  /** Null for nodes that no pool manages. */
  readonly pool: string | null;
  readonly kind: PoolKind;
  /** How many; null when it is not known. */
  readonly nodes: number | null;
  /** As it is now. */
  readonly paused: boolean;
  /** Whether it is held back, to be rolled only at its roll points. */
  readonly staysBehind: boolean;
  readonly rolls: readonly RolloutPoint[];
  /** Reboots of each machine less than with one for every hop; what the pool is behind today is not held against it. */
  readonly rebootsSaved: number;
  readonly hops: readonly PoolHop[];
  /** Whether kubelets are taken to be at the cluster's own minor, because the nodes were not supplied. */
  readonly assumed: boolean;
  /** Nodes whose kubelet version cannot be read, and which are left out of account. */
  readonly unreadableNodes: readonly string[];
}

export interface PoolQuestion extends Pick<ClusterFacts, 'nodes' | 'pools'> {
  readonly hops: readonly Hop[];
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  /** Roll wherever the way leaves a minor with extended support, not as late as skew lets; by default with `openshift`. */
  readonly rollAtEUS?: boolean;
}

/**
 * Where each pool has to be rolled on the way, as rarely as the policy lets: workers held back from 4.6 to 4.10 roll at
 * 4.8 and 4.10, and save two reboots of four. The control plane moves with every hop, nodes without a pool never do, and
 * a pool that is paused today stays so until it must move, whatever the strategy.
 */
export function simulatePools(question: PoolQuestion): readonly PoolPlan[] {
  return poolGroups(question).map((group) => simulatePool(group, question));
}

function simulatePool(group: PoolGroup, question: PoolQuestion): PoolPlan {
  const { hops, strategy } = question;
  const paused = group.facts?.paused ?? false;
  const staysBehind = group.kind === 'workers' && (paused || strategy === 'control-plane-only');
  const nodes = group.nodes?.length ?? group.facts?.machines.total ?? null;
  const isRolled = group.kind === 'workers' && nodes !== 0;
  const rolls: RolloutPoint[] = [];
  const steps: PoolHop[] = [];
  let kubelets = kubeletsToday(group, hops);
  for (const [index, hop] of hops.entries()) {
    const why = isRolled ? rolloutBefore(index, kubelets[0], staysBehind, question) : null;
    if (why !== null) {
      rolls.push({ version: hop.from.raw, beforeHop: index, ...why });
      kubelets = [hop.kubeFrom];
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
    assumed: group.nodes === null,
    unreadableNodes: (group.nodes ?? [])
      .filter(({ kubeletVersion }) => kubeletMinorOf(kubeletVersion) === null)
      .map(({ name }) => name)
      .toSorted(),
  };
}

function kubeletsToday({ nodes }: PoolGroup, hops: readonly Hop[]): readonly number[] {
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
  if (!staysBehind && index > 0) return { reason: 'every-hop', text: 'Workers follow every hop' };
  // A roll helps only kubelets that are behind the cluster, and no patch needs one.
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
    return { reason: 'extended-support', text: `${minorOf(hop.from)} is a stop with extended support` };
  }
  return null;
}

function rolloutAtEnd(staysBehind: boolean): Why {
  return staysBehind
    ? { reason: 'target', text: 'Workers are brought to the target last' }
    : { reason: 'every-hop', text: 'Workers follow every hop' };
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
