import { setFlagsFromString } from 'node:v8';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { solvePath } from '@cairn/shared/path/solver/solve';
import { answerOf, mostMemory, percentile, timeOf } from '../measure.ts';
import { atMost, type LoadFinding, type LoadRow, finding } from '../row.ts';

const WARM_UP = 50;

/** Paths through the largest graph there may be today, and through one as large as is ever accepted. */
export const pathSolves: LoadRow = {
  async run({ isQuick }) {
    // What a function of 400 MB leaves to objects. With all the memory of a machine before it, V8 hardly ever collects.
    setFlagsFromString('--max-old-space-size=256');
    const today = solvesIn(400, 60_000, isQuick ? 500 : 5000, 25);
    const largest = solvesIn(5000, 500_000, isQuick ? 50 : 500, 1000);
    const memory = mostMemory();
    return [
      withRatio(today),
      withRatio(largest),
      finding('all memory of the process that does both', memory, 'MB', { goal: atMost(400) }),
    ];
  },
};

interface Solves {
  readonly finding: LoadFinding;
  readonly text: string;
}

function solvesIn(nodes: number, edges: number, solves: number, goal: number): Solves {
  const { text, versions } = answerOf(nodes, edges);
  const normalized = normalizeGraph(JSON.parse(text), { arch: 'amd64' });
  if (!normalized.ok) throw new Error(`${normalized.code}: ${normalized.detail}`);
  const graph = prepareGraph([{ channel: 'stable-4.20', graph: normalized.graph }]);
  const half = Math.floor(nodes / 2);
  const times = Array.from({ length: WARM_UP + solves }, (_, turn) => {
    const from = versions[turn % half]!;
    const to = versions[nodes - 1 - ((turn * 7) % half)]!;
    return timeOf(() => {
      const { found } = solvePath(graph, {
        from,
        to,
        prefer: 'safest',
        prerelease: false,
        alternatives: 0,
        risk: 'none',
      });
      if (!found) throw new Error(`no path from ${from} to ${to}`);
    });
  }).slice(WARM_UP);
  return {
    text,
    finding: finding(
      `99 % of paths in ${nodes} releases and ${edges} updates within`,
      percentile(times, 0.99),
      'ms',
      { goal: atMost(goal) },
    ),
  };
}

/** Measured when memory has been looked at, as it takes more of it than a path does. */
function withRatio({ finding, text }: Solves): LoadFinding {
  const parse = Math.min(...Array.from({ length: 5 }, () => timeOf(() => JSON.parse(text) as unknown)));
  return { ...finding, ratio: { value: finding.measured / parse, to: 'JSON.parse of the graph' } };
}
