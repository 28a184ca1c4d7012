import { type InputValue, isCount } from '../input/input-value.ts';
import { readConditions } from './cluster-version.ts';
import type { LabelExpression, NodeFacts, PoolFacts } from './facts.ts';

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
      inOrder.find(({ nodeSelector }) => selects(nodeSelector, labels))?.name ?? null,
    ]),
  );
}

function rankOf(pool: string): number {
  if (pool === 'master') return 0;
  return pool === 'worker' ? 2 : 1;
}

/** An empty selector selects nothing, as in the Machine Config Operator. */
function selects(
  { matchLabels, matchExpressions }: PoolFacts['nodeSelector'],
  labels: NodeFacts['labels'],
): boolean {
  const wanted = Object.entries(matchLabels);
  if (wanted.length === 0 && matchExpressions.length === 0) return false;
  return (
    wanted.every(([key, value]) => labelOf(labels, key) === value) &&
    matchExpressions.every((expression) => matches(expression, labelOf(labels, expression.key)))
  );
}

/** An unknown operator matches nothing. */
function matches({ operator, values }: LabelExpression, label: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return label !== undefined && values.includes(label);
    case 'NotIn':
      return label === undefined || !values.includes(label);
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    default:
      return false;
  }
}

/** Labels are untrusted: `constructor` is a label only if the node has it. */
function labelOf(labels: NodeFacts['labels'], key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

export function readPool(object: InputValue): PoolFacts {
  const metadata = object.at('metadata');
  const spec = object.at('spec');
  const status = object.at('status');
  const selector = spec.at('nodeSelector');
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    paused: spec.at('paused').flag(),
    maxUnavailable:
      spec.at('maxUnavailable').parsed(parseMaxUnavailable, 'a whole number or a share such as 10%') ?? 1,
    nodeSelector: {
      matchLabels: selector.at('matchLabels').labels(),
      matchExpressions: selector.at('matchExpressions').items().map(readExpression),
    },
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

function parseMaxUnavailable(value: unknown): number | string | null {
  if (typeof value === 'string') return /^\d{1,3}%$/.test(value) ? value : null;
  return isCount(value) ? value : null;
}

function readExpression(expression: InputValue): LabelExpression {
  return {
    key: expression.at('key').text(),
    operator: expression.at('operator').text(),
    values: expression.at('values').texts(),
  };
}
