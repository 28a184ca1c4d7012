import { findEdge, forEachEdge } from './edge-rows.ts';
import { alignNodes, countEdges, type ReleaseGraph } from './graph.ts';

export const BELIEVABLE_LIMITS = {
  /** Allowed loss: this number or this share of nodes, whichever is more. The same for edges. */
  nodesLost: 5,
  nodesLostPercent: 10,
  edgesLost: 50,
  edgesLostPercent: 25,
  /** Share of the versions in both graphs. */
  payloadsChangedPercent: 25,
  /** A new channel starts with all releases of its predecessors: `growthFactor` × previous + `growthSlack`. */
  growthFactor: 3,
  growthSlack: 250,
  /** Accepts a doubtful graph after this many identical rounds over at least this time. */
  confirmations: 3,
  confirmationHours: 6,
};
type BelievableLimits = Readonly<typeof BELIEVABLE_LIMITS>;

/** Last doubtful graph, with its first time and number of rounds. */
export interface HeldUpstreamGraph {
  readonly hash: string;
  readonly since: string;
  readonly rounds: number;
}

interface Doubt {
  readonly reason: 'Emptied' | 'NodesLost' | 'EdgesLost' | 'PayloadsChanged' | 'Grown';
  readonly detail: string;
}

export type Judgement =
  | { readonly verdict: 'accept'; readonly because: 'first' | 'believable' | 'confirmed' | 'by_hand' }
  | ({ readonly verdict: 'hold'; readonly held: HeldUpstreamGraph } & Doubt);

export interface JudgeInput {
  readonly previous: ReleaseGraph | null;
  readonly next: ReleaseGraph;
  readonly hash: string;
  /** Graph held in the previous round; null if that round was accepted. */
  readonly held: HeldUpstreamGraph | null;
  readonly now: string;
  readonly acceptedByHand: boolean;
  readonly limits?: BelievableLimits | undefined;
}

/**
 * Holds a well-formed graph for review if it lost too much or changed release images, until it proves stable or an
 * operator accepts it. 100 nodes, then 89: held, `NodesLost`.
 */
export function judgeAnswer(input: JudgeInput): Judgement {
  const { previous, next, hash, now, limits = BELIEVABLE_LIMITS } = input;
  if (previous === null || previous.nodes.length === 0) return { verdict: 'accept', because: 'first' };
  const doubts = findDoubts(previous, next, limits);
  const [first] = doubts;
  if (first === undefined) return { verdict: 'accept', because: 'believable' };
  if (input.acceptedByHand) return { verdict: 'accept', because: 'by_hand' };

  const held: HeldUpstreamGraph =
    input.held?.hash === hash
      ? { hash, since: input.held.since, rounds: input.held.rounds + 1 }
      : { hash, since: now, rounds: 1 };
  // Never confirm an empty graph: an outage returns it every time.
  if (first.reason !== 'Emptied' && isConfirmed(held, now, limits)) {
    return { verdict: 'accept', because: 'confirmed' };
  }
  return {
    verdict: 'hold',
    reason: first.reason,
    detail: doubts.map((doubt) => doubt.detail).join('; '),
    held,
  };
}

function findDoubts(previous: ReleaseGraph, next: ReleaseGraph, limits: BelievableLimits): Doubt[] {
  const had = previous.nodes.length;
  const has = next.nodes.length;
  if (has === 0) return [{ reason: 'Emptied', detail: `no node is left of ${had}` }];
  const places = alignNodes(previous, next);
  const { common, changed } = compareCommon(previous, next, places);
  const nodesAllowed = allowance(had, limits.nodesLost, limits.nodesLostPercent);
  const edges = countEdges(previous);
  const edgesGone = countLostEdges(previous, next, places);
  const edgesAllowed = allowance(edges, limits.edgesLost, limits.edgesLostPercent);
  const changesAllowed = share(common, limits.payloadsChangedPercent);
  const most = limits.growthFactor * had + limits.growthSlack;
  const tests: readonly (readonly [isDoubtful: boolean, Doubt['reason'], detail: string])[] = [
    [
      had - common > nodesAllowed,
      'NodesLost',
      `${had - common} of ${had} nodes are gone, at most ${nodesAllowed} may go`,
    ],
    [
      edgesGone > edgesAllowed,
      'EdgesLost',
      `${edgesGone} of ${edges} edges are gone, at most ${edgesAllowed} may go`,
    ],
    [
      changed > changesAllowed,
      'PayloadsChanged',
      `${changed} of ${common} versions have another payload, at most ${changesAllowed} may`,
    ],
    [has > most, 'Grown', `${had} nodes became ${has}, at most ${most} are believable`],
  ];
  return tests.flatMap(([isDoubtful, reason, detail]) => (isDoubtful ? [{ reason, detail }] : []));
}

function compareCommon(
  previous: ReleaseGraph,
  next: ReleaseGraph,
  places: Int32Array,
): { common: number; changed: number } {
  let common = 0;
  let changed = 0;
  for (const [index, node] of previous.nodes.entries()) {
    const same = next.nodes[places[index]!];
    if (same === undefined) continue;
    common++;
    if (same.payload !== node.payload) changed++;
  }
  return { common, changed };
}

/** Counts edges that are neither recommended nor conditional anymore. Turning conditional is a warning, not a loss. */
function countLostEdges(previous: ReleaseGraph, next: ReleaseGraph, places: Int32Array): number {
  let lost = 0;
  const count = (from: number, to: number): void => {
    const [source, target] = [places[from]!, places[to]!];
    const isThere =
      source >= 0 &&
      target >= 0 &&
      (findEdge(next.edges, source, target) >= 0 || findEdge(next.conditional, source, target) >= 0);
    if (!isThere) lost++;
  };
  forEachEdge(previous.edges, count);
  forEachEdge(previous.conditional, count);
  return lost;
}

function allowance(count: number, least: number, percent: number): number {
  return Math.max(least, share(count, percent));
}

function share(count: number, percent: number): number {
  return Math.floor((count * percent) / 100);
}

function isConfirmed(held: HeldUpstreamGraph, now: string, limits: BelievableLimits): boolean {
  const heldForMs = Date.parse(now) - Date.parse(held.since);
  return held.rounds >= limits.confirmations && heldForMs >= limits.confirmationHours * 3_600_000;
}
