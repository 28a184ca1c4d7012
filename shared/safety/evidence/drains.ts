import { matchesSelector } from '../../cluster/labels.ts';
import {
  type BudgetFacts,
  type DrainedPod,
  type PodGroupFacts,
  selectsSinglePods,
  singlePods,
} from '../../cluster/workloads.ts';
import { groupBy } from '../../collection/group-by.ts';
import type { HopContext } from '../hop.ts';
import { isControlPlanePool, poolNames } from './pools.ts';

/** Pod in its namespace. */
export interface PlacedPod extends DrainedPod {
  readonly namespace: string;
}

/** Pods that the budget selects and a drain evicts. */
export interface BudgetPods {
  readonly budget: BudgetFacts;
  readonly pods: readonly PlacedPod[];
}

export interface PodInBudgets {
  readonly pod: PlacedPod;
  readonly budgets: readonly string[];
}

/** Pods of each budget, and pods that several budgets select. */
export function selectPods(
  budgets: readonly BudgetFacts[],
  groups: readonly PodGroupFacts[],
): { readonly ofBudgets: readonly BudgetPods[]; readonly inSeveral: readonly PodInBudgets[] } {
  const apart = new Set(
    budgets
      .filter(({ selector }) => selector !== null && selectsSinglePods(selector))
      .map(({ namespace }) => namespace),
  );
  const byNamespace = groupBy(
    groups.flatMap((group) => (apart.has(group.namespace) ? singlePods(group) : [group])),
    ({ namespace }) => namespace,
  );
  const selectors = new Map<PodGroupFacts, string[]>();
  const ofBudgets = budgets.map((budget): BudgetPods => {
    const { namespace, name, selector } = budget;
    const selected = (byNamespace.get(namespace) ?? []).filter(
      ({ labels }) => selector !== null && matchesSelector(selector, labels),
    );
    for (const group of selected) selectors.set(group, [...(selectors.get(group) ?? []), name]);
    return { budget, pods: selected.flatMap(placed) };
  });
  const inSeveral = [...selectors]
    .filter(([, names]) => names.length > 1)
    .flatMap(([group, names]) => placed(group).map((pod) => ({ pod, budgets: names.toSorted() })));
  return { ofBudgets, inSeveral };
}

export function placed({ namespace, pods }: PodGroupFacts): PlacedPod[] {
  return pods.map((pod) => ({ ...pod, namespace }));
}

export interface Reboots {
  /** With this hop: right after it, or before the first one. */
  isNow: (node: string) => boolean;
  /** With a hop of the path. */
  isEver: (node: string) => boolean;
  /** Null for a node without a pool, or one that was not sent. */
  poolOf: (node: string) => string | null;
}

/** A node that was not sent reboots with every hop, as far as known. */
export function rebootsOf({ facts, pools, hop, hops }: HopContext): Reboots {
  const poolOf = poolNames(facts);
  const last = hops.length - 1;
  const hopsOf = new Map(
    pools.map(({ pool, rolls }) => [
      pool,
      new Set(rolls.map(({ beforeHop }) => Math.max(0, (beforeHop ?? last + 1) - 1))),
    ]),
  );
  const isWithEvery = (node: string): boolean => {
    const pool = poolOf.get(node);
    return pool === undefined || (pool !== null && isControlPlanePool({ name: pool }));
  };
  return {
    isNow: (node) => isWithEvery(node) || hopsOf.get(poolOf.get(node)!)?.has(hop.index) === true,
    isEver: (node) => isWithEvery(node) || (hopsOf.get(poolOf.get(node)!)?.size ?? 0) > 0,
    poolOf: (node) => poolOf.get(node) ?? null,
  };
}
