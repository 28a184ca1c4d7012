import { groupBy } from '../collection/group-by.ts';
import type { InputValue, Mistake } from '../input/input-value.ts';
import { isListKind } from '../json/frames.ts';
import { mayGoAway, readApiUse } from './api-use.ts';
import { readClusterVersion, readOneClusterVersion } from './cluster-version.ts';
import {
  type MachineConfigFacts,
  OperatorConfigs,
  mayBeWatched,
  nameOf,
  readCloudCredential,
  readConfigMap,
  readCustomResource,
  readConfigRelease,
  readContainerImage,
  readInfrastructure,
  readMachineConfig,
  readMachineConfiguration,
  readMirrorSet,
  readNetworkMigration,
  readOperatorConfig,
  readRuntimeConfig,
  readUnservableRoute,
  readVsphereVolume,
} from './configuration.ts';
import { DOCUMENT_KINDS, type DocumentKind } from './document-kinds.ts';
import { readCatalog, readExtension, readObjectSet } from './extensions.ts';
import { type ClusterFacts, LISTED_KINDS, type ReportedKind } from './facts.ts';
import { readHostedCluster, readNodePool, readSupportedVersions } from './hosted/documents.ts';
import { readNode, podsPerNode, readPod } from './nodes.ts';
import {
  Collection,
  type Collector,
  type Kind,
  type InputSummary,
  type ListScope,
  list,
  ObjectReader,
  single,
} from './object-reader.ts';
import { readClusterOperator, readOperator, readSubscription } from './operators.ts';
import { readPool } from './pools.ts';
import { CAIRN_KINDS } from './risk-inputs/kinds.ts';
import {
  containerImages,
  objectCounts,
  readInstaller,
  readProxy,
  readReplicas,
  riskAnswers,
} from './risk-inputs/objects.ts';
import {
  DrainedPods,
  readAlerts,
  readBudget,
  readCertificateRequest,
  readHealthCheck,
  readSingleReplica,
  readVirtualMachine,
} from './workloads.ts';

export interface ReadOptions {
  /** Defaults to the newest time in the documents. */
  readonly collectedAt?: string;
  /** Keep the names of people who use removed APIs. */
  readonly usernames?: boolean;
  /** Reject a second ClusterVersion with another `clusterID`; otherwise the last one counts. */
  readonly isOneCluster?: boolean;
  /** A page of a list is accepted without the others; `completeLists` does not name its kind. */
  readonly acceptsPages?: boolean;
  /** True for a removed API such as `ingresses.v1beta1.extensions`, even if its document does not say so. */
  readonly isRemovedApi: (name: string) => boolean;
}

const IN_DOCUMENT_ORDER = 'document';

function apiUse({ isRemovedApi, usernames = false, collectedAt }: ReadOptions) {
  const collection = new Collection((object) => readApiUse(object, isRemovedApi, { usernames, collectedAt }));
  return {
    supply: () => collection.supply(),
    take: (...taken: Parameters<Collector<unknown>['take']>) => collection.take(...taken),
    value: () => collection.inOrder(),
    isWorthParsing: (text: string) =>
      mayGoAway(text, (name) => isRemovedApi(name) || collection.has('APIRequestCount', name)),
  };
}

/** Metadata alone does not show drop-ins. */
function machineConfigs(): Collector<readonly MachineConfigFacts[]> {
  const configs = list(readMachineConfig);
  let [bodies, heads] = [0, 0];
  return {
    supply: (kind) => configs.supply(kind),
    take: (object, ...taken) => {
      if (object.at('spec').isMissing) heads++;
      else bodies++;
      configs.take(object, ...taken);
    },
    value: () => (heads > 0 && bodies === 0 ? null : configs.value()),
  };
}

function podCounts(): Collector<NonNullable<ClusterFacts['podsPerNode']>> {
  const pods = list(readPod);
  return {
    supply: (kind) => pods.supply(kind),
    take: (...taken) => pods.take(...taken),
    value: () => {
      const read = pods.value();
      return read && podsPerNode(read);
    },
  };
}

const textAt =
  (...keys: readonly string[]) =>
  (object: InputValue): string =>
    object.at(...keys).text();

/** Readers of all facts; each reads the kinds that `DOCUMENT_KINDS` lists for it. */
const COLLECTORS: {
  readonly [Fact in Exclude<ReportedKind, 'alerts'>]: (
    options: ReadOptions,
  ) => Collector<NonNullable<ClusterFacts[Fact]>>;
} = {
  clusterVersion: ({ isOneCluster = false }) =>
    single(isOneCluster ? readOneClusterVersion() : readClusterVersion),
  clusterOperators: () => list(readClusterOperator, IN_DOCUMENT_ORDER),
  nodes: () => list(readNode, IN_DOCUMENT_ORDER),
  pools: () => list(readPool, IN_DOCUMENT_ORDER),
  operators: () => list(readOperator),
  subscriptions: () => list(readSubscription),
  extensions: () => list(readExtension),
  catalogs: () => list(readCatalog),
  objectSets: () => list(readObjectSet),
  apiUse,
  adminGates: () => single(readConfigMap),
  adminAcks: () => single(readConfigMap),
  infrastructure: () => single(readInfrastructure),
  networkType: () => single((object) => object.at('status', 'networkType').textOrNull()),
  podsPerNode: podCounts,
  digestMirrorSets: () => list(readMirrorSet('ImageDigestMirrorSet')),
  tagMirrorSets: () => list(readMirrorSet('ImageTagMirrorSet')),
  contentSourcePolicies: () => list(readMirrorSet('ImageContentSourcePolicy')),
  machineConfiguration: () =>
    single(readMachineConfiguration, { bootImageManagers: null, bootImageSkew: null }),
  customResources: () => ({ ...list(readCustomResource), isWorthParsing: mayBeWatched }),
  unservableRoutes: () => list(readUnservableRoute),
  vsphereVolumes: () => list(readVsphereVolume),
  cgroupMode: () => single(textAt('spec', 'cgroupMode'), ''),
  featureSet: () => single(textAt('spec', 'featureSet'), ''),
  installer: () => single(readInstaller),
  installerManifests: () => single(readInstaller),
  proxy: () => single(readProxy),
  registryReplicas: () => single(readReplicas),
  objectCounts,
  containerImages,
  riskAnswers,
  cloudCredential: () => single(readCloudCredential, { mode: '', upgradeableTo: '' }),
  configuredNetwork: () => single((object) => object.at('spec', 'defaultNetwork', 'type').textOrNull()),
  networkMigration: () => single(readNetworkMigration),
  runtimeConfigs: () => list(readRuntimeConfig),
  machineConfigs,
  configReleases: () => list(readConfigRelease),
  machineConfigImage: () => single(readContainerImage),
  selinuxConflicts: () => single(textAt('data', 'conflictsPresent')),
  certRotationBase: () => single(textAt('data', 'base')),
  imagePolicies: () => list(nameOf),
  operatorConfigs: () => new OperatorConfigs(),
  budgets: () => list(readBudget),
  drainedPods: () => new DrainedPods(),
  singleReplicas: () => list((object, kind) => readSingleReplica(kind)(object)),
  virtualMachines: () => list(readVirtualMachine),
  healthChecks: () => list((object, kind) => readHealthCheck(kind)(object)),
  certificateRequests: () => list(readCertificateRequest),
  hostedClusters: () => list(readHostedCluster),
  nodePools: () => list(readNodePool),
  hostedVersions: () => single(readSupportedVersions),
  microshiftVersion: () => single((object) => object.at('data', 'version').textOrNull()),
};

/** Reads one kind of documents into all facts that need it. */
class ClusterKind implements Kind {
  readonly rows: readonly DocumentKind[];
  readonly only: string | undefined;
  readonly #collectors: ReadonlyMap<ReportedKind, Collector<unknown>>;
  /** Rows of which all objects came. */
  readonly #whole = new Set<DocumentKind>();
  readonly isWorthParsing?: (text: string) => boolean;

  constructor(rows: readonly DocumentKind[], collectors: ReadonlyMap<ReportedKind, Collector<unknown>>) {
    this.rows = rows;
    this.#collectors = collectors;
    const [row, other] = rows;
    if (!other && row!.namespace === undefined) this.only = row!.name;
    const all = this.#of(rows);
    if (all.every((collector) => collector.isWorthParsing !== undefined)) {
      this.isWorthParsing = (text) => all.some((collector) => collector.isWorthParsing!(text));
    }
  }

  /** A list without a ConfigMap does not mean that the cluster lacks it. */
  supply(): void {
    for (const row of this.rows.filter(({ namespace }) => namespace === undefined)) {
      for (const collector of this.#of([row])) collector.supply(row.kind);
    }
  }

  complete(scope: ListScope): void {
    for (const row of this.rows) {
      if (row.name !== undefined || (row.isNamespaced && scope !== 'the cluster')) continue;
      this.#whole.add(row);
      for (const collector of this.#of([row])) collector.complete?.();
    }
  }

  get wholeFacts(): readonly ReportedKind[] {
    return [...this.#whole].flatMap(({ facts }) => facts);
  }

  take(object: InputValue, namespace: string, name: string): boolean {
    const row = this.rows.find(
      (each) =>
        (each.name === undefined || each.name === name) &&
        (each.namespace === undefined || each.namespace === namespace || namespace === ''),
    );
    if (row === undefined) return false;
    for (const collector of this.#of([row])) collector.take(object, namespace, name, row);
    if (row.group === OPERATOR_CONFIG.group && !row.facts.includes('operatorConfigs')) {
      takeOverrides(row.kind, this.#collectors).take(object, namespace, name);
    }
    return true;
  }

  #of(rows: readonly DocumentKind[]): Collector<unknown>[] {
    return rows.flatMap(({ facts }) => facts.map((fact) => this.#collectors.get(fact)!));
  }
}

/** Row of the configurations that are not asked for. */
const OPERATOR_CONFIG = {
  group: 'operator.openshift.io',
  version: 'v1',
  facts: ['operatorConfigs'],
  component: 'sent',
} as const;

/** Any configuration of an operator can have unsupported overrides; only one that has them counts. */
function takeOverrides(kind: string, collectors: ReadonlyMap<ReportedKind, Collector<unknown>>): Kind {
  const row = { ...OPERATOR_CONFIG, kind, resource: kind.toLowerCase() };
  return {
    supply: () => {},
    take: (object, namespace, name) => {
      const hasOverrides = readOperatorConfig(kind)(object).overrides.length > 0;
      if (hasOverrides) collectors.get('operatorConfigs')!.take(object, namespace, name, row);
      return hasOverrides;
    },
  };
}

interface ClusterKinds {
  readonly find: (kind: string, apiVersion: string | null) => Kind | null;
  readonly takeAlerts: (response: InputValue) => void;
  readonly facts: () => Omit<ClusterFacts, 'collectedAt'>;
}

const ROWS_BY_KIND = groupBy([...DOCUMENT_KINDS, ...CAIRN_KINDS], ({ kind }) => kind);

export function clusterKinds(options: ReadOptions): ClusterKinds {
  const collectors = new Map(
    Object.entries(COLLECTORS).map(([fact, collector]): [ReportedKind, Collector<unknown>] => [
      fact as ReportedKind,
      collector(options),
    ]),
  );
  let alerts: ClusterFacts['alerts'] = null;
  const kinds = new Map(
    Array.from(ROWS_BY_KIND, ([kind, rows]) => [
      kind,
      [...groupBy(rows, ({ group }) => group)].map(
        ([group, ofGroup]) => [group, new ClusterKind(ofGroup, collectors)] as const,
      ),
    ]),
  );
  return {
    find: (kind, apiVersion) =>
      kinds.get(kind)?.find(([group]) => isOfGroup(apiVersion, group))?.[1] ??
      (apiVersion?.startsWith(`${OPERATOR_CONFIG.group}/`) && !isListKind(kind)
        ? takeOverrides(kind, collectors)
        : null),
    takeAlerts: (response) => {
      alerts = readAlerts(response);
    },
    facts: () => {
      const values = Array.from(collectors, ([fact, collector]) => [fact, collector.value()]);
      const whole = [...kinds.values()].flat().flatMap(([, kind]) => kind.wholeFacts);
      const completeLists = LISTED_KINDS.filter((fact) => whole.includes(fact));
      return { ...Object.fromEntries(values), alerts, completeLists } as Omit<ClusterFacts, 'collectedAt'>;
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
    const { find, takeAlerts } = this.#read;
    this.objects = new ObjectReader(find, takeAlerts, options.acceptsPages);
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
