import { countEdges } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { type ChannelSet, largestAnswer } from '../channel-set.ts';
import { cpuCostOf, smallestCosts } from '../interleave.ts';
import type { Row } from '../row.ts';

const ROUNDS = 100;
const GOAL = 4;

/** All that the sync does to an answer after parsing it and before publishing it, against the parsing. */
export function graphCheck(channels: ChannelSet): Row {
  return {
    name: `graph check, ${channels.name}`,
    async run() {
      const { pair, text } = largestAnswer(channels);
      const check = (answer: unknown) => {
        const normalized = normalizeGraph(answer, { arch: pair.arch });
        if (!normalized.ok) throw new Error(`${normalized.code}: ${normalized.detail}`);
        const violations = findViolations(normalized.graph);
        if (violations.length > 0) throw new Error(`not publishable: ${violations[0]!.detail}`);
        return normalized.graph;
      };
      const graph = check(JSON.parse(text));
      const costs = await smallestCosts(
        {
          parse: () => cpuCostOf(() => JSON.parse(text) as unknown),
          check: () => {
            // A new one each time, as the sync never sees the same answer twice.
            const answer: unknown = JSON.parse(text);
            return cpuCostOf(() => check(answer));
          },
        },
        ROUNDS,
      );
      const size = `${graph.nodes.length} nodes, ${countEdges(graph)} edges`;
      return [
        {
          what: `normalise + publish check of ${pair.channel}/${pair.arch} (${channels.name}: ${size}) / JSON.parse of it`,
          measured: costs.check / costs.parse,
          unit: '×',
          goal: GOAL,
        },
      ];
    },
  };
}
