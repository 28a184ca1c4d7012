import type { Hop } from '../hop.ts';

/**
 * API that Kubernetes removes. Source: lifecycle markers in the API modules of Kubernetes 1.18 to 1.36, and the
 * Kubernetes deprecation guide. Removals from 1.37 on are announced dates, which have slipped before. Objects sent only
 * to webhooks (AdmissionReview, ConversionReview) are not resources and are omitted.
 */
export interface RemovedApi {
  /** Name of the `APIRequestCount`: `ingresses.v1beta1.extensions` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** 22 for Kubernetes 1.22. */
  readonly removedIn: number;
  /** Announced, but not removed in any release yet. */
  readonly planned: boolean;
  /** Preferred first; advice in words if no API replaces it; null if nothing does. */
  readonly replacements: readonly ApiVersion[] | string | null;
}

interface ApiVersion {
  readonly apiVersion: string;
  /** First Kubernetes minor with it, 23 for 1.23. */
  readonly since: number;
  /** Served only where an administrator enables it. */
  readonly isOff: boolean;
}

/** API to use instead of a removed one. */
export interface Replacement {
  readonly name: string;
  /** First Kubernetes minor with it, if the cluster does not have it yet. */
  readonly since: number | null;
  /** Served only where an administrator enables it. */
  readonly isOff: boolean;
  /** Kubernetes minor that removes it in turn. */
  readonly removedIn: number | null;
}

type Row = readonly [
  removedIn: number,
  apiVersion: string,
  resources: string,
  replacements: readonly ApiVersion[] | string | null,
];

const LAST_RELEASED = 36;

const DYNAMIC_RESOURCES = 'deviceclasses resourceclaims resourceclaimtemplates resourceslices';
const FLOW_CONTROL = 'flowschemas prioritylevelconfigurations';
const ROLES = 'clusterrolebindings clusterroles rolebindings roles';
const ADMISSION = 'admissionregistration.k8s.io';
const POLICIES = 'validatingadmissionpolicies validatingadmissionpolicybindings';
const MUTATING_POLICIES = 'mutatingadmissionpolicies mutatingadmissionpolicybindings';
const FLOW = 'flowcontrol.apiserver.k8s.io';

const ROWS: readonly Row[] = [
  [16, 'apps/v1beta1', 'controllerrevisions deployments statefulsets', [since('apps/v1', 9)]],
  [16, 'apps/v1beta1', 'deploymentrollbacks', null],
  [16, 'apps/v1beta1', 'scales', [since('autoscaling/v1', 2)]],
  [
    16,
    'apps/v1beta2',
    'controllerrevisions daemonsets deployments replicasets statefulsets',
    [since('apps/v1', 9)],
  ],
  [16, 'apps/v1beta2', 'scales', [since('autoscaling/v1', 2)]],
  [16, 'extensions/v1beta1', 'daemonsets deployments replicasets', [since('apps/v1', 9)]],
  [16, 'extensions/v1beta1', 'deploymentrollbacks', null],
  [16, 'extensions/v1beta1', 'scales', [since('autoscaling/v1', 2)]],
  [16, 'extensions/v1beta1', 'networkpolicies', [since('networking.k8s.io/v1', 8)]],
  [16, 'extensions/v1beta1', 'podsecuritypolicies', [since('policy/v1beta1', 10)]],
  [21, `${FLOW}/v1alpha1`, FLOW_CONTROL, [since(`${FLOW}/v1beta1`, 20)]],
  [
    22,
    `${ADMISSION}/v1beta1`,
    'mutatingwebhookconfigurations validatingwebhookconfigurations',
    [since(`${ADMISSION}/v1`, 16)],
  ],
  [22, 'apiextensions.k8s.io/v1beta1', 'customresourcedefinitions', [since('apiextensions.k8s.io/v1', 16)]],
  [22, 'apiregistration.k8s.io/v1beta1', 'apiservices', [since('apiregistration.k8s.io/v1', 10)]],
  [22, 'authentication.k8s.io/v1beta1', 'tokenreviews', [since('authentication.k8s.io/v1', 6)]],
  [
    22,
    'authorization.k8s.io/v1beta1',
    'localsubjectaccessreviews selfsubjectaccessreviews subjectaccessreviews',
    [since('authorization.k8s.io/v1', 6)],
  ],
  [22, 'authorization.k8s.io/v1beta1', 'selfsubjectrulesreviews', [since('authorization.k8s.io/v1', 8)]],
  [22, 'certificates.k8s.io/v1beta1', 'certificatesigningrequests', [since('certificates.k8s.io/v1', 19)]],
  [22, 'coordination.k8s.io/v1beta1', 'leases', [since('coordination.k8s.io/v1', 14)]],
  [
    22,
    'extensions/v1beta1',
    'ingresses',
    [since('networking.k8s.io/v1', 19), since('networking.k8s.io/v1beta1', 14)],
  ],
  [22, 'networking.k8s.io/v1beta1', 'ingressclasses ingresses', [since('networking.k8s.io/v1', 19)]],
  [22, 'rbac.authorization.k8s.io/v1alpha1', ROLES, [since('rbac.authorization.k8s.io/v1', 8)]],
  [22, 'rbac.authorization.k8s.io/v1beta1', ROLES, [since('rbac.authorization.k8s.io/v1', 8)]],
  [22, 'scheduling.k8s.io/v1beta1', 'priorityclasses', [since('scheduling.k8s.io/v1', 14)]],
  [22, 'storage.k8s.io/v1beta1', 'csidrivers', [since('storage.k8s.io/v1', 19)]],
  [22, 'storage.k8s.io/v1beta1', 'csinodes', [since('storage.k8s.io/v1', 17)]],
  [22, 'storage.k8s.io/v1beta1', 'storageclasses', [since('storage.k8s.io/v1', 6)]],
  [22, 'storage.k8s.io/v1beta1', 'volumeattachments', [since('storage.k8s.io/v1', 13)]],
  // Not a Kubernetes API, but OpenShift counts it among the removals of 1.22. The operator brings its own CRD.
  [22, 'operator.openshift.io/v1beta1', 'kubedeschedulers', [since('operator.openshift.io/v1', 0)]],
  [
    24,
    'storage.k8s.io/v1alpha1',
    'csistoragecapacities',
    [since('storage.k8s.io/v1', 24), since('storage.k8s.io/v1beta1', 21)],
  ],
  [24, 'storage.k8s.io/v1alpha1', 'volumeattachments', [since('storage.k8s.io/v1', 13)]],
  [
    25,
    'autoscaling/v2beta1',
    'horizontalpodautoscalers',
    [since('autoscaling/v2', 23), since('autoscaling/v2beta2', 12), since('autoscaling/v1', 2)],
  ],
  [25, 'batch/v1beta1', 'cronjobs', [since('batch/v1', 21)]],
  [25, 'discovery.k8s.io/v1beta1', 'endpointslices', [since('discovery.k8s.io/v1', 21)]],
  [25, 'events.k8s.io/v1beta1', 'events', [since('events.k8s.io/v1', 19)]],
  [25, 'node.k8s.io/v1beta1', 'runtimeclasses', [since('node.k8s.io/v1', 20)]],
  [25, 'policy/v1beta1', 'poddisruptionbudgets', [since('policy/v1', 21)]],
  [25, 'policy/v1beta1', 'evictions', [since('policy/v1', 22)]],
  [25, 'policy/v1beta1', 'podsecuritypolicies', 'security context constraints or Pod Security Admission'],
  [
    26,
    'autoscaling/v2beta2',
    'horizontalpodautoscalers',
    [since('autoscaling/v2', 23), since('autoscaling/v1', 2)],
  ],
  [
    26,
    `${FLOW}/v1beta1`,
    FLOW_CONTROL,
    [since(`${FLOW}/v1`, 29), since(`${FLOW}/v1beta3`, 26), since(`${FLOW}/v1beta2`, 23)],
  ],
  [27, 'storage.k8s.io/v1beta1', 'csistoragecapacities', [since('storage.k8s.io/v1', 24)]],
  [29, `${FLOW}/v1beta2`, FLOW_CONTROL, [since(`${FLOW}/v1`, 29), since(`${FLOW}/v1beta3`, 26)]],
  [31, 'networking.k8s.io/v1alpha1', 'clustercidrs', null],
  [32, `${FLOW}/v1beta3`, FLOW_CONTROL, [since(`${FLOW}/v1`, 29)]],
  [32, `${ADMISSION}/v1alpha1`, POLICIES, [since(`${ADMISSION}/v1`, 30), off(`${ADMISSION}/v1beta1`, 28)]],
  [
    32,
    'authentication.k8s.io/v1alpha1',
    'selfsubjectreviews',
    [since('authentication.k8s.io/v1', 28), off('authentication.k8s.io/v1beta1', 27)],
  ],
  [33, 'authentication.k8s.io/v1beta1', 'selfsubjectreviews', [since('authentication.k8s.io/v1', 28)]],
  [
    33,
    'networking.k8s.io/v1alpha1',
    'ipaddresses servicecidrs',
    [since('networking.k8s.io/v1', 33), off('networking.k8s.io/v1beta1', 31)],
  ],
  // Kubernetes removes them in 1.34; OpenShift 4.20 removes them one release earlier.
  [33, `${ADMISSION}/v1beta1`, POLICIES, [since(`${ADMISSION}/v1`, 30)]],
  [35, 'apidiscovery.k8s.io/v2beta1', 'apigroupdiscoveries', [since('apidiscovery.k8s.io/v2', 30)]],
  [
    35,
    'storage.k8s.io/v1alpha1',
    'volumeattributesclasses',
    [since('storage.k8s.io/v1', 34), off('storage.k8s.io/v1beta1', 31)],
  ],
  [
    36,
    'storagemigration.k8s.io/v1alpha1',
    'storageversionmigrations',
    [off('storagemigration.k8s.io/v1beta1', 35)],
  ],
  [37, 'networking.k8s.io/v1beta1', 'ipaddresses servicecidrs', [since('networking.k8s.io/v1', 33)]],
  [37, 'storage.k8s.io/v1beta1', 'volumeattributesclasses', [since('storage.k8s.io/v1', 34)]],
  [37, 'certificates.k8s.io/v1alpha1', 'clustertrustbundles', [off('certificates.k8s.io/v1beta1', 33)]],
  [37, 'coordination.k8s.io/v1alpha1', 'leasecandidates', [off('coordination.k8s.io/v1beta1', 33)]],
  [37, 'resource.k8s.io/v1alpha3', DYNAMIC_RESOURCES, [since('resource.k8s.io/v1', 34)]],
  [38, 'resource.k8s.io/v1beta1', DYNAMIC_RESOURCES, [since('resource.k8s.io/v1', 34)]],
  [
    38,
    `${ADMISSION}/v1alpha1`,
    MUTATING_POLICIES,
    [since(`${ADMISSION}/v1`, 36), off(`${ADMISSION}/v1beta1`, 34)],
  ],
  [38, 'coordination.k8s.io/v1alpha2', 'leasecandidates', [off('coordination.k8s.io/v1beta1', 33)]],
  [39, 'resource.k8s.io/v1beta2', DYNAMIC_RESOURCES, [since('resource.k8s.io/v1', 34)]],
  [39, 'resource.k8s.io/v1alpha3', 'devicetaintrules', [off('resource.k8s.io/v1beta2', 36)]],
  [39, 'coordination.k8s.io/v1beta1', 'leasecandidates', null],
  [40, `${ADMISSION}/v1beta1`, MUTATING_POLICIES, [since(`${ADMISSION}/v1`, 36)]],
  [40, 'certificates.k8s.io/v1beta1', 'clustertrustbundles', null],
  [40, 'certificates.k8s.io/v1alpha1', 'podcertificaterequests', [off('certificates.k8s.io/v1beta1', 35)]],
  [41, 'certificates.k8s.io/v1beta1', 'podcertificaterequests', null],
  [41, 'storagemigration.k8s.io/v1beta1', 'storageversionmigrations', null],
  [42, 'resource.k8s.io/v1alpha3', 'resourcepoolstatusrequests', null],
  [42, 'resource.k8s.io/v1beta2', 'devicetaintrules', null],
];

/** By removal, then by name. */
export const API_REMOVALS: readonly RemovedApi[] = ROWS.flatMap(expand).toSorted(
  (a, b) => a.removedIn - b.removedIn || (a.name < b.name ? -1 : 1),
);

const BY_NAME: ReadonlyMap<string, RemovedApi> = new Map(API_REMOVALS.map((api) => [api.name, api]));

/** Without alpha APIs: clusters that enable them cannot be updated. */
export function removalsOfHop({ kubeFrom, kubeTo }: Pick<Hop, 'kubeFrom' | 'kubeTo'>): readonly RemovedApi[] {
  return API_REMOVALS.filter(
    ({ removedIn, version }) => removedIn > kubeFrom && removedIn <= kubeTo && !version.includes('alpha'),
  );
}

/** `ingresses.v1beta1.extensions` is removed in 22. */
export function removedApi(name: string): RemovedApi | null {
  return BY_NAME.get(name) ?? null;
}

/** Includes planned removals. */
export function isRemovedApi(name: string): boolean {
  return BY_NAME.has(name);
}

/**
 * The preferred replacement that a cluster with this Kubernetes minor serves by default, or else the earliest one to
 * come before the removal. Null if nothing replaces the API.
 */
export function replacementOf(name: string, kubernetes: number): Replacement | null {
  const api = removedApi(name);
  if (!api || api.replacements === null) return null;
  if (typeof api.replacements === 'string') {
    return { name: api.replacements, since: null, isOff: false, removedIn: null };
  }
  const replacements = api.replacements.map(({ apiVersion, since, isOff }): Replacement => {
    const [group = '', version = ''] = apiVersion.split('/');
    const removedIn = removedApi(`${api.resource}.${version}.${group}`)?.removedIn ?? null;
    return { name: apiVersion, since: since > kubernetes ? since : null, isOff, removedIn };
  });
  const left = replacements.filter(({ removedIn }) => removedIn === null || removedIn > kubernetes);
  const served = left.find(({ since, isOff }) => since === null && !isOff);
  // One that comes with the removal is too late: clients have to move before it.
  const inTime = left.filter(({ since }) => since === null || since < api.removedIn);
  const earliest = (inTime.length > 0 ? inTime : left).toSorted(
    (a, b) => Number(a.isOff) - Number(b.isOff) || (a.since ?? 0) - (b.since ?? 0),
  )[0];
  return served ?? earliest ?? null;
}

function since(apiVersion: string, minor: number): ApiVersion {
  return { apiVersion, since: minor, isOff: false };
}

/** Since 1.24 Kubernetes serves new beta APIs only where they are enabled. */
function off(apiVersion: string, minor: number): ApiVersion {
  return { apiVersion, since: minor, isOff: true };
}

function expand([removedIn, apiVersion, resources, replacements]: Row): RemovedApi[] {
  const [group = '', version = ''] = apiVersion.split('/');
  return resources.split(' ').map((resource) => ({
    name: `${resource}.${version}.${group}`,
    group,
    version,
    resource,
    removedIn,
    planned: removedIn > LAST_RELEASED,
    replacements,
  }));
}
