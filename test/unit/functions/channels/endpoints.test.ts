import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteId } from '../../../../functions/routes.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';

const RELEASES = {
  release_sources: [
    {
      openshift_version: '4.14',
      upgrade_channels: [
        { cpu_architecture: 'x86_64', channels: ['candidate', 'fast', 'eus', 'stable'] },
        { cpu_architecture: 'arm64', channels: ['stable'] },
      ],
    },
    { openshift_version: '4.9', upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }] },
    { openshift_version: '4.15', upgrade_channels: [{ cpu_architecture: 'multi', channels: ['stable'] }] },
  ],
};
const ERRATA = 'https://access.redhat.com/errata/RHSA-2023:1234';
const ALWAYS = {
  name: 'Broken',
  message: 'it breaks',
  url: 'https://example.com/broken',
  matchingRules: [{ type: 'Always' }],
};
const SOMETIMES = {
  name: 'Slow',
  message: 'it is slow',
  url: 'https://example.com/slow',
  matchingRules: [{ type: 'PromQL', promql: { promql: 'vector(1)' } }],
};

/** stable-4.14: 4.13.9 to 4.14.2, with errata on 4.14.1, and two groups of conditional edges. */
function stable(arch: string, versions = ['4.13.9', ...series('4.14', 3)]) {
  const graph = chainGraph(versions, { arch });
  const nodes = graph.nodes.map((node) =>
    node.version === '4.14.1' ? { ...node, metadata: { ...node.metadata, url: ERRATA } } : node,
  );
  const conditionalEdges = [
    { edges: [{ from: '4.13.9', to: '4.14.1' }], risks: [ALWAYS, SOMETIMES] },
    { edges: [{ from: '4.14.1', to: '4.14.2' }], risks: [SOMETIMES] },
  ];
  return { ...graph, nodes, conditionalEdges };
}

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: RELEASES,
    source: (channel, arch) => {
      if (channel === 'stable-4.14') return stable(arch);
      if (channel === 'candidate-4.14') return chainGraph(['4.14.0-rc.1', ...series('4.14', 4)], { arch });
      return channel === 'eus-4.14' ? null : chainGraph(series(channel.split('-')[1]!, 2), { arch });
    },
  });
});
afterAll(() => deployment.close());

const get = async (target: string, id?: RouteId) => {
  const answer = await deployment.request('GET', target);
  if (id) parseStrictly(id, answer.body);
  return answer;
};
const sync = (time: string | number = Date.now()) =>
  deployment.sync.invoke({ scheduledTime: new Date(time).toISOString(), trigger: 'manual' });

interface Page {
  readonly channels: readonly { readonly channel: string; readonly arch: string }[];
  readonly nextCursor: string | null;
}
const pairsOf = (body: unknown) => (body as Page).channels.map(({ channel, arch }) => `${channel}/${arch}`);

const ALL = [
  'stable-4.9/amd64',
  'stable-4.14/amd64',
  'stable-4.14/arm64',
  'eus-4.14/amd64',
  'fast-4.14/amd64',
  'candidate-4.14/amd64',
  'stable-4.15/multi',
];

describe('before the first sync', () => {
  it.each([
    '/v1/channels',
    '/v1/channels/stable-4.14/amd64',
    '/v1/channels/stable-4.14/amd64/changes',
    '/v1/versions/4.14.1',
  ])('%s says 503', async (path) => {
    expect(await get(path)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '60' },
      body: { type: 'urn:cairn:problem:not-synced-yet' },
    });
  });
});

describe('after a sync', () => {
  beforeAll(async () => {
    const Entries = ALL.map((id) => ({ EventId: id }));
    deployment.eventBridge.answer(200, { FailedEntryCount: 0, Entries });
    await sync();
  });

  it('/v1/channels lists what is followed in order', async () => {
    const { body } = await get('/v1/channels', 'listChannels');
    expect(pairsOf(body)).toEqual(ALL);
    expect((body as Page).nextCursor).toBeNull();
    expect((body as Page).channels[1]).toEqual({
      channel: 'stable-4.14',
      arch: 'amd64',
      minor: '4.14',
      publishedAt: expect.any(String) as string,
      nodes: 4,
      edges: { plain: 4, conditional: 2 },
      oldest: '4.13.9',
      newest: '4.14.2',
      newestPerMinor: [
        { minor: '4.13', version: '4.13.9' },
        { minor: '4.14', version: '4.14.2' },
      ],
      risks: ['Broken', 'Slow'],
    });
  });

  it.each([
    ['arch=arm64', ['stable-4.14/arm64']],
    ['arch=aarch64', ['stable-4.14/arm64']],
    ['arch=x86_64&minor=4.9', ['stable-4.9/amd64']],
    ['arch=s390x', []],
    ['prefix=eus', ['eus-4.14/amd64']],
    ['prefix=stable&minor=4.14', ['stable-4.14/amd64', 'stable-4.14/arm64']],
    ['minor=4.99', []],
  ])('/v1/channels?%s', async (query, expected) => {
    expect(pairsOf((await get(`/v1/channels?${query}`, 'listChannels')).body)).toEqual(expected);
  });

  it.each([1, 2, 3, 6, 7, 1000])('pages of %i make the whole list', async (limit) => {
    const found: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const { body } = await get(
        `/v1/channels?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        'listChannels',
      );
      found.push(...pairsOf(body));
      cursor = (body as Page).nextCursor;
      pages++;
    }
    expect(found).toEqual(ALL);
    expect(pages).toBe(Math.ceil(ALL.length / limit));
  });

  it('/v1/channels/{channel}/{arch} shows counts, freshness and risks', async () => {
    const { body } = await get('/v1/channels/stable-4.14/x86_64', 'getChannel');
    expect(body).toMatchObject({
      channel: 'stable-4.14',
      arch: 'amd64',
      nodes: 4,
      freshness: { lastSuccessAt: expect.any(String) as string, stale: false, held: null },
      withdrawn: [],
      excluded: [],
      risks: [
        { name: 'Slow', url: 'https://example.com/slow', message: 'it is slow', always: false, edges: 2 },
        { name: 'Broken', url: 'https://example.com/broken', message: 'it breaks', always: true, edges: 1 },
      ],
    });
    expect((await get('/v1/channels/eus-4.14/amd64', 'getChannel')).body).toMatchObject({
      nodes: 0,
      oldest: null,
      newest: null,
      newestPerMinor: [],
      risks: [],
    });
  });

  it('/v1/versions/{version} returns the channels of a version and its updates in the most stable one', async () => {
    const { body } = await get('/v1/versions/4.14.1', 'getVersion');
    expect(body).toEqual({
      version: '4.14.1',
      withdrawn: false,
      excluded: false,
      errata: ERRATA,
      releases: [
        expect.objectContaining({ arch: 'amd64', channels: ['stable-4.14', 'fast-4.14', 'candidate-4.14'] }),
        expect.objectContaining({
          arch: 'arm64',
          channels: ['stable-4.14'],
          withdrawn: false,
          withdrawnFrom: [],
        }),
      ],
      updates: {
        channel: 'stable-4.14',
        arch: 'amd64',
        from: [
          { version: '4.13.9', risks: ['Broken', 'Slow'] },
          { version: '4.14.0', risks: [] },
        ],
        to: [{ version: '4.14.2', risks: ['Slow'] }],
        risks: [
          { name: 'Slow', url: 'https://example.com/slow', message: 'it is slow', always: false, edges: 2 },
          { name: 'Broken', url: 'https://example.com/broken', message: 'it breaks', always: true, edges: 1 },
        ],
      },
      support: {
        minor: '4.14',
        phase: 'ended',
        supportedUntil: '2026-10-31',
        restsOn: 'eus2',
        supportEnds: '2025-05-01',
        extendedSupportEnds: '2026-10-31',
        assumed: false,
      },
    });
    const [release] = (body as { releases: { payload: string; digest: string }[] }).releases;
    expect(release!.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(release!.payload).toBe(`quay.io/openshift-release-dev/ocp-release@${release!.digest}`);
  });

  it.each([
    [
      '4.14.1?channel=candidate-4.14',
      'candidate-4.14/amd64',
      ['4.14.0-rc.1', '4.14.0'],
      ['4.14.2', '4.14.3'],
    ],
    ['4.14.1?arch=aarch64', 'stable-4.14/arm64', ['4.13.9', '4.14.0'], ['4.14.2']],
    ['4.14.3', 'candidate-4.14/amd64', ['4.14.0-rc.1', '4.14.0', '4.14.1', '4.14.2'], []],
    ['4.15.1', 'stable-4.15/multi', ['4.15.0'], []],
    ['4.14.0-rc.1', 'candidate-4.14/amd64', [], series('4.14', 4)],
  ])('/v1/versions/%s', async (target, pair, from, to) => {
    const { body } = await get(`/v1/versions/${target}`, 'getVersion');
    type Updates = Record<'from' | 'to', { version: string }[]> & { channel: string; arch: string };
    const { updates } = body as { updates: Updates };
    expect(`${updates.channel}/${updates.arch}`).toBe(pair);
    expect(updates.from.map(({ version }) => version)).toEqual(from);
    expect(updates.to.map(({ version }) => version)).toEqual(to);
  });
});

describe('what is not there', () => {
  it.each<[string, string, string[]]>([
    ['/v1/channels/stable-4.13/amd64', 'unknown-channel', ['stable-4.9', 'stable-4.14', 'eus-4.14']],
    ['/v1/channels/sable-4.14/amd64', 'unknown-channel', ['stable-4.14']],
    ['/v1/channels/fast-4.14/arm64', 'unknown-channel', ['amd64']],
    ['/v1/channels/stable-4.16/s390x', 'unknown-channel', ['stable-4.15', 'stable-4.14', 'eus-4.14']],
    ['/v1/channels/__proto__/amd64', 'unknown-channel', []],
    ['/v1/channels/stable-4.13/amd64/changes', 'unknown-channel', ['stable-4.9', 'stable-4.14', 'eus-4.14']],
    ['/v1/versions/4.14.7', 'unknown-version', ['4.14.2', '4.14.3']],
    ['/v1/versions/4.9.0-rc.1', 'unknown-version', ['4.9.0', '4.9.1']],
    ['/v1/versions/4.14.1?channel=stable-4.9', 'unknown-version', ['stable-4.14/amd64']],
    ['/v1/versions/4.15.1?arch=amd64', 'unknown-version', ['stable-4.15/multi']],
  ])('%s is 404 with what is near', async (target, code, nearest) => {
    const { status, headers, body } = await get(target);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toMatchObject({
      type: `urn:cairn:problem:${code}`,
      errors: [{ detail: expect.any(String) as string }],
    });
    const [error] = (body as { errors: { nearest: string[] }[] }).errors;
    expect(error!.nearest.slice(0, nearest.length)).toEqual(nearest);
    for (const name of nearest) expect((body as { detail: string }).detail).toContain(name);
  });

  it.each([
    ['/v1/channels?arch=amd46', 'arch', 'x86_64'],
    ['/v1/channels?prefix=stabel', 'prefix', 'stable, eus'],
    ['/v1/channels?minor=4', 'minor', 'such as 4.14'],
    ['/v1/channels?limit=0', 'limit', '1 to 1000'],
    ['/v1/channels?limit=1001', 'limit', '1 to 1000'],
    ['/v1/channels?cursor=nonsense', 'cursor', 'nextCursor'],
    ['/v1/channels?cursor=WyJhIiwiYiJd', 'cursor', 'nextCursor'],
    ['/v1/channels?cursor=bnVsbA', 'cursor', 'nextCursor'],
    ['/v1/channels?minr=4.14', 'minr', 'did you mean minor?'],
    ['/v1/channels/stable-4.14/amd46', 'arch', 'x86_64'],
    ['/v1/channels/stable-4.14/amd64/changes?since=yesterday', 'since', '24h or 7d'],
    ['/v1/channels/stable-4.14/amd64/changes?since=2026-13-01', 'since', '24h or 7d'],
    ['/v1/channels/stable-4.14/amd64/changes?cursor=WyJhIiwiYiJd', 'cursor', 'nextCursor'],
    ['/v1/versions/4.14', 'version', 'such as 4.14.20'],
    ['/v1/versions/v4.14.1', 'version', 'such as 4.14.20'],
    [`/v1/versions/${'9'.repeat(500)}`, 'version', 'such as 4.14.20'],
    ['/v1/versions/4.14.1?channel=a%20b', 'channel', 'such as stable-4.14'],
  ])('%s is 400 and says what is accepted', async (target, parameter, accepted) => {
    const { status, body } = await get(target);
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'urn:cairn:problem:invalid-parameter', errors: [{ parameter }] });
    expect((body as { detail: string }).detail).toContain(accepted);
  });
});

describe('/v1/channels/{channel}/{arch}/changes', () => {
  interface Changes {
    readonly since: string;
    readonly changes: readonly { readonly at: string; readonly versionsAdded: readonly string[] }[];
    readonly nextCursor: string | null;
  }
  const changesOf = async (query = '') => {
    const path = '/v1/channels/stable-4.14/amd64/changes';
    const { body } = await get(`${path}${query && `?${query}`}`, 'listChannelChanges');
    return body as Changes;
  };
  let times: string[];

  beforeAll(async () => {
    const before = await changesOf();
    const start = Date.parse(before.changes[0]!.at);
    times = [0, 1, 2, 3].map((minute) => new Date(start + minute * 60_000).toISOString());
    for (const [round, time] of times.entries()) {
      if (round === 0) continue;
      deployment.upstream.setSource((channel, arch) =>
        channel === 'stable-4.14' ? stable(arch, ['4.13.9', ...series('4.14', 3 + round)]) : null,
      );
      await sync(time);
    }
  });

  it('have an entity tag that lasts while the start of a duration moves', async () => {
    const path = '/v1/channels/stable-4.14/amd64/changes?since=30d';
    const { headers, body } = await get(path, 'listChannelChanges');
    const moved = async () => ((await get(path)).body as Changes).since;
    await expect.poll(moved).not.toBe((body as Changes).since);
    const sent = { headers: { 'if-none-match': headers['etag']! } };
    expect((await deployment.request('GET', path, sent)).status).toBe(304);
    expect((await deployment.request('GET', `${path}&limit=1`, sent)).status).toBe(200);
  });

  it('lists them newest first', async () => {
    const { changes, nextCursor } = await changesOf();
    expect(changes.map(({ at, versionsAdded }) => [at, versionsAdded])).toEqual([
      [times[3], ['4.14.5']],
      [times[2], ['4.14.4']],
      [times[1], ['4.14.3']],
      [times[0], ['4.13.9', '4.14.0', '4.14.1', '4.14.2']],
    ]);
    expect(changes.at(-1)).toEqual({
      at: times[0],
      versionsAdded: ['4.13.9', '4.14.0', '4.14.1', '4.14.2'],
      versionsWithdrawn: [],
      turnedConditional: [],
      turnedPlain: [],
      risksNew: ['Broken', 'Slow'],
      risksGone: [],
      counts: {
        versionsAdded: 4,
        versionsWithdrawn: 0,
        turnedConditional: 0,
        turnedPlain: 0,
        edgesAdded: 6,
        edgesRemoved: 0,
      },
    });
    expect(nextCursor).toBeNull();
  });

  it('begins at the given cursor', async () => {
    const { changes, since } = await changesOf(`since=${times[2]}`);
    expect(since).toBe(times[2]);
    expect(changes.map(({ at }) => at)).toEqual([times[3], times[2]]);
    expect((await changesOf('since=2999-01-01')).changes).toEqual([]);
    expect((await changesOf('since=52w')).changes).toHaveLength(4);
  });

  it.each([1, 2, 3, 4])('pages of %i keep the beginning of the first', async (limit) => {
    const found: string[] = [];
    const beginnings = new Set<string>();
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const page = await changesOf(`limit=${limit}${cursor && `&cursor=${cursor}`}`);
      found.push(...page.changes.map(({ at }) => at));
      beginnings.add(page.since);
      cursor = page.nextCursor;
      pages++;
    }
    expect(found).toEqual(times.toReversed());
    expect(pages).toBe(Math.ceil(times.length / limit));
    expect(beginnings.size).toBe(1);
  });
});
