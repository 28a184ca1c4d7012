import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../../../functions/http/reply.ts';
import { createQueryApp } from '../../../../functions/query-app.ts';
import { createTableClient } from '../../../../functions/store/client.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { EngineEndpoints } from '../../../../infra/local/engines.ts';
import { startFront } from '../../../../infra/local/front.ts';
import { type ChannelSet, followAll, largestAnswer } from '../channel-set.ts';
import { medianRatio } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';
import { startSyncScenario } from '../sync-scenario.ts';
import type { Load } from '../warm-graph/client.ts';

const WARM_UP_ROUNDS = 3;
const ROUNDS = 21;
/** Garbage is collected every 240 bodies or so: enough that one collection more or less does not show. */
const REQUESTS = 2400;
/** At least 0.8 of the requests per second of a constant. */
const GOAL = 1 / 0.8;

/**
 * CPU time that the local front needs to answer the largest graph, against what it needs for a constant of the same
 * bytes and headers. The client is another process and not counted.
 */
export function warmGraph(channels: ChannelSet): Row {
  return {
    name: `warm graph answer, ${channels.name}`,
    async run(folder) {
      const { pair } = largestAnswer(channels);
      const followed: ChannelSet = { ...channels, pairs: [pair] };
      const scenario = await startSyncScenario(folder, followed, followAll(followed));
      const client = fork(fileURLToPath(new URL('../warm-graph/client.ts', import.meta.url)));
      const path = `/api/upgrades_info/v1/graph?channel=${pair.channel}&arch=${pair.arch}`;
      try {
        await scenario.sync();
        const app = createQueryApp({
          table: tableAt(scenario.endpoints),
          sync: { intervalMs: 600_000, retirementGraceMs: 0 },
        });
        // One front and the same connections for both: two would differ by how far each socket has grown.
        let constant: HttpResult | undefined;
        let latest: HttpResult = {};
        const front = await startFront(frontOf(async (event) => constant ?? (latest = await app(event, {}))));
        const url = front.url + path;
        const first = await fetch(url, { headers: { accept: 'application/json' } });
        if (!first.ok) throw new Error(`the graph is not served: ${first.status} ${await first.text()}`);
        const prepared = latest;
        const bodyBytes = Buffer.from(prepared.body ?? '', 'base64').length;
        const costOf = (answer: HttpResult | undefined) => () => {
          constant = answer;
          return costOfLoad(client, { url, requests: REQUESTS, bodyBytes });
        };
        const [graphCost, constantCost] = [costOf(undefined), costOf(prepared)];
        await medianRatio(graphCost, constantCost, WARM_UP_ROUNDS);
        const measured = await medianRatio(graphCost, constantCost, ROUNDS);
        await front.close();
        return [
          ratio(
            `CPU of a warm graph answer, ${pair.channel}/${pair.arch} (${channels.name}: ${Math.round(bodyBytes / 1000)} kB gzip) / a constant of the same size`,
            measured,
            GOAL,
          ),
        ];
      } finally {
        client.kill();
        await scenario.close();
      }
    },
  };
}

type App = Parameters<typeof startFront>[0]['apps']['query'];

function frontOf(app: App): Parameters<typeof startFront>[0] {
  return { host: '127.0.0.1', port: 0, apps: { query: app, manage: app } };
}

/** CPU time of this process while another one asks it. */
async function costOfLoad(client: ChildProcess, load: Load): Promise<number> {
  // Neither side pays for the garbage of the other.
  globalThis.gc?.();
  const before = process.cpuUsage();
  client.send(load);
  const [error] = (await once(client, 'message')) as [string | null];
  if (error !== null) throw new Error(error);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function tableAt({ dynamodb, region, table, accessKeyId, secretAccessKey }: EngineEndpoints): Table {
  const client = createTableClient(4, {
    endpoint: dynamodb,
    region,
    credentials: { accessKeyId, secretAccessKey },
  });
  return { client, name: table };
}
