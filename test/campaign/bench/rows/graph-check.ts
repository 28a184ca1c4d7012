import { gunzipSync, gzipSync } from 'node:zlib';
import { countEdges, serializeGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { readServedGraph, type ServedGraph } from '@cairn/shared/graph/served-graph';
import { storedGraph } from '../../../../functions/releases/stored-graph.ts';
import { type ChannelSet, largestAnswer } from '../channel-set.ts';
import { cpuCostOf, smallestCosts } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 100;
const GOAL = 4;
const READ_GOAL = 0.5;

/**
 * All that the sync does to an answer after parsing it and before publishing it, against the parsing; and what reading
 * the published graph again costs, against the normaliser that used to read it.
 */
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
      const published = serializeGraph(graph);
      const body = gzipSync(published);
      const costs = await smallestCosts(
        {
          parse: () => cpuCostOf(() => JSON.parse(text) as unknown),
          check: () => {
            // A new one each time, as the sync never sees the same answer twice.
            const answer: unknown = JSON.parse(text);
            return cpuCostOf(() => check(answer));
          },
          normalize: () => {
            const value: unknown = JSON.parse(published);
            return cpuCostOf(() => normalizeGraph(value, { arch: pair.arch }));
          },
          read: () => {
            const value = JSON.parse(published) as ServedGraph;
            return cpuCostOf(() => readServedGraph(value));
          },
          normalizeStored: () =>
            cpuCostOf(() =>
              normalizeGraph(JSON.parse(gunzipSync(body).toString('utf8')), { arch: pair.arch }),
            ),
          readStored: () => cpuCostOf(() => storedGraph(body, pair)),
        },
        ROUNDS,
      );
      const size = `${graph.nodes.length} nodes, ${countEdges(graph)} edges`;
      const name = `${pair.channel}/${pair.arch}`;
      return [
        ratio(
          `normalise + publish check of ${name} (${channels.name}: ${size}) / JSON.parse of it`,
          costs.check / costs.parse,
          GOAL,
        ),
        ratio(
          `read the published ${name} after JSON.parse / normalise it`,
          costs.read / costs.normalize,
          READ_GOAL,
        ),
        ratio(
          `read the stored ${name}, gunzip and JSON.parse included / the same with the normaliser`,
          costs.readStored / costs.normalizeStored,
        ),
      ];
    },
  };
}
