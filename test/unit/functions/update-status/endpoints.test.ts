import { gzipSync } from 'node:zlib';
import type { UpdateStatus } from '@cairn/shared/update-status/answer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusView } from '../../../../functions/update-status/view.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { comparable } from '../../../helpers/update-status/compare-status.ts';
import { aStatusDocument, BEGIN, condition, node } from '../../../helpers/update-status/documents.ts';
import { momentsOf, recordedCases } from '../../../helpers/update-status/recorded-cases.ts';
import { statusOf as statusFromDocument } from '../../../helpers/update-status/statuses.ts';
import { drawnConfig, drawnSource } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] }, arm64: {}, multi: {} };
const AT = '2026-11-16T12:00:00Z';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => deployment.close());

const post = (body: string | Buffer, query = `?at=${AT}`) =>
  deployment.request('POST', `/v1/update-status${query}`, {
    body,
    headers: { 'content-type': Buffer.isBuffer(body) ? 'application/gzip' : 'application/json' },
  });
const statusOf = async (body: string | Buffer, query?: string): Promise<UpdateStatus> => {
  const answer = await post(body, query);
  expect(answer).toMatchObject({ status: 200 });
  parseStrictly('assessUpdate', answer.body);
  return answer.body as UpdateStatus;
};
const problemOf = async (body: string | Buffer, query?: string) => {
  const answer = await post(body, query);
  const { type, detail, errors } = answer.body as {
    type: string;
    detail: string;
    errors?: { pointer?: string; parameter?: string }[];
  };
  return { status: answer.status, code: type.replace('urn:cairn:problem:', ''), detail, errors };
};

describe('POST /v1/update-status', () => {
  it('takes documents in every form', async () => {
    const expected = await statusOf(aStatusDocument());
    expect(expected).toMatchObject({ at: AT, updating: true, state: 'control-plane', nodesOmitted: 0 });
    const list = JSON.parse(aStatusDocument()) as { items: object[] };
    const each = list.items.map((item) => JSON.stringify(item)).join('\n');
    expect(await statusOf(each)).toEqual(expected);
    expect(await statusOf(gzipSync(each))).toEqual(expected);
    expect(await statusOf(JSON.stringify({ documents: list.items, at: AT }), '')).toEqual(expected);
  });

  it('keeps the order of pools and operators', async () => {
    const { kind, items } = JSON.parse(aStatusDocument({ isHeld: true })) as {
      kind: string;
      items: object[];
    };
    const names = async (document: object) => {
      const { pools } = await statusOf(JSON.stringify(document));
      return pools.map(({ name }) => name);
    };
    expect(await names({ kind, items })).toEqual(['master', 'worker', 'spare']);
    expect(await names({ kind, items: items.toReversed() })).toEqual(['spare', 'worker', 'master']);
    const waiting = ['z', 'b', 'a'].map((name) => ({
      kind: 'ClusterOperator',
      metadata: { name, annotations: { 'include.release.openshift.io/x': 'true' } },
      status: { conditions: [condition('Progressing', 'False', 30)] },
    }));
    const { controlPlane } = await statusOf(aStatusDocument({ more: waiting }));
    expect(controlPlane!.waitingOperators).toEqual(['z', 'b', 'a']);
  });

  it('assesses now when no time is given', async () => {
    const { at } = await statusOf(aStatusDocument(), '');
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(600_000);
  });

  it('is text or Markdown, with details', async () => {
    const text = await post(aStatusDocument(), `?at=${AT}&format=text`);
    expect(text.headers['content-type']).toContain('text/plain');
    expect(text.text).toContain('Worker pool nodes: worker');
    expect(text.text).not.toContain('Updating cluster operators');
    const detailed = await post(aStatusDocument(), `?at=${AT}&format=markdown&details=operators`);
    expect(detailed.headers['content-type']).toContain('text/markdown');
    expect(detailed.text).toContain('### Updating cluster operators');
  });

  it('shows ten nodes of a pool, those in trouble, and the numbers of the others', async () => {
    const more = [
      node('zz', 'worker', { currentConfig: 'x', desiredConfig: 'x', state: 'Degraded', reason: 'broken' }),
    ];
    const document = aStatusDocument({ workers: 12, more });
    const { text: body } = await post(document, `?at=${AT}&format=text`);
    expect(body).toContain('zz');
    expect(body).toContain('other-0006');
    expect(body).not.toContain('other-0007');
    expect(body.replaceAll('\n', ' ')).toContain(
      '5 nodes are not shown: 5 completed, 5 available, 0 progressing, 0 outdated, 0 draining, 0 excluded.',
    );
    const { text: all } = await post(document, `?at=${AT}&format=text&details=nodes`);
    expect(all).toContain('other-0011');
    expect(all).not.toContain('not shown');
  });

  it('is one line without an update, and for a control plane that is done', async () => {
    const { text: body } = await post(aStatusDocument({ isDone: true }), `?at=${AT}&format=text`);
    expect(body).toBe('No update is in progress. The cluster runs 4.14.1 since 2026-11-16T11:55:00Z.\n');
    const { text: held } = await post(aStatusDocument({ isHeld: true }), `?at=${AT}&format=text`);
    expect(held).toContain(
      'Update to 4.14.1 (from 4.14.0) completed at 2026-11-16T11:55:00Z (duration: 15m).',
    );
    expect(held).toContain('0% (0/2)    2 Available, 0 Progressing, 0 Draining, 2 Excluded');
  });

  it('shows script and control characters of messages as text', async () => {
    const hostile = '<script>alert(1)</script>\u001b[2J|`x`';
    const bad = { ...condition('Degraded', 'True', 10), reason: 'Bad', message: hostile };
    const more = [
      {
        kind: 'ClusterOperator',
        metadata: { name: 'bad', annotations: { 'include.release.openshift.io/x': 'true' } },
        status: { conditions: [bad] },
      },
    ];
    const { text: body } = await post(aStatusDocument({ more }), `?at=${AT}&format=markdown&details=all`);
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('\u001b');
    const { text } = await post(aStatusDocument({ more }), `?at=${AT}&format=text&details=all`);
    expect(text).toContain('<script>alert(1)</script>|`x`');
  });

  it('leaves out completed nodes first when the response would be too large', () => {
    const status = statusFromDocument(aStatusDocument({ workers: 20 }), AT);
    const names = ({ pools }: ReturnType<typeof statusView>) =>
      pools.flatMap(({ nodes }) => nodes.map(({ name }) => name));
    const whole = statusView(status);
    expect([whole.nodesOmitted, names(whole).length]).toEqual([0, 23]);
    const cut = statusView(status, 500);
    expect(cut.nodesOmitted).toBe(23 - names(cut).length);
    expect(names(cut)).toEqual(['worker-1', 'worker-0']);
    // The counts are of all nodes.
    expect(cut.pools.map(({ counts }) => counts.total)).toEqual([1, 22, 0]);
  });

  it('refuses a response that is too large without any node', async () => {
    const reason = 'x'.repeat(1000);
    const more = Array.from({ length: 3000 }, (_, number) =>
      node(`sick-${number}`, 'spare', { currentConfig: 'x', desiredConfig: 'x', reason, state: 'Degraded' }),
    );
    expect(await problemOf(aStatusDocument({ more }))).toMatchObject({ status: 413, code: 'body-too-large' });
  });
});

describe('bad input', () => {
  const operator = (changes: object) =>
    aStatusDocument({ more: [{ kind: 'ClusterOperator', metadata: { name: 'x' }, ...changes }] });

  it.each<[string, string, string, RegExp]>([
    ['an empty body', '', 'invalid-documents', /nothing|at least one document/],
    ['broken JSON', '{"kind":"Node",', 'invalid-documents', /line 1/],
    [
      'no ClusterVersion',
      aStatusDocument({ without: 'ClusterVersion' }),
      'invalid-documents',
      /oc get clusterversions.* -o json/,
    ],
    [
      'no ClusterOperator',
      aStatusDocument({ without: 'ClusterOperator' }),
      'invalid-documents',
      /oc get clusteroperators -o json/,
    ],
    [
      'no condition Progressing',
      aStatusDocument().replace('"type":"Progressing"', '"type":"Other"'),
      'invalid-documents',
      /no condition Progressing/,
    ],
    [
      'two clusters',
      aStatusDocument({
        more: [{ kind: 'ClusterVersion', metadata: { name: 'version' }, spec: { clusterID: 'another' } }],
      }),
      'invalid-documents',
      /"another" is another cluster than "c0ffee"/,
    ],
    [
      'an annotation that is no text',
      aStatusDocument({ more: [node('n', 'worker', { currentConfig: 7 })] }),
      'invalid-documents',
      /currentConfig: expected a string/,
    ],
    [
      'conditions that are no list',
      operator({ status: { conditions: {} } }),
      'invalid-documents',
      /status\/conditions: expected an array/,
    ],
    [
      'alerts of another shape',
      `${aStatusDocument()}{"status":"success","data":{"alerts":{}}}`,
      'invalid-documents',
      /data\/alerts/,
    ],
    ['a failed response of alerts', `${aStatusDocument()}{"status":"error"}`, 'invalid-documents', /kind/],
  ])('is refused: %s', async (_title, body, code, detail) => {
    const problem = await problemOf(body);
    expect(problem).toMatchObject({ status: 400, code });
    expect(problem.detail).toMatch(detail);
  });

  it.each(['yesterday', '2026-13-01T00:00:00Z', new Date(Date.now() + 25 * 3600_000).toISOString()])(
    'is a time such as %s',
    async (at) => {
      expect(await problemOf(aStatusDocument(), `?at=${at}`)).toMatchObject({
        status: 400,
        code: 'invalid-parameter',
        errors: [{ parameter: 'at' }],
      });
      expect(await problemOf(JSON.stringify({ documents: [], at }), '')).toMatchObject({
        status: 400,
        errors: [{ pointer: '/at' }],
      });
    },
  );

  it('is no time that is a little ahead', async () => {
    const soon = new Date(Date.now() + 23 * 3600_000).toISOString();
    expect((await statusOf(aStatusDocument(), `?at=${soon}`)).updating).toBe(true);
  });

  it('is not a time before the update, which has durations of zero', async () => {
    const status = await statusOf(aStatusDocument(), '?at=2026-11-16T11:00:00Z');
    expect(status.controlPlane).toMatchObject({ durationSeconds: 0, remaining: null });
    expect(status.summary).toContain(BEGIN);
  });

  it('is not a transition time that is none, which is named', async () => {
    const conditions = [{ type: 'Degraded', status: 'True', lastTransitionTime: 'yesterday' }];
    const annotations = { 'exclude.release.openshift.io/x': 'true' };
    const status = await statusOf(operator({ metadata: { name: 'x', annotations }, status: { conditions } }));
    expect(status.missing).toEqual(['alerts', 'times']);
    expect(status.controlPlane!.health.unavailable).toBe(1);
  });

  it('is not a second object of a name, of which the last counts', async () => {
    const again = node('worker-0', 'worker', { currentConfig: 'x', desiredConfig: 'x' });
    const { pools } = await statusOf(aStatusDocument({ more: [again] }));
    const nodes = pools.find(({ name }) => name === 'worker')!.nodes;
    expect(nodes.map(({ name, version }) => [name, version])).toEqual([
      ['worker-1', '4.14.0'],
      ['worker-0', null],
    ]);
  });

  it('is not a kind that was not sent, which is named', async () => {
    const { missing, pools } = await statusOf(aStatusDocument({ without: 'MachineConfigPool' }));
    expect([missing, pools]).toEqual([['machineconfigpools', 'alerts'], []]);
    const withAlerts = `${aStatusDocument({ without: 'Node' })}{"status":"success","data":{}}`;
    expect((await statusOf(withAlerts)).missing).toEqual(['nodes']);
  });
});

describe.skipIf(recordedCases.length === 0)('recorded clusters', () => {
  it.each(recordedCases)('$name is answered as it was recorded, and later', async (recorded) => {
    for (const expected of momentsOf(recorded)) {
      const status = await statusOf(gzipSync(recorded.documents), `?at=${expected.at}`);
      expect(comparable(status, expected)).toEqual(expected);
    }
  });
});
