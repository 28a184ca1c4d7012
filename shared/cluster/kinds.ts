import { mayGoAway, readApiUse } from './api-use.ts';
import { readClusterOperator } from './cluster-operators.ts';
import { readClusterVersion } from './cluster-version.ts';
import { Collection } from './config.ts';
import { ADMIN_ACKS, ADMIN_GATES, readConfigMap } from './config-maps.ts';
import type { ClusterFacts } from './facts.ts';
import { readInfrastructure } from './infrastructure.ts';
import { readNetworkType } from './network.ts';
import { readNode } from './nodes.ts';
import type { Kind } from './object-reader.ts';
import { readOperator } from './operators.ts';
import { podsPerNode, readPod } from './pods.ts';
import { readPool } from './pools.ts';
import { readSubscription } from './subscriptions.ts';

export interface ReadOptions {
  /** When the documents were collected; without it, the newest time that they tell. */
  readonly collectedAt?: string;
  /** Whether to keep the names of people who use APIs that go away. */
  readonly usernames?: boolean;
  /** Whether an API, named as in `ingresses.v1beta1.extensions`, goes away even if its document does not say so. */
  readonly isRemovedApi: (name: string) => boolean;
}

export interface ClusterKind extends Kind {
  /** Two kinds may have one name: there is a `Network` of the configuration and one of its operator. */
  readonly group: string;
}

export interface ClusterKinds {
  /** By name. */
  readonly kinds: ReadonlyMap<string, ClusterKind>;
  /** What was read so far. */
  facts(): Omit<ClusterFacts, 'collectedAt'>;
}

const CONFIG = 'config.openshift.io';
const LIFECYCLE_MANAGER = 'operators.coreos.com';

/** The kinds that are read, with room for what is read of one cluster. */
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

/** Of all the maps in a cluster these; a list without them does not say that the cluster has none. */
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
