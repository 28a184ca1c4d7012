import type { ClusterFacts } from '../../cluster/facts.ts';

/** Hosted control plane, seen from inside: the management cluster updates it and its node pools. */
export function isHosted({ infrastructure }: Pick<ClusterFacts, 'infrastructure'>): boolean {
  return infrastructure?.controlPlaneTopology === 'External';
}

/** Commands of standalone clusters: a hosted cluster has no machine config pools, and `oc adm upgrade` has no effect. */
const STANDALONE_ONLY = /oc adm upgrade|machineconfigpool|\bmcp\b/;

export function worksOnHosted(command: string): boolean {
  return !STANDALONE_ONLY.test(command);
}
