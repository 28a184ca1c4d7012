import type { BestSteps } from './best-steps.ts';

/**
 * What adds up along best walks after hops: channel switches and, unless they already counted, risky hops. A state is
 * a place and the channel of the hop that led there, numbered place × channels + channel, since staying in a channel
 * costs nothing.
 */
export interface Tally {
  /** Per state the least that the rest of the walk costs. */
  readonly rest: Float64Array;
  readonly switchCost: number;
  readonly riskCost: number;
}

export function tallyRest(steps: BestSteps): Tally {
  const { nodes, places, offsets, edges } = steps;
  const { channels, channelSets, leaving } = steps.search.graph;
  const width = channels.length;
  const last = nodes.length - 1;
  const riskCost = steps.weights.risky === 0 ? 1 : 0;
  const switchCost = riskCost === 0 ? 1 : steps.hops + 1;
  const rest = new Float64Array((last + 1) * width);
  // In one channel risky hops have counted, if there are any.
  if (width === 1) return { rest, switchCost, riskCost };

  rest.fill(Infinity, 0, last * width);
  for (let place = last - 1; place >= 0; place--) {
    const state = place * width;
    const end = offsets[place + 1]!;
    for (let step = offsets[place]!; step < end; step++) {
      const edge = edges[step]!;
      const next = places[leaving.targets[edge]!]! * width;
      const risky = leaving.risks[edge] === 0 ? 0 : riskCost;
      const offering = channelSets[leaving.channels[edge]!]!;
      for (let at = 0; at < offering.length; at++) {
        const channel = offering[at]!;
        const cost = rest[next + channel]! + risky;
        if (cost < rest[state + channel]!) rest[state + channel] = cost;
      }
    }
    allowSwitch(rest.subarray(state, state + width), switchCost);
  }
  return { rest, switchCost, riskCost };
}

/** Caps every cost at the least of them and a switch. */
export function allowSwitch(costs: Float64Array, switchCost: number): void {
  let least = Infinity;
  for (const cost of costs) if (cost < least) least = cost;
  for (let channel = 0; channel < costs.length; channel++) {
    if (costs[channel]! > least + switchCost) costs[channel] = least + switchCost;
  }
}

/** Calls back for every step out of a state that stays best in all that adds up. */
export function forEachExactStep(
  steps: BestSteps,
  { rest, switchCost, riskCost }: Tally,
  state: number,
  visit: (nextState: number, edge: number) => void,
): void {
  const { leaving, channelSets, channels } = steps.search.graph;
  const width = channels.length;
  const inChannel = state % width;
  const place = (state - inChannel) / width;
  const end = steps.offsets[place + 1]!;
  for (let step = steps.offsets[place]!; step < end; step++) {
    const edge = steps.edges[step]!;
    const next = steps.places[leaving.targets[edge]!]! * width;
    const risky = leaving.risks[edge] === 0 ? 0 : riskCost;
    for (const channel of channelSets[leaving.channels[edge]!]!) {
      const cost = risky + (channel === inChannel ? 0 : switchCost) + rest[next + channel]!;
      if (cost === rest[state]) visit(next + channel, edge);
    }
  }
}

/** Risky hops on every best walk that begins in the state of the source. */
export function riskyHopsFrom(
  { weights, cost }: BestSteps,
  { rest, switchCost }: Tally,
  start: number,
): number {
  if (weights.risky === 0) return rest[start]! % switchCost;
  return weights.risky > weights.hop ? Math.floor(cost / weights.risky) : cost % weights.hop;
}
