import { countInWords } from '@cairn/shared/text/in-words';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { compareVersions, parseVersion } from '@cairn/shared/version/release-version';
import type { ClusterSummary } from '../data/answers.ts';
import type { Outlook } from './outlook.ts';

export type SortKey = 'id' | 'version' | 'verdict';

export interface FleetOrder {
  readonly by: SortKey;
  readonly descending: boolean;
}

export type Outlooks = ReadonlyMap<string, Outlook>;

/** Those that hold what is searched for, in the order asked for; what is not known comes last either way. */
export function fleetRows(
  clusters: readonly ClusterSummary[],
  outlooks: Outlooks,
  find: string,
  { by, descending }: FleetOrder,
): ClusterSummary[] {
  const wanted = find.trim().toLowerCase();
  const found = clusters.filter(({ id, version, channel, arches }) =>
    [id, version ?? '', channel ?? '', ...arches].some((text) => text.toLowerCase().includes(wanted)),
  );
  const sign = descending ? -1 : 1;
  return found.toSorted((a, b) => {
    if (by === 'id') return sign * compareText(a.id, b.id);
    const order =
      by === 'version'
        ? compareKnown(versionOf(a), versionOf(b), sign, compareVersions)
        : compareKnown(outlooks.get(a.id)?.rank, outlooks.get(b.id)?.rank, sign, (x, y) => x - y);
    return order || compareText(a.id, b.id);
  });
}

/** `12 clusters on 5 versions; 3 blocked` */
export function fleetSummary(
  clusters: readonly ClusterSummary[],
  outlooks: Outlooks,
  hasMore: boolean,
): string {
  const versions = new Set(clusters.flatMap(({ version }) => version ?? []));
  const count = hasMore ? `The first ${clusters.length} clusters` : countInWords(clusters.length, 'cluster');
  const where = versions.size > 0 ? ` on ${countInWords(versions.size, 'version')}` : '';
  const known = clusters.flatMap(({ id }) => outlooks.get(id) ?? []);
  const blocked = known.filter(({ isBlocked }) => isBlocked).length;
  const waiting = clusters.length - known.length;
  return `${count}${where}; ${blocked} blocked${waiting > 0 ? `, ${waiting} not looked at yet` : ''}`;
}

/** The release image that the cluster runs; nodes of several kinds need the one for all. */
export function archOfCluster({ arches }: Pick<ClusterSummary, 'arches'>): Arch {
  return arches.length > 1 ? 'multi' : (ARCHES.find((arch) => arch === arches[0]) ?? 'amd64');
}

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
