import { groupBy } from '../collection/group-by.ts';
import type { ReportedKind } from './facts.ts';
import { reportOf, RISK_KINDS } from './risk-inputs/kinds.ts';

/** Kubernetes kind that facts are read from. */
export interface DocumentKind {
  readonly facts: readonly ReportedKind[];
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name: `nodes`. */
  readonly resource: string;
  /** Only the object of this name is read. */
  readonly name?: string;
  /** Absent for cluster-scoped objects, and for objects of all namespaces. */
  readonly namespace?: string;
  readonly isNamespaced?: true;
  /** Label selector, used where the other objects are many. */
  readonly selector?: string;
  /** Not a failure if missing or forbidden; the dependent checks are then unknown. */
  readonly isOptional?: boolean;
  /** It matters whether the cluster has the object: `ObjectCounts` then say that it does not exist. */
  readonly isAbsenceKnown?: true;
  /** Facts that metadata suffices for: the others come only from documents that are sent. */
  readonly metadataFacts?: readonly ReportedKind[];
  /**
   * `base`: always read. `status`: read by the reporter and `cairn status`, but not for a plan. `workloads`: read only
   * if the reporter may read workloads. `sent`: read only if documents contain it. `hosted`: read from a management
   * cluster for the plan of a hosted cluster only.
   */
  readonly component: 'base' | 'status' | 'workloads' | 'hosted' | 'sent';
}

const CORE = { group: '', version: 'v1' } as const;
const CONFIG = { group: 'config.openshift.io', version: 'v1' } as const;
const OPERATOR = { group: 'operator.openshift.io', version: 'v1' } as const;
const MACHINE_CONFIG = { group: 'machineconfiguration.openshift.io', version: 'v1' } as const;
const APPS = { group: 'apps', version: 'v1' } as const;
const LIFECYCLE_MANAGER = { group: 'operators.coreos.com', version: 'v1alpha1' } as const;
const EXTENSIONS = { group: 'olm.operatorframework.io', version: 'v1' } as const;
const BASE = { component: 'base', isOptional: true } as const;
const WORKLOADS = { component: 'workloads', isOptional: true } as const;
const STATUS = { component: 'status', isOptional: true } as const;
const HOSTED = { component: 'hosted', isOptional: true } as const;
const EVERYWHERE = { isNamespaced: true } as const;
const HYPERSHIFT = { group: 'hypershift.openshift.io', version: 'v1beta1', isNamespaced: true } as const;
const CONFIG_MAP = { ...BASE, ...CORE, ...EVERYWHERE, kind: 'ConfigMap', resource: 'configmaps' } as const;
const SINGLETON = { ...BASE, name: 'cluster' } as const;

export const ADMIN_GATES = { namespace: 'openshift-config-managed', name: 'admin-gates' } as const;
export const ADMIN_ACKS = { namespace: 'openshift-config', name: 'admin-acks' } as const;
export const SELINUX_CONFLICTS = { namespace: 'openshift-config', name: 'selinux-conflicts' } as const;
export const CERT_ROTATION = {
  namespace: 'openshift-config',
  name: 'unsupported-cert-rotation-config',
} as const;
export const MACHINE_CONFIG_OPERATOR = {
  namespace: 'openshift-machine-config-operator',
  name: 'machine-config-operator',
} as const;
export const SUPPORTED_VERSIONS = { namespace: 'hypershift', name: 'supported-versions' } as const;
export const MICROSHIFT_VERSION = { namespace: 'kube-public', name: 'microshift-version' } as const;

/** Operators whose configuration can have unsupported overrides. */
const CONFIGURED_OPERATORS = {
  Authentication: 'authentications',
  Console: 'consoles',
  Etcd: 'etcds',
  KubeAPIServer: 'kubeapiservers',
  KubeControllerManager: 'kubecontrollermanagers',
  KubeScheduler: 'kubeschedulers',
  OpenShiftAPIServer: 'openshiftapiservers',
  OpenShiftControllerManager: 'openshiftcontrollermanagers',
} as const;

/**
 * Every kind that is read, for documents, `cairn report` and its roles in `infra/cluster`, and the commands that ask for
 * missing documents. Of two kinds with the same name, the first is meant where no API group is given.
 */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  {
    ...CONFIG,
    facts: ['clusterVersion'],
    kind: 'ClusterVersion',
    resource: 'clusterversions',
    name: 'version',
    component: 'base',
  },
  {
    ...CONFIG,
    facts: ['clusterOperators'],
    kind: 'ClusterOperator',
    resource: 'clusteroperators',
    component: 'base',
  },
  { ...CORE, facts: ['nodes'], kind: 'Node', resource: 'nodes', component: 'base' },
  { ...BASE, ...MACHINE_CONFIG, facts: ['pools'], kind: 'MachineConfigPool', resource: 'machineconfigpools' },
  {
    ...BASE,
    ...LIFECYCLE_MANAGER,
    ...EVERYWHERE,
    facts: ['operators'],
    kind: 'ClusterServiceVersion',
    resource: 'clusterserviceversions',
    // Skip the copies that OLM creates in every watched namespace.
    selector: '!olm.copiedFrom',
  },
  {
    ...BASE,
    ...LIFECYCLE_MANAGER,
    ...EVERYWHERE,
    facts: ['subscriptions'],
    kind: 'Subscription',
    resource: 'subscriptions',
  },
  { ...BASE, ...EXTENSIONS, facts: ['extensions'], kind: 'ClusterExtension', resource: 'clusterextensions' },
  { ...BASE, ...EXTENSIONS, facts: ['catalogs'], kind: 'ClusterCatalog', resource: 'clustercatalogs' },
  { ...BASE, ...EXTENSIONS, facts: ['objectSets'], kind: 'ClusterObjectSet', resource: 'clusterobjectsets' },
  {
    ...BASE,
    group: 'apiserver.openshift.io',
    version: 'v1',
    facts: ['apiUse'],
    kind: 'APIRequestCount',
    resource: 'apirequestcounts',
  },
  { ...CONFIG_MAP, ...ADMIN_GATES, facts: ['adminGates'] },
  { ...CONFIG_MAP, ...ADMIN_ACKS, facts: ['adminAcks'] },
  { ...CONFIG_MAP, ...SELINUX_CONFLICTS, facts: ['selinuxConflicts'] },
  { ...CONFIG_MAP, ...CERT_ROTATION, facts: ['certRotationBase'] },
  { ...SINGLETON, ...CONFIG, facts: ['infrastructure'], kind: 'Infrastructure', resource: 'infrastructures' },
  {
    ...SINGLETON,
    ...CONFIG,
    facts: ['networkType', 'networkMigration'],
    kind: 'Network',
    resource: 'networks',
  },
  { ...SINGLETON, ...OPERATOR, facts: ['configuredNetwork'], kind: 'Network', resource: 'networks' },
  { ...SINGLETON, ...CONFIG, facts: ['cgroupMode'], kind: 'Node', resource: 'nodes' },
  { ...SINGLETON, ...CONFIG, facts: ['featureSet'], kind: 'FeatureGate', resource: 'featuregates' },
  {
    ...SINGLETON,
    ...OPERATOR,
    facts: ['cloudCredential'],
    kind: 'CloudCredential',
    resource: 'cloudcredentials',
  },
  {
    ...SINGLETON,
    ...OPERATOR,
    facts: ['machineConfiguration'],
    kind: 'MachineConfiguration',
    resource: 'machineconfigurations',
  },
  ...Object.entries(CONFIGURED_OPERATORS).map(([kind, resource]): DocumentKind => ({
    ...SINGLETON,
    ...OPERATOR,
    facts: ['operatorConfigs'],
    kind,
    resource,
  })),
  {
    ...BASE,
    ...CONFIG,
    facts: ['digestMirrorSets'],
    kind: 'ImageDigestMirrorSet',
    resource: 'imagedigestmirrorsets',
  },
  { ...BASE, ...CONFIG, facts: ['tagMirrorSets'], kind: 'ImageTagMirrorSet', resource: 'imagetagmirrorsets' },
  {
    ...BASE,
    group: OPERATOR.group,
    version: 'v1alpha1',
    facts: ['contentSourcePolicies'],
    kind: 'ImageContentSourcePolicy',
    resource: 'imagecontentsourcepolicies',
  },
  {
    ...BASE,
    ...CONFIG,
    facts: ['imagePolicies'],
    kind: 'ClusterImagePolicy',
    resource: 'clusterimagepolicies',
  },
  {
    ...BASE,
    ...MACHINE_CONFIG,
    facts: ['runtimeConfigs'],
    kind: 'ContainerRuntimeConfig',
    resource: 'containerruntimeconfigs',
  },
  {
    ...STATUS,
    ...MACHINE_CONFIG,
    facts: ['machineConfigs', 'configReleases'],
    // Bodies have the files of the nodes, and are 60 to 90 kB each.
    metadataFacts: ['configReleases'],
    kind: 'MachineConfig',
    resource: 'machineconfigs',
  },
  {
    ...BASE,
    group: 'apiextensions.k8s.io',
    version: 'v1',
    facts: ['customResources'],
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
  },
  {
    ...BASE,
    ...EVERYWHERE,
    group: 'policy',
    version: 'v1',
    facts: ['budgets'],
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
  },
  {
    ...BASE,
    group: 'certificates.k8s.io',
    version: 'v1',
    facts: ['certificateRequests'],
    kind: 'CertificateSigningRequest',
    resource: 'certificatesigningrequests',
  },
  {
    ...BASE,
    ...EVERYWHERE,
    group: 'machine.openshift.io',
    version: 'v1beta1',
    facts: ['healthChecks'],
    kind: 'MachineHealthCheck',
    resource: 'machinehealthchecks',
  },
  {
    ...BASE,
    group: 'remediation.medik8s.io',
    version: 'v1alpha1',
    facts: ['healthChecks'],
    kind: 'NodeHealthCheck',
    resource: 'nodehealthchecks',
  },
  ...RISK_KINDS,
  {
    ...WORKLOADS,
    ...CORE,
    ...EVERYWHERE,
    facts: ['podsPerNode', 'drainedPods', 'containerImages'],
    kind: 'Pod',
    resource: 'pods',
  },
  {
    ...MACHINE_CONFIG_OPERATOR,
    ...STATUS,
    ...EVERYWHERE,
    ...APPS,
    facts: ['machineConfigImage'],
    kind: 'Deployment',
    resource: 'deployments',
  },
  {
    ...WORKLOADS,
    ...EVERYWHERE,
    ...APPS,
    facts: ['singleReplicas'],
    kind: 'Deployment',
    resource: 'deployments',
  },
  {
    ...WORKLOADS,
    ...EVERYWHERE,
    ...APPS,
    facts: ['singleReplicas'],
    kind: 'StatefulSet',
    resource: 'statefulsets',
  },
  {
    ...WORKLOADS,
    ...EVERYWHERE,
    group: 'route.openshift.io',
    version: 'v1',
    facts: ['unservableRoutes'],
    kind: 'Route',
    resource: 'routes',
  },
  {
    ...WORKLOADS,
    ...CORE,
    facts: ['vsphereVolumes'],
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
  },
  {
    ...WORKLOADS,
    ...EVERYWHERE,
    group: 'kubevirt.io',
    version: 'v1',
    facts: ['virtualMachines'],
    kind: 'VirtualMachineInstance',
    resource: 'virtualmachineinstances',
  },
  { ...HOSTED, ...HYPERSHIFT, facts: ['hostedClusters'], kind: 'HostedCluster', resource: 'hostedclusters' },
  { ...HOSTED, ...HYPERSHIFT, facts: ['nodePools'], kind: 'NodePool', resource: 'nodepools' },
  { ...CONFIG_MAP, ...SUPPORTED_VERSIONS, ...HOSTED, facts: ['hostedVersions'] },
  { ...CONFIG_MAP, ...MICROSHIFT_VERSION, component: 'sent', facts: ['microshiftVersion'] },
];

/** Response of the alerts API, which has no kind. */
export const ALERTS_COMMAND =
  'oc -n openshift-monitoring exec -c prometheus prometheus-k8s-0 -- curl -s http://localhost:9090/api/v1/alerts';

/** Command that prints documents, and their kinds. */
export interface Collection {
  readonly kinds: readonly string[];
  readonly command: string;
}

/** Kinds at the same place are one command: `oc get deployments,statefulsets -A -o json`. All kinds if none is named. */
export function collectionsOf(fact: ReportedKind, kinds?: readonly string[]): readonly Collection[] {
  if (fact === 'alerts') return [{ kinds: ['Alerts'], command: ALERTS_COMMAND }];
  const ofFact = DOCUMENT_KINDS.filter(({ facts }) => facts.includes(fact));
  if (ofFact.length === 0) return [reportOf(fact)];
  const rows = kinds ? ofFact.filter(({ kind }) => kinds.includes(kind)) : ofFact;
  return [...groupBy(rows, placeOf)].map(([place, together]) => ({
    kinds: together.map(({ kind }) => kind),
    command: `oc get ${together.map(resourceName).join(',')}${place} -o json`,
  }));
}

/** Commands that print the documents of facts: `oc get routes -A -o json`. */
export function collectCommands(...facts: readonly ReportedKind[]): readonly string[] {
  return [...new Set(facts.flatMap((fact) => collectionsOf(fact)).map(({ command }) => command))];
}

function placeOf({ name, namespace, isNamespaced }: DocumentKind): string {
  const where = namespace === undefined ? (isNamespaced ? ' -A' : '') : ` -n ${namespace}`;
  return `${name === undefined ? '' : ` ${name}`}${where}`;
}

/** With its group if another kind has the same plural, since `oc` would choose one. */
export function resourceName({ resource, group }: DocumentKind): string {
  const isAmbiguous =
    // Some of these have a namesake in config.openshift.io that is not read.
    group === OPERATOR.group ||
    DOCUMENT_KINDS.some((other) => other.resource === resource && other.group !== group);
  return isAmbiguous && group !== '' ? `${resource}.${group}` : resource;
}
