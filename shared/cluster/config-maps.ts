import type { ConfigEntry } from './facts.ts';
import type { Field } from '../input/input-value.ts';

/** Where the gates and the acknowledgements of administrators are. */
export const ADMIN_GATES = { namespace: 'openshift-config-managed', name: 'admin-gates' } as const;
export const ADMIN_ACKS = { namespace: 'openshift-config', name: 'admin-acks' } as const;

/** `data` in the order of its keys. */
export function readConfigMap(object: Field): ConfigEntry[] {
  return object
    .at('data')
    .entries()
    .map(([key, value]) => ({ key, value: value.message() }));
}
