import { MOST_AT_ONCE } from '../../../../infra/local/front.ts';
import { failuresOf } from '../client.ts';
import { withProduct } from '../product.ts';
import { GRAPHS } from '../questions.ts';
import { atMost, finding, type LoadRow } from '../row.ts';

/** Five times what `L1` asks for, over twice as many connections as are answered at once. */
const RATE = 5000;
const CONNECTIONS = 2 * MOST_AT_ONCE;
const STEADY = { rate: 100, connections: 16, seconds: 1 };
/** As in `L1`; on a machine that is slower by itself, twice what it was before. */
const GOOD_MS = 50;
const MUCH = 2;
const PATIENCE_S = 30;

/** Much more than can be answered: what is too much is refused at once, and afterwards all is as before. */
export const overload: LoadRow = {
  async run({ folder, isQuick }) {
    return withProduct(folder, async (product, client) => {
      const load = { url: product.url, requests: GRAPHS };
      await client.send({ ...load, rate: null, connections: 16, seconds: 2 });
      const usual = (await client.send({ ...load, ...STEADY })).milliseconds.p99;
      const before = product.memory();
      const flood = client.send({ ...load, rate: RATE, connections: CONNECTIONS, seconds: isQuick ? 5 : 30 });
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, product.memory())), 250);
      const result = await flood.finally(() => clearInterval(watch));
      const start = performance.now();
      let recovered = Infinity;
      while (recovered === Infinity && (performance.now() - start) / 1000 < PATIENCE_S) {
        const steady = await client.send({ ...load, ...STEADY });
        const isGood = failuresOf(steady) === 0 && steady.milliseconds.p99 <= Math.max(GOOD_MS, MUCH * usual);
        // The second of the load itself is no part of the recovery.
        if (isGood) recovered = (performance.now() - start) / 1000 - STEADY.seconds;
      }
      const shed = result.statuses['503'] ?? 0;
      return [
        finding(`graphs a second, at ${RATE} asked for`, result.perSecond, 'req/s', {
          ratio: { value: result.perSecond / RATE, to: 'those asked for' },
        }),
        finding('refused by 503', shed, 'requests'),
        finding('without an answer, or with another error', failuresOf(result, [503]), 'errors', {
          goal: atMost(0),
        }),
        finding('the most memory', most, 'MB', { ratio: { value: most / before, to: 'that before' } }),
        finding('as good as before after', recovered, 's', { goal: atMost(10) }),
        finding('crashes', product.isRunning() ? 0 : 1, 'errors', { goal: atMost(0) }),
      ];
    });
  },
};
