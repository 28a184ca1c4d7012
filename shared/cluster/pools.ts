import type { InputValue } from '../input/input-value.ts';
import { readConditions } from './cluster-version.ts';
import { readShare } from './configuration.ts';
import type { NodeFacts, PoolFacts } from './facts.ts';
import { isEmptySelector, matchesSelector, readSelector } from './labels.ts';

export const CONTROL_PLANE_POOL = 'master';

/**
 * Pool by node name; null if unmanaged. If several pools match, `master` wins (nodes of a compact cluster are `master`
 * and `worker`), then custom pools by name, then `worker`.
 */
export function poolOfNodes(
  nodes: readonly Pick<NodeFacts, 'name' | 'labels'>[],
  pools: readonly Pick<PoolFacts, 'name' | 'nodeSelector'>[],
): ReadonlyMap<string, string | null> {
  const inOrder = pools.toSorted((a, b) => rankOf(a.name) - rankOf(b.name) || (a.name < b.name ? -1 : 1));
  return new Map(
    nodes.map(({ name, labels }) => [
      name,
      // The Machine Config Operator ignores pools with an empty selector.
      inOrder.find(
        ({ nodeSelector }) => !isEmptySelector(nodeSelector) && matchesSelector(nodeSelector, labels),
      )?.name ?? null,
    ]),
  );
}

function rankOf(pool: string): number {
  if (pool === CONTROL_PLANE_POOL) return 0;
  return pool === 'worker' ? 2 : 1;
}

export function readPool(object: InputValue): PoolFacts {
  const metadata = object.at('metadata');
  const spec = object.at('spec');
  const status = object.at('status');
  const stream = spec.at('osImageStream', 'name').textOrNull();
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    paused: spec.at('paused').flag(),
    maxUnavailable: readShare(spec.at('maxUnavailable')) ?? 1,
    nodeSelector: readSelector(spec.at('nodeSelector')),
    ...(stream !== null && { osImageStream: stream }),
    configuration: {
      wanted: spec.at('configuration', 'name').text(),
      current: status.at('configuration', 'name').text(),
    },
    machines: {
      total: status.at('machineCount').count(),
      updated: status.at('updatedMachineCount').count(),
      ready: status.at('readyMachineCount').count(),
      unavailable: status.at('unavailableMachineCount').count(),
      degraded: status.at('degradedMachineCount').count(),
    },
    conditions: readConditions(status.at('conditions')),
  };
}
