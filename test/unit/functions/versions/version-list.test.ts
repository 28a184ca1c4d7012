import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReleaseSources, VersionDetail, VersionPage } from '../../../../functions/versions/schema.ts';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import { anImage } from '../../../helpers/path/builders.ts';
import {
  at,
  chainGraph,
  configOf,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const follow = (minor: string, channels: string[], ...cpus: string[]) => ({
  openshift_version: minor,
  upgrade_channels: cpus.map((cpu) => ({ cpu_architecture: cpu, channels })),
});
const DIGEST = `registry.example.com/ocp/release@sha256:${'ab'.repeat(32)}`;
const STATIC = [
  anImage('4.13.7', 'x86_64'),
  anImage('4.15.1', 'arm64', { url: DIGEST }),
  anImage('4.14.1', 'x86_64'),
];
const CONFIG = {
  release_sources: [
    follow('4.14', ['stable', 'candidate'], 'x86_64', 'arm64'),
    follow('4.15', ['candidate'], 'amd64'),
    follow('4.1', ['prerelease'], 'x86_64'),
  ],
  release_images: STATIC,
};

let harness: SyncHarness;
let now: number;
let ask: AskQuery;
beforeAll(async () => {
  harness = await startHarness({
    config: configOf(CONFIG),
    source: (channel, arch) => {
      const [prefix, minor = ''] = channel.split('-');
      const count = arch === 'arm64' ? 2 : 3;
      return chainGraph(series(minor, prefix === 'candidate' ? count + 1 : count), { arch });
    },
  });
  await harness.sync(0);
  now = Date.parse(at(0));
  ask = startQuery(harness.table, () => now);
});
afterAll(() => harness.close());

async function read(target: string) {
  const { status, content } = await ask(target);
  return { status, body: JSON.parse(content.toString()) as Record<string, unknown> };
}
const listed = async (query: string) => {
  const { body } = await read(`/v1/versions?${query}`);
  return (body['versions'] as { version: string }[]).map(({ version }) => version);
};

describe('/v1/versions', () => {
  it.each([
    [
      '',
      [
        '4.15.3',
        '4.15.2',
        '4.15.1',
        '4.15.0',
        '4.14.3',
        '4.14.2',
        '4.14.1',
        '4.14.0',
        '4.13.7',
        '4.1.2',
        '4.1.1',
        '4.1.0',
      ],
    ],
    ['version_pattern=4.1', ['4.1.2', '4.1.1', '4.1.0']],
    ['version_pattern=4.14.3', ['4.14.3']],
    ['channel=stable-4.14', ['4.14.2', '4.14.1', '4.14.0']],
    ['channel=candidate-4.15&arch=x86_64', ['4.15.3', '4.15.2', '4.15.1', '4.15.0']],
    ['arch=aarch64', ['4.15.1', '4.14.2', '4.14.1', '4.14.0']],
    ['arch=multi', []],
    // In a candidate channel only, while stable-4.14 is followed; of 4.15 only candidate is.
    ['support_level=beta', ['4.14.3']],
    ['support_level=end-of-life&version_pattern=4.15', ['4.15.3', '4.15.2', '4.15.1', '4.15.0']],
  ])('?%s lists %j', async (query, versions) => {
    expect(await listed(query)).toEqual(versions);
  });

  it('shows where a version is, as documented', async () => {
    const { body } = await read('/v1/versions?version_pattern=4.14');
    expect(VersionPage().safeParse(body).error?.issues).toBeUndefined();
    expect((body['versions'] as unknown[])[2]).toEqual({
      version: '4.14.1',
      minor: '4.14',
      supportLevel: 'maintenance',
      default: false,
      withdrawn: false,
      static: true,
      arches: ['amd64', 'arm64'],
      channels: ['stable-4.14', 'candidate-4.14'],
    });
  });

  it('comes in pages that hold every version once', async () => {
    const pages: string[] = [];
    let cursor = '';
    for (let count = 0; count < 9 && cursor !== null; count++) {
      const { body } = await read(`/v1/versions?limit=5${cursor && `&cursor=${cursor}`}`);
      pages.push(...(body['versions'] as { version: string }[]).map(({ version }) => version));
      cursor = body['nextCursor'] as string;
    }
    expect(pages).toEqual(await listed(''));
  });

  it.each([
    ['support_level=good', 'support_level', 'beta, production, maintenance or end-of-life is accepted'],
    ['version_pattern=4.x', 'version_pattern', 'whole components'],
    ['arch=sparc', 'arch', 'amd64, x86_64'],
    ['limit=0', 'limit', 'a number from 1 to 1000'],
    ['cursor=x', 'cursor', 'the nextCursor of the page before'],
  ])('refuses %s', async (query, parameter, detail) => {
    const { status, body } = await read(`/v1/versions?${query}`);
    expect([status, body['errors']]).toEqual([
      400,
      [expect.objectContaining({ parameter, detail: expect.stringContaining(detail) as string })],
    ]);
  });
});

describe('a channel that is not followed', () => {
  it.each([
    [
      'channel=stable-4.99',
      { parameter: 'channel', nearest: expect.arrayContaining(['stable-4.14']) as unknown },
    ],
    ['channel=candidate-4.15&arch=arm64', { parameter: 'arch', nearest: ['amd64'] }],
  ])('/v1/versions?%s names the nearest', async (query, error) => {
    const { status, body } = await read(`/v1/versions?${query}`);
    expect([status, body['type'], body['errors']]).toMatchObject([
      404,
      expect.stringMatching(/unknown-channel$/),
      [error],
    ]);
  });
});

it('a multi name without a multi release blames the version', async () => {
  const { status, body } = await read('/v1/versions/4.14.1-multi');
  expect([status, body['errors']]).toMatchObject([
    404,
    [
      {
        parameter: 'version',
        value: '4.14.1-multi',
        nearest: expect.arrayContaining(['stable-4.14/amd64']) as unknown,
      },
    ],
  ]);
});

describe('a static release', () => {
  it('that no channel has is readable with its image', async () => {
    const { status, body } = await read('/v1/versions/4.13.7');
    expect(VersionDetail().safeParse(body).error?.issues).toBeUndefined();
    const image = STATIC[0]!.url;
    expect([status, body]).toMatchObject([
      200,
      {
        releases: [{ arch: 'amd64', url: image, static: true, payload: image, digest: null, channels: [] }],
        updates: { channel: null, arch: 'amd64', from: [], to: [] },
        support: { minor: '4.13' },
      },
    ]);
  });

  it('is one more image where the channels have another digest, and names theirs otherwise', async () => {
    const other = (await read('/v1/versions/4.15.1')).body;
    expect(other['releases']).toMatchObject([
      { arch: 'amd64', static: false, url: 'quay.io/openshift-release-dev/ocp-release:4.15.1-x86_64' },
      { arch: 'arm64', static: true, url: DIGEST, payload: DIGEST, digest: `sha256:${'ab'.repeat(32)}` },
    ]);
    const tagged = (await read('/v1/versions/4.14.1')).body;
    expect(tagged['releases']).toMatchObject([
      {
        arch: 'amd64',
        static: true,
        url: STATIC[2]!.url,
        digest: expect.stringContaining('sha256:') as string,
      },
      { arch: 'arm64', static: false },
    ]);
  });

  it('is not in a channel, and says where it is', async () => {
    const { status, body } = await read('/v1/versions/4.13.7?channel=stable-4.14');
    expect([status, body['detail']]).toEqual([
      404,
      '4.13.7 is in no followed channel, it is a static release on amd64',
    ]);
    expect((await read('/v1/versions/4.15.1?arch=s390x')).body['detail']).toBe(
      '4.15.1 is not on s390x, it is in candidate-4.15/amd64, and a static release on arm64',
    );
  });
});

it('release sources have only names that assisted-service accepts', async () => {
  const { body } = await read('/v2/release-sources');
  expect(ReleaseSources().safeParse(body).error?.issues).toBeUndefined();
  expect((body as unknown as unknown[]).slice(1)).toMatchObject([
    {
      openshift_version: '4.15',
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['candidate'] }],
    },
    { openshift_version: '4.1', upgrade_channels: [{ cpu_architecture: 'x86_64', channels: [] }] },
  ]);
});

describe('after a change of the configuration', () => {
  const TARGETS = [
    '/v1/versions',
    '/v1/versions?version_pattern=4.14',
    '/v1/versions/4.14.0',
    '/v1/channel-index/amd64',
    '/api/upgrades_info/v1/graph?channel=stable-4.14',
  ];

  it('no former entity tag is good any more, and what is excluded shows at once', async () => {
    const tagOf = async (target: string) => (await ask(target)).headers['etag']!;
    const tags = new Map<string, string>();
    for (const target of TARGETS) tags.set(target, await tagOf(target));
    for (const [target, tag] of tags) {
      const again = await ask(target, { headers: { 'if-none-match': tag } });
      expect([target, again.status]).toEqual([target, 304]);
    }

    const config = configOf({ ...CONFIG, ignored_openshift_versions: ['4.14.1'], release_images: [] });
    await harness.sync(10, {}, { config });
    now = Date.parse(at(10));
    for (const [target, tag] of tags) {
      const again = await ask(target, { headers: { 'if-none-match': tag } });
      expect([target, again.status]).toEqual([target, 200]);
      expect([target, again.headers['etag'] === tag]).toEqual([target, false]);
    }
    expect(await listed('version_pattern=4.14')).toEqual(['4.14.3', '4.14.2', '4.14.0']);
    expect((await read('/v1/versions/4.14.1')).body).toMatchObject({ excluded: true });
    expect((await read('/v1/versions/4.13.7')).status).toBe(404);
    expect(await harness.versions()).not.toContain('4.14.1');
    const cached = (await ask('/v1/versions')).headers['cache-control'];
    expect(cached).toBe('public, no-cache');
  });

  it('a static release that is excluded is in no list, and known by its name', async () => {
    const config = configOf({ ...CONFIG, ignored_openshift_versions: ['4.13.7'] });
    await harness.sync(15, {}, { config });
    now = Date.parse(at(15));
    expect(await listed('')).not.toContain('4.13.7');
    expect(await harness.versions()).not.toContain('4.13.7');
    expect((await read('/v1/versions/4.13.7')).body).toMatchObject({
      excluded: true,
      releases: [{ arch: 'amd64', static: true }],
    });
  });

  it('both lists have only what is followed now', async () => {
    const config = configOf({ release_sources: [follow('4.14', ['stable'], 'arm64')] });
    await harness.sync(20, {}, { config });
    now = Date.parse(at(20));
    expect(await listed('')).toEqual(['4.14.1', '4.14.0']);
    const { body } = await read('/v2/openshift-versions');
    const arm64 = expect.objectContaining({ cpu_architectures: ['arm64'] }) as unknown;
    expect(Object.entries(body)).toEqual([
      ['4.14.1', arm64],
      ['4.14.0', arm64],
    ]);
  });
});
