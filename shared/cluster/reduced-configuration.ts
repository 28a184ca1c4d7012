import { PART } from '../json/frames.ts';
import {
  MACHINE_CONFIG_ROLE,
  RELEASE_OF_CONFIG,
  type MachineConfigurationFacts,
  type MirrorKind,
  mirrorSetSpec,
  type MirrorSetFacts,
  RUNTIME_DROP_INS,
  UNSERVABLE_ROUTE,
  UPGRADEABLE_TO,
} from './configuration.ts';
import {
  CERT_ROTATION,
  DOCUMENT_KINDS,
  MACHINE_CONFIG_OPERATOR,
  SELINUX_CONFLICTS,
} from './document-kinds.ts';
import type { ClusterFacts, ConfigEntry, ListedKind, ReportedKind } from './facts.ts';
import { type BudgetFacts, PAUSED_ANNOTATION, type PodGroupFacts } from './workloads.ts';

export type Json = Readonly<Record<string, unknown>>;

export type Writers<Kinds extends ReportedKind> = {
  readonly [Kind in Kinds]: (value: NonNullable<ClusterFacts[Kind]>, facts: ClusterFacts) => readonly Json[];
};

/** Kind and apiVersion of a document, from the table. `group` is needed where two kinds share a name. */
export function headOf(kind: string, group?: string): { readonly kind: string; readonly apiVersion: string } {
  const row = DOCUMENT_KINDS.find(
    (each) => each.kind === kind && (group === undefined || each.group === group),
  )!;
  return { kind, apiVersion: row.group === '' ? row.version : `${row.group}/${row.version}` };
}

/** Reads back as a list of some objects if it is partial. */
export function listDocument(kind: string, items: readonly Json[], isPartial = false): Json {
  const head = headOf(kind);
  const metadata = { continue: PART };
  return { ...head, kind: `${kind}List`, ...(isPartial && { metadata }), items };
}

export function isPartial({ completeLists }: ClusterFacts, kind: ListedKind): boolean {
  return !completeLists.includes(kind);
}

export function clusterObject(kind: string, content: Json, group?: string): Json {
  return { ...headOf(kind, group), metadata: { name: 'cluster' }, ...content };
}

export function configMapDocument(
  metadata: { readonly namespace: string; readonly name: string },
  entries: readonly ConfigEntry[],
): Json {
  const data = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  return { ...headOf('ConfigMap'), metadata, data };
}

export const CONFIGURATION_WRITERS: Writers<
  | 'digestMirrorSets'
  | 'tagMirrorSets'
  | 'contentSourcePolicies'
  | 'machineConfiguration'
  | 'customResources'
  | 'unservableRoutes'
  | 'vsphereVolumes'
  | 'cgroupMode'
  | 'featureSet'
  | 'cloudCredential'
  | 'configuredNetwork'
  | 'runtimeConfigs'
  | 'machineConfigs'
  | 'configReleases'
  | 'machineConfigImage'
  | 'selinuxConflicts'
  | 'certRotationBase'
  | 'imagePolicies'
  | 'operatorConfigs'
> = {
  digestMirrorSets: (all) => mirrorSets('ImageDigestMirrorSet', all),
  tagMirrorSets: (all) => mirrorSets('ImageTagMirrorSet', all),
  contentSourcePolicies: (all) => mirrorSets('ImageContentSourcePolicy', all),
  machineConfiguration: (facts) => [clusterObject('MachineConfiguration', machineConfiguration(facts))],
  customResources: (all) => [
    listDocument(
      'CustomResourceDefinition',
      all.map(({ name, group, versions }) => ({
        metadata: { name },
        spec: { group, versions: versions.map((version) => ({ name: version })) },
      })),
    ),
  ],
  unservableRoutes: (all) => [
    listDocument(
      'Route',
      all.map(({ namespace, name, router, message }) => ({
        metadata: { namespace, name },
        status: {
          ingress: [
            { routerName: router, conditions: [{ type: UNSERVABLE_ROUTE, status: 'True', message }] },
          ],
        },
      })),
    ),
  ],
  vsphereVolumes: (names) => [
    listDocument(
      'PersistentVolume',
      names.map((name) => ({ metadata: { name }, spec: { vsphereVolume: {} } })),
    ),
  ],
  cgroupMode: (cgroupMode) => [clusterObject('Node', { spec: { cgroupMode } }, 'config.openshift.io')],
  featureSet: (featureSet) => [clusterObject('FeatureGate', { spec: { featureSet } })],
  cloudCredential: ({ mode, upgradeableTo }) => [
    {
      ...clusterObject('CloudCredential', { spec: { credentialsMode: mode } }),
      metadata: { name: 'cluster', annotations: { [UPGRADEABLE_TO]: upgradeableTo } },
    },
  ],
  configuredNetwork: (type) => [
    clusterObject('Network', { spec: { defaultNetwork: { type } } }, 'operator.openshift.io'),
  ],
  runtimeConfigs: (all) => [
    listDocument(
      'ContainerRuntimeConfig',
      all.map(({ name, runtime, poolSelector }) => ({
        metadata: { name },
        spec: {
          containerRuntimeConfig: { defaultRuntime: runtime },
          machineConfigPoolSelector: poolSelector,
        },
      })),
    ),
  ],
  machineConfigs: (_all, facts) => [machineConfigs(facts)],
  configReleases: (_all, facts) => [machineConfigs(facts)],
  machineConfigImage: (image) => [
    {
      ...headOf('Deployment'),
      metadata: MACHINE_CONFIG_OPERATOR,
      spec: { template: { spec: { containers: [{ name: MACHINE_CONFIG_OPERATOR.name, image }] } } },
    },
  ],
  selinuxConflicts: (value) => [configMapDocument(SELINUX_CONFLICTS, [{ key: 'conflictsPresent', value }])],
  certRotationBase: (value) => [configMapDocument(CERT_ROTATION, [{ key: 'base', value }])],
  imagePolicies: (names) => [
    listDocument(
      'ClusterImagePolicy',
      names.map((name) => ({ metadata: { name } })),
    ),
  ],
  operatorConfigs: (all) =>
    all.map(({ kind, namespace, name, overrides }) => ({
      kind,
      apiVersion: 'operator.openshift.io/v1',
      metadata: { ...(namespace !== undefined && { namespace }), name },
      spec: { unsupportedConfigOverrides: Object.fromEntries(overrides.map((key) => [key, null])) },
    })),
};

function mirrorSets(kind: MirrorKind, all: readonly MirrorSetFacts[]): readonly Json[] {
  const items = all.map((set) => ({ metadata: { name: set.name }, spec: mirrorSetSpec(kind, set) }));
  return [listDocument(kind, items)];
}

function machineConfiguration({ bootImageManagers, bootImageSkew }: MachineConfigurationFacts): Json {
  const managers = bootImageManagers?.map(({ resource, apiGroup, mode }) => ({
    resource,
    apiGroup,
    selection: { mode },
  }));
  const { mode = '', ...versions } = bootImageSkew ?? {};
  const status = { mode, [mode === 'Manual' ? 'manual' : 'automatic']: versions };
  return {
    spec: managers ? { managedBootImages: { machineManagers: managers } } : {},
    status: bootImageSkew ? { bootImageSkewEnforcementStatus: status } : {},
  };
}

/** One list for both facts: a second document of an object would replace the first. */
function machineConfigs({ machineConfigs, configReleases }: ClusterFacts): Json {
  const runtimes = new Map((machineConfigs ?? []).map((facts) => [facts.name, facts]));
  const releases = new Map((configReleases ?? []).map(({ name, version }) => [name, version]));
  const items = [...new Set([...runtimes.keys(), ...releases.keys()])].toSorted().map((name): Json => {
    const [sets, version] = [runtimes.get(name), releases.get(name)];
    return {
      metadata: {
        name,
        ...(sets && { labels: { [MACHINE_CONFIG_ROLE]: sets.role } }),
        ...(version !== undefined && { annotations: { [RELEASE_OF_CONFIG]: version } }),
      },
      // Without `spec` it reads back as metadata.
      ...(machineConfigs && { spec: sets ? { config: { storage: { files: [dropIn(sets.runtime)] } } } : {} }),
    };
  });
  return listDocument('MachineConfig', items);
}

function dropIn(runtime: string): Json {
  const source = `data:,${encodeURIComponent(`default_runtime = "${runtime}"`)}`;
  return { path: `${RUNTIME_DROP_INS}runtime`, contents: { source } };
}

export const WORKLOAD_WRITERS: Writers<
  | 'budgets'
  | 'drainedPods'
  | 'singleReplicas'
  | 'virtualMachines'
  | 'healthChecks'
  | 'certificateRequests'
  | 'alerts'
> = {
  budgets: (all) => [listDocument('PodDisruptionBudget', all.map(budgetDocument))],
  drainedPods: (groups: readonly PodGroupFacts[]) => [listDocument('Pod', groups.flatMap(podDocuments))],
  singleReplicas: (all) =>
    ['Deployment', 'StatefulSet'].map((kind) =>
      listDocument(
        kind,
        all
          .filter((workload) => workload.kind === kind)
          .map(({ namespace, name }) => ({ metadata: { namespace, name }, spec: { replicas: 1 } })),
      ),
    ),
  virtualMachines: (all) => [
    listDocument(
      'VirtualMachineInstance',
      all.map(({ namespace, name, node, message }) => ({
        metadata: { namespace, name },
        spec: { evictionStrategy: 'LiveMigrate' },
        status: {
          nodeName: node,
          conditions: [{ type: 'LiveMigratable', status: 'False', message }],
        },
      })),
    ),
  ],
  healthChecks: (all) =>
    ['MachineHealthCheck', 'NodeHealthCheck'].map((kind) =>
      listDocument(
        kind,
        all
          .filter((check) => check.kind === kind)
          .map(({ namespace, name, isPaused }) => ({
            metadata: { namespace, name, ...(isPaused && { annotations: { [PAUSED_ANNOTATION]: '' } }) },
          })),
      ),
    ),
  certificateRequests: (all) => [
    listDocument(
      'CertificateSigningRequest',
      all.map(({ name, signer, username }) => ({
        metadata: { name },
        spec: { signerName: signer, username },
      })),
    ),
  ],
  alerts: (all) => [
    {
      status: 'success',
      data: {
        alerts: all.map(
          ({ name, severity, namespace, budget, isPrecheck, since, isFiring, ...annotations }) => ({
            state: isFiring === false ? 'unknown' : 'firing',
            labels: {
              alertname: name,
              severity,
              namespace,
              poddisruptionbudget: budget,
              ...(isPrecheck && { openShiftUpdatePrecheck: 'true' }),
            },
            annotations: {
              summary: annotations.summary,
              description: annotations.description,
              ...(annotations.message !== undefined && { message: annotations.message }),
              runbook_url: annotations.runbook,
            },
            ...(since !== null && { activeAt: since }),
          }),
        ),
      },
    },
  ],
};

function budgetDocument(facts: BudgetFacts): Json {
  const { namespace, name, selector, evictsUnhealthy, isStrict, ...status } = facts;
  return {
    metadata: { namespace, name },
    spec: {
      ...(selector !== null && { selector }),
      ...(evictsUnhealthy && { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      ...(isStrict && { maxUnavailable: 0 }),
    },
    ...(!isStrict && { status }),
  };
}

function podDocuments({ namespace, labels, owner, pods }: PodGroupFacts): Json[] {
  return pods.map(({ name, node, ready }) => ({
    metadata: {
      namespace,
      name,
      labels,
      ...(owner !== null && { ownerReferences: [{ ...owner, controller: true }] }),
    },
    spec: { nodeName: node },
    status: { conditions: ready ? [{ type: 'Ready', status: 'True' }] : [] },
  }));
}
