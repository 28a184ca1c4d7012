import { randomBytes } from 'node:crypto';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { demoGraph } from '../../../../../infra/local/demo/graph.ts';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { aHostedCluster, aNodePool, hostedDocuments } from '../../../../helpers/cluster/hosted.ts';
import { clusterVersion, type Json, listOf, subscription } from '../../../../helpers/cluster/objects.ts';
import { seededCluster } from '../../../../helpers/cluster/seeded-clusters.ts';
import { type ServedCairn, serveCairn } from '../../../../helpers/lambda/served-cairn.ts';
import { sized } from '../../../../helpers/size.ts';

const MINORS = ['4.16', '4.17', '4.18'];
const releases = {
  // No built-in date makes 4.18 end of life.
  support_dates: { '4.18': { ga: '2025-02-25', maintenance: '2025-08-25', eus: [] } },
  release_sources: MINORS.map((minor) => ({
    openshift_version: minor,
    upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'eus'] }],
  })),
};
const versions = demoGraph('stable-4.17', 'amd64')!.nodes.map(({ version }) => version);

let cairn: ServedCairn;
let graphs: Uint8Array;
beforeAll(async () => {
  cairn = await serveCairn({ releases, source: demoGraph });
  const saved = await runCli(['channels', '--save', 'graphs.json.gz', '--url', cairn.url], { fetch });
  graphs = saved.written['graphs.json.gz']!;
});
afterAll(() => cairn.close());

const offline = (argv: readonly string[], documents: string) =>
  runCli(['plan', ...argv, '--graph', 'graphs.json.gz'], {
    files: { 'graphs.json.gz': graphs },
    stdin: documents,
    clock: () => cairn.now,
  });

/** Of flags that are called otherwise in a request. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '--to': 'target',
  '--window': 'windows',
  '--time-zone': 'time_zone',
};

/** The first twenty meet more than one end, and every way to fit in a window. */
const SEEDS = sized(20, 50);

describe('cairn plan', () => {
  it(`says offline what a Cairn says, to the byte, for ${SEEDS} seeded clusters`, async () => {
    const verdicts = new Set<string>();
    const fits = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { documents, flags } = seededCluster(seed, versions);
      const here = await offline([...flags, '-o', 'json'], documents);
      const there = await runCli(['plan', ...flags, '-o', 'json', '--url', cairn.url], {
        stdin: documents,
        fetch,
        clock: () => cairn.now,
      });
      const query = new URLSearchParams();
      for (let at = 0; at < flags.length; at++) {
        const name = PARAMETERS[flags[at]!] ?? flags[at]!.slice(2);
        query.append(name, name === 'strict' ? 'true' : flags[++at]!);
      }
      const answer = await fetch(`${cairn.url}/v1/upgrade-plans?${query.toString()}`, {
        method: 'POST',
        body: documents,
        headers: { 'content-type': 'application/json' },
      });
      const text = await answer.text();
      expect(here.out, `seed ${seed}`).toBe(text);
      expect(there.out, `seed ${seed}`).toBe(text);
      expect(here.asked).toEqual([]);
      const { verdict, windows } = JSON.parse(text) as UpgradePlan;
      verdicts.add(verdict);
      for (const { fit } of windows?.hops ?? []) fits.add(fit);
      const code = { ready: 0, 'ready-with-warnings': 0, 'action-required': 1, blocked: 2, unknown: 3 }[
        verdict
      ];
      expect([here.code, there.code], `seed ${seed}`).toEqual([code, code]);
    }
    // The dice meet more than one end.
    expect(verdicts.size).toBeGreaterThanOrEqual(3);
    expect([...fits]).toEqual(expect.arrayContaining(['whole', 'too-long', 'waiting']));
  });

  it('counts the support dates of the Cairn that the graphs were saved from', async () => {
    const { documents } = seededCluster(
      2,
      versions.filter((version) => version.startsWith('4.16.')).slice(0, 1),
    );
    const { out } = await offline(['--target', '4.18', '-o', 'json'], documents);
    expect(out).toContain('4.18 is end of life since 2025-08-25');
  });

  it('prints text, coloured only in a terminal', async () => {
    const { documents } = seededCluster(1, versions);
    const plain = await offline([], documents);
    // oxlint-disable-next-line no-control-regex
    expect(plain.out).not.toMatch(/\u001b/);
    expect(plain.out).toMatch(/^\w.*\n=+\n\nNext: /);
    const seen = await runCli(['plan', '--graph', 'g.gz', '-'], {
      files: { 'g.gz': graphs },
      stdin: documents,
      clock: () => cairn.now,
      isTerminal: true,
    });
    // oxlint-disable-next-line no-control-regex
    expect(seen.out.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.out);
    expect(seen.out).toContain('\u001b[1m');
  });

  it('takes the target by either flag', async () => {
    const { documents } = seededCluster(2, versions);
    const [to, target, both] = await Promise.all(
      [
        ['--to', '4.18'],
        ['--target', '4.18'],
        ['--to', '4.18', '--target', '4.18'],
      ].map((flags) => offline([...flags, '-o', 'json'], documents)),
    );
    expect(to!.out).toContain('"target":"4.18.');
    expect([target!.out, both!.out]).toEqual([to!.out, to!.out]);
    expect(await offline(['--to', '4.18', '--target', '4.17'], documents)).toMatchObject({
      code: 64,
      err: expect.stringContaining(
        '--to is the same flag as --target, but their values differ; give one of them',
      ) as string,
    });
  });

  it('prints YAML, Markdown and the configuration for oc-mirror', async () => {
    const { documents } = seededCluster(2, versions);
    const to = ['--to', '4.18', '--risk', 'all'];
    expect((await offline([...to, '-o', 'yaml'], documents)).out).toMatch(
      /^basis: reported\ncluster:\n {2}id: cluster-2\n/,
    );
    expect((await offline([...to, '-o', 'markdown'], documents)).out).toMatch(/^# /);
    expect((await offline([...to, '-o', 'imageset'], documents)).out).toMatch(
      /^kind: ImageSetConfiguration\n/m,
    );
  });

  it('says which hop fits in which window, the same in every form', async () => {
    const { documents } = seededCluster(2, versions);
    const flags = [
      '--to',
      '4.18',
      '--risk',
      'all',
      '--window',
      'Sat 22:00-04:00',
      '--window',
      'Sun 06:00-12:00',
    ];
    const asked = [...flags, '--time-zone', 'Europe/Berlin'];
    const { windows } = JSON.parse((await offline([...asked, '-o', 'json'], documents)).out) as UpgradePlan;
    expect(windows).toMatchObject({
      timeZone: 'Europe/Berlin',
      weekly: [
        { day: 'Sat', start: '22:00', end: '04:00' },
        { day: 'Sun', start: '06:00', end: '12:00' },
      ],
    });
    const text = (await offline(asked, documents)).out.replaceAll(/\s+/g, ' ');
    const markdown = (await offline([...asked, '-o', 'markdown'], documents)).out;
    expect(windows!.hops.length).toBeGreaterThan(1);
    for (const told of [windows!.summary, ...windows!.hops.map((hop) => hop.text)]) {
      expect(text).toContain(told);
      expect(markdown).toContain(told);
    }
  });

  it('puts the operators of the cluster into the configuration, as a Cairn does', async () => {
    const [version] = seededCluster(2, versions).documents.split(/\n(?=\{)/);
    const printed = (...objects: readonly Json[]) =>
      [version, ...objects.map((object) => JSON.stringify(object))].join('\n');
    const asked = ['--to', '4.18', '--risk', 'all'];
    const documents = printed(subscription('logging', { channel: '5.10' }));
    const json = JSON.parse((await offline([...asked, '-o', 'json'], documents)).out) as {
      imageSets: { text: string }[];
    };
    const argv = [...asked, '-o', 'imageset', '--file', String(json.imageSets.length)];
    const { out } = await offline(argv, documents);
    expect(out).toBe(json.imageSets.at(-1)!.text);
    const { operators } = (parse(out) as { mirror: { operators: { catalog: string; packages: unknown }[] } })
      .mirror;
    expect(operators.at(-1)).toEqual({
      catalog: 'registry.redhat.io/redhat/redhat-operator-index:v4.18',
      packages: [{ name: 'logging', defaultChannel: '5.10', channels: [{ name: '5.10' }] }],
    });
    const there = await runCli(['plan', ...argv, '--url', cairn.url], { stdin: documents, fetch });
    expect(there.out).toBe(out);
    expect((await offline([...asked, '-o', 'imageset'], printed())).out).toMatch(
      /^# Platform content only: /m,
    );
    const called = await runCli(['plan', '--oc', ...argv, '--graph', 'graphs.json.gz'], {
      files: { 'graphs.json.gz': graphs },
      clock: () => cairn.now,
      oc: ([, resource]) => {
        const isIt = resource === 'subscriptions.operators.coreos.com';
        const object = isIt ? JSON.stringify(subscription('logging', { channel: '5.10' })) : '';
        return {
          stdout: Buffer.from(resource === 'clusterversions.config.openshift.io/version' ? version! : object),
        };
      },
    });
    expect(called.out).toBe(out);
    expect(called.ran).toContain('oc get subscriptions.operators.coreos.com -A -o json');
  });

  it('reads several files, and what oc prints', async () => {
    const { documents } = seededCluster(3, versions);
    const parts = documents.split(/\n(?=\{)/);
    const files = { 'graphs.json.gz': graphs, 'one.json': parts[0]!, 'rest.json': parts.slice(1).join('\n') };
    const options = { files, clock: () => cairn.now };
    const expected = await offline(['-o', 'json'], documents);
    const named = await runCli(
      ['plan', 'one.json', 'rest.json', '-o', 'json', '--graph', 'graphs.json.gz'],
      options,
    );
    expect(named.out).toBe(expected.out);
    const called = await runCli(
      ['plan', '--oc', '--context', 'prod', '-o', 'json', '--graph', 'graphs.json.gz'],
      {
        ...options,
        oc: ([, resource]) =>
          resource === 'pods'
            ? { exitCode: 1, stderr: 'Error from server (Forbidden): pods is forbidden\n' }
            : {
                stdout: Buffer.from(
                  resource === 'clusterversions.config.openshift.io/version' ? documents : '',
                ),
              },
      },
    );
    const { input: _input, ...told } = JSON.parse(called.out) as Record<string, unknown>;
    expect({ ...told, input: (JSON.parse(expected.out) as Record<string, unknown>)['input'] }).toEqual(
      JSON.parse(expected.out),
    );
    expect(called.ran[0]).toBe('oc get clusterversions.config.openshift.io/version -o json --context=prod');
    expect(called.err).toContain(
      'oc get pods: Error from server (Forbidden): pods is forbidden; goes on without it',
    );
  });

  it('names a kind that it may not read among the missing, although another gives the same fact', async () => {
    const { documents } = seededCluster(3, versions);
    const version = documents.split(/\n(?=\{)/).find((each) => each.includes('"ClusterVersion"'));
    const { out, err } = await runCli(['plan', '--oc', '-o', 'json', '--graph', 'graphs.json.gz'], {
      files: { 'graphs.json.gz': graphs },
      clock: () => cairn.now,
      oc: ([, resource]) => {
        if (resource === 'machinehealthchecks.machine.openshift.io')
          return { exitCode: 1, stderr: 'Error from server (Forbidden): it is forbidden\n' };
        const isVersion = resource === 'clusterversions.config.openshift.io/version';
        return { stdout: Buffer.from(isVersion ? version! : JSON.stringify(listOf())) };
      },
    });
    expect(err).toContain('oc get machinehealthchecks.machine.openshift.io');
    const { input } = JSON.parse(out) as { input: { missing: { kind: string }[] } };
    expect(input.missing.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['MachineHealthCheck', 'NodeHealthCheck']),
    );
  });

  it('reads only what is about a hosted cluster from its management cluster', async () => {
    const version = versions[0]!;
    const documents = hostedDocuments(
      [aHostedCluster({}, version), aHostedCluster({ name: 'other' }, version)],
      [aNodePool('workers', version)],
    ).map((document) => JSON.stringify(document));
    const [clusters, pools] = documents;
    const argv = ['--hosted', 'clusters/guest', '-o', 'json', '--to', 'latest'];
    const expected = await offline(argv, documents.join('\n'));
    const called = await runCli(['plan', '--oc', ...argv, '--graph', 'graphs.json.gz'], {
      files: { 'graphs.json.gz': graphs },
      clock: () => cairn.now,
      oc: ([, resource]) =>
        resource === 'configmaps/supported-versions'
          ? { exitCode: 1, stderr: 'Error from server (NotFound): namespaces "hypershift" not found\n' }
          : { stdout: Buffer.from(resource!.startsWith('hostedclusters') ? clusters! : pools!) },
    });
    const planOf = (out: string) => ({ ...(JSON.parse(out) as Record<string, unknown>), input: null });
    expect(planOf(called.out)).toEqual(planOf(expected.out));
    expect(planOf(called.out)).toMatchObject({ cluster: { hosted: 'clusters/guest' }, current: version });
    expect(called.ran).toEqual([
      'oc get hostedclusters.hypershift.openshift.io -A -o json',
      'oc get nodepools.hypershift.openshift.io -A -o json',
      'oc get configmaps/supported-versions -n hypershift -o json',
    ]);
    expect(called.err).toBe('');
  });

  it('asks an update service for the channels of the way', async () => {
    const { documents } = seededCluster(4, versions);
    const { out, asked } = await runCli(
      ['plan', '--to', '4.18', '--upstream', cairn.upstream, '-o', 'json'],
      { stdin: documents, fetch, clock: () => cairn.now },
    );
    expect(JSON.parse(out)).toHaveProperty('verdict');
    const channels = asked.map((url) => new URL(url).searchParams.get('channel'));
    expect(channels).toContain('eus-4.18');
    const onArm = documents.replaceAll('"amd64"', '"arm64"');
    const arm = await runCli(['plan', '--upstream', cairn.upstream], { stdin: onArm, fetch });
    expect(new Set(arm.asked.map((url) => new URL(url).searchParams.get('arch')))).toEqual(
      new Set(['arm64']),
    );
  });

  it('asks an update service for the channels of the default target, by the support terms', async () => {
    const stdin = JSON.stringify({
      ...clusterVersion,
      spec: { channel: 'stable-4.16', clusterID: 'b3d0' },
      status: { desired: { version: '4.16.3', image: '' }, history: [] },
    });
    const asked = async (...flags: string[]) => {
      const run = await runCli(['plan', '--upstream', cairn.upstream, '-o', 'json', ...flags], {
        stdin,
        fetch,
        clock: () => Date.parse('2026-11-17T00:00:00Z'),
      });
      return run.asked.map((url) => new URL(url).searchParams.get('channel'));
    };
    expect(await asked()).toEqual(
      expect.arrayContaining(['stable-4.16', 'eus-4.16', 'stable-4.17', 'stable-4.18', 'eus-4.18']),
    );
    expect(await asked()).not.toContain('stable-4.19');
    // Without terms 4.18 has ended.
    expect(await asked('--eus-terms', '0')).toContain('eus-4.20');
  });

  it('sends what is too large for a request by an upload', async () => {
    const { documents } = seededCluster(5, versions);
    // More than 4 MiB also when it is compressed.
    const noise = Array.from({ length: 6 }, (_, at) => ({
      kind: 'Secret',
      metadata: { name: `s${at}` },
      data: { x: randomBytes(1024 * 1024).toString('base64') },
    }));
    const large = `${documents}\n${noise.map((object) => JSON.stringify(object)).join('\n')}`;
    const here = await offline(['-o', 'json'], large);
    const there = await runCli(['plan', '-o', 'json', '--url', cairn.url], {
      stdin: large,
      fetch,
      clock: () => cairn.now,
    });
    expect(there.out).toBe(here.out);
    expect(there.asked[0]).toBe(`${cairn.url}/v1/uploads`);
  });
});

describe('what cairn plan refuses', () => {
  it.each([
    [
      'no documents',
      ['plan', '--graph', 'g'],
      { files: { g: '{"nodes":[],"edges":[]}' } },
      'no documents: name files',
    ],
    [
      'a file that is not there',
      ['plan', 'no.json', '--url', 'https://x.example'],
      {},
      "no.json can't be read: there is no such file",
    ],
    [
      'two kinds of documents',
      ['plan', 'a.json', '--oc', '--url', 'https://x.example'],
      {},
      'files and --oc are both given',
    ],
    ['no source of release data', ['plan'], { stdin: '{}' }, 'nothing tells where release data comes from'],
    [
      'an address in the clear',
      ['plan', '--url', 'http://cairn.example.com'],
      { stdin: '{}' },
      'an https URL such as',
    ],
    ['no oc', ['plan', '--oc', '--url', 'https://x.example'], {}, 'there is no oc command here'],
  ])('%s', async (_what, argv, options, told) => {
    const { code, err, out } = await runCli(argv, options);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(told);
    expect(err).toMatch(/^(cairn: .+\n)+$/);
  });

  it.each([
    [
      ['--window', 'Sut 22:00-04:00'],
      '--window "Sut 22:00-04:00": "Sut" is no day, accepted are Mon to Sun; did you mean Sun?',
    ],
    [
      ['--window', 'Sat 22:00-04:00', '--time-zone', 'Berlin'],
      '--time-zone "Berlin": the time zone "Berlin" is not known; accepted are UTC and names such as Europe/Berlin',
    ],
    [
      ['--time-zone', 'Europe/Berlin'],
      '--time-zone "Europe/Berlin": is the time zone of windows, which are not given',
    ],
  ])('%j, with or without a Cairn', async (flags, told) => {
    const { documents } = seededCluster(1, versions);
    const here = await offline(flags, documents);
    const there = await runCli(['plan', ...flags, '--url', cairn.url], { stdin: documents, fetch });
    expect([here.code, here.out]).toEqual([64, '']);
    expect(here.err).toContain(`cairn: ${told}`);
    expect(there).toMatchObject({ code: here.code, out: here.out, err: here.err });
  });

  it('documents that are none, with their place', async () => {
    const { code, err } = await offline([], '{"kind":"Node","metadata":{}}');
    expect(code).toBe(64);
    expect(err).toContain('cairn: document 0 /metadata/name:');
  });
});
