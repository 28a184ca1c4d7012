import { gzipSync } from 'node:zlib';
import type { UpdateStatus } from '@cairn/shared/update-status/answer';
import type { ClusterUpdateStatus } from '@cairn/shared/update-status/runs/cluster-status';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCluster } from '../../../../functions/clusters/store.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { comparable } from '../../../helpers/update-status/compare-status.ts';
import { aStatusDocument } from '../../../helpers/update-status/documents.ts';
import { momentsOf, recordedCases } from '../../../helpers/update-status/recorded-cases.ts';
import { everyFive, reportsAt, takeReports } from '../../../helpers/update-status/reporting.ts';
import { simulateUpdate } from '../../../helpers/update-status/simulator.ts';
import { drawnConfig, drawnSource } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] }, arm64: {}, multi: {} };
const AT = '2026-11-16T12:00:00Z';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
});
afterAll(() => deployment.close());

let used = 0;
const newId = () => `updating-${++used}`;

const put = async (id: string, body: string | Buffer, query = `?collected_at=${AT}`) => {
  const headers = { 'content-type': Buffer.isBuffer(body) ? 'application/gzip' : 'application/json' };
  const { status, text } = await deployment.request('PUT', `/v1/clusters/${id}${query}`, { body, headers });
  expect(status, text).toBeLessThan(300);
};
const ask = (id: string, query = `?at=${AT}`, headers = {}) =>
  deployment.request('GET', `/v1/clusters/${id}/update-status${query}`, { headers });
const statusOf = async (id: string, query?: string): Promise<ClusterUpdateStatus & { cluster: string }> => {
  const { status, body } = await ask(id, query);
  expect(status).toBe(200);
  return body as ClusterUpdateStatus & { cluster: string };
};
const problemOf = async (id: string, query?: string) => {
  const { status, body } = await ask(id, query);
  const { type, detail } = body as { type: string; detail: string };
  return { status, code: type.split(':').at(-1), detail };
};

describe('GET /v1/clusters/{id}/update-status', () => {
  it('is the status of the stored documents, with the run', async () => {
    const id = newId();
    await put(id, aStatusDocument());
    const status = await statusOf(id);
    expect(status).toMatchObject({
      cluster: id,
      at: AT,
      collectedAt: AT,
      state: 'control-plane',
      run: { reports: 1, stalled: [], regressed: [], clockSkewSeconds: 0, completedAt: null },
    });
    expect(status.pools.flatMap(({ nodes }) => nodes.map(({ phaseSince }) => phaseSince))).toEqual([
      AT,
      AT,
      AT,
    ]);
  });

  it('needs no more than 10 minutes of patience: an old report does not age', async () => {
    const id = newId();
    await put(id, aStatusDocument());
    expect((await statusOf(id, '')).at).toBe('2026-11-16T12:10:00Z');
    await put(id, aStatusDocument(), '');
    const { at, collectedAt } = await statusOf(id, '');
    expect(Date.parse(at) - Date.parse(collectedAt)).toBeLessThan(600_000);
  });

  it('takes a moment from the first report to a day ahead', async () => {
    const id = newId();
    await put(id, aStatusDocument());
    expect((await statusOf(id, '?at=2026-11-16T13:30:00Z')).at).toBe('2026-11-16T13:30:00Z');
    const early = await problemOf(id, '?at=2026-11-16T11:59:59Z');
    expect(early).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(early.detail).toContain('before the first report of the last update');
    const ahead = new Date(Date.now() + 25 * 3600_000).toISOString();
    expect(await problemOf(id, `?at=${ahead}`)).toMatchObject({ status: 400, code: 'invalid-parameter' });
  });

  it('says of an earlier moment that not everything is known, and does not call it well', async () => {
    const id = newId();
    const later = '2026-11-16T12:05:00Z';
    await put(id, aStatusDocument({ degradedSeconds: 1000 }));
    await put(id, aStatusDocument(), `?collected_at=${later}`);
    const seenAt = async (at: string) => {
      const { insights, controlPlane } = await statusOf(id, `?at=${at}`);
      return [insights.map(({ type }) => type), controlPlane!.degradedOperators];
    };
    expect(await seenAt(AT)).toEqual([['EarlierMoment'], ['etcd']]);
    expect(await seenAt(later)).toEqual([['ProceedingWell'], []]);
  });

  it('has an entity tag that lasts while nothing but the seconds changes', async () => {
    const id = newId();
    await put(id, aStatusDocument());
    const { headers } = await ask(id);
    expect(headers['etag']).toMatch(/^W\/"/);
    const again = { 'if-none-match': headers['etag']! };
    expect((await ask(id, '?at=2026-11-16T12:00:01Z', again)).status).toBe(304);
    expect((await ask(id, `?at=${AT}&format=text`, again)).status).toBe(200);
    expect((await ask(id, '?at=2026-11-16T12:05:00Z', again)).status).toBe(200);
    await put(id, aStatusDocument({ isHeld: true }), `?collected_at=2026-11-16T12:00:02Z`);
    expect((await ask(id, '?at=2026-11-16T12:00:02Z', again)).status).toBe(200);
  });

  it('is text or Markdown too', async () => {
    const id = newId();
    await put(id, aStatusDocument());
    expect((await ask(id, `?at=${AT}&format=text&details=operators`)).text).toContain(
      'Updating cluster operators',
    );
    expect((await ask(id, `?at=${AT}&format=markdown`)).headers['content-type']).toContain('text/markdown');
  });

  it('names what the reports lack', async () => {
    expect(await problemOf('nowhere')).toMatchObject({ status: 404, code: 'unknown-cluster' });
    const id = newId();
    await put(id, aStatusDocument({ without: 'ClusterOperator' }));
    const problem = await problemOf(id);
    expect(problem).toMatchObject({ status: 409, code: 'incomplete-report' });
    expect(problem.detail).toMatch(/oc get clusteroperators -o json/);
  });

  it('moves the times of a clock that is far ahead', async () => {
    const id = newId();
    const ahead = new Date(Date.now() + 3600_000).toISOString();
    await put(id, aStatusDocument(), `?collected_at=${ahead}`);
    const { run, insights, collectedAt } = await statusOf(id, '');
    expect(Math.abs(run!.clockSkewSeconds - 3600)).toBeLessThan(600);
    expect(insights.map(({ type }) => type)).toContain('ClockSkew');
    expect(Date.parse(collectedAt)).toBeLessThan(Date.now() + 600_000);
  });

  it('is unaffected by a late report, and shows what does not move', async () => {
    const id = newId();
    const at = (minute: number) => new Date(Date.parse(AT) + minute * 60_000).toISOString();
    for (const minute of [0, 5, 10]) await put(id, aStatusDocument(), `?collected_at=${at(minute)}`);
    const before = await statusOf(id, `?at=${at(50)}`);
    expect(before.run).toMatchObject({
      reports: 3,
      stalled: [{ reason: 'OverEstimate' }, { reason: 'NoControlPlaneNodeProgress' }],
    });
    await put(id, aStatusDocument(), `?collected_at=${at(5)}`);
    expect(await statusOf(id, `?at=${at(50)}`)).toEqual(before);
  });
});

describe('GET /v1/clusters/{id}/updates', () => {
  it('has how long each part took, newest first', async () => {
    const id = newId();
    const first = simulateUpdate({ lost: ['worker-005'] });
    const second = simulateUpdate({
      start: first.time(600),
      from: '4.14.1',
      to: '4.14.2',
      drains: { 'worker-003': 75 },
      history: first.facts(500).clusterVersion!.history,
    });
    const third = simulateUpdate({
      start: second.time(600),
      from: '4.14.2',
      to: '4.14.3',
      history: second.facts(500).clusterVersion!.history,
    });
    const reports = [first, second].flatMap((update) => reportsAt(update, everyFive(0, 160)));
    await changeCluster(deployment.table, id, () =>
      takeReports([...reports, ...reportsAt(third, everyFive(0, 30))])!,
    );
    const { body } = await deployment.request('GET', `/v1/clusters/${id}/updates`);
    const { updates } = body as { updates: Record<string, unknown>[] };
    expect(updates.map(({ version, state, minutes }) => [version, state, minutes])).toEqual([
      ['4.14.3', 'in-progress', { controlPlane: null, whole: null }],
      ['4.14.2', 'completed', { controlPlane: 55, whole: 160 }],
      ['4.14.1', 'superseded', { controlPlane: 55, whole: null }],
    ]);
    expect(updates[1]).toMatchObject({
      previous: '4.14.1',
      kind: 'update',
      reports: 33,
      slowestNodes: [{ pool: 'worker', name: 'worker-003', minutes: 85 }, {}, {}, {}, {}],
      stalls: [{ reason: 'NoNodeProgress', pool: 'worker', minutes: 75 }],
    });
    const pools = updates[1]!['pools'] as { name: string; nodes: number; minutes: number }[];
    expect(pools.map(({ name, nodes, minutes }) => [name, nodes, minutes])).toEqual([
      ['master', 3, 30],
      ['worker', 6, 135],
    ]);
  });

  it('is empty for a cluster that has not updated', async () => {
    const id = newId();
    await put(id, aStatusDocument({ isDone: true }), '?collected_at=2026-11-18T12:00:00Z');
    const { body } = await deployment.request('GET', `/v1/clusters/${id}/updates`);
    expect(body).toEqual({ id, updates: [] });
    expect(await statusOf(id, '')).toMatchObject({ state: 'none', run: null, updating: false });
  });
});

describe('the next plan', () => {
  it('goes by the minutes that nodes took in past updates', async () => {
    const id = newId();
    const update = simulateUpdate({ phases: [10, 5, 15], from: '4.14.7', to: '4.14.8' });
    const reports = reportsAt(update, everyFive(0, 250));
    const rolloutsOf = async (kept: typeof reports) => {
      await changeCluster(deployment.table, id, () => takeReports(kept)!);
      const { body } = await deployment.request(
        'GET',
        `/v1/clusters/${id}/upgrade-plan?to=4.14.30&channel=stable-4.14`,
      );
      expect(body).toHaveProperty('plan');
      const { plan } = body as { plan: { workerRollouts: { pools: Record<string, unknown>[] }[] } };
      return plan.workerRollouts.flatMap(({ pools }) => pools);
    };
    const usual = {
      pool: 'worker',
      nodes: 6,
      maxUnavailable: 1,
      iterations: 6,
      min: 30,
      expected: 60,
      max: 120,
    };
    expect(await rolloutsOf(reports.slice(-1))).toEqual([usual]);
    const measured = { ...usual, min: 180, expected: 180, max: 180, measuredNodes: 6 };
    expect(await rolloutsOf(reports)).toEqual([measured]);
  });
});

describe.skipIf(recordedCases.length === 0)('recorded clusters that report', () => {
  it.each(recordedCases)('$name is answered as it was recorded, and later', async (recorded) => {
    const id = newId();
    const body = gzipSync(recorded.documents);
    for (const expected of momentsOf(recorded)) {
      await put(id, body, `?collected_at=${expected.at}`);
      const status = await statusOf(id, `?at=${expected.at}`);
      expect(comparable(status as unknown as UpdateStatus, expected)).toEqual(withoutSince(expected, status));
    }
  });
});

/** Reports show since when a pool is paused and a node degraded, which documents do not. */
function withoutSince<Expected extends { readonly at: string; readonly insights?: readonly object[] }>(
  expected: Expected,
  { insights }: ClusterUpdateStatus,
): Expected {
  const known = insights.filter(({ origin }) => origin === 'oc');
  return {
    ...expected,
    ...(expected.insights && {
      insights: expected.insights.map((insight, index) => {
        const { type, since } = known[index]!;
        return type === 'PoolPaused' || type === 'NodeDegraded'
          ? { ...insight, sinceSeconds: (Date.parse(expected.at) - Date.parse(since!)) / 1000 }
          : insight;
      }),
    }),
  };
}
