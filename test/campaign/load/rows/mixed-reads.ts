import { failuresOf, startClient } from '../client.ts';
import { startProduct } from '../product.ts';
import { aWay, CONSTANT, mixOf } from '../questions.ts';
import { atLeast, atMost, type LoadRow } from '../row.ts';

const RATE = 300;
const CONNECTIONS = 32;

/** 70 % graphs, 20 % versions, 10 % paths, at a steady rate; then as many as the front can. */
export const mixedReads: LoadRow = {
  async run({ folder, isQuick }) {
    const product = await startProduct(folder);
    const client = startClient();
    try {
      const load = { url: product.url, connections: CONNECTIONS, requests: mixOf(await aWay(product.url)) };
      await client.send({ ...load, rate: null, seconds: isQuick ? 2 : 10 });
      const result = await client.send({ ...load, rate: RATE, seconds: isQuick ? 5 : 120 });
      const seconds = isQuick ? 2 : 10;
      const most = await client.send({ ...load, rate: null, seconds });
      const constant = await client.send({ ...load, requests: CONSTANT, rate: null, seconds });
      return [
        {
          what: `mixed reads at ${RATE} a second`,
          measured: result.perSecond,
          unit: 'req/s',
          goal: atLeast(RATE * 0.99),
        },
        { what: '99 % of them within', measured: result.milliseconds.p99, unit: 'ms', goal: atMost(150) },
        { what: 'without a good answer', measured: failuresOf(result), unit: 'errors', goal: atMost(0) },
        {
          what: 'the most of them a second',
          measured: most.perSecond,
          unit: 'req/s',
          ratio: { value: most.perSecond / constant.perSecond, to: 'a constant through the same front' },
        },
      ];
    } finally {
      client.close();
      await product.close();
    }
  },
};
