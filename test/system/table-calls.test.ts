import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchPath } from '../../functions/http/match-path.ts';
import { manageRoutes } from '../../functions/manage-routes.ts';
import { queryRoutes } from '../../functions/query-routes.ts';
import { clusterVersion } from '../helpers/cluster/objects.ts';
import { loadDump } from '../helpers/stored/engines.ts';
import { fixTime, type FixedTime } from '../helpers/stored/fixed-time.ts';
import { openProduct, type ProductRequest } from '../helpers/stored/product.ts';
import { readDump } from '../helpers/stored/recorded.ts';
import { CHANGES, READS } from '../helpers/stored/requests.ts';
import { at, END, slotAt, UNFINISHED } from '../helpers/stored/scenario.ts';
import { type Stage, startStage } from '../helpers/stored/stage.ts';
import { countTableCalls, type TableCalls } from '../helpers/stored/table-calls.ts';
import { tableEngines } from '../helpers/table/table.ts';

const MOST_WRITES_OF_A_QUIET_SYNC = 2;

let time: FixedTime;
let stage: Stage;
beforeAll(async () => {
  const tableName = `table-calls-${randomUUID()}`;
  time = fixTime(END, 'test');
  const tableUrl = tableEngines[0]!.url;
  stage = await startStage({ tableUrl, tableName, time, release: openProduct });
  await loadDump(stage.engines, readDump('8ce5974'), time);
});
afterAll(async () => {
  await stage.close();
  time.restore();
});

/** On routes that the former release did not have, once its data is up to date. */
const LATER: readonly ProductRequest[] = [
  ...['/v1/risks', '/v1/risks/NewRisk/clusters', '/v1/clusters/full/risks', '/v1/risk-queries'].map(
    (target) => ({ method: 'GET', target }),
  ),
  { method: 'POST', target: '/v1/risk-evaluations?channel=stable-4.15', body: clusterVersion },
];

it('counts every route that may use the table', () => {
  const sent = [...READS.map((target) => ({ method: 'GET', target })), ...CHANGES, ...LATER];
  const counted = sent.flatMap(({ method, target }) =>
    matchPath([...queryRoutes, ...manageRoutes], target.split('?')[0]!)
      .filter(({ route }) => route.method === method)
      .map(({ route }) => route.id),
  );
  const missing = [...queryRoutes, ...manageRoutes]
    .filter(({ method, access }) => access !== 'open' && !['HEAD', 'OPTIONS'].includes(method))
    .map(({ id }) => id)
    .filter((id) => !counted.includes(id as never));
  // The first serves a file, the second reads only documents, the others run the endpoints of `/v1/news`.
  expect(missing).toEqual([
    'getOpenapi',
    'assessUpdate',
    'getNotifications',
    'putNotificationsWebhook',
    'deleteNotificationsWebhook',
  ]);
});

/** `vitest -u` records a change that is meant. */
it('makes as many table calls per request and job as recorded', async () => {
  const calls = countTableCalls(stage.engines.table.client);
  const counted: Record<string, string> = {};
  const count = async (name: string, work: () => Promise<unknown>): Promise<TableCalls> => {
    await work();
    const taken = calls.take();
    expect(counted).not.toHaveProperty([name]);
    counted[name] = taken.text;
    return taken;
  };
  time.set(END);
  for (const target of READS) {
    const product = await stage.open(16);
    await count(`GET ${target}`, () => product.request({ method: 'GET', target }));
    await count(`GET ${target} again`, () => product.request({ method: 'GET', target }));
  }

  const jobs = await stage.open(17);
  const at17 = (minute: number): string => {
    time.set(at(17, 0, minute));
    return slotAt(17, 0, minute);
  };
  await count('sync, two pairs changed', () => jobs.sync(at17(0)));
  await count('sync, a held graph confirmed', () => jobs.sync(at17(10)));
  const quiet = await count('sync, nothing changed', () => jobs.sync(at17(20)));
  expect(quiet.writes).toBeLessThanOrEqual(MOST_WRITES_OF_A_QUIET_SYNC);
  await count('sync, the same slot', () => jobs.sync(at17(20)));
  await count('housekeeping', () => jobs.housekeeping(at17(25)));
  await count('housekeeping, the same slot', () => jobs.housekeeping(at17(25)));
  await count('run-pruner, resumed', () => jobs.prune({ ...UNFINISHED, trigger: 'resume' }));
  await count('run-pruner, a whole run', () =>
    jobs.prune({ pruner: 'finished', slot: at17(30), trigger: 'schedule' }),
  );
  await count('reassess-fleet, stopped', () => jobs.reassessFleet(at17(35)));

  let second = 0;
  for (const request of CHANGES) {
    time.set(at(17, 1) + 1000 * ++second);
    const product = await stage.open(17);
    await count(`${second} ${request.method} ${request.target}`, () => product.request(request));
  }
  const last = await stage.open(17);
  time.set(at(17, 1, 30));
  await count('run-pruner, unmanaged', () =>
    last.prune({ pruner: 'registry', slot: slotAt(17, 1, 30), trigger: 'manual' }),
  );
  time.set(at(17, 2));
  await count('reassess-fleet, clusters due', () => last.reassessFleet(slotAt(17, 2)));
  time.set(at(17, 3));
  await count('reassess-fleet, nothing due', () => last.reassessFleet(slotAt(17, 3)));
  for (const request of LATER) {
    const product = await stage.open(17);
    await count(`${request.method} ${request.target}`, async () => {
      expect((await product.request(request)).status).toBeLessThan(300);
    });
  }
  await expect(`${JSON.stringify(counted, null, 2)}\n`).toMatchFileSnapshot(
    '../fixtures/stored/table-calls.json',
  );
  expect(stage.warnings).toEqual([]);
});
