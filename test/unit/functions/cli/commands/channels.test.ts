import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { type ServedCairn, serveCairn } from '../../../../helpers/lambda/served-cairn.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    'stable-4.14': ['4.14.8 > 4.14.30'],
    'eus-4.14': ['4.14.8 > 4.14.30', '4.14.8 > 4.14.20 A'],
    'stable-4.15': ['4.14.30 > 4.15.20'],
  },
  arm64: { 'stable-4.14': ['4.14.8 > 4.14.30'] },
};
const TOKEN = 'a-token-that-is-long-enough-for-this-one';

let cairn: ServedCairn;
let saved: Uint8Array;
beforeAll(async () => {
  cairn = await serveCairn({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM), token: TOKEN });
  const { written } = await runCli(['channels', '--save', 'all.gz', ...remote()], { fetch });
  saved = written['all.gz']!;
});
afterAll(() => cairn.close());

const remote = () => ['--url', cairn.url, '--token', TOKEN];
const offline = (...argv: readonly string[]) =>
  runCli([...argv, '--graph', 'all.gz'], { files: { 'all.gz': saved }, clock: () => cairn.now });

describe('cairn channels', () => {
  it('lists the channels, the same from a Cairn and from what was saved of it', async () => {
    const here = await offline('channels');
    const there = await runCli(['channels', ...remote()], { fetch });
    expect(here.out).toBe(there.out);
    expect(here.out.split('\n').map((line) => line.split(/ {2,}/).filter((_, at) => at !== 3))).toEqual([
      ['Channel', 'Newest', 'Versions', 'Architectures'],
      ['stable-4.14', '4.14.30', '2', 'amd64, arm64'],
      ['eus-4.14', '4.14.30', '3', 'amd64'],
      ['stable-4.15', '4.15.20', '2', 'amd64'],
      [''],
    ]);
    expect((await offline('channels', '--minor', '4.15')).out).not.toContain('4.14');
  });

  it('prints the releases, age and risks of one channel', async () => {
    const { out } = await offline('channels', 'eus-4.14');
    expect(out).toMatch(/^eus-4\.14 on amd64\n/);
    expect(out).toContain('- 3 versions, 1 update, 1 with risks\n');
    expect(out).toMatch(/Risks\n-----\n\nRisk {2}Updates {2}Read\nA {5}1 {8}https:/);
    const json = await offline('channels', 'eus-4.14', '-o', 'json');
    const there = await runCli(['channels', 'eus-4.14', '-o', 'json', ...remote()], { fetch });
    expect(json.out).toBe(there.out);
  });

  it('saves what is named, and reads it back', async () => {
    const some = await runCli(['channels', 'stable-4.15', '--save', 'x.gz', ...remote()], { fetch });
    expect(some.out).toMatch(/^x\.gz: 1 graph, \d+ bytes\n$/);
    const { kind, graphs } = JSON.parse(gunzipSync(some.written['x.gz']!).toString()) as {
      kind: string;
      graphs: { channel: string; arch: string; syncedAt: string }[];
    };
    expect({ kind, graphs }).toMatchObject({
      kind: 'CairnGraphs',
      graphs: [{ channel: 'stable-4.15', arch: 'amd64', syncedAt: new Date(cairn.now).toISOString() }],
    });
  });

  it('saves what an update service gives', async () => {
    const { code, written } = await runCli(
      ['channels', 'stable-4.14', 'eus-4.14', '--save', 'x.gz', '--upstream', cairn.upstream],
      { fetch },
    );
    expect(code).toBe(0);
    const read = await runCli(['channels', '--graph', 'x.gz'], { files: { 'x.gz': written['x.gz']! } });
    expect(read.out).toContain('eus-4.14');
  });

  it('writes nothing when there is no such channel', async () => {
    const { code, err, written } = await runCli(['channels', 'fast-4.99', '--save', 'x.gz', ...remote()], {
      fetch,
    });
    expect({ code, written }).toEqual({ code: 64, written: {} });
    expect(err).toContain('there is no such channel, nothing was written');
  });

  it('reports what is wrong with a name or a token', async () => {
    // What is named stays a name, whatever is in it.
    const foreign = await runCli(['channels', '../../v1/clusters', ...remote()], { fetch });
    expect(foreign.err).toContain('is not followed');
    expect((await offline('channels', 'stable-4.41')).err).toMatch(
      /^cairn: --channel "stable-4\.41": is not followed, nearest: /,
    );
    const stranger = await runCli(['channels', '--url', cairn.url], { fetch });
    expect(stranger.code).toBe(64);
    expect(stranger.err).toContain(
      'give a token with --token, or AWS credentials that may call this service',
    );
    const bare = await runCli(['channels', '--upstream', cairn.upstream], { fetch });
    expect(bare).toMatchObject({
      code: 64,
      err: 'cairn: an update service is asked by channel: name them, such as stable-4.16\n',
    });
  });
});

describe('cairn versions', () => {
  it('lists what can be installed, the same from a Cairn and from what was saved of it', async () => {
    const here = await offline('versions');
    const there = await runCli(['versions', ...remote()], { fetch });
    expect(here.out).toBe(there.out);
    expect(here.out).toMatch(/^Version {2}Support {6}Architectures\n4\.15\.20 {2}/);
    expect((await offline('versions', '4.14', '--only-latest')).out).toMatch(
      /\n4\.14\.30 {2}end-of-life {2}x86_64, arm64\n$/,
    );
  });

  it('prints the channels, images and updates of one version', async () => {
    const { out } = await offline('versions', '4.14.8', '--channel', 'eus-4.14');
    expect(out).toMatch(/^4\.14\.8\n======\n/);
    expect(out).toMatch(/Updates from it\n-+\n\nVersion {2}Risks\n4\.14\.20 {2}A\n4\.14\.30 {2}none\n/);
  });

  it('exits with 64 for one that is nowhere, and names those near it', async () => {
    const { code, err } = await offline('versions', '4.14.9');
    expect(code).toBe(64);
    expect(err).toMatch(/^cairn: VERSION "4\.14\.9": is in no followed channel, nearest: 4\.14\.8/);
  });
});

describe('a Cairn that does not answer', () => {
  it('is asked three times, and then the command exits with 3', async () => {
    const { code, err, asked } = await runCli([
      'versions',
      '--url',
      'https://cairn.example.com',
      '--token',
      'x',
    ]);
    expect(code).toBe(3);
    expect(err).toBe('cairn: cairn.example.com does not answer: no network\n');
    expect(asked).toHaveLength(3);
  });

  it('or is another service is reported', async () => {
    const { code, err } = await runCli(['versions', '--url', 'https://cairn.example.com', '--token', 'x'], {
      fetch: async () => new Response('<html>'),
    });
    expect({ code, err }).toEqual({
      code: 3,
      err: 'cairn: whoever answers there is no Cairn: the answer is not JSON\n',
    });
  });

  it('or is busy is reported', async () => {
    const { code, err } = await runCli(['versions', '--url', 'https://cairn.example.com', '--token', 'x'], {
      fetch: async () => Response.json({ detail: 'the table is away' }, { status: 503 }),
    });
    expect({ code, err }).toEqual({ code: 3, err: 'cairn: the table is away\n' });
  });
});

describe('what a Cairn excludes', () => {
  const upstream: DrawnUpstream = { amd64: { 'stable-4.15': ['4.14.30 > 4.15.20', '4.14.30 > 4.15.25'] } };
  let source: ServedCairn;
  let file: Uint8Array;
  beforeAll(async () => {
    source = await serveCairn({
      releases: { ...drawnConfig(upstream), ignored_openshift_versions: ['4.15.25'] },
      source: drawnSource(upstream),
      token: TOKEN,
    });
    const there = ['--url', source.url, '--token', TOKEN];
    const { written } = await runCli(['channels', '--save', 'all.gz', ...there], { fetch });
    file = written['all.gz']!;
  });
  afterAll(() => source.close());
  const run = (...argv: readonly string[]) =>
    runCli([...argv, '--graph', 'all.gz'], { files: { 'all.gz': file }, clock: () => source.now });

  it('is excluded in the saved graphs too', async () => {
    const path = await run('paths', '4.14.30', '4.15');
    expect([path.code, path.out]).toEqual([0, expect.stringContaining('4.15.20')]);
    expect(path.out).not.toContain('4.15.25');
    const refused = await run('paths', '4.14.30', '4.15.25');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('TO "4.15.25": 4.15.25 is excluded by ignored_openshift_versions');
    expect((await run('versions', '4.15.25')).out).toMatch(/^4\.15\.25, excluded\n/);
    expect((await run('versions')).out).not.toContain('4.15.25');
  });
});
