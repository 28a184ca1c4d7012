import type { Risk } from '@cairn/shared/graph/graph';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { compareMinors, minorOf, type Minor } from '@cairn/shared/version/minor';

/** Consecutive releases of a minor whose updates have the risk. */
export interface RiskRange {
  /** Oldest release; equals `last` for one release. */
  readonly first: string;
  readonly last: string;
  /** Minors of the sources, oldest first. */
  readonly from: readonly Minor[];
}

export interface RiskOverview {
  readonly name: string;
  /** Some risks have another text for each release under one name; one entry per text. */
  readonly variants: readonly Risk[];
  readonly updates: number;
  /** Newest first. */
  readonly ranges: readonly RiskRange[];
}

interface Gathered {
  /** By message. */
  readonly variants: Map<string, Risk>;
  /** By minor of the source; targets in release order. */
  readonly targets: Map<Minor, number[]>;
  updates: number;
}

/** Most updates first, with ranges such as `4.15.19–4.15.50 from 4.14`. */
export function risksOf(graph: PreparedGraph): RiskOverview[] {
  const gathered = gather(graph);
  return [...gathered]
    .map(([name, { variants, targets, updates }]) => ({
      name,
      variants: [...variants.values()],
      updates,
      ranges: rangesOf(graph, targets),
    }))
    .toSorted((a, b) => b.updates - a.updates || (a.name < b.name ? -1 : 1));
}

function gather({ versions, arriving, leaving, riskSets }: PreparedGraph): Map<string, Gathered> {
  const minors = versions.map(minorOf);
  const byName = new Map<string, Gathered>();
  for (const target of versions.keys()) {
    for (let at = arriving.offsets[target]!; at < arriving.offsets[target + 1]!; at++) {
      const from = minors[arriving.sources[at]!]!;
      for (const risk of riskSets[leaving.risks[arriving.edges[at]!]!]!) {
        const known = byName.get(risk.name) ?? { variants: new Map(), targets: new Map(), updates: 0 };
        byName.set(risk.name, known);
        known.updates++;
        if (!known.variants.has(risk.message)) known.variants.set(risk.message, risk);
        const targets = known.targets.get(from) ?? [];
        known.targets.set(from, targets);
        if (targets.at(-1) !== target) targets.push(target);
      }
    }
  }
  return byName;
}

/** Merges ranges that are equal for several source minors. */
function rangesOf({ nodes, versions }: PreparedGraph, targets: Gathered['targets']): RiskRange[] {
  const runs = new Map<string, { readonly start: number; readonly end: number; readonly from: Minor[] }>();
  for (const [from, places] of targets) {
    let start = 0;
    for (const [at, place] of places.entries()) {
      const next = places[at + 1];
      const goesOn = next === place + 1 && minorOf(versions[next]!) === minorOf(versions[place]!);
      if (goesOn) continue;
      const key = `${places[start]!} ${place}`;
      const run = runs.get(key) ?? { start: places[start]!, end: place, from: [] };
      run.from.push(from);
      runs.set(key, run);
      start = at + 1;
    }
  }
  return [...runs.values()]
    .toSorted((a, b) => b.end - a.end || b.start - a.start)
    .map(({ start, end, from }) => ({
      first: nodes[start]!.version,
      last: nodes[end]!.version,
      from: from.toSorted(compareMinors),
    }));
}
