import { failuresOf } from '../client.ts';
import { withProduct } from '../product.ts';
import { aWay, mixOf } from '../questions.ts';
import { atMost, finding, type LoadRow } from '../row.ts';

const RATE = 50;
const MINUTE = 60;
/** The share of a soak in which caches fill. */
const WARM_UP = 0.2;
/** Connections to the engines come and go. */
const FEW_FILES = 5;

/** A steady trickle of reads and a sync each minute: what grows for ever shows here. */
export const soak: LoadRow = {
  async run({ folder, soakMinutes }) {
    if (soakMinutes === 0) return [];
    return withProduct(folder, async (product, client) => {
      const load = {
        url: product.url,
        rate: RATE,
        connections: 16,
        requests: mixOf(await aWay(product.url)),
      };
      const samples: { memory: number; files: number | null }[] = [];
      let failures = 0;
      for (let minute = 0; minute < soakMinutes; minute++) {
        await fetch(`${product.url}/v1/sync/runs`, { method: 'POST' });
        failures += failuresOf(await client.send({ ...load, seconds: MINUTE }));
        samples.push({ memory: product.memory(), files: product.openFiles() });
      }
      const settled = samples.slice(Math.floor(samples.length * WARM_UP));
      const third = Math.max(1, Math.floor(settled.length / 3));
      const mean = (some: typeof samples): number =>
        some.reduce((total, { memory }) => total + memory, 0) / some.length;
      const growth = mean(settled.slice(-third)) / mean(settled.slice(0, third)) - 1;
      const [first, last] = [settled[0]?.files ?? null, settled.at(-1)?.files ?? null];
      return [
        finding(`growth of memory over ${soakMinutes} minutes`, growth * 100, '%', { goal: atMost(10) }),
        finding('without a good answer', failures, 'errors', { goal: atMost(0) }),
        ...(first === null || last === null
          ? []
          : [
              finding('more open files at the end', Math.max(0, last - first), 'files', {
                goal: atMost(FEW_FILES),
              }),
            ]),
      ];
    });
  },
};
