import type { Field } from '../input/input-value.ts';
import type { ConfigEntry, InfrastructureFacts, ClusterFacts } from './facts.ts';

/** Objects of one kind by namespace and name; the last duplicate wins. */
export class Collection<Facts> {
  readonly #read: (object: Field) => Facts | null;
  readonly #facts = new Map<string, Facts | null>();
  #isSupplied = false;

  /** `read` returns null to keep nothing; this still replaces an earlier object. */
  constructor(read: (object: Field) => Facts | null) {
    this.#read = read;
  }

  supply(): void {
    this.#isSupplied = true;
  }

  take(object: Field, namespace: string, name: string): void {
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

/** Sorted by key. */
export function readConfigMap(object: Field): ConfigEntry[] {
  return object
    .at('data')
    .entries()
    .map(([key, value]) => ({ key, value: value.message() }));
}

export function readInfrastructure(object: Field): InfrastructureFacts {
  const status = object.at('status');
  return {
    platform: status.at('platformStatus', 'type').textOrNull(),
    controlPlaneTopology: status.at('controlPlaneTopology').textOrNull(),
  };
}

export function readNetworkType(object: Field): ClusterFacts['networkType'] {
  return object.at('status', 'networkType').textOrNull();
}
