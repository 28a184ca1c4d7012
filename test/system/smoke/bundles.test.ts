import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Deployment, startDeployment } from '../../helpers/lambda/deployment.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: drawnConfig(UPSTREAM),
    source: drawnSource(UPSTREAM),
    hasConsole: true,
  });
  deployment.eventBridge.answerBy(({ body }) => {
    const { Entries = [] } = body as { Entries?: readonly unknown[] };
    const answered = Entries.map((_, at) => ({ EventId: String(at) }));
    return { status: 200, body: { FailedEntryCount: 0, Entries: answered } };
  });
});
afterAll(() => deployment.close());

it('the bundles of a deployment sync a channel, answer for it and serve the console', async () => {
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'schedule' });
  expect(run).toMatchObject({ ok: true, payload: { status: 'Done', outcome: 'Succeeded' } });

  const graph = await deployment.request('GET', '/api/upgrades_info/v1/graph?channel=stable-4.14');
  expect(graph.status).toBe(200);
  expect((graph.body as { nodes: unknown[] }).nodes).toHaveLength(2);
  const clusters = await deployment.request('GET', '/v1/clusters');
  expect([clusters.status, clusters.body]).toMatchObject([200, { clusters: [] }]);
  const page = await deployment.request('GET', '/', { headers: { accept: 'text/html' } });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>')]);
});
