import { afterAll, beforeAll, expect, it } from 'vitest';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { type AskManage, startManage } from '../../../helpers/lambda/ask-manage.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { keptLog } from '../../../helpers/lambda/http-request.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const GRAPHS = {
  'stable-4.14': { versions: ['4.14.8'] },
  'stable-4.15': {
    versions: ['4.14.8', '4.15.3'],
    risky: [{ from: '4.14.8', to: '4.15.3', risk: 'SlowBoot' }],
  },
};
const END = 3 * 24 * 60;

let harness: FleetHarness;
let minutes = 10;
let ask: AskManage;
beforeAll(async () => {
  harness = await startFleetHarness(Object.keys(GRAPHS));
  await harness.publish(0, GRAPHS);
  for (const id of ['c0', 'c1']) await harness.report(1, id, aCluster());
  ask = startManage(harness.table, () => Date.parse(at(minutes)), keptLog());
});
afterAll(() => harness.close());

async function pathOf(id: string, query = ''): Promise<string> {
  const { status, body } = await ask('GET', `/v1/clusters/${id}/upgrade-plan${query}`);
  expect(status).toBe(200);
  return body.pathExists.status;
}

const accept = (changes: object = {}) =>
  ask('PUT', '/v1/risk-acceptances/one', {
    risk: 'SlowBoot',
    reason: 'tested',
    owner: 'platform',
    until: at(END),
    clusters: ['c0'],
    ...changes,
  });

it('endpoints plan over accepted risks of a stored cluster, until the acceptance ends or is deleted', async () => {
  expect([await pathOf('c0'), await pathOf('c1')]).toEqual(['False', 'False']);
  expect((await accept()).status).toBe(201);
  expect([await pathOf('c0'), await pathOf('c1')]).toEqual(['True', 'False']);
  await accept({ clusters: 'all' });
  expect([await pathOf('c0'), await pathOf('c1')]).toEqual(['True', 'True']);
  minutes = END - 1;
  expect(await pathOf('c0')).toBe('True');
  minutes = END;
  expect(await pathOf('c0')).toBe('False');
  await accept({ until: at(2 * END) });
  expect(await pathOf('c0')).toBe('True');
  await ask('DELETE', '/v1/risk-acceptances/one');
  expect(await pathOf('c0')).toBe('False');
});

it('endpoints prefer the risks of the request to what is stored', async () => {
  await accept({ until: at(2 * END) });
  const settings = (body: object) => ask('PUT', '/v1/clusters/c1/settings', body);
  expect(await pathOf('c0', '?risk=applicable')).toBe('True');
  expect(await pathOf('c0', '?risk=none')).toBe('False');
  expect(await pathOf('c0', '?accept_risk=Another')).toBe('False');
  expect(await pathOf('c1', '?accept_risk=SlowBoot')).toBe('True');
  expect(await pathOf('c1', '?risk=all')).toBe('True');
  await settings({ accept_risk: ['SlowBoot'] });
  expect(await pathOf('c1')).toBe('True');
  await settings({ accept_risk: ['Another'] });
  expect(await pathOf('c1')).toBe('False');
  await accept({ until: at(2 * END), clusters: ['c1'] });
  expect(await pathOf('c1')).toBe('True');
});
