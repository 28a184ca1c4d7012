import { PLATFORM_ONLY } from '@cairn/shared/path/mirror-list';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { JANUARY_2021 } from '../../../helpers/path/january-2021.ts';
import { loadImageSet } from '../../../helpers/path/oc-mirror.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    ...JANUARY_2021,
    'eus-4.8': ['4.6.12 > 4.7.60', '4.7.60 > 4.8.57'],
    'eus-4.10': ['4.8.57 > 4.9.59', '4.9.59 > 4.10.67'],
    'stable-4.12': ['4.12.1 > 4.12.9', '4.12.1 > 4.12.10 A', '4.12.9 > 4.12.16', '4.12.10 > 4.12.16 A,B'],
    'stable-4.13': ['4.12.9 > 4.12.16', '4.12.16 > 4.13.2', '4.13.2 > 4.13.4 AlwaysC'],
    'stable-4.14': ['4.14.1', '4.14.2', '4.14.1 > 4.14.5', '4.14.5 > 4.14.9', '4.14.2 > 4.14.9'],
  },
  arm64: { 'stable-4.12': ['4.12.1 > 4.12.9', '4.12.5 > 4.12.9'] },
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
});
afterAll(() => deployment.close());

const get = async (question: string) => {
  const answer = await deployment.request('GET', `/v1/upgrade-paths?${question}`);
  if (answer.status === 200 && answer.body !== null) parseStrictly('findUpgradePath', answer.body);
  return answer;
};
const post = async (body: unknown) => {
  const answer = await deployment.request('POST', '/v1/upgrade-paths', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  if (answer.status === 200 && answer.body !== null) parseStrictly('findUpgradePaths', answer.body);
  return answer;
};
const image = (version: string, arch = 'amd64') => payloadOf(`${version}${arch}`);
const digest = (version: string, arch = 'amd64') => image(version, arch).split('@')[1];
const versionsOf = (body: unknown) =>
  (body as { path: { version: string }[] }).path.map(({ version }) => version);

describe('GET /v1/upgrade-paths', () => {
  it('T1: answers the founding question with the path and what to mirror', async () => {
    const { status, body } = await get('from=4.4.3&channel=stable-4.5');
    expect(status).toBe(200);
    expect(body).toEqual({
      from: '4.4.3',
      to: '4.5.24',
      channel: 'stable-4.5',
      channels: ['stable-4.5'],
      arch: 'amd64',
      found: true,
      graphSyncedAt: expect.stringMatching(/^20\d\d-/),
      graphEtag: expect.stringMatching(/^[0-9a-f]{32}$/),
      path: [
        {
          version: '4.4.3',
          payload: image('4.4.3'),
          role: 'source',
          errata: 'https://access.redhat.com/errata/4.4.3',
        },
        {
          version: '4.4.29',
          payload: image('4.4.29'),
          role: 'step',
          errata: 'https://access.redhat.com/errata/4.4.29',
          hop: { conditional: false, risks: [], crossesMinor: false, channels: ['stable-4.5'] },
        },
        {
          version: '4.5.24',
          payload: image('4.5.24'),
          role: 'target',
          errata: 'https://access.redhat.com/errata/4.5.24',
          hop: { conditional: false, risks: [], crossesMinor: true, channels: ['stable-4.5'] },
        },
      ],
      stats: { hops: 2, minorsCrossed: 1, riskyHops: 0, distinctRisks: 0, channelSwitches: 0 },
      channelPlan: [{ channel: 'stable-4.5', untilVersion: '4.5.24' }],
      mirror: [
        { version: '4.4.29', payload: image('4.4.29'), digest: digest('4.4.29'), arch: 'amd64' },
        { version: '4.5.24', payload: image('4.5.24'), digest: digest('4.5.24'), arch: 'amd64' },
      ],
      imageSets: [
        { file: 1, channel: 'stable-4.4', version: '4.4.29', text: expect.stringContaining('4.4.29') },
        { file: 2, channel: 'stable-4.5', version: '4.5.24', text: expect.stringContaining('4.5.24') },
      ],
      graphDataImageNeeded: true,
      alternatives: [],
      warnings: [],
    });
    const graph = await deployment.request('GET', '/v1/graph?channel=stable-4.5');
    expect(graph.headers['etag']).toContain((body as { graphEtag: string }).graphEtag);
  });

  it('T1: explains that stable-4.6 has no path, and offers stable-4.5', async () => {
    const { status, body } = await get('from=4.4.3&channel=stable-4.6');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      found: false,
      to: '4.6.12',
      channel: 'stable-4.6',
      explanation: {
        code: 'source_not_in_channel',
        message: '4.4.3 is not in stable-4.6, but in stable-4.4 and stable-4.5',
        suggestion: 'stable-4.5 leads to 4.5.24 in 2 hops',
        alternatives: [
          {
            channels: ['stable-4.5'],
            to: '4.5.24',
            hops: 2,
            riskyHops: 0,
            path: ['4.4.3', '4.4.29', '4.5.24'],
          },
          { channels: ['stable-4.5', 'stable-4.6'], to: '4.6.12' },
          { channels: ['stable-4.4'], to: '4.4.29' },
        ],
      },
      mirror: [],
    });
  });

  it('T13: joins two channels for 4.6 to 4.10 when none is named', async () => {
    const { body } = await get('from=4.6.12&to=4.10');
    expect(versionsOf(body)).toEqual(['4.6.12', '4.7.60', '4.8.57', '4.9.59', '4.10.67']);
    expect(body).toMatchObject({
      channel: null,
      channels: ['eus-4.8', 'eus-4.10'],
      channelPlan: [
        { channel: 'eus-4.8', untilVersion: '4.8.57' },
        { channel: 'eus-4.10', untilVersion: '4.10.67' },
      ],
      graphEtag: expect.stringMatching(/^[0-9a-f]{32}, [0-9a-f]{32}$/),
    });
  });

  it('joins channels given with commas or repeated, and says which hold nothing', async () => {
    const commas = await get('from=4.6.12&channel=eus-4.8,eus-4.10,eus-4.99');
    const repeated = await get('from=4.6.12&channel=eus-4.8&channel=eus-4.10&channel=eus-4.99');
    expect(commas.body).toEqual(repeated.body);
    expect(commas.body).toMatchObject({
      to: '4.10.67',
      found: true,
      warnings: [{ code: 'channel_left_out', message: 'eus-4.99 holds no releases and was not searched' }],
    });
  });

  it('names the risks of a path with all that is known of them', async () => {
    const { body } = await get('from=4.12.1&to=4.12.16&risk=all&prefer=shortest&alternatives=1');
    expect(body).toMatchObject({
      stats: { hops: 2, riskyHops: 0 },
      alternatives: [{ stats: { riskyHops: 2 } }],
    });
    const { alternatives } = body as { alternatives: { path: { hop: { risks: unknown[] } }[] }[] };
    expect(alternatives[0]!.path[2]!.hop.risks).toEqual([
      {
        name: 'A',
        url: 'https://example.com/A',
        message: 'A may happen',
        always: false,
        matchingRules: [{ type: 'PromQL', promql: { promql: 'group(A)' } }],
      },
      expect.objectContaining({ name: 'B' }),
    ]);
  });

  it('T3: accepts risks by name, and says which are missing', async () => {
    const missing = await get('from=4.12.10&channel=stable-4.12&accept_risk=A');
    expect(missing.body).toMatchObject({
      explanation: {
        code: 'risks_not_accepted',
        details: { missing: ['B'], path: [{}, { role: 'target' }] },
      },
    });
    const repeated = await get('from=4.12.10&channel=stable-4.12&accept_risk=A&accept_risk=B&risk=accept');
    expect(repeated.body).toMatchObject({ found: true, stats: { hops: 1, riskyHops: 1 } });
    const always = await get('from=4.13.2&channel=stable-4.13&risk=non-always');
    expect(always.body).toMatchObject({
      explanation: { code: 'no_recommended_path', details: { always: ['AlwaysC'] } },
    });
  });

  it('knows architectures by all their names, and where else a version is', async () => {
    const { body } = await get('from=4.12.1&to=4.12.9&arch=aarch64');
    expect(body).toMatchObject({ arch: 'arm64', mirror: [{ digest: digest('4.12.9', 'arm64') }] });
    expect((await get('from=4.12.5')).body).toMatchObject({
      explanation: { code: 'arch_unavailable', details: { arches: ['arm64'] } },
    });
  });

  it('is there already without a hop, and mirrors the source only when that is wanted', async () => {
    const there = await get('from=4.5.24&channel=stable-4.5');
    expect(there.body).toMatchObject({
      found: true,
      path: [{ role: 'source' }],
      stats: { hops: 0 },
      mirror: [],
      channelPlan: [],
    });
    const included = await get('from=4.5.24&channel=stable-4.5&include_source');
    expect(included.body).toMatchObject({ mirror: [{ version: '4.5.24' }] });
  });

  it('answers 404 for an unknown version, with those next to it', async () => {
    const { status, body } = await get('from=4.12.2');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:unknown-version',
      detail: '4.12.2 is in no followed channel; the nearest known versions are 4.12.1, 4.12.9 and 4.12.10',
      errors: [{ parameter: 'from', value: '4.12.2', nearest: ['4.12.1', '4.12.9', '4.12.10'] }],
    });
  });

  it.each([
    ['', 'from', 'a version such as'],
    ['from=4.12', 'from', 'a version such as'],
    ['from=4.012.1', 'from', 'a version such as'],
    ['from=4.12.1-multi', 'from', 'is accepted without -multi: 4.12.1, with arch multi'],
    ['from=4.12.1&to=newest', 'to', 'or latest is accepted'],
    ['from=4.12.1&to=4.012.3', 'to', 'a version such as'],
    // P14
    ['from=4.12.1&channel=fast:4.2', 'channel', 'channels such as stable-4.14 are accepted'],
    ['from=4.12.1&channel=a,,b', 'channel', 'channels such as'],
    ['from=4.12.1&arch=i386', 'arch', 'amd64, x86_64'],
    ['from=4.12.1&risk=some', 'risk', 'none, accept, non-always or all is accepted'],
    ['from=4.12.1&risk=all&accept_risk=A', 'accept_risk', 'risk=all is given as well'],
    ['from=4.12.1&prefer=best', 'prefer', 'safest or shortest is accepted'],
    ['from=4.12.1&alternatives=4', 'alternatives', '0, 1, 2 or 3 is accepted'],
    ['from=4.12.1&format=xml', 'format', 'json, text or imageset is accepted'],
    ['from=4.12.1&file=1', 'file', 'is for format=imageset only'],
    ['from=4.12.1&acceptrisk=A', 'acceptrisk', 'did you mean accept_risk?'],
  ])('refuses ?%s', async (question, parameter, detail) => {
    const { status, body } = await get(question);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:invalid-parameter',
      errors: [{ parameter, detail: expect.stringContaining(detail) }],
    });
  });
});

describe('formats', () => {
  it('text has one image per line', async () => {
    const { text, headers } = await get('from=4.4.3&channel=stable-4.5&format=text');
    expect(text).toBe(`${image('4.4.29')}\n${image('4.5.24')}\n`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('imageset has one release, in a channel that holds it', async () => {
    const question = 'from=4.4.3&channel=stable-4.5&format=imageset';
    const { text, headers } = await get(question);
    expect(headers).toMatchObject({ 'content-type': 'application/yaml', 'cairn-files': '2' });
    expect(text).toBe(`# File 1 of 2: release 4.4.29 from stable-4.4. Mirror the files in this order
# ${PLATFORM_ONLY.notes[0]}
# ${PLATFORM_ONLY.notes[1]}
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform:
    architectures:
      - amd64
    graph: true
    channels:
      - name: stable-4.4
        type: ocp
        minVersion: 4.4.29
        maxVersion: 4.4.29
`);
    const second = await get(`${question}&file=2`);
    expect(second.headers['cairn-files']).toBe('2');
    expect(second.text).toMatch(/^# File 2 of 2: release 4\.5\.24 from stable-4\.5\. /);
  });

  it('imageset has the same files as JSON, and refuses a number beyond them', async () => {
    const question = 'from=4.14.1&channel=stable-4.14';
    const { imageSets } = (await get(question)).body as { imageSets: { file: number; text: string }[] };
    expect(imageSets).toMatchObject([
      { file: 1, channel: 'stable-4.14' },
      { file: 2, channel: 'stable-4.14' },
    ]);
    for (const { file, text } of imageSets) {
      const one = await get(`${question}&format=imageset&file=${file}`);
      expect(one).toMatchObject({ text, headers: { 'cairn-files': '2' } });
      expect(loadImageSet(text).channels).toHaveLength(1);
    }
    expect((await get(`${question}&format=imageset`)).text).toBe(imageSets[0]!.text);
    expect(await get(`${question}&format=imageset&file=3`)).toMatchObject({
      status: 400,
      body: {
        type: 'urn:cairn:problem:invalid-parameter',
        detail: 'file=3: there are 2 files; use 1 to 2',
        errors: [{ parameter: 'file', value: '3', detail: 'there are 2 files; use 1 to 2' }],
      },
    });
  });

  it('imageset says when there is nothing to mirror', async () => {
    const nothing = await get('from=4.5.24&channel=stable-4.5&format=imageset');
    expect(nothing).toMatchObject({ status: 200, headers: { 'cairn-files': '0' } });
    expect(nothing.text).toMatch(/^# Nothing to mirror/);
    expect((await get('from=4.5.24&channel=stable-4.5&format=imageset&file=2')).status).toBe(400);
    expect((await get('from=4.5.24&channel=stable-4.5')).body).toMatchObject({ imageSets: [] });
    expect((await get('from=4.5.24&channel=stable-4.5&format=text')).text).toBe('');
  });

  it.each(['text', 'imageset'])('%s without a path is an error, not an empty file', async (format) => {
    const { status, body } = await get(`from=4.4.3&channel=stable-4.6&format=${format}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:no-path',
      detail: expect.stringContaining('4.4.3 is not in stable-4.6'),
    });
  });

  it.each([
    ['from=4.14.9&to=4.14.1', { parameter: 'to', value: '4.14.1' }],
    ['from=4.14.9&target=4.14.1', { parameter: 'target', value: '4.14.1' }],
    ['from=4.4.3&channel=stable-4.99', { parameter: 'channel', value: 'stable-4.99' }],
    ['from=4.4.3&channel=stable-4.6', { parameter: 'channel', value: 'stable-4.6' }],
    ['from=4.12.10&channel=stable-4.12', { parameter: 'risk' }],
    ['from=4.12.10&channel=stable-4.12&accept_risk=A', { parameter: 'accept_risk', value: 'A' }],
    ['from=4.12.10&to=4.12.16&arch=arm64', { parameter: 'arch', value: 'arm64' }],
  ])('a file for %s without a path blames %o', async (question, blamed) => {
    const { status, body } = await get(`${question}&format=text`);
    expect([status, body]).toMatchObject([422, { type: 'urn:cairn:problem:no-path', errors: [blamed] }]);
  });
});

describe('POST /v1/upgrade-paths', () => {
  it('answers for each cluster and merges what to mirror', async () => {
    const { status, body } = await post({
      clusters: [
        { name: 'north', from: '4.4.3' },
        { name: 'south', from: '4.4.20' },
        { from: '4.12.1', channel: 'stable-4.12', arch: 'arm64' },
        { from: '4.12.10', channel: ['stable-4.12'] },
        { from: '9.9.9' },
      ],
      channel: 'stable-4.5',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      found: 3,
      notFound: 2,
      clusters: [
        { name: 'north', found: true, to: '4.5.24' },
        { name: 'south', found: true, to: '4.5.24', stats: { hops: 1 } },
        { found: true, arch: 'arm64' },
        {
          found: false,
          explanation: {
            code: 'no_recommended_path',
            details: { path: [{}, { hop: { risks: ['A', 'B'] } }] },
          },
        },
        { found: false, explanation: { code: 'source_not_in_channel' } },
      ],
      risks: [{ name: 'A', message: 'A may happen' }, { name: 'B' }],
      mirror: [
        { version: '4.4.29', arch: 'amd64' },
        { version: '4.5.24', arch: 'amd64' },
        { version: '4.12.9', arch: 'arm64' },
      ],
      graphDataImageNeeded: true,
    });
    expect((body as { clusters: object[] }).clusters[2]).not.toHaveProperty('name');
  });

  it('gives the same answer for a cluster as GET', async () => {
    const question = { risk: 'all', prefer: 'shortest', alternatives: 3, include_source: true } as const;
    const parameters = 'risk=all&prefer=shortest&alternatives=3&include_source=true';
    const one = (await get(`from=4.12.1&to=4.12.16&${parameters}`)).body as Record<string, unknown>;
    const many = (await post({ clusters: [{ from: '4.12.1', to: '4.12.16' }], ...question })).body as {
      clusters: Record<string, unknown>[];
      mirror: unknown;
    };
    expect(many.mirror).toEqual(one['mirror']);
    expect(versionsOf(many.clusters[0])).toEqual(versionsOf(one));
    expect(many.clusters[0]).toMatchObject({ stats: one['stats'], channelPlan: one['channelPlan'] });
  });

  it('makes one file for all clusters, and none while one has no path', async () => {
    const clusters = [
      { from: '4.4.3' },
      { from: '4.4.20' },
      { from: '4.12.1', to: '4.12.9', channel: [], arch: 'arm64' },
    ];
    const channel = 'stable-4.5';
    const { text } = await post({ clusters, channel, format: 'text' });
    expect(text.trim().split('\n')).toEqual([image('4.4.29'), image('4.5.24'), image('4.12.9', 'arm64')]);
    const set = await post({ clusters, channel, format: 'imageset' });
    expect(set.headers['cairn-files']).toBe('3');
    expect(set.text).toMatch(/^# File 1 of 3: .*\n# Platform content only: /);
    const last = await post({ clusters, channel, format: 'imageset', file: 3 });
    expect(loadImageSet(last.text)).toMatchObject({ architectures: ['arm64'] });
    const all = (await post({ clusters, channel })).body as { imageSets: { text: string }[] };
    expect(all.imageSets.map(({ text: each }) => each)).toEqual([
      set.text,
      expect.stringContaining('4.5.24'),
      last.text,
    ]);
    expect(await post({ clusters, channel, format: 'imageset', file: 4 })).toMatchObject({
      status: 400,
      body: {
        type: 'urn:cairn:problem:invalid-body',
        errors: [{ pointer: '/file', value: '4', detail: 'there are 3 files; use 1 to 3' }],
      },
    });
    const failed = await post({
      clusters: [...clusters, { name: 'lost', from: '4.6.9' }],
      channel,
      format: 'text',
    });
    expect(failed).toMatchObject({
      status: 422,
      body: { type: 'urn:cairn:problem:no-path', errors: [{ pointer: '/clusters/3', value: 'lost' }] },
    });
  });

  it.each([
    [{}, '/clusters', 'a list of clusters'],
    [{ clusters: [] }, '/clusters', 'at least one cluster'],
    [
      { clusters: Array.from({ length: 501 }, () => ({ from: '4.4.3' })) },
      '/clusters',
      'at most 500 clusters',
    ],
    [{ clusters: [{ from: '4.4' }] }, '/clusters/0/from', 'a version such as'],
    [{ clusters: [{ from: '4.04.3' }] }, '/clusters/0/from', 'a version such as'],
    [{ clusters: [{ from: '4.4.3' }], to: '4.04.9' }, '/to', 'a version such as'],
    [{ clusters: [{ from: '4.4.3', channel: 'fast:4.2' }] }, '/clusters/0/channel', 'a channel such as'],
    [{ clusters: [{ form: '4.4.3', from: '4.4.3' }] }, '/clusters/0/form', 'accepted are name, from, to'],
    [{ clusters: [{ from: '4.4.3' }], risk: 'all', accept_risk: ['A'] }, '/accept_risk', 'risk=all'],
    [{ clusters: [{ from: '4.4.3' }], alternatives: 9 }, '/alternatives', '0, 1, 2 or 3'],
    [{ clusters: [{ from: '4.4.3' }], file: 1 }, '/file', 'is for format=imageset only'],
    [{ clusters: [{ from: '4.4.3' }], format: 'imageset', file: 0 }, '/file', 'a whole number from 1'],
    [
      { clusters: [{ from: '4.4.3' }], include_sources: true },
      '/include_sources',
      'did you mean includeSource?',
    ],
  ])('refuses %j', async (request, pointer, detail) => {
    const { status, body } = await post(request);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:invalid-body',
      errors: [{ pointer, detail: expect.stringContaining(detail) }],
    });
  });
});
