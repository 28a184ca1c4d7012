import { clusterVersion, node } from '../../../helpers/cluster/objects.ts';
import { failuresOf, startClient } from '../client.ts';
import { startProduct } from '../product.ts';
import { atLeast, atMost, type LoadRow } from '../row.ts';

const RATE = 100;
const CLUSTERS = 500;
const CONNECTIONS = 64;

const report = (version: string): string =>
  JSON.stringify({
    documents: [
      {
        ...clusterVersion,
        status: {
          desired: { version, image: 'quay.io/x@sha256:0' },
          history: [
            {
              state: 'Completed',
              version,
              image: 'quay.io/x@sha256:0',
              startedTime: '2026-01-01T00:00:00Z',
              completionTime: '2026-01-01T01:00:00Z',
              verified: true,
            },
          ],
        },
      },
      ...Array.from({ length: 30 }, (_, place) => node(`node-${place}`)),
    ],
  });

/** Reports of 500 clusters in turn, each with a version of its own; at the end every cluster has its last one. */
export const clusterReports: LoadRow = {
  async run({ folder, isQuick }) {
    const product = await startProduct(folder);
    const client = startClient();
    try {
      const result = await client.send({
        url: product.url,
        seconds: isQuick ? 10 : 600,
        rate: RATE,
        connections: CONNECTIONS,
        requests: [
          {
            weight: 1,
            method: 'PUT',
            path: '/v1/clusters/load-{id}',
            headers: { 'content-type': 'application/json' },
            body: report('4.14.{turn}'),
          },
        ],
      });
      const lastTurns = new Map<number, number>();
      for (const number of result.acknowledged) {
        const [id, turn] = [number % CLUSTERS, Math.floor(number / CLUSTERS)];
        lastTurns.set(id, Math.max(turn, lastTurns.get(id) ?? 0));
      }
      let lost = 0;
      for (const [id, turn] of lastTurns) {
        const answer = await fetch(`${product.url}/v1/clusters/load-${id}`);
        const text = await answer.text();
        if (!answer.ok || !text.includes(`"4.14.${turn}"`)) lost++;
      }
      return [
        {
          what: `reports of clusters at ${RATE} a second`,
          measured: result.perSecond,
          unit: 'req/s',
          goal: atLeast(RATE * 0.99),
        },
        { what: '99 % of them within', measured: result.milliseconds.p99, unit: 'ms', goal: atMost(250) },
        { what: 'without a good answer', measured: failuresOf(result), unit: 'errors', goal: atMost(0) },
        { what: 'acknowledged and not there', measured: lost, unit: 'lost', goal: atMost(0) },
      ];
    } finally {
      client.close();
      await product.close();
    }
  },
};
