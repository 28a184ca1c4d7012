import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { removeCluster } from '../../../../functions/clusters/store.ts';
import { matchPath } from '../../../../functions/http/match-path.ts';
import { routeKey } from '../../../../functions/http/route.ts';
import { createManageApp } from '../../../../functions/manage-app.ts';
import { putAcceptance } from '../../../../functions/risk-acceptances/store.ts';
import { servedRoutes } from '../../../../functions/routes.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { clusterVersion, listOf, node } from '../../../helpers/cluster/objects.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { strictly } from '../../../helpers/lambda/strict.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const VERSIONS = ['4.14.8', '4.14.9', '4.15.3'];
const onPlatform = (type: string) =>
  `max(cluster_infrastructure_provider{type="${type}"}) or 0 * max(cluster_infrastructure_provider)`;
const COUNTED = 'max(apiserver_storage_objects{resource=~"nodes|egressips[.]k8s[.]ovn[.]org"} > bool 2)';
const CEPH = 'max(ceph_health_status == bool 1)';
const GRAPHS = {
  'stable-4.14': { versions: ['4.14.8', '4.14.9'] },
  'stable-4.15': {
    versions: VERSIONS,
    risky: [
      { from: '4.14.8', to: '4.14.9', risk: 'Changed', promql: onPlatform('AWS') },
      { from: '4.14.8', to: '4.15.3', risk: 'Changed', promql: onPlatform('Azure') },
      { from: '4.14.9', to: '4.15.3', risk: 'OnAws', promql: onPlatform('AWS') },
    ],
  },
  'fast-4.15': {
    versions: [...VERSIONS, '4.15.9'],
    risky: [
      { from: '4.14.8', to: '4.15.9', risk: 'Counted', promql: COUNTED },
      { from: '4.14.9', to: '4.15.9', risk: 'Ceph', promql: CEPH },
      { from: '4.15.3', to: '4.15.9', risk: 'Everywhere' },
    ],
  },
};
const EVALUATIONS = '/v1/risk-evaluations';

let harness: FleetHarness;
beforeAll(async () => {
  harness = await startFleetHarness(Object.keys(GRAPHS));
  await harness.publish(0, GRAPHS);
});
afterAll(() => harness.close());

type Body = Readonly<Record<string, unknown>>;

async function ask(
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const app = strictly(
    createManageApp({
      table: harness.table,
      launcher: {} as never,
      openUploads: () => Promise.reject(new Error('nothing is uploaded here')),
      sync: { intervalMs: 600_000 },
      historyLimit: 100,
      clock: () => Date.parse(at(30)),
      log: { info: () => {}, warn: () => {}, error: (...line: unknown[]) => console.error(...line) },
    }),
  );
  const { pathname, searchParams } = new URL(target, 'http://cairn');
  const match = matchPath(servedRoutes, pathname).find(({ route }) => route.method === method)!;
  const result = await app(
    {
      routeKey: routeKey(match.route),
      rawPath: pathname,
      rawQueryString: searchParams.toString(),
      headers: { 'content-type': 'application/json', ...headers },
      pathParameters: match.pathParameters,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', http: { method } },
    },
    {},
  );
  const text = result.body ?? '';
  const isJson = String(result.headers?.['content-type']).includes('json');
  return {
    status: result.statusCode,
    headers: result.headers ?? {},
    text,
    body: (isJson ? JSON.parse(text) : {}) as Body,
  };
}

const infrastructure = (type: string) => ({
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  status: { platformStatus: { type }, controlPlaneTopology: 'HighlyAvailable' },
});
const evaluate = async (query: string, body: unknown) => {
  const answer = await ask('POST', `${EVALUATIONS}${query}`, body);
  return { ...answer, risks: shown(answer.body) };
};
const shown = (body: Body) =>
  ((body['risks'] ?? []) as readonly Body[]).map(({ name, applies, edges }) => [name, applies, edges]);

describe('POST /v1/risk-evaluations', () => {
  it('answers every risk of a channel by name, the worst of its definitions', async () => {
    const { status, body, risks } = await evaluate('?channel=stable-4.15', infrastructure('Azure'));
    expect(status).toBe(200);
    expect(risks).toEqual([
      ['Changed', 'yes', 2],
      ['OnAws', 'no', 1],
    ]);
    expect(body).toMatchObject({ channel: 'stable-4.15', arch: 'amd64', collectedAt: null });
    expect((body['risks'] as readonly Body[])[1]).toEqual({
      name: 'OnAws',
      url: 'https://issues.redhat.com/browse/OnAws',
      message: 'OnAws may happen',
      applies: 'no',
      decidedBy: expect.arrayContaining(['cluster_infrastructure_provider{type="AWS"} → none']) as unknown,
      asOf: null,
      source: 'facts',
      edges: 1,
    });
  });

  it.each<[string, string, readonly unknown[]]>([
    ['from a version, by the definition at the newest target', '&from=4.14.8', [['Changed', 'no', 2]]],
    ['of one update, by that definition too', '&from=4.14.8&to=4.14.9', [['Changed', 'no', 1]]],
    ['to a version', '&to=4.14.9', [['Changed', 'yes', 1]]],
    ['of an update without risks', '&from=4.15.3', []],
  ])('keeps the risks of the updates %s', async (_, query, expected) => {
    const { risks } = await evaluate(`?channel=stable-4.15${query}`, infrastructure('AWS'));
    expect(risks).toEqual(expected);
  });

  it('marks the updates from the version of the cluster, newest first', async () => {
    const status = clusterVersion['status'] as Body;
    const reporting = {
      ...clusterVersion,
      status: {
        ...status,
        conditionalUpdates: [
          {
            release: { version: '4.14.9' },
            risks: [{ name: 'Changed' }],
            conditions: [{ type: 'Recommended', status: 'False', reason: 'Changed' }],
          },
        ],
      },
    };
    const updates = async (version: Body) => {
      const { body, risks } = await evaluate('?channel=stable-4.15', {
        documents: [version, infrastructure('AWS')],
      });
      return { risks, updates: body['updates'] };
    };
    expect(await updates(clusterVersion)).toEqual({
      risks: [
        ['Changed', 'yes', 2],
        ['OnAws', 'yes', 1],
      ],
      updates: [
        { to: '4.15.3', recommended: false, applies: 'no', risks: ['Changed'] },
        { to: '4.14.9', recommended: false, applies: 'no', risks: ['Changed'] },
      ],
    });
    expect((await updates(reporting)).updates).toEqual([
      { to: '4.15.3', recommended: false, applies: 'yes', risks: ['Changed'] },
      { to: '4.14.9', recommended: false, applies: 'yes', risks: ['Changed'] },
    ]);
  });

  it('says what is missing where nobody knows', async () => {
    const { body, risks } = await evaluate('?channel=fast-4.15', infrastructure('AWS'));
    expect(risks).toEqual([
      ['Ceph', 'unknown', 1],
      ['Counted', 'unknown', 1],
      ['Everywhere', 'yes', 1],
    ]);
    expect((body['risks'] as readonly Body[])[0]).toMatchObject({
      reason: 'MissingFacts',
      missing: [{ metric: 'ceph_health_status', documents: [] }],
    });
  });

  it('takes documents in every form, and the channel of the cluster', async () => {
    const inChannel = {
      ...clusterVersion,
      spec: { ...(clusterVersion['spec'] as object), channel: 'stable-4.15' },
    };
    const documents = [inChannel, infrastructure('AWS')];
    const expected = [
      ['Changed', 'yes', 2],
      ['OnAws', 'yes', 1],
    ];
    const inARow = documents.map((document) => JSON.stringify(document)).join('\n');
    for (const body of [{ documents }, listOf(documents), inARow]) {
      expect((await evaluate('', body)).risks).toEqual(expected);
    }
    const fields = { documents, channel: 'fast-4.15', collectedAt: '2026-11-01T00:00:00Z' };
    const { body } = await evaluate('', fields);
    expect(body).toMatchObject({ channel: 'fast-4.15', collectedAt: fields.collectedAt });
    expect((body['risks'] as readonly Body[])[2]).toMatchObject({ name: 'Everywhere', asOf: null });
  });

  it.each<[string, string, unknown, number, string]>([
    ['no channel', '', infrastructure('AWS'), 400, 'missing-parameter'],
    [
      'documents of no known kind',
      '?channel=stable-4.15',
      { kind: 'Secret', apiVersion: 'v1' },
      400,
      'invalid-documents',
    ],
    ['no documents', '?channel=stable-4.15', {}, 400, 'invalid-body'],
    ['an unknown channel', '?channel=stable-4.16', infrastructure('AWS'), 404, 'unknown-channel'],
    [
      'another architecture',
      '?channel=stable-4.15&arch=arm64',
      infrastructure('AWS'),
      404,
      'unknown-channel',
    ],
    ['an unknown version', '?channel=stable-4.15&from=4.14.7', infrastructure('AWS'), 404, 'unknown-version'],
    ['a wrong field', '?channel=stable-4.15&form=1', infrastructure('AWS'), 400, 'invalid-parameter'],
    ['a bad version', '?channel=stable-4.15&from=x', infrastructure('AWS'), 400, 'invalid-parameter'],
    ['no JSON', '?channel=stable-4.15', '{', 400, 'invalid-body'],
  ])('refuses %s', async (_, query, sent, status, problem) => {
    const { status: got, body } = await ask('POST', `${EVALUATIONS}${query}`, sent);
    expect([got, body['type']]).toEqual([status, `urn:cairn:problem:${problem}`]);
  });

  it('reads the architecture from the nodes', async () => {
    const arm = node('n1', { status: { nodeInfo: { architecture: 'arm64', kubeletVersion: 'v1.27.6' } } });
    const { body } = await ask('POST', `${EVALUATIONS}?channel=stable-4.15`, arm);
    expect(body['detail']).toMatch(/not followed on arm64, but on amd64/);
  });
});

describe('risks of the fleet', () => {
  beforeAll(async () => {
    const azure = { platform: 'Azure', controlPlaneTopology: 'HighlyAvailable' };
    await harness.report(1, 'aws-1', aCluster());
    await harness.report(1, 'aws-2', aCluster());
    await harness.report(1, 'azure', aCluster({ infrastructure: azure }));
    await harness.report(1, 'unsure', aCluster({ infrastructure: null }));
    await harness.report(1, 'gone', aCluster());
    await changeClusterSettings(harness.table, 'aws-2', () => ({ acceptRisks: ['OnAws'] }));
    await harness.follow(5);
    await removeCluster(harness.table, 'gone', at(6), () => {});
  });

  it('are listed with their exposure', async () => {
    const { body, headers } = await ask('GET', '/v1/risks');
    const risks = body['risks'] as readonly Body[];
    expect(risks.map(({ name, rule, clusters }) => [name, rule, clusters])).toEqual([
      ['Ceph', 'query', { yes: 0, no: 0, unknown: 4, accepted: 0 }],
      ['Changed', 'query', { yes: 3, no: 0, unknown: 1, accepted: 0 }],
      ['Counted', 'query', { yes: 0, no: 0, unknown: 4, accepted: 0 }],
      ['Everywhere', 'always', { yes: 4, no: 0, unknown: 0, accepted: 0 }],
      ['OnAws', 'query', { yes: 1, no: 1, unknown: 1, accepted: 1 }],
    ]);
    expect(risks[4]).toMatchObject({ firstSeen: at(0), channels: ['stable-4.15/amd64'] });
    expect(headers['etag']).toMatch(/^W\//);
  });

  it.each([
    ['?channel=fast-4.15', ['Ceph', 'Counted', 'Everywhere']],
    ['?arch=arm64', []],
    ['?channel=stable-4.14&arch=amd64', []],
  ])('are filtered by %s', async (query, expected) => {
    const { body } = await ask('GET', `/v1/risks${query}`);
    expect((body['risks'] as readonly Body[]).map(({ name }) => name)).toEqual(expected);
  });

  it('of a cluster are those of its channels, with what its settings accept', async () => {
    const { body } = await ask('GET', '/v1/clusters/aws-2/risks?channel=stable-4.15');
    expect(body).toMatchObject({ channel: 'stable-4.15', channels: ['stable-4.15'] });
    expect(shown(body)).toEqual([
      ['Changed', 'yes', 2],
      ['OnAws', 'yes', 1],
    ]);
    expect((body['risks'] as readonly Body[])[1]).toMatchObject({
      accepted: { reason: null, owner: null, until: null },
    });
    const usual = (await ask('GET', '/v1/clusters/aws-2/risks')).body;
    expect(usual['channels']).toEqual(['stable-4.14', 'stable-4.15']);
    expect(usual['channel']).toBe(null);
  });

  it('name their clusters, page by page', async () => {
    const first = await ask('GET', '/v1/risks/OnAws/clusters?limit=2');
    expect(first.body['clusters']).toMatchObject([
      { id: 'aws-1', version: '4.14.8', applies: 'yes', onPlannedPath: false, source: 'facts' },
      { id: 'aws-2', applies: 'yes', accepted: { owner: null } },
    ]);
    const next = String(first.body['nextCursor']);
    const second = await ask('GET', `/v1/risks/OnAws/clusters?limit=2&cursor=${next}`);
    expect(second.body).toMatchObject({
      clusters: [
        { id: 'azure', applies: 'no' },
        { id: 'unsure', applies: 'unknown', reason: 'MissingFacts' },
      ],
      nextCursor: null,
    });
    const some = await ask('GET', '/v1/risks/OnAws/clusters?applies=no,unknown');
    expect((some.body['clusters'] as readonly Body[]).map(({ id }) => id)).toEqual(['azure', 'unsure']);
  });

  it('count acceptances while they last, those of an unknown risk too', async () => {
    const acceptance = (until: string, clusters: readonly string[] | 'all') => ({
      risk: 'OnAws',
      reason: 'tested',
      owner: 'ops',
      until,
      clusters,
    });
    const by = { at: at(10), by: 'ops', check: () => {} };
    await putAcceptance(harness.table, 'over', acceptance(at(20), 'all'), by);
    await putAcceptance(harness.table, 'open', acceptance(at(60), ['unsure', 'azure']), by);
    const { risks } = (await ask('GET', '/v1/risks')).body as { risks: readonly Body[] };
    expect(risks.at(-1)).toMatchObject({ clusters: { yes: 1, no: 1, unknown: 0, accepted: 2 } });
    const { body } = await ask('GET', '/v1/risks/OnAws/clusters?applies=unknown');
    expect(body['clusters']).toMatchObject([
      { id: 'unsure', accepted: { reason: 'tested', owner: 'ops', until: at(60) } },
    ]);
    const own = (await ask('GET', '/v1/clusters/unsure/risks?channel=stable-4.15')).body;
    expect((own['risks'] as readonly Body[])[1]).toMatchObject({ accepted: { owner: 'ops' } });
  });

  it('have a sheet of their clusters', async () => {
    const { headers, text } = await ask('GET', '/v1/risks/OnAws/clusters?format=csv&limit=3');
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(headers['link']).toMatch(/^<\/v1\/risks\/OnAws\/clusters\?.*cursor=.*>; rel="next"$/);
    expect(text.split('\r\n')).toEqual([
      'id,version,applies,accepted,on_planned_path,decided_by,reason,missing,as_of',
      expect.stringMatching(/^aws-1,4\.14\.8,yes,no,no,"cluster_infra.*",,,20.*Z$/) as string,
      expect.stringMatching(/^aws-2,4\.14\.8,yes,yes,no,/) as string,
      expect.stringMatching(/^azure,4\.14\.8,no,yes,no,.*; /) as string,
      '',
    ]);
  });

  it.each([
    ['/v1/risks/Nothing/clusters', 404, 'unknown-risk'],
    ['/v1/risks/OnAws/clusters?applies=maybe', 400, 'invalid-parameter'],
    ['/v1/risks/OnAws/clusters?cursor=abc', 400, 'invalid-parameter'],
    ['/v1/risks?channel=stable-4.99', 404, 'unknown-channel'],
    ['/v1/risk-queries?channel=stable-4.99', 404, 'unknown-channel'],
    ['/v1/clusters/nobody/risks', 404, 'unknown-cluster'],
    ['/v1/clusters/aws-1/risks?channel=stable-4.99', 404, 'unknown-channel'],
  ])('refuse %s', async (target, status, problem) => {
    const answer = await ask('GET', target);
    expect([answer.status, answer.body['type']]).toEqual([status, `urn:cairn:problem:${problem}`]);
  });
});

describe('GET /v1/risk-queries', () => {
  it('lists the texts once, with the resources to count', async () => {
    const { body } = await ask('GET', '/v1/risk-queries');
    const queries = body['queries'] as readonly Body[];
    expect(queries.map(({ promql, risks }) => [promql, risks])).toEqual([
      [COUNTED, ['Counted']],
      [CEPH, ['Ceph']],
      [onPlatform('AWS'), ['Changed', 'OnAws']],
      [onPlatform('Azure'), ['Changed']],
    ]);
    expect(queries[0]).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(body['resources']).toEqual(['egressips.k8s.ovn.org', 'nodes']);
  });

  it('keeps those of channels', async () => {
    const { body } = await ask('GET', '/v1/risk-queries?channel=stable-4.14,stable-4.15&arch=amd64');
    expect((body['queries'] as readonly Body[]).map(({ promql }) => promql)).toEqual([
      onPlatform('AWS'),
      onPlatform('Azure'),
    ]);
    expect(body['resources']).toEqual([]);
  });
});
