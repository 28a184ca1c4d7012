import type { Mistake } from '../input/input-value.ts';
import { mayGoAway, readApiUse } from './api-use.ts';
import { readClusterVersion } from './cluster-version.ts';
import {
  Collection,
  ADMIN_ACKS,
  ADMIN_GATES,
  readConfigMap,
  readInfrastructure,
  readNetworkType,
} from './config.ts';
import type { ClusterFacts } from './facts.ts';
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

export interface ClusterKind extends Kind {
  /** Distinguishes kinds of the same name: `Network` is in two groups. */
  readonly group: string;
}

interface ClusterKinds {
  readonly kinds: ReadonlyMap<string, ClusterKind>;
  facts(): Omit<ClusterFacts, 'collectedAt'>;
}

const CONFIG = 'config.openshift.io';
const LIFECYCLE_MANAGER = 'operators.coreos.com';

export function clusterKinds({ isRemovedApi, usernames = false, collectedAt }: ReadOptions): ClusterKinds {
  const clusterVersions = new Collection(readClusterVersion);
  const clusterOperators = new Collection(readClusterOperator);
  const nodes = new Collection(readNode);
  const pools = new Collection(readPool);
  const operators = new Collection(readOperator);
  const subscriptions = new Collection(readSubscription);
  const apiUseOptions = { usernames, collectedAt: collectedAt ?? null };
  const apiUse = new Collection((object) => readApiUse(object, isRemovedApi, apiUseOptions));
  const adminGates = new Collection(readConfigMap);
  const adminAcks = new Collection(readConfigMap);
  const infrastructures = new Collection(readInfrastructure);
  const networkTypes = new Collection(readNetworkType);
  const pods = new Collection(readPod);
  return {
    kinds: new Map<string, ClusterKind>([
      ['ClusterVersion', onlyOne('version', clusterVersions)],
      ['ClusterOperator', manyOf(CONFIG, clusterOperators)],
      ['Node', manyOf('', nodes)],
      ['MachineConfigPool', manyOf('machineconfiguration.openshift.io', pools)],
      ['ClusterServiceVersion', manyOf(LIFECYCLE_MANAGER, operators)],
      ['Subscription', manyOf(LIFECYCLE_MANAGER, subscriptions)],
      [
        'APIRequestCount',
        {
          ...manyOf('apiserver.openshift.io', apiUse),
          isWorthParsing: (text) => mayGoAway(text, (name) => isRemovedApi(name) || apiUse.has('', name)),
        },
      ],
      ['ConfigMap', configMaps([ADMIN_GATES, adminGates], [ADMIN_ACKS, adminAcks])],
      ['Infrastructure', onlyOne('cluster', infrastructures)],
      ['Network', onlyOne('cluster', networkTypes)],
      ['Pod', manyOf('', pods)],
    ]),
    facts: () => {
      const read = pods.inOrder();
      return {
        clusterVersion: clusterVersions.inOrder()?.[0] ?? null,
        clusterOperators: clusterOperators.inOrder(),
        nodes: nodes.inOrder(),
        pools: pools.inOrder(),
        operators: operators.inOrder(),
        subscriptions: subscriptions.inOrder(),
        apiUse: apiUse.inOrder(),
        adminGates: adminGates.inOrder()?.[0] ?? null,
        adminAcks: adminAcks.inOrder()?.[0] ?? null,
        infrastructure: infrastructures.inOrder()?.[0] ?? null,
        networkType: networkTypes.inOrder()?.[0] ?? null,
        podsPerNode: read && podsPerNode(read),
      };
    },
  };
}

function manyOf(group: string, collection: Collection<unknown>): ClusterKind {
  return {
    group,
    supply: () => collection.supply(),
    take: (object, namespace, name) => {
      collection.take(object, namespace, name);
      return true;
    },
  };
}

function onlyOne(only: string, collection: Collection<unknown>): ClusterKind {
  return {
    group: CONFIG,
    only,
    supply: () => collection.supply(),
    take: (object, _namespace, name) => {
      if (name === only) collection.take(object, '', only);
      return name === only;
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
      collection?.take(object, '', name);
      return collection !== undefined;
    },
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
