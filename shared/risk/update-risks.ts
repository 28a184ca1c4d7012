import type { Risk } from '../graph/graph.ts';
import type { PreparedGraph } from '../path/prepared-graph.ts';
import type { Applies } from '../path/question.ts';

/** A risk of some updates, with every definition that clusters may use. */
export interface UpdateRisk {
  readonly name: string;
  readonly definitions: readonly Risk[];
  /** How many of the updates have it. */
  readonly edges: number;
}

/** Ends of the wanted updates, as places in the graph; null for any. */
export interface UpdateEnds {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Risks of these updates, by name. A cluster knows only the updates from its version, and uses the definition at the newest
 * target for all of them.
 */
export function risksOfUpdates(graph: PreparedGraph, { from, to }: UpdateEnds): UpdateRisk[] {
  const { leaving, riskSets } = graph;
  const [first, last] = from === null ? [0, graph.nodes.length - 1] : [from, from];
  const wanted = new Uint32Array(riskSets.length);
  const newest = new Map<string, Risk>();
  for (let edge = leaving.offsets[first]!; edge < leaving.offsets[last + 1]!; edge++) {
    const set = leaving.risks[edge]!;
    if (to === null || leaving.targets[edge] === to) wanted[set]!++;
    if (from !== null) for (const risk of riskSets[set]!) newest.set(risk.name, risk);
  }
  const found = new Map<string, { readonly definitions: Set<Risk>; edges: number }>();
  for (const [set, risks] of riskSets.entries()) {
    if (wanted[set] === 0) continue;
    for (const risk of risks) {
      const known = found.get(risk.name) ?? { definitions: new Set(), edges: 0 };
      known.definitions.add(newest.get(risk.name) ?? risk);
      known.edges += wanted[set]!;
      found.set(risk.name, known);
    }
  }
  return Array.from(found, ([name, { definitions, edges }]) => ({
    name,
    definitions: [...definitions],
    edges,
  })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Update from one version, with the risks as a cluster of this version defines them. */
export interface KnownUpdate {
  readonly to: string;
  /** Empty for a recommended update. */
  readonly risks: readonly Risk[];
}

/** Newest first. */
export function updatesFrom({ leaving, riskSets, versions }: PreparedGraph, from: number): KnownUpdate[] {
  const newest = new Map<string, Risk>();
  const updates: KnownUpdate[] = [];
  for (let edge = leaving.offsets[from]!; edge < leaving.offsets[from + 1]!; edge++) {
    const risks = riskSets[leaving.risks[edge]!]!;
    for (const risk of risks) newest.set(risk.name, risk);
    updates.push({ to: versions[leaving.targets[edge]!]!.raw, risks });
  }
  return updates
    .toReversed()
    .map(({ to, risks }) => ({ to, risks: risks.map((risk) => newest.get(risk.name)!) }));
}

export const WORST_FIRST: readonly Applies[] = ['yes', 'unknown', 'no'];

/** Without an update at hand the worst definition of a name counts; null without any. */
export function worstOf<Answer extends { readonly applies: Applies }>(
  answers: readonly Answer[],
): Answer | null {
  const place = ({ applies }: Answer): number => WORST_FIRST.indexOf(applies);
  return answers.toSorted((a, b) => place(a) - place(b))[0] ?? null;
}
