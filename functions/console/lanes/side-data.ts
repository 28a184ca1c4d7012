import { minorOf, type Minor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { getJson } from '../data/api.ts';
import type { ClusterPageAnswer, VersionsAnswer } from '../data/responses.ts';
import { useQuery } from '../data/use-query.ts';

const BADGES = {
  beta: 'beta',
  production: null,
  maintenance: 'maintenance',
  'end-of-life': 'end of life',
} as const;
const NONE: ReadonlyMap<never, never> = new Map<never, never>();

/** Full support has no badge. */
export function supportOf(versions: VersionsAnswer): Map<Minor, string> {
  const support = new Map<Minor, string>();
  for (const [name, { support_level }] of Object.entries(versions)) {
    const version = parseVersion(name);
    const badge = BADGES[support_level];
    if (version && badge) support.set(minorOf(version), badge);
  }
  return support;
}

export function clustersByVersion({ clusters }: ClusterPageAnswer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { version } of clusters) {
    if (version !== null) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}

/** Optional data: omitted if it cannot be read. */
export function useSupport(): ReadonlyMap<Minor, string> {
  const load = async (signal: AbortSignal) =>
    supportOf(await getJson<VersionsAnswer>('/v2/openshift-versions?only_latest=true', signal));
  return useQuery('support', load).value ?? NONE;
}

export function useClusterCounts(): ReadonlyMap<string, number> {
  const load = async (signal: AbortSignal) =>
    clustersByVersion(await getJson<ClusterPageAnswer>('/v1/clusters?limit=1000', signal));
  return useQuery('clusters', load).value ?? NONE;
}
