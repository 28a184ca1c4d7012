import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { answerOf, timeOf } from '../measure.ts';
import { atMost, type LoadRow, finding } from '../row.ts';

const NODES = 900;
const EDGES = 378_000;

/** Parsing and checking an answer that is larger than any that upstream gives. */
export const graphReading: LoadRow = {
  async run({ isQuick }) {
    const { text } = answerOf(NODES, EDGES);
    let [read, parse] = [Infinity, Infinity];
    for (let round = 0; round < (isQuick ? 5 : 20); round++) {
      parse = Math.min(
        parse,
        timeOf(() => JSON.parse(text) as unknown),
      );
      read = Math.min(
        read,
        timeOf(() => {
          const normalized = normalizeGraph(JSON.parse(text), { arch: 'amd64' });
          if (!normalized.ok) throw new Error(`${normalized.code}: ${normalized.detail}`);
          if (findViolations(normalized.graph).length > 0) throw new Error('it is not publishable');
        }),
      );
    }
    return [
      finding(`parsing and checking ${(text.length / 1e6).toFixed(1)} MB with ${EDGES} updates`, read, 'ms', {
        goal: atMost(400),
        ratio: { value: read / parse, to: 'JSON.parse of it' },
      }),
    ];
  },
};
