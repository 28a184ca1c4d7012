import type { ClusterCondition } from './facts.ts';
import type { Field } from '../input/input-value.ts';

/** `status.conditions` of any object, in the order of their types. */
export function readConditions(conditions: Field): ClusterCondition[] {
  return conditions
    .items()
    .map(readCondition)
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}

function readCondition(condition: Field): ClusterCondition {
  return {
    type: condition.at('type').text(),
    status: condition.at('status').text(),
    reason: condition.at('reason').message(),
    message: condition.at('message').message(),
    since: condition.at('lastTransitionTime').time(),
  };
}
