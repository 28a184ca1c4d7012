import type { InputValue, Mistake } from '../input/input-value.ts';
import { mayGoAway, readApiUse } from './api-use.ts';
import { readClusterVersion } from './cluster-version.ts';
import type { ClusterFacts, ConfigEntry, InfrastructureFacts } from './facts.ts';
import { readNode, podsPerNode, readPod } from './nodes.ts';
import { type Kind, type InputSummary, ObjectReader } from './object-reader.ts';
import { readClusterOperator, readOperator, readSubscription } from './operators.ts';
import { readPool } from './pools.ts';

export interface ReadOptions {
  /** Defaults to the newest time in the documents. */
  readonly collectedAt?: string;
  /** Keep the names of people who use removed APIs. */
  readonly usernames?: boolean;
  /** True for a removed API such as `ingresses.v1beta1.extensions`, even if its document does not say so. */
  readonly isRemovedApi: (name: string) => boolean;
}

interface ClusterKind extends Kind {
  /** Distinguishes kinds of the same name: `Network` is in two groups. */
  readonly group: string;
}

/** Objects of one kind by namespace and name; the last duplicate wins. */
class Collection<Facts> implements ClusterKind {
  readonly group: string;
  readonly only: string | undefined;
  readonly #read: (object: InputValue) => Facts | null;
  readonly #facts = new Map<string, Facts | null>();
  #isSupplied = false;

  /** `read` returns null for an object without facts; it still replaces an earlier one. */
  constructor(group: string, read: (object: InputValue) => Facts | null, only?: string) {
    this.group = group;
    this.#read = read;
    this.only = only;
  }

  supply(): void {
    this.#isSupplied = true;
  }

  take(object: InputValue, namespace: string, name: string): boolean {
    if (this.only !== undefined && this.only !== name) return false;
    this.supply();
    this.#facts.set(keyOf(this.only === undefined ? namespace : '', name), this.#read(object));
    return true;
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

  first(): Facts | null {
    return this.inOrder()?.[0] ?? null;
  }
}

/** Sorts by namespace, then name: no character precedes NUL. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}\0${name}`;
}

interface ClusterKinds {
  readonly kinds: ReadonlyMap<string, ClusterKind>;
  facts(): Omit<ClusterFacts, 'collectedAt'>;
}

const CONFIG = 'config.openshift.io';
const LIFECYCLE_MANAGER = 'operators.coreos.com';
export const ADMIN_GATES = { namespace: 'openshift-config-managed', name: 'admin-gates' } as const;
export const ADMIN_ACKS = { namespace: 'openshift-config', name: 'admin-acks' } as const;

export function clusterKinds({ isRemovedApi, usernames = false, collectedAt }: ReadOptions): ClusterKinds {
  const clusterVersions = new Collection(CONFIG, readClusterVersion, 'version');
  const clusterOperators = new Collection(CONFIG, readClusterOperator);
  const nodes = new Collection('', readNode);
  const pools = new Collection('machineconfiguration.openshift.io', readPool);
  const operators = new Collection(LIFECYCLE_MANAGER, readOperator);
  const subscriptions = new Collection(LIFECYCLE_MANAGER, readSubscription);
  const apiUse = new Collection('apiserver.openshift.io', (object) =>
    readApiUse(object, isRemovedApi, { usernames, collectedAt }),
  );
  const adminGates = new Collection('', readConfigMap);
  const adminAcks = new Collection('', readConfigMap);
  const infrastructures = new Collection(CONFIG, readInfrastructure, 'cluster');
  const networkTypes = new Collection(
    CONFIG,
    (object) => object.at('status', 'networkType').textOrNull(),
    'cluster',
  );
  const pods = new Collection('', readPod);
  return {
    kinds: new Map<string, ClusterKind>([
      ['ClusterVersion', clusterVersions],
      ['ClusterOperator', clusterOperators],
      ['Node', nodes],
      ['MachineConfigPool', pools],
      ['ClusterServiceVersion', operators],
      ['Subscription', subscriptions],
      [
        'APIRequestCount',
        {
          group: apiUse.group,
          supply: () => apiUse.supply(),
          take: (object, namespace, name) => apiUse.take(object, namespace, name),
          isWorthParsing: (text) => mayGoAway(text, (name) => isRemovedApi(name) || apiUse.has('', name)),
        },
      ],
      ['ConfigMap', configMaps([ADMIN_GATES, adminGates], [ADMIN_ACKS, adminAcks])],
      ['Infrastructure', infrastructures],
      ['Network', networkTypes],
      ['Pod', pods],
    ]),
    facts: () => {
      const read = pods.inOrder();
      return {
        clusterVersion: clusterVersions.first(),
        clusterOperators: clusterOperators.inOrder(),
        nodes: nodes.inOrder(),
        pools: pools.inOrder(),
        operators: operators.inOrder(),
        subscriptions: subscriptions.inOrder(),
        apiUse: apiUse.inOrder(),
        adminGates: adminGates.first(),
        adminAcks: adminAcks.first(),
        infrastructure: infrastructures.first(),
        networkType: networkTypes.first(),
        podsPerNode: read && podsPerNode(read),
      };
    },
  };
}

/** Reads only these ConfigMaps; a list without them does not mean that the cluster lacks them. */
function configMaps(
  ...read: readonly (readonly [{ readonly namespace: string; readonly name: string }, Collection<unknown>])[]
): ClusterKind {
  return {
    group: '',
    supply: () => {},
    take: (object, namespace, name) => {
      const [, collection] =
        read.find(([map]) => map.name === name && (map.namespace === namespace || namespace === '')) ?? [];
      return collection?.take(object, '', name) ?? false;
    },
  };
}

/** `data` in the order of its keys. */
function readConfigMap(object: InputValue): ConfigEntry[] {
  return object
    .at('data')
    .sortedEntries()
    .map(([key, value]) => ({ key, value: value.message() }));
}

function readInfrastructure(object: InputValue): InfrastructureFacts {
  const status = object.at('status');
  return {
    platform: status.at('platformStatus', 'type').textOrNull(),
    controlPlaneTopology: status.at('controlPlaneTopology').textOrNull(),
  };
}

export type DocumentReading =
  | { readonly ok: true; readonly facts: ClusterFacts; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

export class ClusterReader {
  readonly objects: ObjectReader;
  readonly #options: ReadOptions;
  readonly #read: ClusterKinds;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#read = clusterKinds(options);
    this.objects = new ObjectReader((kind, apiVersion) => {
      const found = this.#read.kinds.get(kind);
      return found !== undefined && isOfGroup(apiVersion, found.group) ? found : null;
    });
  }

  /** Returns the facts after the last object. `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): DocumentReading {
    const reading = this.objects.finish(documents, fault);
    if (!reading.ok) return reading;
    const { newestTime, input } = reading;
    const newest = newestTime === null ? null : new Date(newestTime).toISOString();
    return {
      ok: true,
      facts: { collectedAt: this.#options.collectedAt ?? newest, ...this.#read.facts() },
      input,
    };
  }
}

/**
 * `config.openshift.io/v1` has the group before the slash, `v1` the core group; a missing apiVersion matches any
 * group.
 */
function isOfGroup(apiVersion: string | null, group: string): boolean {
  if (apiVersion === null || apiVersion === '') return true;
  const slash = apiVersion.indexOf('/');
  return apiVersion.slice(0, Math.max(slash, 0)) === group;
}
