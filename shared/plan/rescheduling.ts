import type { ClusterFacts, NodeFacts, PoolFacts } from '../cluster/facts.ts';
import { runsWorkloads, ZONE_LABELS } from '../cluster/nodes.ts';
import { groupBy } from '../collection/group-by.ts';
import { maxUnavailableOf } from '../safety/evidence/pools.ts';
import type { NoteEffect } from '../safety/values.ts';
import { namesInWords } from '../text/words.ts';
import { poolGroups, type PoolPlan } from './pools.ts';

/** Domain of nodes without a zone label. */
const NO_ZONE = '(none)';
/** Share of pods that moved more than once in a rolling restart, measured on clusters. */
const OBSERVED_BASELINE = 0.7;

/** Nodes of a pool in one zone: the pods of a drained node must fit on the others. */
export interface FailureDomain {
  readonly pool: string;
  readonly zone: string;
  readonly nodes: number;
  /** Pods that a drain moves; absent if pods are missing from the input. */
  readonly pods?: number;
  /** Minimum share of pods that move more than once. */
  readonly optimum: number;
  readonly expectedPodsMovedTwice?: number;
  /** Number of rollouts of the pool on the path. */
  readonly rolls: number;
}

/** Pods that move more than once: the minimum, and the number observed today. */
export interface PodsMovedTwice {
  readonly optimum: number;
  readonly observed: number;
}

export interface ReschedulingAdvice {
  readonly type: string;
  readonly effect: NoteEffect;
  readonly text: string;
  /** All node names, never truncated. */
  readonly nodes?: readonly string[];
}

export interface KnownRescheduling {
  readonly optimum: number;
  readonly observedBaseline: number;
  readonly avoidable: number;
  /** Absent if pods are missing from the input. */
  readonly perRoll?: PodsMovedTwice;
  readonly wholeWay?: PodsMovedTwice;
  readonly domains: readonly FailureDomain[];
  readonly advice: readonly ReschedulingAdvice[];
}

export type Rescheduling = KnownRescheduling | { readonly optimum: null; readonly reason: string };

/**
 * Minimum of pods that move more than once: those of the first node of each domain. Three zones of 10 nodes with 3000
 * pods: 300 instead of the usual 2100. Each further rollout of a pool moves as many again.
 */
export function rescheduling(
  facts: Pick<ClusterFacts, 'nodes' | 'pools' | 'podsPerNode'>,
  plans: readonly PoolPlan[],
): Rescheduling {
  if (facts.nodes === null) {
    return { optimum: null, reason: 'the nodes are not known; supply the output of `oc get nodes -o json`' };
  }
  const groups = poolGroups(facts)
    .flatMap(({ pool, facts: poolFacts, nodes }) => {
      const taking = (nodes ?? []).filter((node) => !node.unschedulable && runsWorkloads(node));
      return pool === null ? [] : [{ pool, poolFacts, nodes: taking }];
    })
    .filter(({ nodes }) => nodes.length > 0);
  if (groups.length === 0) {
    return { optimum: null, reason: 'no node of a pool takes workloads' };
  }
  const podsPerNode = facts.podsPerNode && new Map(facts.podsPerNode.map(({ node, pods }) => [node, pods]));
  const rollsPerPool = new Map(plans.map((plan) => [plan.pool, rollsOf(plan)]));
  const domains = groups.flatMap((group) => domainsOf(group, podsPerNode, rollsPerPool));
  const pods = sum(domains, (domain) => domain.pods ?? 0);
  const weigh = ({ pods: own = 0, nodes }: FailureDomain) => (pods > 0 ? own : nodes);
  const optimum = sum(domains, (domain) => weigh(domain) / domain.nodes) / sum(domains, weigh);
  return {
    optimum: fourDigits(optimum),
    observedBaseline: OBSERVED_BASELINE,
    avoidable: fourDigits(Math.max(0, OBSERVED_BASELINE - optimum)),
    ...(podsPerNode && {
      perRoll: movedTwice(domains, () => 1),
      wholeWay: movedTwice(domains, ({ rolls }) => rolls),
    }),
    domains,
    advice: adviceOf(groups, domains),
  };
}

interface Group {
  readonly pool: string;
  readonly poolFacts: PoolFacts | null;
  readonly nodes: readonly NodeFacts[];
}

/** The control plane reboots at every hop. */
function rollsOf({ kind, rolls, hops }: PoolPlan): number {
  return kind === 'control-plane' ? hops.length : rolls.length;
}

function zoneOf({ labels }: NodeFacts): string {
  return (
    ZONE_LABELS.map((label) => labels[label]).find((zone) => zone !== undefined && zone !== '') ?? NO_ZONE
  );
}

function domainsOf(
  { pool, nodes }: Group,
  podsPerNode: ReadonlyMap<string, number> | null,
  rollsPerPool: ReadonlyMap<string | null, number>,
): FailureDomain[] {
  return [...groupBy(nodes, zoneOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([zone, members]) => {
      const domain = {
        pool,
        zone,
        nodes: members.length,
        optimum: fourDigits(1 / members.length),
        rolls: rollsPerPool.get(pool) ?? 0,
      };
      if (podsPerNode === null) return domain;
      const pods = sum(members, (node) => podsPerNode.get(node.name) ?? 0);
      return { ...domain, pods, expectedPodsMovedTwice: Math.round(pods / members.length) };
    });
}

function movedTwice(
  domains: readonly FailureDomain[],
  times: (domain: FailureDomain) => number,
): PodsMovedTwice {
  return {
    optimum: sum(domains, (domain) => (domain.expectedPodsMovedTwice ?? 0) * times(domain)),
    observed: Math.round(OBSERVED_BASELINE * sum(domains, (domain) => (domain.pods ?? 0) * times(domain))),
  };
}

function adviceOf(groups: readonly Group[], domains: readonly FailureDomain[]): ReschedulingAdvice[] {
  const alone = domains.filter(({ nodes }) => nodes === 1);
  const several = groups.flatMap(({ pool, poolFacts, nodes }) => {
    const away = maxUnavailableOf(poolFacts?.maxUnavailable ?? 1, nodes.length);
    return away > 1 ? [`${pool} (${away})`] : [];
  });
  const most = Math.max(...domains.map(({ rolls }) => rolls));
  const advice: ReschedulingAdvice[] = [];
  if (alone.length > 0) {
    const text = `Every pod has to leave a zone with one node: ${namesInWords(alone.map(domainInWords))}`;
    advice.push({ type: 'SingleNodeDomain', effect: 'warn', text });
  }
  if (several.length > 0) {
    const text = `Pools that drain several nodes at once need room for their pods: ${namesInWords(several)}`;
    advice.push({ type: 'SeveralNodesAtOnce', effect: 'info', text });
  }
  if (most > 1) {
    const text = `Pods are moved in each of ${most} rolls; fewer rolls, as with control-plane-only, move fewer`;
    advice.push({ type: 'EveryRollMovesPods', effect: 'info', text });
  }
  for (const { pool, nodes } of groups) {
    const text = `Pool ${pool} is drained zone by zone in the order of their names, the oldest node of a zone first`;
    advice.push({ type: 'DrainOrder', effect: 'info', text, nodes: drainOrder(nodes) });
  }
  const text = 'The last node of a domain comes back empty; run the descheduler when it is done';
  return [...advice, { type: 'BalanceAfterwards', effect: 'info', text }];
}

function domainInWords({ pool, zone }: FailureDomain): string {
  return zone === NO_ZONE ? `pool ${pool}, without a zone` : `${zone} (pool ${pool})`;
}

/** Order of the Machine Config Operator: by zone, then by age. */
function drainOrder(nodes: readonly NodeFacts[]): string[] {
  const keys = nodes.map((node) => ({
    name: node.name,
    key: [zoneOf(node), node.createdAt ?? '', node.name],
  }));
  return keys.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ name }) => name);
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((part, position) => part !== b[position]);
  return index === -1 ? 0 : a[index]! < b[index]! ? -1 : 1;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function fourDigits(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
