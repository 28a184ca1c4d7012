import { describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { drawnSource, type DrawnUpstream } from '../../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    'stable-4.14': ['4.14.8 > 4.14.30'],
    'stable-4.16': ['4.14.8 > 4.14.30', '4.14.30 > 4.15.20', '4.14.8 > 4.15.20 A', '4.15.20 > 4.16.9'],
  },
  arm64: { 'stable-4.14': ['4.14.8 > 4.14.30'] },
};
const source = drawnSource(UPSTREAM);
const files = {
  'stable-4.14.json': JSON.stringify(source('stable-4.14', 'amd64')),
  'any.json': JSON.stringify(source('stable-4.16', 'amd64')),
  'stable-4.14.arm64.json': JSON.stringify(source('stable-4.14', 'arm64')),
};
const GRAPHS = ['--graph', 'stable-4.14.json', '--graph', 'stable-4.16=any.json,stable-4.14.arm64.json'];
const paths = (...argv: readonly string[]) => runCli(['paths', ...argv, ...GRAPHS], { files });

describe('cairn paths', () => {
  it('prints the path, the channels and what to mirror', async () => {
    const { code, out, err, asked } = await paths('4.14.8', '4.16');
    expect({ code, err, asked }).toEqual({ code: 0, err: '', asked: [] });
    expect(out).toMatch(
      [
        '4.14.8 to 4.16.9 on amd64: 3 hops',
        '=================================',
        '',
        'Hop  From     To       Channels     Risks',
        '1    4.14.8   4.14.30  stable-4.16  none',
        '2    4.14.30  4.15.20  stable-4.16  none',
        '3    4.15.20  4.16.9   stable-4.16  none',
        '',
      ].join('\n'),
    );
    expect(out).toMatch(
      /To mirror\n-+\n\nVersion {2}Image\n4\.14\.30 {2}quay\.io\/\S+@sha256:[0-9a-f]{64}\n/,
    );
    expect(out).toMatch(/\n\n- Platform content only: [^-]+\n- The plan of a cluster has them/);
  });

  it('takes the risks that are accepted, and names them', async () => {
    const { out } = await paths('4.14.8', '4.15.20', '--accept-risk', 'A', '--prefer', 'shortest');
    expect(out).toMatch(/^4\.14\.8 to 4\.15\.20 on amd64: 1 hop, 1 hop with risks\n/);
    expect(out).toMatch(/Risks\n-----\n\n- A: /);
  });

  it('exits with 2 without a path, and prints the reason and a path that exists', async () => {
    const { code, out } = await paths('4.14.30', '4.14.8');
    expect(code).toBe(2);
    expect(out).toMatch(/^No path from 4\.14\.30 to 4\.14\.8 on amd64\n/);
    const text = await paths('4.14.30', '4.14.8', '-o', 'imageset');
    expect(text).toMatchObject({ code: 2, out: '' });
  });

  it('prints JSON as it is, YAML, Markdown, images and the configuration for oc-mirror', async () => {
    const json = await paths('4.14.8', '4.14.30', '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      found: true,
      to: '4.14.30',
      graphSyncedAt: '2026-11-16T08:00:00.000Z',
    });
    expect((await paths('4.14.8', '4.14.30', '-o', 'yaml')).out).toMatch(/^from: 4\.14\.8\n/);
    expect((await paths('4.14.8', '4.14.30', '-o', 'markdown')).out).toMatch(/^# 4\.14\.8 to 4\.14\.30/);
    expect((await paths('4.14.8', '4.14.30', '-o', 'images')).out).toMatch(
      /^quay\.io\/\S+@sha256:[0-9a-f]{64}\n$/,
    );
    const one = await paths('4.14.8', '4.14.30', '-o', 'imageset');
    expect(one.out).toMatch(
      /^# File 1 of 1: .*\n# Platform content only: .*\n# .*\nkind: ImageSetConfiguration\n/,
    );
    expect(one.err).toBe('');
  });

  it('prints one of several files, and hints at the others', async () => {
    const first = await paths('4.14.8', '4.16', '-o', 'imageset');
    expect(first.out).toMatch(/^# File 1 of 3: release 4\.14\.30 from stable-4\.14\. /);
    expect(first.err).toBe(
      'This is file 1 of 3. Print another with --file, or write all with --dir FOLDER.\n',
    );
    const third = await paths('4.14.8', '4.16', '-o', 'imageset', '--file', '3');
    expect(third).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^# File 3 of 3: /) });
    expect(await paths('4.14.8', '4.16', '-o', 'imageset', '--file', '4')).toMatchObject({
      code: 64,
      out: '',
      err: 'cairn: --file "4": there are 3 files; use 1 to 3\n',
    });
  });

  it.each([
    [['--dir', 'x'], '--dir requires -o imageset'],
    [['--file', '2', '-o', 'json'], '--file requires -o imageset'],
    [['--force', '-o', 'imageset'], '--force requires --dir'],
    [['--dir', 'x', '--file', '1', '-o', 'imageset'], '--dir writes all files, and --file selects one'],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await paths('4.14.8', '4.16', ...argv);
    expect(code).toBe(64);
    expect(err).toContain(message);
  });

  it('searches the architecture that is asked for', async () => {
    expect((await paths('4.14.8', '4.14.30', '--arch', 'arm64')).out).toMatch(
      /^4\.14\.8 to 4\.14\.30 on arm64: 1 hop\n/,
    );
  });

  it.each([
    [['4.14.7'], 64, 'FROM "4.14.7": '],
    [[], 64, 'FROM is needed'],
    [['4.14.8', '4.16', 'more'], 64, 'unexpected argument "more"'],
    [['4.14.8', '--arch', 'sparc'], 64, '--arch "sparc" is not accepted'],
    [['4.14.8', '--alternatives', '9'], 64, '--alternatives "9": 0, 1, 2 or 3 is accepted'],
    [['not a version'], 64, 'FROM "not a version": '],
  ])('refuses %j', async (argv, expected, told) => {
    const { code, err, out } = await paths(...argv);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).toContain(`cairn: ${told}`);
  });

  it.each([
    [{ 'x.json': '{"nodes":[],"edges":[]}' }, 'x.json', 'nothing tells the channel of this graph'],
    [{ 'stable-4.14.json': 'no JSON' }, 'stable-4.14.json', 'stable-4.14.json: '],
    [{ 'stable-4.14.json': '{"nodes":7}' }, 'stable-4.14.json', 'is not a graph of an update service'],
    [{}, 'stable-4.14.json', "can't be read: there is no such file"],
    [
      { x: '{"kind":"CairnGraphs","graphs":[{"channel":"x"}]}' },
      'x',
      'is not as "cairn channels --save" writes it',
    ],
    [{ x: '{"kind":"CairnGraphs","graphs":[null]}' }, 'x', 'is not as "cairn channels --save" writes it'],
    [{ x: '{"kind":"CairnGraphs"}' }, 'x', 'nothing tells the channel of this graph'],
  ])('refuses the file of %j', async (given, name, told) => {
    const { code, err } = await runCli(['paths', '4.14.8', '--graph', name], { files: given });
    expect(code).toBe(64);
    expect(err).toContain(told);
  });
});

describe('cairn paths with an update service', () => {
  const answers = (status: number, body: string) =>
    (async () =>
      new Response(body, { status, headers: { 'content-type': 'application/json' } })) as typeof fetch;

  it('asks for the channels between the two versions', async () => {
    const { code, asked } = await runCli(
      ['paths', '4.14.8', '4.16', '--upstream', 'https://updates.example/graph'],
      {
        fetch: async (input) => {
          const { searchParams } = input;
          const graph = source(searchParams.get('channel')!, searchParams.get('arch')!) ?? {
            nodes: [],
            edges: [],
          };
          return Response.json(graph);
        },
      },
    );
    expect(code).toBe(0);
    expect(asked.map((url) => new URL(url).searchParams.get('channel')!).toSorted()).toEqual([
      'eus-4.14',
      'eus-4.16',
      'fast-4.14',
      'fast-4.15',
      'fast-4.16',
      'stable-4.14',
      'stable-4.15',
      'stable-4.16',
    ]);
  });

  it('refuses what is no channel', async () => {
    const argv = ['paths', '4.14.8', '--channel', 'x', '--upstream', 'https://updates.example/graph'];
    expect(await runCli(argv)).toMatchObject({
      code: 64,
      err: 'cairn: "x" is not a channel such as stable-4.16\n',
    });
  });

  it.each([
    ['is not there', undefined, 'no network'],
    ['refuses', answers(403, ''), 'status 403, accepted is 200'],
    ['answers with something else', answers(200, '<html>'), 'is not JSON'],
  ])('exits with 3 when it %s', async (_what, service, told) => {
    const { code, err } = await runCli(
      ['paths', '4.14.8', '--channel', 'stable-4.14', '--upstream', 'https://updates.example/graph'],
      service ? { fetch: service } : {},
    );
    expect(code).toBe(3);
    expect(err).toContain('updates.example gives no graph of stable-4.14 on amd64: ');
    expect(err).toContain(told);
  });
});
