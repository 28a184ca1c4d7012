import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { kubeletSkew } from '@cairn/shared/safety/checks/compatibility/kubelet-skew';
import type { Finding } from '@cairn/shared/safety/condition';
import type { HopContext, SkewPolicy } from '@cairn/shared/safety/hop';
import { kubernetesMinorOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { aCluster, aNode, context } from './clusters.ts';

/** Offsets from the minor of the API server, or whole versions. */
export type Kubelets = readonly (number | string)[];

export function nodesOf(apiServer: number, kubelets: Kubelets, pool = 'worker'): NodeFacts[] {
  return kubelets.map((kubelet, index) => {
    const version = typeof kubelet === 'string' ? kubelet : `v1.${apiServer + kubelet}.0`;
    return aNode(`test${String(index).padStart(3, '0')}`, { kubeletVersion: version }, pool);
  });
}

/** A cluster with workers of these kubelets before one hop. */
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
