import { readConditions } from './conditions.ts';
import type { LabelExpression, PoolFacts } from './facts.ts';
import { type Field, isCount } from '../input/input-value.ts';

export function readPool(object: Field): PoolFacts {
  const metadata = object.at('metadata');
  const spec = object.at('spec');
  const status = object.at('status');
  const selector = spec.at('nodeSelector');
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    paused: spec.at('paused').flag(),
    maxUnavailable: spec
      .at('maxUnavailable')
      .parsed(parseMaxUnavailable, 'a whole number or a share such as 10%', 1),
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

function readExpression(expression: Field): LabelExpression {
  return {
    key: expression.at('key').text(),
    operator: expression.at('operator').text(),
    values: expression.at('values').texts(),
  };
}
