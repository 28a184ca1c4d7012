import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseMissing } from '../../../../functions/graph/request.ts';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import type { LambdaResult } from '../../../helpers/lambda/lambda-host.ts';
import { chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';

const PATHS = ['/api/upgrades_info/v1/graph', '/api/upgrades_info/graph', '/v1/graph', '/graph'];
const CINCINNATI = 'application/vnd.redhat.cincinnati.v1+json';
const EMPTY = { version: 1, nodes: [], edges: [], conditionalEdges: [] };

const RELEASES = {
  release_sources: [
    {
      openshift_version: '4.14',
      upgrade_channels: [
        { cpu_architecture: 'x86_64', channels: ['stable', 'fast'] },
        { cpu_architecture: 'multi', channels: ['stable'] },
      ],
    },
  ],
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: RELEASES,
    source: (channel, arch) =>
      channel === 'fast-4.14' ? { status: 500, body: '' } : chainGraph(series('4.14', 3), { arch }),
  });
});
afterAll(() => deployment.close());

const ask = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  deployment.request(method, `${PATHS[0]}${query}`, { headers });
const versionsIn = (body: unknown) =>
  (body as { nodes: { version: string }[] }).nodes.map((node) => node.version);

describe('before the first sync', () => {
  it('G15: any channel is 503, since any may be a followed one', async () => {
    expect(await ask('?channel=stable-4.14')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '60', 'content-type': 'application/json' },
      body: {
        kind: 'failed_upstream_fetch',
        value: 'failed to fetch upstream graph: the first sync has not finished yet',
      },
    });
  });
});

describe('after a sync', () => {
  let run: LambdaResult;
  beforeAll(async () => {
    deployment.eventBridge.answer(200, {
      FailedEntryCount: 0,
      Entries: [{ EventId: '1' }, { EventId: '2' }],
    });
    const scheduledTime = new Date().toISOString();
    run = await deployment.sync.invoke({ scheduledTime, trigger: 'schedule' });
  });

  it('that met one channel that fails', () => {
    expect(run).toMatchObject({ ok: true, payload: { pairs: { published: 2, failed: 1 } } });
  });

  it.each(PATHS)('%s serves the graph to a cluster', async (path) => {
    // As the cluster version operator asks.
    const query = 'arch=amd64&channel=stable-4.14&id=0e5a1f9e-6a8b-4e5c-9a3f-1d2c3b4a5f60&version=4.14.0';
    const { status, headers, text } = await deployment.request('GET', `${path}?${query}`, {
      headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
    });
    expect([status, headers['content-type'], headers['content-encoding']]).toEqual([
      200,
      'application/json',
      'gzip',
    ]);
    const offers = readAsCluster(Buffer.from(text)).offersTo('4.14.0');
    expect(offers.map(({ version }) => version)).toEqual(['4.14.1', '4.14.2']);
  });

  it('G1: no parameters is 400 and names the one that is missing', async () => {
    expect(await ask('')).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: { kind: 'missing_params', value: 'mandatory client parameters missing: channel' },
    });
  });

  it('G2: all that are missing are named in order, and nothing else', () => {
    expect(() => refuseMissing({ key: 'value' }, ['foo', 'bar'])).toThrow(/: bar, foo$/);
  });

  it.each([
    'invalid:channel',
    'invalid_channel',
    'invalid=channel',
    ':',
    '',
    'a%0A',
    '%00',
    'STABLE-4.14',
    'ä',
  ])('G3: channel=%s is 400', async (channel) => {
    const { status, body } = await ask(`?channel=${channel}`);
    expect(status).toBe(400);
    expect(body).toEqual({
      kind: 'invalid_params',
      value: `invalid client parameters: channel '${decodeURIComponent(channel)}' does not match regex '^[0-9a-z\\-\\.]+$'`,
    });
  });

  it.each(['validchannel', 'validchannel-0', 'validchannel-0.0', '-', '..', 'a'.repeat(3000)])(
    'G4: channel=%s is 200',
    async (channel) => {
      expect(await ask(`?channel=${channel}`)).toMatchObject({ status: 200, body: EMPTY });
    },
  );

  it('G5: of a repeated parameter the last counts', async () => {
    expect(() => refuseMissing({ a: 'c' }, ['a'])).not.toThrow();
    expect(versionsIn((await ask('?channel=a&channel=stable-4.14')).body)).toEqual(series('4.14', 3));
    expect(versionsIn((await ask('?channel=stable-4.14&channel=a')).body)).toEqual([]);
    expect(await ask('?channel=stable-4.14&channel=:')).toMatchObject({ status: 400 });
  });

  it.each([
    ['x86_64', ', use amd64'],
    ['AMD64', ', use amd64'],
    ['Multi', ', use multi'],
    ['', ''],
    ['powerpc!', ''],
  ])('G6: arch=%s is 400', async (arch, hint) => {
    expect(await ask(`?channel=stable-4.14&arch=${arch}`)).toMatchObject({
      status: 400,
      body: {
        kind: 'invalid_params',
        value: `invalid client parameters: arch '${arch}' does not match regex '^[0-9a-z]+$'${hint}`,
      },
    });
  });

  it('G7: without an architecture it is amd64', async () => {
    const [without, amd64, multi] = await Promise.all(
      ['', '&arch=amd64', '&arch=multi'].map((arch) => ask(`?channel=stable-4.14${arch}`)),
    );
    expect(without).toEqual(amd64);
    expect(multi!.text).toContain('"release.openshift.io/architecture":"multi"');
    expect(without!.text).not.toBe(multi!.text);
  });

  it.each(['channel=stable-4.99', 'channel=stable-4.14&arch=riscv64', 'channel=stable-4.14&arch=s390x'])(
    'G8: %s is not followed: the empty graph',
    async (query) => {
      const { status, headers, body } = await ask(`?${query}`);
      expect([status, body]).toEqual([200, EMPTY]);
      expect(headers).not.toHaveProperty('x-graph-stale');
      expect(headers).not.toHaveProperty('last-modified');
    },
  );

  it.each<[string | undefined, string]>([
    [undefined, CINCINNATI],
    ['', CINCINNATI],
    ['application/json', 'application/json'],
    [CINCINNATI, CINCINNATI],
    ['*', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json, text/*;q=0.2', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    [`application/json;q=0.5, ${CINCINNATI}`, CINCINNATI],
  ])('G9: Accept %j is answered in %s', async (accept, type) => {
    const { status, headers } = await ask('?channel=stable-4.14', accept === undefined ? {} : { accept });
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['vary']).toBe('Accept, Accept-Encoding, Origin');
  });

  it.each(['image/png', 'text/*', 'application/json;q=0', '*/*;q=0'])(
    'G9: Accept %s is 406, whatever else is wrong',
    async (accept) => {
      expect(await ask('', { accept })).toMatchObject({
        status: 406,
        headers: { 'content-type': 'application/json', vary: 'Accept, Accept-Encoding, Origin' },
        body: { kind: 'invalid_content_type', value: 'invalid Content-Type requested' },
      });
    },
  );

  it('checks come in order: Accept, what is missing, channel, architecture', async () => {
    const kindAndName = async (query: string, accept: string) => {
      const { kind, value } = (await ask(query, { accept })).body as { kind: string; value: string };
      return [kind, /channel '|arch '/.exec(value)?.[0]];
    };
    expect(await kindAndName('?arch=_', 'image/png')).toEqual(['invalid_content_type', undefined]);
    expect(await kindAndName('?arch=_', '*/*')).toEqual(['missing_params', undefined]);
    expect(await kindAndName('?arch=_&channel=_', '*/*')).toEqual(['invalid_params', "channel '"]);
    expect(await kindAndName('?arch=_&channel=a', '*/*')).toEqual(['invalid_params', "arch '"]);
  });

  it.each(['?channel=stable-4.14', '?channel=none', '?channel=_', '?channel=fast-4.14'])(
    'G12: the origin of %s is echoed, errors included',
    async (query) => {
      const origin = 'https://console.example';
      expect((await ask(query, { origin })).headers).toMatchObject({ 'access-control-allow-origin': origin });
      expect((await ask(query)).headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it('G15: a followed channel that was never synced is 503', async () => {
    expect(await ask('?channel=fast-4.14')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '60', 'cache-control': 'no-store' },
      body: {
        kind: 'failed_upstream_fetch',
        value: 'failed to fetch upstream graph: fast-4.14/amd64 is followed but was never synced',
      },
    });
  });

  it('G16: version, id and whatever else are ignored', async () => {
    const plain = await ask('?channel=stable-4.14');
    expect(await ask('?version=9.9.9&id=x&foo=1&channel=stable-4.14&__proto__=1&%zz=%')).toEqual(plain);
  });

  describe('trim=reachable', () => {
    it('is the reachable part, with its own entity tag', async () => {
      const whole = await ask('?channel=stable-4.14&version=4.14.1');
      const all = versionsIn(whole.body);
      const part = await ask('?channel=stable-4.14&version=4.14.1&trim=reachable');
      expect(part.status).toBe(200);
      expect(versionsIn(part.body)).toEqual(all.slice(all.indexOf('4.14.1')));
      const etag = part.headers['etag']!;
      expect(etag).not.toBe(whole.headers['etag']);
      const again = await ask('?channel=stable-4.14&version=4.14.1&trim=reachable', {
        'if-none-match': etag,
      });
      expect(again.status).toBe(304);
    });

    it('is empty for a version that the channel does not hold', async () => {
      const answer = await ask('?channel=stable-4.14&version=9.9.9%0d%0aset-cookie:x&trim=reachable');
      expect(answer).toMatchObject({ status: 200, body: { nodes: [], edges: [], conditionalEdges: [] } });
      expect(answer.headers['etag']).toMatch(/-from-nowhere-/);
    });

    it.each([
      [
        '?channel=stable-4.14&trim=reachable',
        'missing_params',
        'mandatory client parameters missing: version',
      ],
      [
        '?channel=stable-4.14&version=4.14.1&trim=all',
        'invalid_params',
        "trim 'all' does not match regex '^reachable$'",
      ],
    ])('refuses %s', async (query, kind, value) => {
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body).toMatchObject({ kind, value: expect.stringContaining(value) });
    });
  });

  it('G17: a known entity tag is 304, in any of its forms', async () => {
    const [gzip, identity] = await Promise.all([
      ask('?channel=stable-4.14', { 'accept-encoding': 'gzip' }),
      ask('?channel=stable-4.14'),
    ]);
    expect(gzip.text).toBe(identity.text);
    const tags = { gzip: gzip.headers['etag']!, identity: identity.headers['etag']! };
    expect(tags.identity).toMatch(/^"[0-9a-f]{32}-cincinnati"$/);
    expect(tags.gzip).toBe(tags.identity.replace(/"$/, '-gzip"'));
    for (const known of [tags.gzip, tags.identity, `W/${tags.gzip}`, `"other", ${tags.identity}`, '*']) {
      const { status, headers, text } = await ask('?channel=stable-4.14', { 'if-none-match': known });
      expect([status, text, headers['etag']]).toEqual([304, '', tags.identity]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=60, stale-while-revalidate=60, stale-if-error=3600',
        vary: 'Accept, Accept-Encoding, Origin',
      });
    }
  });

  it('an entity tag is of one channel, architecture and media type', async () => {
    const tags = await Promise.all(
      [
        ask('?channel=stable-4.14'),
        ask('?channel=stable-4.14', { accept: 'application/json' }),
        ask('?channel=stable-4.14&arch=multi'),
        ask('?channel=none'),
      ].map(async (answer) => (await answer).headers['etag']!),
    );
    expect(new Set(tags).size).toBe(4);
    const answer = await ask('?channel=stable-4.14', { accept: '*/*', 'if-none-match': tags[0]! });
    expect(answer.status).toBe(200);
    expect((await ask('?channel=none', { 'if-none-match': tags[3]! })).status).toBe(304);
  });

  it('says how fresh it is', async () => {
    const { headers } = await ask('?channel=stable-4.14');
    expect(headers['cache-control']).toBe(
      'public, max-age=60, stale-while-revalidate=60, stale-if-error=3600',
    );
    const { lastRun } = (await deployment.request('GET', '/v1/sync')).body as { lastRun: { slot: string } };
    expect(headers['x-graph-synced-at']).toBe(lastRun.slot);
    expect(headers['last-modified']).toBe(new Date(lastRun.slot).toUTCString());
    expect(headers).not.toHaveProperty('x-graph-stale');
  });

  it.each(PATHS)('HEAD %s is GET without the body', async (path) => {
    const options = { headers: { 'accept-encoding': 'gzip' } };
    const get = await deployment.request('GET', `${path}?channel=stable-4.14`, options);
    const head = await deployment.request('HEAD', `${path}?channel=stable-4.14`, options);
    expect([head.status, head.headers, head.text]).toEqual([get.status, get.headers, '']);
  });

  it.each(PATHS)('OPTIONS %s returns what a page may request', async (path) => {
    const headers = {
      origin: 'https://console.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    expect(await deployment.request('OPTIONS', path, { headers })).toMatchObject({
      status: 204,
      text: '',
      headers: {
        allow: 'GET, HEAD, OPTIONS',
        vary: 'Accept, Accept-Encoding, Origin',
        'access-control-allow-origin': 'https://console.example',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('If-None-Match') as string,
      },
    });
    const { headers: bare } = await deployment.request('OPTIONS', path);
    expect(bare).toEqual({ allow: 'GET, HEAD, OPTIONS', vary: 'Accept, Accept-Encoding, Origin' });
  });

  it.each(PATHS.flatMap((path) => ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, path])))(
    '%s %s is 405',
    async (method, path) => {
      expect(await deployment.request(method, path)).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD, OPTIONS' },
        body: { kind: 'method_not_allowed' },
      });
    },
  );

  it('a missing resource is reported in the format of the path', async () => {
    for (const path of ['/api/upgrades_info', '/api/upgrades_info/', '/api/upgrades_info/v2/graph']) {
      expect(await deployment.request('GET', path)).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/json' },
        body: { kind: 'does_not_exist', value: `does not exist: GET ${path}` },
      });
    }
    for (const path of ['/api/upgrades_information', '/graph/', '/v3/graph']) {
      expect(await deployment.request('GET', path)).toMatchObject({
        status: 404,
        body: { type: 'urn:cairn:problem:not-found' },
      });
    }
  });

  it('a long value comes back cut', async () => {
    const { body } = await ask(`?channel=${'_'.repeat(5000)}`);
    expect((body as { value: string }).value.length).toBeLessThan(250);
  });
});
