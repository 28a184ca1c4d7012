import { lookup } from 'node:dns/promises';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ListTablesCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetBucketVersioningCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScript } from '../../../functions/command-line/script.ts';
import { START } from '../../../infra/local/start.ts';
import {
  canFindEngines,
  commandLines,
  enginePid,
  type LocalRun,
  openFixture,
} from '../../helpers/local/local-run.ts';
import {
  type CincinnatiStub,
  startCincinnatiStub,
  type StubSource,
} from '../../helpers/upstream/cincinnati-stub.ts';
import { chainGraph, series } from '../../helpers/upstream/sync-harness.ts';

const READY = /^Cairn is ready at (?<url>http:\/\/127\.0\.0\.1:\d+)$/m;
const TOKEN = 'a-token-that-is-long-enough-to-be-one';

const fixture = openFixture();
const stubs: CincinnatiStub[] = [];
afterAll(async () => {
  await fixture.close();
  await Promise.all(stubs.map((stub) => stub.close()));
});

/** A configuration that follows one small channel. */
const releases = fixture.releasesFile({
  release_sources: [
    {
      openshift_version: '4.21',
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'fast'] }],
    },
  ],
});

const start = (data: string, args: readonly string[], env?: Record<string, string>): LocalRun =>
  fixture.start(['--data', data, '--port', '0', '--releases', releases, ...args], env);

async function startStub(source: StubSource): Promise<CincinnatiStub> {
  const stub = await startCincinnatiStub(source);
  stubs.push(stub);
  return stub;
}

async function readyUrl(run: LocalRun): Promise<string> {
  return (await run.printed(READY)).groups!['url']!;
}

async function getJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, { headers });
  expect(response.status, url).toBe(200);
  return response.json();
}

const endpointsIn = (data: string): Record<string, string> =>
  JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8')) as Record<string, string>;

async function refusesConnections(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

describe('a run on demo channels', () => {
  const data = fixture.dataFolder();
  let run: LocalRun;
  let url: string;
  let versions: unknown;
  let endpoints: Record<string, string>;

  beforeAll(async () => {
    run = start(data, ['--upstream', 'demo']);
    url = await readyUrl(run);
    endpoints = endpointsIn(data);
  });

  it('shows the first sync in plain lines before it is ready', () => {
    expect(run.stdout).toMatch(
      /^Syncing 2\/2 \w+-4\.21\/amd64\nSynced 2 of 2 channels, [1-9]\d* versions\.\nCairn is ready at /,
    );
    expect(run.stdout.includes('\u001b')).toBe(false);
  });

  it('has a console for browsers, and says so first', async () => {
    expect(run.stdout).toContain(`Cairn is ready at ${url}\n\nOpen ${url} in a browser, or try:\n`);
    const page = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [, script] = /src="(\/assets\/main-[^"]+\.js)"/.exec(await page.text()) ?? [];
    const { status, headers } = await fetch(`${url}${script}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('names three commands that work', async () => {
    const commands = [...run.stdout.matchAll(/^ {2}curl '(?<target>[^']+)'$/gm)];
    expect(commands).toHaveLength(3);
    for (const { groups } of commands) {
      expect(Object.keys((await getJson(groups!['target']!)) as object)).not.toEqual([]);
    }
  });

  it('says in /v1/sync that the channels are made up', async () => {
    expect(await getJson(`${url}/v1/sync`)).toMatchObject({
      upstream: { kind: 'demo' },
      lastRun: { outcome: 'Succeeded' },
    });
  });

  it('serves both apps', async () => {
    versions = await getJson(`${url}/v2/openshift-versions`);
    expect(Object.keys(versions as object).length).toBeGreaterThan(3);
    const response = await fetch(`${url}/v1/sync/runs`, { method: 'POST' });
    // The schedule may have been a moment faster.
    expect([202, 409]).toContain(response.status);
  });

  it('gives tools the address of the engines, readable only by this user', async () => {
    expect(statSync(join(data, 'endpoints.json')).mode & 0o077).toBe(0);
    expect(Object.keys(endpoints).toSorted()).toEqual(
      [
        'api',
        'dynamodb',
        's3',
        'region',
        'accessKeyId',
        'secretAccessKey',
        'table',
        'bucket',
        'registryBucket',
      ].toSorted(),
    );
    expect(endpoints['api']).toBe(url);
    const { dynamodb, s3, region, accessKeyId, secretAccessKey, table, bucket, registryBucket } = endpoints;
    const access = () => ({
      region: region!,
      credentials: { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! },
    });
    const tableClient = new DynamoDBClient({ ...access(), endpoint: dynamodb! });
    expect((await tableClient.send(new ListTablesCommand())).TableNames).toEqual([table]);
    const scan = await tableClient.send(new ScanCommand({ TableName: table, Limit: 3 }));
    expect(scan.Items).toHaveLength(3);
    const bucketClient = new S3Client({ ...access(), endpoint: s3!, forcePathStyle: true });
    const listing = await bucketClient.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(listing.Contents?.map(({ Key }) => Key!.split('/').slice(0, 3).join('/'))).toEqual([
      'archive/fast-4.21/amd64',
      'archive/stable-4.21/amd64',
    ]);
    const versioning = new GetBucketVersioningCommand({ Bucket: registryBucket });
    expect((await bucketClient.send(versioning)).Status).toBe('Enabled');
  });

  it.skipIf(!canFindEngines)('shows no key in a list of processes', () => {
    const lines = commandLines(run);
    for (const program of ['start.ts', 'table/main.ts', 's3/main.ts']) {
      expect(lines.filter((line) => line.includes(program))).toHaveLength(1);
    }
    expect(lines.filter((line) => line.includes(endpoints['secretAccessKey']!))).toEqual([]);
  });

  it('has a pruner for the bucket of a registry, with a schedule', async () => {
    await run.printed(/^[\d:]+ pruner scheduled pruner=cluster$/m);
    expect(await getJson(`${url}/v1/image-pruners/cluster`)).toMatchObject({
      spec: { target: { bucket: endpoints['registryBucket'], prefix: '' }, suspend: false, dryRun: true },
      status: {
        conditions: expect.arrayContaining([expect.objectContaining({ type: 'Scheduled', status: 'True' })]),
      },
    });
  });

  it('takes uploads at an address of this machine', async () => {
    const created = await fetch(`${url}/v1/uploads`, { method: 'POST' });
    const upload = (await created.json()) as { upload: string; url: string };
    expect(new URL(upload.url).origin).toBe(endpoints['s3']);
    const sent = await fetch(upload.url, { method: 'PUT', body: gzipSync('{"kind":"Node"}') });
    expect([created.status, sent.status]).toEqual([201, 200]);
    const read = await fetch(`${url}/v1/upgrade-plans`, {
      method: 'POST',
      body: JSON.stringify({ upload: upload.upload }),
    });
    expect(await read.json()).toMatchObject({
      type: 'urn:cairn:problem:invalid-documents',
      errors: [{ document: 0, pointer: '/metadata/name' }],
    });
  });

  it('keeps clusters with their whole history', async () => {
    const history = Array.from({ length: 10 }, (_, index) => ({
      state: 'Completed',
      version: `4.21.${9 - index}`,
      image: `registry.example/release@${index}`,
      startedTime: new Date(Date.UTC(2026, 0, 20 - index)).toISOString(),
      completionTime: new Date(Date.UTC(2026, 0, 20 - index, 1)).toISOString(),
      verified: true,
    }));
    const { version, image } = history[0]!;
    const sent = await fetch(`${url}/v1/clusters/prod`, {
      method: 'PUT',
      body: JSON.stringify({
        apiVersion: 'config.openshift.io/v1',
        kind: 'ClusterVersion',
        metadata: { name: 'version' },
        spec: { clusterID: '00000000-0000-4000-8000-000000000001' },
        status: { desired: { version, image }, history },
      }),
    });
    expect([sent.status, await sent.json()]).toEqual([201, expect.objectContaining({ historyEntries: 10 })]);
  });

  it('refuses a second run on the same folder and goes on', async () => {
    const second = start(data, ['--upstream', 'demo']);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr).toBe(
      `cairn: ${data} is used by process ${run.child.pid}; stop it, or choose another folder with --data\n`,
    );
    expect(await getJson(`${url}/healthz`)).toEqual({ status: 'ok' });
    expect(endpointsIn(data)).toEqual(endpoints);
  });

  it('ends with all its children on Ctrl-C and leaves only data', async () => {
    run.signalGroup('SIGINT');
    expect(await run.ended).toEqual({ code: 130, signal: null });
    expect(run.stderr).toBe('');
    expect(readdirSync(data)).toEqual(['demo']);
    for (const name of ['api', 'dynamodb', 's3']) {
      expect(await refusesConnections(endpoints[name]!), name).toBe(true);
    }
  });

  it('is ready at once after a restart, with the data it had', async () => {
    run = start(data, ['--upstream', 'demo', '--history-limit', '8']);
    url = await readyUrl(run);
    expect(run.stdout).toMatch(/^Cairn is ready at /);
    expect(await getJson(`${url}/v2/openshift-versions`)).toEqual(versions);
    // The schedules of pruners are made anew with every start.
    await run.printed(/^[\d:]+ pruner scheduled pruner=cluster$/m);
    expect(run.stdout).not.toContain('pruner created');
  });

  it('brings histories down to the limit it was started with', async () => {
    await run.printed(/^[\d:]+ history pruned cluster=prod limit=8 removed=2 /m);
    expect(await getJson(`${url}/v1/clusters`)).toMatchObject({
      clusters: [{ id: 'prod', historyEntries: 8 }],
    });
  });

  it('takes its children along when it is killed', async () => {
    endpoints = endpointsIn(data);
    run.child.kill('SIGKILL');
    expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await refusesConnections(endpoints['dynamodb']!)).toBe(true);
    expect(await refusesConnections(endpoints['s3']!)).toBe(true);
  });

  it('starts again after that, and what the killed run left is gone', async () => {
    expect(readdirSync(data)).toHaveLength(4);
    run = start(data, ['--upstream', 'demo', '--once']);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.stdout).toMatch(/^stable-4\.21 +amd64 +Unchanged /m);
    expect(readdirSync(data)).toEqual(['demo']);
  });

  it.skipIf(!canFindEngines).each(['table', 'bucket'] as const)(
    'ends when its %s engine dies, and says so',
    async (engine) => {
      run = start(data, ['--upstream', 'demo']);
      await readyUrl(run);
      process.kill(enginePid(run, engine), 'SIGKILL');
      expect(await run.ended).toEqual({ code: 1, signal: null });
      expect(run.stderr).toContain(`cairn: ${engine} engine ended (SIGKILL)\n`);
      expect(readdirSync(data)).toEqual(['demo']);
    },
  );
});

if (!canFindEngines) console.log('the end of engines is not tested: no pgrep on this machine');

describe('--once', () => {
  it('prints a table and ends with 0', async () => {
    const stub = await startStub(() => chainGraph(series('4.21', 3)));
    const run = start(fixture.dataFolder(), ['--once', '--upstream', stub.url]);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.stdout).toMatch(
      /^CHANNEL .*\nfast-4\.21 +amd64 +Published +3 +3\nstable-4\.21 +amd64 +Published +3 +3\n\nSucceeded: 2 channels, 3 new versions, [\d.]+ s\n$/m,
    );
    expect(run.stderr).toBe('');
  });

  it('says why and ends with 1 when the upstream fails', async () => {
    const stub = await startStub(() => ({ status: 500, body: 'out of order' }));
    const run = start(fixture.dataFolder(), ['--once', '--upstream', stub.url]);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.stdout).toMatch(
      /^stable-4\.21 +amd64 +Failed +0 +0 +BadStatus: status 500, accepted is 200$/m,
    );
    expect(run.stdout).toMatch(/^Failed: 2 channels, 0 new versions/m);
  });

  it('ends with 1 when one of the channels fails', async () => {
    const stub = await startStub((channel) =>
      channel === 'fast-4.21' ? '{' : chainGraph(series('4.21', 3)),
    );
    const run = start(fixture.dataFolder(), ['--once', '--upstream', stub.url]);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.stdout).toMatch(/^fast-4\.21 +amd64 +Failed .*NotJson/m);
    expect(run.stdout).toMatch(/^stable-4\.21 +amd64 +Published /m);
  });
});

describe('live data stored earlier', () => {
  const data = fixture.dataFolder();
  let upstream: string;

  beforeAll(async () => {
    const stub = await startCincinnatiStub(() => chainGraph(series('4.21', 3)));
    upstream = stub.url;
    await start(data, ['--once', '--upstream', upstream]).ended;
    await stub.close();
  });

  it('stays in force while the upstream is down, behind the token if one is set', async () => {
    const run = start(data, ['--upstream', upstream], { AUTH_TOKEN: TOKEN });
    const url = await readyUrl(run);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const versions = (await getJson(`${url}/v2/openshift-versions`, headers)) as object;
    expect(Object.keys(versions).toSorted()).toEqual(series('4.21', 3));
    expect(await getJson(`${url}/v1/sync`, headers)).toMatchObject({
      upstream: { kind: 'live', url: upstream },
    });
    expect((await fetch(`${url}/v1/sync`)).status).toBe(401);
    const commands = [
      ...run.stdout.matchAll(/^ {2}curl -H "Authorization: Bearer \$AUTH_TOKEN" 'http.+'$/gm),
    ];
    expect(commands).toHaveLength(3);
    expect(run.stdout).toContain(`Open ${url} in a browser, which asks for the token, or try:\n`);
    expect(run.stdout + commandLines(run).join('\n')).not.toContain(TOKEN);

    run.child.kill('SIGTERM');
    expect(await run.ended).toEqual({ code: 143, signal: null });
    expect(readdirSync(data)).toEqual(['live']);
  });

  it('is answered by a changed configuration as soon as it is ready', async () => {
    const changed = fixture.releasesFile({
      release_sources: [
        {
          openshift_version: '4.21',
          upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }],
        },
      ],
      ignored_openshift_versions: ['4.21.1'],
    });
    const run = fixture.start(['--data', data, '--port', '0', '--releases', changed, '--upstream', upstream]);
    const url = await readyUrl(run);
    expect(await getJson(`${url}/v2/release-sources`)).toMatchObject([
      { upgrade_channels: [{ channels: ['stable'] }] },
    ]);
    expect(Object.keys((await getJson(`${url}/v2/openshift-versions`)) as object)).not.toContain('4.21.1');
    expect(await getJson(`${url}/graph?channel=fast-4.21`)).toMatchObject({ nodes: [] });
    run.child.kill('SIGTERM');
    await run.ended;
  });

  it('stays apart from demo data', async () => {
    const run = start(data, ['--upstream', 'demo', '--once']);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.stdout).toMatch(/^stable-4\.21 +amd64 +Published /m);
    expect(readdirSync(data).toSorted()).toEqual(['demo', 'live']);
  });
});

describe('Ctrl-C', () => {
  it('ends the first sync in the middle, without a word', async () => {
    const asked = Promise.withResolvers<void>();
    const stub = await startStub(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const data = fixture.dataFolder();
    const run = start(data, ['--upstream', stub.url]);
    await asked.promise;
    const { api } = endpointsIn(data);
    const response = await fetch(`${api}/v2/openshift-versions`);
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ code: '503' })]);
    run.signalGroup('SIGINT');
    expect(await run.ended).toEqual({ code: 130, signal: null });
    expect(run.stdout + run.stderr).toBe('');
    expect(readdirSync(data)).toEqual(['live']);
  });

  it('ends a start whose engines are not up yet, without a trace', async () => {
    const data = fixture.dataFolder();
    const run = start(data, ['--upstream', 'demo']);
    await expect.poll(() => existsSync(data), { interval: 5 }).toBe(true);
    run.child.kill('SIGINT');
    expect(await run.ended).toEqual({ code: 130, signal: null });
    expect(run.stderr).toBe('');
  });
});

describe('refusals', () => {
  const bad = fixture.releasesFile({
    release_sources: [{ openshift_version: '4', upgrade_channels: [] }],
    release_image: [],
    ignored_openshift_versions: [7],
  });
  const missing = join(fixture.dir, 'missing.json');
  const notJson = fixture.releasesFile('{"release_sources": [');

  it.each<[string, readonly string[], Record<string, string>, readonly (string | RegExp)[]]>([
    [
      'an unknown flag',
      ['--prot', '1'],
      {},
      ['cairn: unknown flag --prot, did you mean --port?', 'see npm start -- --help'],
    ],
    [
      'every mistake of a bad configuration',
      ['--releases', bad],
      {},
      [
        /^cairn: file \/release_sources\/0\/openshift_version: "4" /m,
        /^cairn: file \/release_image: /m,
        /^cairn: file \/ignored_openshift_versions\/0: 7 /m,
        'nothing was started',
      ],
    ],
    ['a configuration that is not JSON', ['--releases', notJson], {}, [/^cairn: file: .*JSON/m]],
    [
      'a configuration that is not there',
      ['--releases', missing],
      {},
      [`cairn: file: ${missing} cannot be read (ENOENT) (accepted: a JSON file)`, 'nothing was started'],
    ],
    [
      'a bad variable of a peer',
      [],
      { RELEASE_SOURCES: '[{"openshift_version":"4"}]' },
      [/^cairn: RELEASE_SOURCES \/0\/openshift_version: /m],
    ],
    [
      'an open address without a token',
      ['--host', '0.0.0.0'],
      {},
      ['cairn: --host 0.0.0.0 is open to others: set AUTH_TOKEN to 32 characters or more'],
    ],
    [
      'an open address with a short token',
      ['--host', '::'],
      { AUTH_TOKEN: 'x'.repeat(31) },
      ['cairn: --host :: is open to others: set AUTH_TOKEN to 32 characters or more'],
    ],
    [
      'an upstream that may not be asked',
      ['--upstream', 'http://updates.example.com/graph'],
      {},
      ['cairn: --upstream http://updates.example.com/graph: scheme http: is not allowed, use https:'],
    ],
  ])('prints %s and starts nothing', async (_name, args, env, expected) => {
    const data = fixture.dataFolder();
    const run = fixture.start(['--data', data, '--port', '0', ...args], env);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    for (const text of expected) expect(run.stderr).toMatch(text);
    expect(run.stderr).not.toMatch(/\n\s+at /);
    expect(run.stdout).toBe('');
    expect(existsSync(data)).toBe(false);
  });

  it('reports that the port is in use, and ends the processes it has started', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const data = fixture.dataFolder();
    const run = start(data, ['--upstream', 'demo', '--port', String(port)]);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.stderr).toBe(`cairn: port ${port} is in use, choose another with --port\n`);
    expect(readdirSync(data)).toEqual(['demo']);
    other.close();
  });

  it('reports that the data folder is a file', async () => {
    const file = join(fixture.dir, 'a-file');
    writeFileSync(file, '');
    const run = start(file, ['--upstream', 'demo']);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.stderr).toMatch(/^cairn: EEXIST: .*a-file/);
  });

  it('gives help on stdout', async () => {
    const run = fixture.start(['--help']);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(readScript(START, ['--help'])).toEqual({ kind: 'help', help: run.stdout });
  });
});

const isPublicServiceKnown = await lookup('api.openshift.com').then(
  () => true,
  () => false,
);
if (isPublicServiceKnown) console.log('demo fallback not tested: api.openshift.com resolves here');

describe.skipIf(isPublicServiceKnown)('without a network', () => {
  it('says that it follows demo channels instead', async () => {
    const data = fixture.dataFolder();
    const run = start(data, []);
    const url = await readyUrl(run);
    expect(run.stdout).toMatch(
      /^api\.openshift\.com cannot be reached \(.*\); following demo channels instead\nSyncing /,
    );
    expect(await getJson(`${url}/v1/sync`)).toMatchObject({ upstream: { kind: 'demo' } });
    run.signalGroup('SIGINT');
    expect(await run.ended).toEqual({ code: 130, signal: null });
  });

  it('keeps to live data that is stored', async () => {
    const data = fixture.dataFolder();
    const stub = await startStub(() => chainGraph(series('4.21', 3)));
    expect(await start(data, ['--once', '--upstream', stub.url]).ended).toMatchObject({ code: 0 });
    const run = start(data, []);
    const url = await readyUrl(run);
    const versions = (await getJson(`${url}/v2/openshift-versions`)) as object;
    expect(Object.keys(versions).toSorted()).toEqual(series('4.21', 3));
    expect(await getJson(`${url}/v1/sync`)).toMatchObject({ upstream: { kind: 'live' } });
    expect(readdirSync(data)).not.toContain('demo');
  });
});
