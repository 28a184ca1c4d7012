import { clusterVersion, node } from '../../../helpers/cluster/objects.ts';
import { failuresOf } from '../client.ts';
import { withProduct } from '../product.ts';
import { atLeast, atMost, finding, type LoadRow } from '../row.ts';

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
    return withProduct(folder, async (product, client) => {
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
        finding(`reports of clusters at ${RATE} a second`, result.perSecond, 'req/s', {
          goal: atLeast(RATE * 0.99),
        }),
        finding('99 % of them within', result.milliseconds.p99, 'ms', { goal: atMost(250) }),
        finding('without a good answer', failuresOf(result), 'errors', { goal: atMost(0) }),
        finding('acknowledged and not there', lost, 'lost', { goal: atMost(0) }),
      ];
    });
  },
};
