import type { ReportedKind } from '../facts.ts';
import type { AbsentObject } from './facts.ts';

/** The installer leaves the first; an installation from its manifests has the second. */
export const INSTALLER = { namespace: 'openshift-config', name: 'openshift-install' } as const;
export const INSTALLER_MANIFESTS = {
  namespace: 'openshift-config',
  name: 'openshift-install-manifests',
} as const;
export const IMAGE_REGISTRY = { namespace: 'openshift-image-registry', name: 'image-registry' } as const;

const SMALL = { component: 'base', isOptional: true, isAbsenceKnown: true } as const;
const CONFIG_MAP = {
  ...SMALL,
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  isNamespaced: true,
} as const;

/** Small objects that only risks ask for. */
export const RISK_KINDS = [
  { ...CONFIG_MAP, ...INSTALLER, facts: ['installer'] },
  { ...CONFIG_MAP, ...INSTALLER_MANIFESTS, facts: ['installerManifests'] },
  {
    ...SMALL,
    group: 'config.openshift.io',
    version: 'v1',
    facts: ['proxy'],
    kind: 'Proxy',
    resource: 'proxies',
    name: 'cluster',
  },
  {
    ...SMALL,
    ...IMAGE_REGISTRY,
    group: 'apps',
    version: 'v1',
    facts: ['registryReplicas'],
    kind: 'Deployment',
    resource: 'deployments',
    isNamespaced: true,
  },
] as const;

const MACHINE_CONFIG = { group: 'machineconfiguration.openshift.io', version: 'v1' } as const;

/** Resources whose number of objects published queries ask for. */
export const COUNTED_RESOURCES = [
  { group: '', version: 'v1', resource: 'nodes' },
  { group: 'k8s.ovn.org', version: 'v1', resource: 'egressips' },
  { group: 'k8s.cni.cncf.io', version: 'v1', resource: 'network-attachment-definitions' },
  { ...MACHINE_CONFIG, resource: 'containerruntimeconfigs' },
  { ...MACHINE_CONFIG, resource: 'kubeletconfigs' },
  { ...MACHINE_CONFIG, resource: 'machineconfigpools' },
  { group: 'performance.openshift.io', version: 'v2', resource: 'performanceprofiles' },
  { group: 'networking.k8s.io', version: 'v1', resource: 'networkpolicies' },
  { group: 'config.openshift.io', version: 'v1', resource: 'imagedigestmirrorsets' },
  { group: 'operator.openshift.io', version: 'v1alpha1', resource: 'imagecontentsourcepolicies' },
] as const;

/** ConfigMaps whose names queries ask for. */
export const NAMED_OBJECTS = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'openshift-cloud-controller-manager',
} as const;

/** `nodes`, `egressips.k8s.ovn.org` */
export function qualifiedName({ resource, group }: { readonly resource: string; readonly group: string }) {
  return group === '' ? resource : `${resource}.${group}`;
}

/** How `ObjectCounts` name an object. */
export function absentObject({ resource, group, namespace, name }: NamedObject): AbsentObject {
  return {
    resource: qualifiedName({ resource, group }),
    ...(namespace !== undefined && { namespace }),
    name,
  };
}

interface NamedObject extends AbsentObject {
  readonly group: string;
}

export const CAIRN_API = 'cairn/v1';
const CAIRN = { group: 'cairn', version: 'v1', name: 'cluster', component: 'sent' } as const;

/** Documents that Cairn itself writes about a cluster; `oc get` does not print them. */
export const CAIRN_KINDS = [
  { ...CAIRN, facts: ['objectCounts'], kind: 'ObjectCounts', resource: 'objectcounts' },
  { ...CAIRN, facts: ['containerImages'], kind: 'ContainerImages', resource: 'containerimages' },
  { ...CAIRN, facts: ['riskAnswers'], kind: 'RiskAnswers', resource: 'riskanswers' },
] as const;

/** How to get a document of Cairn: the command prints all that a report has. */
export function reportOf(fact: ReportedKind) {
  const kinds = CAIRN_KINDS.filter(({ facts }) => facts[0] === fact).map(({ kind }) => kind);
  return { kinds, command: 'cairn report --oc --dry-run --cluster NAME' };
}
