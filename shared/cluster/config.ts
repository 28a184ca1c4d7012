import type { InputValue } from '../input/input-value.ts';
import type { ConfigEntry, InfrastructureFacts, ClusterFacts } from './facts.ts';

/** Objects of one kind by namespace and name; the last duplicate wins. */
export class Collection<Facts> {
  readonly #read: (object: InputValue) => Facts | null;
  readonly #facts = new Map<string, Facts | null>();
  #isSupplied = false;

  /** `read` returns null for an object without facts; it still replaces an earlier one. */
  constructor(read: (object: InputValue) => Facts | null) {
    this.#read = read;
  }

  supply(): void {
    this.#isSupplied = true;
  }

  take(object: InputValue, namespace: string, name: string): void {
    this.supply();
    this.#facts.set(keyOf(namespace, name), this.#read(object));
  }

  has(namespace: string, name: string): boolean {
    return this.#facts.has(keyOf(namespace, name));
  }

  /** By namespace and name; null if the kind was not sent. */
  inOrder(): Facts[] | null {
    if (!this.#isSupplied) return null;
    return Array.from(this.#facts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, facts]) => (facts === null ? [] : [facts]));
  }
}

/** Sorts by namespace, then name: no character precedes NUL. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}\0${name}`;
}

export const ADMIN_GATES = { namespace: 'openshift-config-managed', name: 'admin-gates' } as const;
export const ADMIN_ACKS = { namespace: 'openshift-config', name: 'admin-acks' } as const;

/** `data` in the order of its keys. */
export function readConfigMap(object: InputValue): ConfigEntry[] {
  return object
    .at('data')
    .sortedEntries()
    .map(([key, value]) => ({ key, value: value.message() }));
}

export function readInfrastructure(object: InputValue): InfrastructureFacts {
  const status = object.at('status');
  return {
    platform: status.at('platformStatus', 'type').textOrNull(),
    controlPlaneTopology: status.at('controlPlaneTopology').textOrNull(),
  };
}

export function readNetworkType(object: InputValue): ClusterFacts['networkType'] {
  return object.at('status', 'networkType').textOrNull();
}
