import { failuresOf } from '../client.ts';
import { withProduct } from '../product.ts';
import { CONSTANT, GRAPHS } from '../questions.ts';
import { atLeast, atMost, finding, type LoadRow } from '../row.ts';

const RATE = 1000;
const CONNECTIONS = 32;
const ROUNDS = 3;

/** Graphs that are in memory, at a steady rate; then as many as the front can, against a constant. */
export const graphReads: LoadRow = {
  async run({ folder, isQuick }) {
    return withProduct(folder, async (product, client) => {
      const load = { url: product.url, connections: CONNECTIONS, requests: GRAPHS };
      await client.send({ ...load, rate: null, seconds: isQuick ? 2 : 10 });
      const result = await client.send({ ...load, rate: RATE, seconds: isQuick ? 5 : 300 });
      let [graphs, constants] = [0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const seconds = isQuick ? 1 : 5;
        graphs = Math.max(graphs, (await client.send({ ...load, rate: null, seconds })).perSecond);
        const constant = { ...load, requests: CONSTANT, rate: null, seconds };
        constants = Math.max(constants, (await client.send(constant)).perSecond);
      }
      const { p50, p99 } = result.milliseconds;
      return [
        finding(`graph reads at ${RATE} a second`, result.perSecond, 'req/s', { goal: atLeast(RATE * 0.99) }),
        finding('half of them within', p50, 'ms', { goal: atMost(5) }),
        finding('99 % of them within', p99, 'ms', { goal: atMost(50) }),
        finding('without a good answer', failuresOf(result), 'errors', { goal: atMost(0) }),
        finding('the most graphs a second', graphs, 'req/s', {
          ratio: { value: graphs / constants, to: 'a constant of 15 bytes through the same front' },
        }),
      ];
    });
  },
};
