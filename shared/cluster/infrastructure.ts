import type { InfrastructureFacts } from './facts.ts';
import type { Field } from '../input/input-value.ts';

export function readInfrastructure(object: Field): InfrastructureFacts {
  const status = object.at('status');
  return {
    platform: status.at('platformStatus', 'type').textOrNull(),
    controlPlaneTopology: status.at('controlPlaneTopology').textOrNull(),
  };
}
