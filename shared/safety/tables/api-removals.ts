import type { Hop } from '../hop.ts';

/**
 * API that Kubernetes removes. Source: lifecycle markers in the API modules of Kubernetes 1.18 to 1.36. Removals from
 * 1.37 on are announced dates, which have slipped before. Objects sent only to webhooks (AdmissionReview,
 * ConversionReview) are not resources and are omitted.
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
  readonly replacement: string | null;
}

type Row = readonly [removedIn: number, apiVersion: string, resources: string, replacement: string | null];

const LAST_RELEASED = 36;

const DYNAMIC_RESOURCES = 'deviceclasses resourceclaims resourceclaimtemplates resourceslices';
const FLOW_CONTROL = 'flowschemas prioritylevelconfigurations';
const ROLES = 'clusterrolebindings clusterroles rolebindings roles';

const ROWS: readonly Row[] = [
  [16, 'apps/v1beta1', 'controllerrevisions deployments statefulsets', 'apps/v1'],
  [16, 'apps/v1beta1', 'deploymentrollbacks', null],
  [16, 'apps/v1beta1', 'scales', 'autoscaling/v1'],
  [16, 'apps/v1beta2', 'controllerrevisions daemonsets deployments replicasets statefulsets', 'apps/v1'],
  [16, 'apps/v1beta2', 'scales', 'autoscaling/v1'],
  [16, 'extensions/v1beta1', 'daemonsets deployments replicasets', 'apps/v1'],
  [16, 'extensions/v1beta1', 'deploymentrollbacks', null],
  [16, 'extensions/v1beta1', 'scales', 'autoscaling/v1'],
  [16, 'extensions/v1beta1', 'networkpolicies', 'networking.k8s.io/v1'],
  [16, 'extensions/v1beta1', 'podsecuritypolicies', 'policy/v1beta1'],
  [21, 'flowcontrol.apiserver.k8s.io/v1alpha1', FLOW_CONTROL, 'flowcontrol.apiserver.k8s.io/v1beta1'],
  [
    22,
    'admissionregistration.k8s.io/v1beta1',
    'mutatingwebhookconfigurations validatingwebhookconfigurations',
    'admissionregistration.k8s.io/v1',
  ],
  [22, 'apiextensions.k8s.io/v1beta1', 'customresourcedefinitions', 'apiextensions.k8s.io/v1'],
  [22, 'apiregistration.k8s.io/v1beta1', 'apiservices', 'apiregistration.k8s.io/v1'],
  [22, 'authentication.k8s.io/v1beta1', 'tokenreviews', 'authentication.k8s.io/v1'],
  [
    22,
    'authorization.k8s.io/v1beta1',
    'localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
    'authorization.k8s.io/v1',
  ],
  [22, 'certificates.k8s.io/v1beta1', 'certificatesigningrequests', 'certificates.k8s.io/v1'],
  [22, 'coordination.k8s.io/v1beta1', 'leases', 'coordination.k8s.io/v1'],
  [22, 'extensions/v1beta1', 'ingresses', 'networking.k8s.io/v1'],
  [22, 'networking.k8s.io/v1beta1', 'ingressclasses ingresses', 'networking.k8s.io/v1'],
  [22, 'rbac.authorization.k8s.io/v1alpha1', ROLES, 'rbac.authorization.k8s.io/v1'],
  [22, 'rbac.authorization.k8s.io/v1beta1', ROLES, 'rbac.authorization.k8s.io/v1'],
  [22, 'scheduling.k8s.io/v1beta1', 'priorityclasses', 'scheduling.k8s.io/v1'],
  [22, 'storage.k8s.io/v1beta1', 'csidrivers csinodes storageclasses volumeattachments', 'storage.k8s.io/v1'],
  // Not a Kubernetes API, but OpenShift counts it among the removals of 1.22.
  [22, 'operator.openshift.io/v1beta1', 'kubedeschedulers', 'operator.openshift.io/v1'],
  [24, 'storage.k8s.io/v1alpha1', 'csistoragecapacities volumeattachments', 'storage.k8s.io/v1'],
  [25, 'autoscaling/v2beta1', 'horizontalpodautoscalers', 'autoscaling/v2'],
  [25, 'batch/v1beta1', 'cronjobs', 'batch/v1'],
  [25, 'discovery.k8s.io/v1beta1', 'endpointslices', 'discovery.k8s.io/v1'],
  [25, 'events.k8s.io/v1beta1', 'events', 'events.k8s.io/v1'],
  [25, 'node.k8s.io/v1beta1', 'runtimeclasses', 'node.k8s.io/v1'],
  [25, 'policy/v1beta1', 'evictions poddisruptionbudgets', 'policy/v1'],
  [25, 'policy/v1beta1', 'podsecuritypolicies', 'security context constraints or Pod Security Admission'],
  [26, 'autoscaling/v2beta2', 'horizontalpodautoscalers', 'autoscaling/v2'],
  [
    26,
    'flowcontrol.apiserver.k8s.io/v1beta1',
    FLOW_CONTROL,
    'flowcontrol.apiserver.k8s.io/v1beta3, later flowcontrol.apiserver.k8s.io/v1',
  ],
  [27, 'storage.k8s.io/v1beta1', 'csistoragecapacities', 'storage.k8s.io/v1'],
  [29, 'flowcontrol.apiserver.k8s.io/v1beta2', FLOW_CONTROL, 'flowcontrol.apiserver.k8s.io/v1'],
  [31, 'networking.k8s.io/v1alpha1', 'clustercidrs', null],
  [32, 'flowcontrol.apiserver.k8s.io/v1beta3', FLOW_CONTROL, 'flowcontrol.apiserver.k8s.io/v1'],
  [
    32,
    'admissionregistration.k8s.io/v1alpha1',
    'validatingadmissionpolicies validatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1',
  ],
  [32, 'authentication.k8s.io/v1alpha1', 'selfsubjectreviews', 'authentication.k8s.io/v1'],
  [33, 'authentication.k8s.io/v1beta1', 'selfsubjectreviews', 'authentication.k8s.io/v1'],
  [33, 'networking.k8s.io/v1alpha1', 'ipaddresses servicecidrs', 'networking.k8s.io/v1'],
  // Kubernetes removes them in 1.34; OpenShift 4.20 removes them one release earlier.
  [
    33,
    'admissionregistration.k8s.io/v1beta1',
    'validatingadmissionpolicies validatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1',
  ],
  [35, 'apidiscovery.k8s.io/v2beta1', 'apigroupdiscoveries', 'apidiscovery.k8s.io/v2'],
  [35, 'storage.k8s.io/v1alpha1', 'volumeattributesclasses', 'storage.k8s.io/v1'],
  [36, 'storagemigration.k8s.io/v1alpha1', 'storageversionmigrations', 'storagemigration.k8s.io/v1beta1'],
  [37, 'networking.k8s.io/v1beta1', 'ipaddresses servicecidrs', 'networking.k8s.io/v1'],
  [37, 'storage.k8s.io/v1beta1', 'volumeattributesclasses', 'storage.k8s.io/v1'],
  [37, 'certificates.k8s.io/v1alpha1', 'clustertrustbundles', 'certificates.k8s.io/v1beta1'],
  [37, 'coordination.k8s.io/v1alpha1', 'leasecandidates', 'coordination.k8s.io/v1beta1'],
  [37, 'resource.k8s.io/v1alpha3', DYNAMIC_RESOURCES, 'resource.k8s.io/v1'],
  [38, 'resource.k8s.io/v1beta1', DYNAMIC_RESOURCES, 'resource.k8s.io/v1'],
  [
    38,
    'admissionregistration.k8s.io/v1alpha1',
    'mutatingadmissionpolicies mutatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1',
  ],
  [38, 'coordination.k8s.io/v1alpha2', 'leasecandidates', 'coordination.k8s.io/v1beta1'],
  [39, 'resource.k8s.io/v1beta2', DYNAMIC_RESOURCES, 'resource.k8s.io/v1'],
  [39, 'resource.k8s.io/v1alpha3', 'devicetaintrules', 'resource.k8s.io/v1beta2'],
  [39, 'coordination.k8s.io/v1beta1', 'leasecandidates', null],
  [
    40,
    'admissionregistration.k8s.io/v1beta1',
    'mutatingadmissionpolicies mutatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1',
  ],
  [40, 'certificates.k8s.io/v1beta1', 'clustertrustbundles', null],
  [40, 'certificates.k8s.io/v1alpha1', 'podcertificaterequests', 'certificates.k8s.io/v1beta1'],
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

/** `ingresses.v1beta1.extensions` is removed in 22; the replacement is networking.k8s.io/v1. */
export function removedApi(name: string): RemovedApi | null {
  return BY_NAME.get(name) ?? null;
}

/** Includes planned removals. */
export function isRemovedApi(name: string): boolean {
  return BY_NAME.has(name);
}

function expand([removedIn, apiVersion, resources, replacement]: Row): RemovedApi[] {
  const [group = '', version = ''] = apiVersion.split('/');
  return resources.split(' ').map((resource) => ({
    name: `${resource}.${version}.${group}`,
    group,
    version,
    resource,
    removedIn,
    planned: removedIn > LAST_RELEASED,
    replacement,
  }));
}
