import { minorOf, parseMinor } from '../version/minor.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import type { PreparedGraph } from './prepared-graph.ts';

/**
 * The version meant by `latest` (the newest there is), by a minor such as `4.14` (its newest) or by a version; null when
 * there is none. Pre-releases count only when asked for; one named in full was asked for.
 */
export function resolveTarget(
  graph: PreparedGraph,
  to: string,
  options: { readonly prerelease: boolean },
): string | null {
  if (to !== 'latest' && parseMinor(to) === null) return graph.index.has(to) ? to : null;
  const newest = graph.versions.findLast(
    (version, node) =>
      (to === 'latest' || minorOf(version) === to) && (options.prerelease || graph.isPrerelease[node] === 0),
  );
  return newest?.raw ?? null;
}

/** The oldest and the newest version, null for a graph without any. */
export function versionSpan(
  graph: PreparedGraph,
): { readonly oldest: string; readonly newest: string } | null {
  const [oldest, newest] = [graph.nodes.at(0), graph.nodes.at(-1)];
  return oldest === undefined || newest === undefined
    ? null
    : { oldest: oldest.version, newest: newest.version };
}

/** Every version from one to another, both included, whether updates lead there or not. */
export function versionsBetween(graph: PreparedGraph, oldest: string, newest: string): string[] {
  const [low, high] = [parseVersion(oldest), parseVersion(newest)];
  if (low === null || high === null) return [];
  return graph.versions
    .filter((version) => compareVersions(version, low) >= 0 && compareVersions(version, high) <= 0)
    .map((version) => version.raw);
}
