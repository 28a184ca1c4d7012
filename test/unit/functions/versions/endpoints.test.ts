import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedCairn, serveCairn } from '../../../helpers/lambda/served-cairn.ts';
import { chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';

const RELEASE_SOURCES = [
  {
    openshift_version: '4.14',
    upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'candidate'] }],
  },
];

let cairn: ServedCairn;
beforeAll(async () => {
  cairn = await serveCairn({
    releases: {
      release_sources: RELEASE_SOURCES,
      support_dates: { '4.14': { ga: '2023-10-31', maintenance: '2025-05-01', eus: ['2099-12-31'] } },
    },
    source: (channel, arch) =>
      chainGraph(channel === 'candidate-4.14' ? ['4.14.0-rc.1', ...series('4.14', 3)] : series('4.14', 2), {
        arch,
      }),
  });
});
afterAll(() => cairn.close());

async function get(path: string) {
  const response = await fetch(new URL(path, cairn.url));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe.each(['', '/api/assisted-install'])('%s/v2', (prefix) => {
  it.each([
    ['', ['4.14.2', '4.14.1', '4.14.0', '4.14.0-rc.1']],
    ['?version=4.14.1', ['4.14.1']],
    ['?version=rc', ['4.14.0-rc.1']],
    ['?version=4.1', ['4.14.2', '4.14.1', '4.14.0', '4.14.0-rc.1']],
    ['?version_pattern=4.1', []],
    ['?version_pattern=4.14.0', ['4.14.0']],
    ['?version_pattern=4.14.0-rc', ['4.14.0-rc.1']],
    ['?cpu_architecture=arm64', []],
    ['?cpu_architecture=amd64&only_latest', ['4.14.1']],
    // What is in a candidate channel only is no release of its minor yet.
    ['?only_latest', ['4.14.1']],
    ['?version=4.99', []],
  ])('/openshift-versions%s lists versions, newest first', async (query, versions) => {
    const { status, body } = await get(`${prefix}/v2/openshift-versions${query}`);
    expect([status, Object.keys(body)]).toEqual([200, versions]);
  });

  it('refuses two different patterns', async () => {
    const { status, body } = await get(`${prefix}/v2/openshift-versions?version=4.14&version_pattern=4.15`);
    expect([status, body]).toMatchObject([
      400,
      { reason: expect.stringContaining('version=4.14') as string },
    ]);
  });

  it.each([
    [
      'cpu_architecture=sparc',
      /cpu_architecture.*"sparc".*amd64, x86_64, arm64, aarch64, ppc64le, s390x or multi/,
    ],
    ['version_pattern=4.*', /version_pattern.*"4\.\*".*whole components .*4, 4\.12, 4\.12\.3 or 4\.12\.0-rc/],
    ['version=4.*', /version.*"4\.\*".*a plain part.*version_pattern matches whole components/],
  ])('?%s is refused with what is accepted', async (query, reason) => {
    const { status, body } = await get(`${prefix}/v2/openshift-versions?${query}`);
    expect([status, body]).toEqual([
      400,
      { kind: 'Error', id: 400, href: '', code: '400', reason: expect.stringMatching(reason) as string },
    ]);
  });

  it.each(['', '/clusters', '/openshift-versions/4.14.1', '/infra-envs/x/downloads'])(
    '%s is not there, in the form of assisted-service',
    async (path) => {
      const { status, body } = await get(`${prefix}/v2${path}`);
      expect([status, body]).toEqual([
        404,
        {
          kind: 'Error',
          id: 404,
          href: '',
          code: '404',
          reason: `GET ${prefix}/v2${path} does not exist; GET /openapi.json lists what does`,
        },
      ]);
    },
  );

  it('refuses another method in the same form, with those allowed', async () => {
    const response = await fetch(new URL(`${prefix}/v2/release-sources`, cairn.url), { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([
      405,
      { kind: 'Error', id: 405, code: '405' },
    ]);
    expect(response.headers.get('allow')).toContain('GET');
  });

  it('/release-sources shows the configuration in force', async () => {
    expect(await get(`${prefix}/v2/release-sources`)).toMatchObject({ status: 200, body: RELEASE_SOURCES });
  });
});

it('unknown paths of assisted-service are answered in its form without a version too', async () => {
  expect((await get('/api/assisted-install/v1/clusters')).body).toMatchObject({ kind: 'Error', id: 404 });
  expect((await get('/v1/nothing')).body).toMatchObject({ type: 'urn:cairn:problem:not-found' });
});

describe('/v1/support', () => {
  it('case 76: lists every minor with phase and last day, by the configured dates', async () => {
    const { status, body } = await get('/v1/support');
    expect(status).toBe(200);
    const { minors } = body as { minors: { minor: string }[] };
    expect(body).toMatchObject({
      eusTerms: 2,
      dates: { '4.14': { ga: '2023-10-31', maintenance: '2025-05-01', eus: ['2099-12-31'] } },
    });
    expect(minors.map(({ minor }) => minor)).toEqual(
      Array.from({ length: 11 }, (_, index) => `4.${index + 12}`),
    );
    expect(minors[1]).toMatchObject({ minor: '4.13', phase: 'ended', supportedUntil: '2024-11-17' });
    expect(minors[2]).toMatchObject({ phase: 'eus1', supportedUntil: '2099-12-31', restsOn: 'eus1' });
  });

  it('holds for versions and for the list of installers too', async () => {
    const { body } = await get('/v1/versions/4.14.1');
    expect(body['support']).toMatchObject({ minor: '4.14', phase: 'eus1' });
    const listed = await get('/v2/openshift-versions?version=4.14.1');
    expect(listed.body['4.14.1']).toMatchObject({ support_level: 'maintenance' });
  });
});

describe('/v1/versions/{version}', () => {
  it('shows the most stable channel that holds it', async () => {
    const { status, body } = await get('/v1/versions/4.14.1');
    expect([status, body]).toMatchObject([
      200,
      {
        version: '4.14.1',
        updates: { channel: 'stable-4.14', arch: 'amd64', from: [{ version: '4.14.0' }] },
      },
    ]);
  });

  it('shows the channel that was asked for', async () => {
    const { body } = await get('/v1/versions/4.14.1?channel=candidate-4.14');
    expect(body).toMatchObject({ updates: { channel: 'candidate-4.14', to: [{ version: '4.14.2' }] } });
  });

  it.each([
    ['4.14.99', 404, 'unknown-version'],
    ['4.14.2?channel=stable-4.14', 404, 'unknown-version'],
    ['stable', 400, 'invalid-parameter'],
  ])('%s is answered with %i', async (target, status, type) => {
    const answer = await get(`/v1/versions/${target}`);
    expect([answer.status, answer.body['type']]).toEqual([status, `urn:cairn:problem:${type}`]);
  });
});
