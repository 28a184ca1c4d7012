import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { compareVersions, parseVersion } from '@cairn/shared/version/release-version';
import type { ClusterSummary } from '../data/responses.ts';
import { VERDICTS } from '../state/url-state.ts';

export type SortKey = 'id' | 'version' | 'verdict';

export interface FleetOrder {
  readonly by: SortKey;
  readonly descending: boolean;
}

/** In the order asked for; what is not known comes last either way. */
export function fleetRows(
  clusters: readonly ClusterSummary[],
  { by, descending }: FleetOrder,
): ClusterSummary[] {
  const sign = descending ? -1 : 1;
  return clusters.toSorted((a, b) => {
    if (by === 'id') return sign * compareText(a.id, b.id);
    const order =
      by === 'version'
        ? compareKnown(versionOf(a), versionOf(b), sign, compareVersions)
        : compareKnown(rankOf(a), rankOf(b), sign, (x, y) => x - y);
    return order || compareText(a.id, b.id);
  });
}

/** The release image that the cluster runs; nodes of several kinds need the one for all. */
export function archOfCluster({ arches }: Pick<ClusterSummary, 'arches'>): Arch {
  return arches.length > 1 ? 'multi' : (ARCHES.find((arch) => arch === arches[0]) ?? 'amd64');
}

/** By urgency, the most urgent first. */
const rankOf = ({ verdict }: ClusterSummary) => (verdict === null ? undefined : VERDICTS.indexOf(verdict));

const versionOf = ({ version }: ClusterSummary) => parseVersion(version ?? '') ?? undefined;

function compareKnown<T>(
  a: T | undefined,
  b: T | undefined,
  sign: number,
  compare: (a: T, b: T) => number,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return sign * compare(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
