import type { ClusterFacts } from '../../cluster/facts.ts';
import { kubernetesMinorOf } from '../../version/release-line.ts';
import { lastCompleted, signsOfProgress } from './skew-history.ts';
import type { Hop } from '../hop.ts';
import { kubeletMinorOf } from './kubelet-version.ts';

/** Of Kubernetes 1: 27 and 27, or 27 and 28 while an update goes from one to the other. */
export interface ApiServerMinors {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * The minors of the API servers that run before a hop. For the cluster as it is now, what the API server reports of itself
 * counts for more than what its release is built on.
 */
export function apiServerMinors(facts: ClusterFacts, hop: Hop): ApiServerMinors {
  if (hop.index > 0) return { oldest: hop.kubeFrom, newest: hop.kubeFrom };
  const reported = reportedMinor(facts);
  if (!isUpdating(facts)) {
    const minor = reported ?? hop.kubeFrom;
    return { oldest: minor, newest: minor };
  }
  // The operator reports a new version only once every API server runs it.
  const settled = reported ?? lastCompletedMinor(facts) ?? hop.kubeFrom;
  return { oldest: Math.min(settled, hop.kubeFrom), newest: Math.max(settled, hop.kubeFrom) };
}

function reportedMinor({ clusterOperators }: ClusterFacts): number | null {
  const operator = clusterOperators?.find(({ name }) => name === 'kube-apiserver');
  const operand = operator?.versions.find(({ name }) => name === 'kube-apiserver');
  return operand ? kubeletMinorOf(operand.version) : null;
}

function isUpdating({ clusterVersion }: ClusterFacts): boolean {
  return clusterVersion !== null && signsOfProgress(clusterVersion).some((sign) => sign !== 'pending');
}

function lastCompletedMinor({ clusterVersion }: ClusterFacts): number | null {
  const last = clusterVersion && lastCompleted(clusterVersion);
  return last && kubernetesMinorOf(last.version).minor;
}
