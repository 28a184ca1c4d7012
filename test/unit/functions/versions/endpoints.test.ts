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
    releases: { release_sources: RELEASE_SOURCES },
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
    ['?version_pattern=rc', ['4.14.0-rc.1']],
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

  it('/release-sources shows the configuration in force', async () => {
    expect(await get(`${prefix}/v2/release-sources`)).toMatchObject({ status: 200, body: RELEASE_SOURCES });
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
