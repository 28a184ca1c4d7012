import { findEdge, forEachEdge } from './edge-rows.ts';
import {
  alignNodes,
  countEdges,
  EMPTY_GRAPH,
  type ReleaseGraph,
  type ReleaseNode,
  riskText,
} from './graph.ts';

export interface EdgeChange {
  readonly from: string;
  readonly to: string;
  /** Names of the risks gained or lost. */
  readonly risks: readonly string[];
}

/** Lists are in release order, risk names sorted. */
export interface GraphDiff {
  readonly versionsAdded: readonly string[];
  readonly versionsRemoved: readonly string[];
  readonly payloadChanged: readonly string[];
  /** Versions in both graphs with other metadata, for example after a promotion to another channel. */
  readonly metadataChanged: readonly string[];
  /** Recommended and conditional together; an edge that changes its kind counts as neither added nor removed. */
  readonly edgesAdded: number;
  readonly edgesRemoved: number;
  readonly turnedConditional: readonly EdgeChange[];
  readonly turnedPlain: readonly EdgeChange[];
  /** Edges conditional in both graphs, with other risks. */
  readonly edgesWithOtherRisks: number;
  readonly risksNew: readonly string[];
  readonly risksGone: readonly string[];
}

/** The diff is empty exactly if both graphs serialize to the same bytes. */
export function diffGraphs(before: ReleaseGraph | null, after: ReleaseGraph): GraphDiff {
  const old = before ?? EMPTY_GRAPH;
  const oldPlaces = alignNodes(after, old);
  const newPlaces = alignNodes(old, after);
  const common = after.nodes.filter((_, index) => oldPlaces[index]! >= 0);
  const commonBefore = old.nodes.filter((_, index) => newPlaces[index]! >= 0);
  const changed = (isChanged: (a: ReleaseNode, b: ReleaseNode) => boolean): string[] =>
    common.filter((node, index) => isChanged(commonBefore[index]!, node)).map((node) => node.version);
  const [oldRisks, newRisks] = [riskNames(old), riskNames(after)];
  const edges = compareEdges(old, after, newPlaces);
  return {
    versionsAdded: versionsWithout(after, oldPlaces),
    versionsRemoved: versionsWithout(old, newPlaces),
    payloadChanged: changed((a, b) => a.payload !== b.payload),
    metadataChanged: changed((a, b) => !isSameMetadata(a.metadata, b.metadata)),
    edgesAdded: countEdges(after) - edges.kept,
    edgesRemoved: countEdges(old) - edges.kept,
    turnedConditional: edges.turnedConditional,
    turnedPlain: edges.turnedPlain,
    edgesWithOtherRisks: edges.withOtherRisks,
    risksNew: namesWithout(newRisks, oldRisks),
    risksGone: namesWithout(oldRisks, newRisks),
  };
}

function compareEdges(
  old: ReleaseGraph,
  after: ReleaseGraph,
  places: Int32Array,
): { kept: number; withOtherRisks: number; turnedConditional: EdgeChange[]; turnedPlain: EdgeChange[] } {
  const turnedConditional: EdgeChange[] = [];
  const turnedPlain: EdgeChange[] = [];
  let kept = 0;
  let withOtherRisks = 0;
  const change = (from: number, to: number, graph: ReleaseGraph, position: number): EdgeChange => ({
    from: old.nodes[from]!.version,
    to: old.nodes[to]!.version,
    risks: graph.riskSets[graph.conditional.riskSets[position]!]!.map((risk) => risk.name),
  });

  forEachEdge(old.edges, (from, to) => {
    const [source, target] = [places[from]!, places[to]!];
    if (source < 0 || target < 0) return;
    const conditional = findEdge(after.conditional, source, target);
    if (conditional >= 0) turnedConditional.push(change(from, to, after, conditional));
    if (conditional >= 0 || findEdge(after.edges, source, target) >= 0) kept++;
  });
  const isSameSet = riskSetComparison(old, after);
  forEachEdge(old.conditional, (from, to, position) => {
    const [source, target] = [places[from]!, places[to]!];
    if (source < 0 || target < 0) return;
    const conditional = findEdge(after.conditional, source, target);
    if (conditional >= 0) {
      kept++;
      if (!isSameSet(old.conditional.riskSets[position]!, after.conditional.riskSets[conditional]!)) {
        withOtherRisks++;
      }
    } else if (findEdge(after.edges, source, target) >= 0) {
      kept++;
      turnedPlain.push(change(from, to, old, position));
    }
  });
  return { kept, withOtherRisks, turnedConditional, turnedPlain };
}

function riskSetComparison(old: ReleaseGraph, after: ReleaseGraph): (a: number, b: number) => boolean {
  const [oldTexts, newTexts] = [old, after].map((graph) =>
    graph.riskSets.map((risks) => risks.map(riskText).join()),
  );
  return (a, b) => oldTexts![a] === newTexts![b];
}

function isSameMetadata(a: ReleaseNode['metadata'], b: ReleaseNode['metadata']): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function versionsWithout(graph: ReleaseGraph, places: Int32Array): string[] {
  return graph.nodes.filter((_, index) => places[index]! < 0).map((node) => node.version);
}

function riskNames(graph: ReleaseGraph): ReadonlySet<string> {
  return new Set(graph.riskSets.flatMap((risks) => risks.map((risk) => risk.name)));
}

function namesWithout(names: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !others.has(name)).toSorted();
}
