import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { type Kube, type KubeAnswer, startKube } from '../../../../helpers/cli/kube.ts';
import { clusterVersion, type Json } from '../../../../helpers/cluster/objects.ts';

const onPlatform = (type: string) =>
  `group(cluster_infrastructure_provider{type="${type}"}) or 0 * group(cluster_infrastructure_provider)`;
const UNSEEN = 'group(ceph_health_status) or 0 * group(cluster_version)';

const risk = (name: string, promql: string | null) => ({
  name,
  url: `https://example.com/${name}`,
  message: `${name} happens`,
  matchingRules: [promql === null ? { type: 'Always' } : { type: 'PromQL', promql: { promql } }],
});
const graphOf = (...risks: readonly Json[]) => ({
  version: 1,
  nodes: ['4.14.8', '4.14.30'].map((version) => ({
    version,
    payload: `quay.example/release@sha256:${version.replaceAll('.', '').padEnd(64, '0')}`,
    metadata: { 'io.openshift.upgrades.graph.release.channels': 'stable-4.14' },
  })),
  edges: [],
  conditionalEdges: [{ edges: [{ from: '4.14.8', to: '4.14.30' }], risks }],
});

const AWS = risk('OnAws', onPlatform('AWS'));
const AZURE = risk('OnAzure', onPlatform('Azure'));
const CEPH = risk('WithCeph', UNSEEN);

const infrastructure: Json = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  status: { platformStatus: { type: 'AWS' }, controlPlaneTopology: 'HighlyAvailable' },
};

const filesWith = (...risks: readonly Json[]) => ({
  'stable-4.14.json': JSON.stringify(graphOf(...risks)),
  'cluster.json': [clusterVersion, infrastructure].map((object) => JSON.stringify(object)).join('\n'),
});
const OFFLINE = ['risks', '--graph', 'stable-4.14.json', '--channel', 'stable-4.14'];
const clock = () => Date.parse('2026-11-16T08:00:00Z');

let kube: Kube | undefined;
afterEach(async () => {
  await kube?.close();
  kube = undefined;
});

describe('cairn risks', () => {
  it.each<[string, readonly Json[], number, string]>([
    ['one applies', [AWS, AZURE, CEPH], 2, '1 applies, 1 unknown, 1 does not apply.'],
    ['some are unknown', [AZURE, CEPH], 3, '1 unknown, 1 does not apply.'],
    ['none applies', [AZURE], 0, '1 does not apply.'],
  ])('shows what applies, and ends by it: %s', async (_, found, code, counts) => {
    const files = filesWith(...found);
    const { code: ended, out } = await runCli([...OFFLINE, 'cluster.json'], { files, clock });
    expect([ended, out]).toEqual([code, expect.stringContaining(counts)]);
  });

  it('says why', async () => {
    const files = filesWith(AWS, AZURE, CEPH, risk('Everywhere', null));
    const { out } = await runCli([...OFFLINE, 'cluster.json'], { files, clock });
    const rows = out.split('\n').slice(-5, -1);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['Everywhere', 'applies', '1', 'it applies to every cluster'],
      ['OnAws', 'applies', '1', 'cluster_infrastructure_provider{type="AWS"} 1'],
      ['WithCeph', 'unknown', '1', 'only the metrics of the cluster show ceph_health_status'],
      [
        'OnAzure',
        'does not apply',
        '1',
        'cluster_infrastructure_provider{type="Azure"} → none; cluster_infrastructure_provider{type="AWS"} 1',
      ],
    ]);
    const csv = await runCli([...OFFLINE, 'cluster.json', '-o', 'csv'], { files, clock });
    expect(csv.out.split('\r\n').slice(0, 2)).toEqual([
      'name,applies,accepted,updates,as_of,source,why,url',
      expect.stringContaining('Everywhere,yes,no,1,'),
    ]);
  });

  it('refuses documents beside a stored cluster', async () => {
    const { code, err } = await runCli(
      ['risks', 'a.json', '--cluster', 'a', '--url', 'https://x.example'],
      {},
    );
    expect([code, err]).toEqual([64, expect.stringContaining('--cluster is a stored cluster')]);
  });
});

describe('cairn risks --in-cluster', () => {
  const answerOf = (value: string): KubeAnswer => ({
    status: 200,
    body: JSON.stringify({
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: {}, value: [0, value] }] },
    }),
  });

  async function live(answer: (promql: string) => KubeAnswer, ...more: readonly string[]) {
    const asked: string[] = [];
    kube = await startKube({
      objects: [clusterVersion, infrastructure],
      instead: ({ path, query }) => {
        if (path !== '/api/v1/query') return null;
        const promql = query.get('query')!;
        asked.push(promql);
        return answer(promql);
      },
    });
    const { variables, files } = kube.pod;
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    const waits: number[] = [];
    const result = await runCli(
      [
        ...OFFLINE,
        '--in-cluster',
        '--metrics',
        `https://127.0.0.1:${variables['KUBERNETES_SERVICE_PORT']}`,
        '-o',
        'json',
        ...more,
      ],
      {
        variables,
        clock,
        wait: async (ms) => {
          waits.push(ms);
        },
        files: {
          ...filesWith(AWS, AZURE, CEPH),
          ...files,
          [`${folder}/service-ca.crt`]: files[`${folder}/ca.crt`]!,
        },
      },
    );
    const { risks = [] } = (result.out === '' ? {} : JSON.parse(result.out)) as {
      readonly risks?: readonly {
        readonly name: string;
        readonly applies: string;
        readonly source: string;
      }[];
    };
    const found = risks.map(({ name, applies, source }) => `${name} ${applies} ${source}`);
    return { ...result, asked, waits, found };
  }

  it('asks the monitoring each query once, one a second', async () => {
    const { asked, waits, found, code } = await live((promql) => answerOf(promql === UNSEEN ? '1' : '0'));
    expect(asked.toSorted()).toEqual([UNSEEN, onPlatform('AWS'), onPlatform('Azure')].toSorted());
    expect(waits).toEqual([1000, 1000]);
    expect(found).toEqual(['OnAws no live', 'OnAzure no live', 'WithCeph yes live']);
    expect(code).toBe(2);
  });

  it('goes on with documents alone if it may not ask', async () => {
    const { asked, err, found, code } = await live(() => ({ status: 403, body: 'Forbidden' }));
    expect(asked).toHaveLength(1);
    expect(err).toContain('refuses this service account; continues with documents alone');
    expect(found).toEqual(['OnAws yes facts', 'OnAzure no facts', 'WithCeph unknown facts']);
    expect(code).toBe(2);
  });

  it('takes an error of a query for an answer, and nothing else', async () => {
    const failed = (errorType: string): KubeAnswer => ({
      status: 422,
      body: JSON.stringify({ status: 'error', errorType, error: 'many-to-many matching not allowed' }),
    });
    const { found, err } = await live((promql) =>
      promql === UNSEEN
        ? failed('execution')
        : promql === onPlatform('AWS')
          ? failed('timeout')
          : answerOf('0'),
    );
    expect(found).toEqual(['OnAws yes facts', 'OnAzure no live', 'WithCeph unknown live']);
    expect(err).toContain(
      'metrics: no answer to a query (status 422): group(cluster_infrastructure_provider',
    );
  });

  it('sends the token over https only', async () => {
    const { code, err, asked } = await live(() => answerOf('0'), '--metrics', 'http://127.0.0.1');
    expect([code, err, asked]).toEqual([64, expect.stringContaining('is not an https URL'), []]);
  });
});
