import type { InputValue } from '../input/input-value.ts';
import { nameOf, readShare } from './configuration.ts';
import { isEmptySelector, type Labels, type LabelSelector, readSelector } from './labels.ts';

/** PodDisruptionBudget. */
export interface BudgetFacts {
  readonly namespace: string;
  readonly name: string;
  /** Null selects nothing; an empty one selects all pods of the namespace. */
  readonly selector: LabelSelector | null;
  /** Pods that are not ready can always be evicted. */
  readonly evictsUnhealthy: boolean;
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  /** No status yet, and the spec allows no eviction. */
  readonly isStrict?: true;
}

export function readBudget(object: InputValue): BudgetFacts {
  const spec = object.at('spec');
  const status = object.at('status');
  const selector = spec.at('selector');
  const read = readSelector(selector);
  // In policy/v1beta1 an empty selector selects nothing.
  const isNone =
    selector.isMissing || (object.at('apiVersion').text() === 'policy/v1beta1' && isEmptySelector(read));
  return {
    namespace: namespaceOf(object),
    name: nameOf(object),
    selector: isNone ? null : read,
    evictsUnhealthy: spec.at('unhealthyPodEvictionPolicy').text() === 'AlwaysAllow',
    disruptionsAllowed: status.at('disruptionsAllowed').count(),
    currentHealthy: status.at('currentHealthy').count(),
    desiredHealthy: status.at('desiredHealthy').count(),
    expectedPods: status.at('expectedPods').count(),
    ...(status.at('expectedPods').isMissing && allowsNoEviction(spec) && { isStrict: true as const }),
  };
}

/** Shares of pods, or a number of them. */
function allowsNoEviction(spec: InputValue): boolean {
  const most = readShare(spec.at('maxUnavailable'));
  return most === 0 || most === '0%' || readShare(spec.at('minAvailable')) === '100%';
}

/** Pods with the same labels and owner; a Deployment can have hundreds. */
export interface PodGroupFacts {
  readonly namespace: string;
  readonly labels: Labels;
  /** Controller; null for a pod that nothing recreates. */
  readonly owner: { readonly kind: string; readonly name: string } | null;
  /** Sorted by name. */
  readonly pods: readonly DrainedPod[];
}

export interface DrainedPod {
  readonly name: string;
  readonly node: string;
  readonly ready: boolean;
}

/** Annotation of static pods, which the kubelet runs without the API server. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';
/** Labels that differ between the pods of a StatefulSet; each follows from the name of the pod. */
const LABELS_OF_ONE_POD: ReadonlyMap<string, (name: string) => string> = new Map([
  ['statefulset.kubernetes.io/pod-name', (name) => name],
  ['apps.kubernetes.io/pod-index', (name) => /\d*$/.exec(name)![0]],
]);
const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** False for pods that survive a drain, have ended or have no node. */
export function isDrained(object: InputValue): boolean {
  const metadata = object.at('metadata');
  const owners = metadata.at('ownerReferences').items();
  return (
    object.at('spec', 'nodeName').textOrNull() !== null &&
    metadata.at('annotations', MIRROR_POD).isMissing &&
    !ENDED.has(object.at('status', 'phase').text()) &&
    !owners.some((owner) => owner.at('kind').text() === 'DaemonSet')
  );
}

export function isPodReady(object: InputValue): boolean {
  return object
    .at('status', 'conditions')
    .items()
    .some((each) => each.at('type').text() === 'Ready' && each.at('status').text() === 'True');
}

interface PodGroup extends Omit<PodGroupFacts, 'pods'> {
  readonly pods: Map<string, DrainedPod>;
}

/** Groups pods while reading, because a large cluster has more pods than memory for their labels. */
export class DrainedPods {
  readonly #groups = new Map<string, PodGroup>();
  /** Group of each pod: of two documents of a pod, the last one counts. */
  readonly #groupOf = new Map<string, PodGroup>();
  #isSupplied = false;

  /** A list without pods does not count: every cluster has some. */
  supply(): void {}

  take(object: InputValue, namespace: string, name: string): void {
    const node = object.at('spec', 'nodeName').text();
    // Former reporters sent only the number of pods per node, as pods of a namespace with its name.
    if (namespace === node && /^\d+$/.test(name)) return;
    this.#isSupplied = true;
    const pod = `${namespace}/${name}`;
    this.#groupOf.get(pod)?.pods.delete(name);
    if (!isDrained(object)) return;
    const group = this.#groupFor(namespace, object);
    group.pods.set(name, { name, node, ready: isPodReady(object) });
    this.#groupOf.set(pod, group);
  }

  value(): PodGroupFacts[] | null {
    if (!this.#isSupplied) return null;
    return Array.from(this.#groups)
      .filter(([, { pods }]) => pods.size > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, group]) => ({
        ...group,
        pods: [...group.pods.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      }));
  }

  #groupFor(namespace: string, object: InputValue): PodGroup {
    const owner = controllerOf(object);
    const labels = Object.fromEntries(
      Object.entries(object.at('metadata', 'labels').labels()).filter(([key]) => !LABELS_OF_ONE_POD.has(key)),
    );
    const key = JSON.stringify([namespace, owner, labels]);
    const group = this.#groups.get(key) ?? { namespace, labels, owner, pods: new Map<string, DrainedPod>() };
    this.#groups.set(key, group);
    return group;
  }
}

/** The selector distinguishes the pods of a StatefulSet. */
export function selectsSinglePods({ matchLabels, matchExpressions }: LabelSelector): boolean {
  const keys = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
  return keys.some((key) => LABELS_OF_ONE_POD.has(key));
}

/** A group for each pod of a StatefulSet, with the labels that grouping left out. */
export function singlePods(group: PodGroupFacts): readonly PodGroupFacts[] {
  if (group.owner?.kind !== 'StatefulSet') return [group];
  return group.pods.map((pod) => {
    const own = Array.from(LABELS_OF_ONE_POD, ([key, valueOf]) => [key, valueOf(pod.name)]);
    return { ...group, labels: { ...group.labels, ...Object.fromEntries(own) }, pods: [pod] };
  });
}

function controllerOf(object: InputValue): PodGroupFacts['owner'] {
  const controller = object
    .at('metadata', 'ownerReferences')
    .items()
    .find((owner) => owner.at('controller').flag());
  return controller ? { kind: controller.at('kind').text(), name: controller.at('name').text() } : null;
}

/** Namespaces of the platform; its operators manage their own availability. */
export function isPlatformNamespace(namespace: string): boolean {
  return /^(?:openshift|kube)-/.test(namespace) || namespace === 'openshift';
}

export interface WorkloadFacts {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Null for several replicas, and for workloads of the platform. */
export function readSingleReplica(kind: string): (object: InputValue) => WorkloadFacts | null {
  return (object) => {
    const replicas = object.at('spec', 'replicas');
    const namespace = namespaceOf(object);
    const isSingle = replicas.isMissing || replicas.count() === 1;
    return isSingle && !isPlatformNamespace(namespace) ? { kind, namespace, name: nameOf(object) } : null;
  };
}

export interface VirtualMachineFacts {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly message: string;
}

/** Null for a virtual machine that a drain can migrate or stop. */
export function readVirtualMachine(object: InputValue): VirtualMachineFacts | null {
  const status = object.at('status');
  const condition = status
    .at('conditions')
    .items()
    .find((each) => each.at('type').text() === 'LiveMigratable');
  const isStuck =
    object.at('spec', 'evictionStrategy').text() === 'LiveMigrate' &&
    condition?.at('status').text() === 'False';
  if (!isStuck) return null;
  return {
    namespace: namespaceOf(object),
    name: nameOf(object),
    node: status.at('nodeName').text(),
    message: condition.at('message').message(),
  };
}

/** MachineHealthCheck or NodeHealthCheck. */
export interface HealthCheckFacts {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly isPaused: boolean;
}

/** Annotation that pauses a MachineHealthCheck. */
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';

export function readHealthCheck(kind: string): (object: InputValue) => HealthCheckFacts {
  return (object) => ({
    kind,
    namespace: namespaceOf(object),
    name: nameOf(object),
    isPaused:
      !object.at('metadata', 'annotations', PAUSED_ANNOTATION).isMissing ||
      object.at('spec', 'pauseRequests').texts().length > 0,
  });
}

export interface CertificateRequestFacts {
  readonly name: string;
  readonly signer: string;
  readonly username: string;
}

/** Null for a request that was approved, denied or failed. */
export function readCertificateRequest(object: InputValue): CertificateRequestFacts | null {
  if (object.at('status', 'conditions').items().length > 0) return null;
  const spec = object.at('spec');
  return {
    name: nameOf(object),
    signer: spec.at('signerName').text(),
    username: spec.at('username').text(),
  };
}

export interface AlertFacts {
  readonly name: string;
  readonly severity: string;
  /** Empty if the alert has no such label. */
  readonly namespace: string;
  readonly budget: string;
  /** Labelled to be checked before an update. */
  readonly isPrecheck: boolean;
  readonly summary: string;
  readonly description: string;
  /** Annotation `message` beside a description; absent if it is the description. */
  readonly message?: string;
  readonly runbook: string;
  readonly since: string | null;
  /** Absent if it is firing. */
  readonly isFiring?: false;
}

/** Response of the alerts API of Prometheus, which is not a Kubernetes object. */
export function isAlerts(value: object): boolean {
  return 'data' in value && 'status' in value && value.status === 'success';
}

/** Reads the response of `/api/v1/alerts`: pending and nameless alerts are omitted. */
export function readAlerts(response: InputValue): AlertFacts[] {
  const data = response.at('data');
  const alerts = data.at('alerts');
  // Other responses of Prometheus have other data, and do not say that no alert fires.
  if (alerts.isMissing && data.otherKeys(['alerts']).length > 0) {
    alerts.mismatch('the alerts of /api/v1/alerts');
  }
  return alerts.items().flatMap((alert) => {
    const labels = alert.at('labels');
    const annotations = alert.at('annotations');
    const name = labels.at('alertname').text();
    const state = alert.at('state').text();
    if (name === '' || state === 'pending') return [];
    const description = annotations.at('description').message();
    const message = annotations.at('message').message();
    return [
      {
        name,
        severity: labels.at('severity').text(),
        namespace: labels.at('namespace').text(),
        budget: labels.at('poddisruptionbudget').text(),
        isPrecheck: labels.at('openShiftUpdatePrecheck').text() === 'true',
        summary: annotations.at('summary').message(),
        description: description || message,
        ...(description !== '' && message !== '' && { message }),
        runbook: annotations.at('runbook_url').message(),
        since: alert.at('activeAt').time(),
        ...(state !== 'firing' && { isFiring: false }),
      },
    ];
  });
}

function namespaceOf(object: InputValue): string {
  return object.at('metadata', 'namespace').text();
}
