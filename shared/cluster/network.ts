import type { ClusterFacts } from './facts.ts';
import type { Field } from '../input/input-value.ts';

export function readNetworkType(object: Field): ClusterFacts['networkType'] {
  return object.at('status', 'networkType').textOrNull();
}
