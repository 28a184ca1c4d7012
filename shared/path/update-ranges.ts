import { minorOf, type Minor } from '../version/minor.ts';
import type { PreparedGraph } from './prepared-graph.ts';

/** Consecutive releases of a minor whose updates have the same risks. */
export interface UpdateRange {
  readonly minor: Minor;
  /** Oldest release; equals `last` for one release. */
  readonly first: string;
  readonly last: string;
  readonly count: number;
  /** Names; empty for recommended updates. */
  readonly risks: readonly string[];
}

/**
 * Groups updates to or from a release into ranges, newest first: to 4.14.67 from 4.14.12–4.14.66 recommended, from
 * 4.14.0–4.14.11 `SomeRisk`. Empty if the graph lacks the version.
 */
export function updateRanges(
  graph: PreparedGraph,
  version: string,
  direction: 'in' | 'out',
): readonly UpdateRange[] {
  const place = graph.index.get(version);
  if (place === undefined) return [];
  const ranges: UpdateRange[] = [];
  let next = -1;
  let names: bigint | undefined;
  for (const { other, risks } of direction === 'in' ? arriving(graph, place) : leaving(graph, place)) {
    const minor = minorOf(graph.versions[other]!);
    const range = ranges.at(-1);
    const { version: release } = graph.nodes[other]!;
    if (range?.minor === minor && other === next && graph.riskNames[risks] === names) {
      ranges[ranges.length - 1] = { ...range, last: release, count: range.count + 1 };
    } else {
      const risksByName = [...new Set(graph.riskSets[risks]!.map(({ name }) => name))];
      ranges.push({ minor, first: release, last: release, count: 1, risks: risksByName });
    }
    next = other + 1;
    names = graph.riskNames[risks];
  }
  return ranges.toReversed();
}

/** Older release first, as in the leaving edges. */
function arriving(graph: PreparedGraph, place: number) {
  const { offsets, sources, edges } = graph.arriving;
  const [start, end] = [offsets[place]!, offsets[place + 1]!];
  return Array.from(sources.subarray(start, end), (other, at) => ({
    other,
    risks: graph.leaving.risks[edges[start + at]!]!,
  }));
}

function leaving({ leaving: { offsets, targets, risks } }: PreparedGraph, place: number) {
  const [start, end] = [offsets[place]!, offsets[place + 1]!];
  return Array.from(targets.subarray(start, end), (other, at) => ({ other, risks: risks[start + at]! }));
}
