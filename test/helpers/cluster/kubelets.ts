import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { kubeletSkew } from '@cairn/shared/safety/checks/kubelet-skew';
import type { Finding } from '@cairn/shared/safety/condition';
import type { HopContext, SkewPolicy } from '@cairn/shared/safety/hop';
import { kubernetesMinorOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { aCluster, aNode, context } from './clusters.ts';

/** Offsets of kubelets from the API server's minor, or a version as it stands. */
export type Kubelets = readonly (number | string)[];

export function nodesOf(apiServer: number, kubelets: Kubelets, pool = 'worker'): NodeFacts[] {
  return kubelets.map((kubelet, index) => {
    const version = typeof kubelet === 'string' ? kubelet : `v1.${apiServer + kubelet}.0`;
    return aNode(`test${String(index).padStart(3, '0')}`, { kubeletVersion: version }, pool);
  });
}

/** A cluster with workers of those kubelets, about to take one hop. */
export function hopOf(
  from: string,
  to: string,
  kubelets: Kubelets,
  more: { policy?: SkewPolicy; facts?: Partial<ClusterFacts> } = {},
): HopContext {
  const apiServer = kubernetesMinorOf(mustParseVersion(from)).minor;
  const facts = aCluster({ nodes: nodesOf(apiServer, kubelets), ...more.facts }, from);
  return context(facts, [from, to], { options: { policy: more.policy ?? 'openshift' } });
}

export function verify(...parameters: Parameters<typeof hopOf>): Finding {
  return kubeletSkew(hopOf(...parameters))[0]!;
}

export function namesOf({ objects }: Finding): string[] | undefined {
  return objects?.map(({ name }) => name);
}
