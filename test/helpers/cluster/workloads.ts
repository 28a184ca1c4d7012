import type { Labels, LabelSelector } from '@cairn/shared/cluster/labels';
import type {
  AlertFacts,
  BudgetFacts,
  CertificateRequestFacts,
  HealthCheckFacts,
  PodGroupFacts,
} from '@cairn/shared/cluster/workloads';

export function labelled(app: string): LabelSelector {
  return { matchLabels: { app }, matchExpressions: [] };
}

/** A PodDisruptionBudget with `maxUnavailable: 0` over three ready pods of app `web`. */
export function aBudget(namespace: string, name: string, changes: Partial<BudgetFacts> = {}): BudgetFacts {
  return {
    namespace,
    name,
    selector: labelled('web'),
    evictsUnhealthy: false,
    disruptionsAllowed: 0,
    currentHealthy: 3,
    desiredHealthy: 3,
    expectedPods: 3,
    ...changes,
  };
}

/** Pods of a ReplicaSet, ready, one on each node given; `worker-0!` is not ready. */
export function aPodGroup(namespace: string, labels: Labels, nodes: readonly string[]): PodGroupFacts {
  const name = labels['app'] ?? 'pod';
  return {
    namespace,
    labels,
    owner: { kind: 'ReplicaSet', name },
    pods: nodes.map((node, number) => ({
      name: `${name}-${number}`,
      node: node.replace('!', ''),
      ready: !node.endsWith('!'),
    })),
  };
}

export function aRequest(name: string, signer = 'kubernetes.io/kubelet-serving'): CertificateRequestFacts {
  return { name, signer, username: 'system:node:worker-0' };
}

export function aHealthCheck(
  name: string,
  isPaused = false,
  changes: Partial<HealthCheckFacts> = {},
): HealthCheckFacts {
  return { kind: 'MachineHealthCheck', namespace: 'openshift-machine-api', name, isPaused, ...changes };
}

export function anAlert(name: string, changes: Partial<AlertFacts> = {}): AlertFacts {
  return {
    name,
    severity: 'warning',
    namespace: '',
    budget: '',
    isPrecheck: false,
    summary: '',
    description: '',
    runbook: '',
    since: null,
    ...changes,
  };
}
