import { countEdges } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import type { PathQuery } from '@cairn/shared/path/question';
import { solvePath } from '@cairn/shared/path/solver/solve';
import { type ChannelPair, type ChannelSet, largestAnswer } from '../channel-set.ts';
import { cpuCostOf, repeat, smallestCosts } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 50;
/** One solve is too short for the clock of CPU time. */
const SOLVES = 100;
const GOAL = 0.05;

/** From the oldest version of an EUS channel to its newest, the graph being indexed, against parsing the graph. */
export function pathSolve(channels: ChannelSet): Row {
  return {
    name: `path solve, ${channels.name}`,
    async run() {
      const { pair, text } = largestAnswer(eusOf(channels));
      const normalized = normalizeGraph(JSON.parse(text), { arch: pair.arch });
      if (!normalized.ok) throw new Error(`${normalized.code}: ${normalized.detail}`);
      const channel = { channel: pair.channel, graph: normalized.graph };
      const graph = prepareGraph([channel]);
      const from = graph.nodes.at(0)?.version;
      const to = graph.nodes.findLast((_, node) => graph.isPrerelease[node] === 0)?.version;
      if (from === undefined || to === undefined) throw new Error(`${pair.channel} is empty`);
      const solving = (conditions: Pick<PathQuery, 'risk' | 'prefer'>) => () => {
        const query: PathQuery = { from, to, prerelease: false, alternatives: 0, ...conditions };
        return cpuCostOf(() => repeat(SOLVES, () => solvePath(graph, query))) / SOLVES;
      };
      const costs = await smallestCosts(
        {
          parse: () => cpuCostOf(() => JSON.parse(text) as unknown),
          prepare: () => cpuCostOf(() => prepareGraph([channel])),
          plain: solving({ risk: 'none', prefer: 'safest' }),
          safest: solving({ risk: 'all', prefer: 'safest' }),
          shortest: solving({ risk: 'all', prefer: 'shortest' }),
        },
        ROUNDS,
      );
      const size = `${graph.nodes.length} nodes, ${countEdges(normalized.graph)} edges`;
      const title = `in ${pair.channel}/${pair.arch} (${channels.name}: ${size})`;
      const toParse = (what: string, cost: number, goal?: number) =>
        ratio(`${what} ${title} / JSON.parse of it`, cost / costs.parse, goal);
      return [
        toParse(`path ${from} → ${to} without risks`, costs.plain, GOAL),
        toParse(`the safest path of all`, costs.safest, GOAL),
        toParse(`the shortest path of all`, costs.shortest, GOAL),
        toParse(`indexing for paths`, costs.prepare),
      ];
    },
  };
}

function eusOf(channels: ChannelSet): ChannelSet {
  const isAsked = ({ channel, arch }: ChannelPair): boolean => arch === 'amd64' && channel.startsWith('eus-');
  return { ...channels, pairs: channels.pairs.filter(isAsked) };
}
