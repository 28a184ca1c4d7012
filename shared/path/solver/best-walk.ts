import { findBestSteps, type BestSteps } from './best-steps.ts';
import type { Search } from './cost.ts';
import { lookAheadForRisks, type Budget, type RisksAhead } from './fewest-risks.ts';
import { forEachExactStep, riskyHopsFrom, tallyRest, type Tally } from './tally.ts';

/** What a walk brought along when the search goes on from its last node. */
export interface Prefix {
  /** Per channel, the fewest switches with the last hop in it. */
  readonly switches: Float64Array;
  /** Names of the risks met, as bits. */
  readonly names: bigint;
}

/** The nodes of the best walk from source to target, or null when there is none. */
export function findBestWalk(search: Search, prefix: Prefix, budget: Budget): number[] | null {
  const steps = findBestSteps(search);
  if (steps === null) return null;
  const tally = tallyRest(steps);
  const starts = bestStarts(tally, prefix);
  const hasRisks = riskyHopsFrom(steps, tally, starts[0]!) > 0;
  const risks = hasRisks ? lookAheadForRisks(steps, tally, starts, prefix.names, budget) : null;
  const layers = closestLayers(steps, tally, startWays(starts, prefix, risks), risks, budget);
  return newestOf(layers, steps);
}

/** The states of the source, one per channel, from which switches and risks add up to the least. */
function bestStarts({ rest, switchCost }: Tally, { switches }: Prefix): number[] {
  const costs = Array.from(switches, (count, channel) => count * switchCost + rest[channel]!);
  const least = Math.min(...costs);
  return [...costs.keys()].filter((channel) => costs[channel] === least);
}

/** One way or several equally good ones to be in a state with the same names met. */
interface Way {
  readonly state: number;
  readonly met: number;
  readonly before: Way[];
}

interface Start {
  readonly ways: Way[];
  /** Distinct risks of the best walks. */
  readonly fewest: number;
}

function startWays(starts: readonly number[], prefix: Prefix, risks: RisksAhead | null): Start {
  const met = risks === null ? 0 : risks.sets.idOf(prefix.names);
  const ways = starts.map((state): Way => ({ state, met, before: [] }));
  if (risks === null) return { ways, fewest: 0 };
  const fewest = Math.min(...starts.map((state) => risks.fewest(state, met)));
  return { ways: ways.filter(({ state }) => risks.fewest(state, met) === fewest), fewest };
}

/**
 * Layer by layer the ways that are closest to the newest z so far. Within a layer only nodes of different minors can be
 * equally close, so that few are open, if not each with many sets of names met: those cost of the budget, and beyond it
 * a state keeps its first.
 */
function closestLayers(
  steps: BestSteps,
  tally: Tally,
  start: Start,
  risks: RisksAhead | null,
  budget: Budget,
): Way[][] {
  const { lag, channels } = steps.search.graph;
  const states = steps.nodes.length * channels.length;
  const layers = [start.ways];
  for (let hop = 1; hop <= steps.hops; hop++) {
    let closest = Infinity;
    const layer = new Map<number, Way>();
    for (const way of layers.at(-1)!) {
      forEachExactStep(steps, tally, way.state, (state, edge) => {
        const behind = lag[steps.nodes[Math.floor(state / channels.length)]!]!;
        if (behind > closest) return;
        const met = risks === null ? 0 : risks.sets.join(way.met, risks.namesOn(edge));
        if (risks !== null) {
          budget.comparisons--;
          if (risks.fewest(state, met) > start.fewest) return;
        }
        if (behind < closest) layer.clear();
        closest = behind;
        const key = budget.comparisons > 0 ? met * states + state : state;
        const known = layer.get(key);
        if (known === undefined) layer.set(key, { state, met, before: [way] });
        else if (known.met === met) known.before.push(way);
      });
    }
    layers.push([...layer.values()]);
  }
  return layers;
}

/** Of ways through the layers that are equally good by now, the one with the newest version where they first differ. */
function newestOf(layers: readonly (readonly Way[])[], steps: BestSteps): number[] {
  const channels = steps.search.graph.channels.length;
  const nodeOf = (way: Way): number => steps.nodes[Math.floor(way.state / channels)]!;
  const leading = new Set(layers.at(-1));
  for (const layer of layers.toReversed()) {
    for (const way of layer) if (leading.has(way)) for (const earlier of way.before) leading.add(earlier);
  }
  let open = new Set(layers[0]!.filter((way) => leading.has(way)));
  const walk = [steps.search.from];
  for (const layer of layers.slice(1)) {
    const next = layer.filter((way) => leading.has(way) && way.before.some((earlier) => open.has(earlier)));
    const newest = Math.max(...next.map(nodeOf));
    open = new Set(next.filter((way) => nodeOf(way) === newest));
    walk.push(newest);
  }
  return walk;
}
