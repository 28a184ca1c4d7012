import { failuresOf } from '../client.ts';
import { withProduct } from '../product.ts';
import { aWay, CONSTANT, mixOf } from '../questions.ts';
import { atLeast, atMost, finding, type LoadRow } from '../row.ts';

const RATE = 300;
const CONNECTIONS = 32;

/** 70 % graphs, 20 % versions, 10 % paths, at a steady rate; then as many as the front can. */
export const mixedReads: LoadRow = {
  async run({ folder, isQuick }) {
    return withProduct(folder, async (product, client) => {
      const load = { url: product.url, connections: CONNECTIONS, requests: mixOf(await aWay(product.url)) };
      await client.send({ ...load, rate: null, seconds: isQuick ? 2 : 10 });
      const result = await client.send({ ...load, rate: RATE, seconds: isQuick ? 5 : 120 });
      const seconds = isQuick ? 2 : 10;
      const most = await client.send({ ...load, rate: null, seconds });
      const constant = await client.send({ ...load, requests: CONSTANT, rate: null, seconds });
      return [
        finding(`mixed reads at ${RATE} a second`, result.perSecond, 'req/s', { goal: atLeast(RATE * 0.99) }),
        finding('99 % of them within', result.milliseconds.p99, 'ms', { goal: atMost(150) }),
        finding('without a good answer', failuresOf(result), 'errors', { goal: atMost(0) }),
        finding('the most of them a second', most.perSecond, 'req/s', {
          ratio: { value: most.perSecond / constant.perSecond, to: 'a constant through the same front' },
        }),
      ];
    });
  },
};
