import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  COUNT_QUERIES,
  REPORT_QUERIES,
  queryPath,
  IMAGE_QUERIES,
  IN_USE_QUERIES,
} from '../../../../../functions/cli/cluster/queries.ts';
import { type CliOptions, runCli } from '../../../../helpers/cli/cli.ts';
import { type Kube, type KubeOptions, startKube, status } from '../../../../helpers/cli/kube.ts';
import { clusterOperator, clusterVersion, type Json, node } from '../../../../helpers/cluster/objects.ts';
import { type ServedCairn, serveCairn } from '../../../../helpers/lambda/served-cairn.ts';
import {
  build,
  byDigest,
  byTag,
  digest,
  image,
  pod,
  stream,
  workload,
} from '../../../../helpers/prune/cluster-scenario.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };

let cairn: ServedCairn;
beforeAll(async () => {
  cairn = await serveCairn({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => cairn.close());

let kube: Kube | undefined;
afterEach(async () => {
  await kube?.close();
  kube = undefined;
});

const named = (name: string, object: Json): Json => ({
  ...object,
  metadata: { ...(object['metadata'] as Json), name },
});
const secret = {
  containers: [{ name: 'c', image: byDigest('foo/bar', 'D1'), env: [{ name: 'A', value: 'hunter2' }] }],
};
const CLUSTER: readonly Json[] = [
  clusterVersion,
  clusterOperator('kube-apiserver'),
  node('w0'),
  named('web-1', pod('Running', byTag('foo/bar', 'v1'))),
  named('web-2', pod('Running', byTag('foo/bar', 'v1'))),
  named('web-3', pod('Running', 'x', { spec: secret })),
  workload('Deployment', byTag('foo/bar', 'v1')),
  workload('CronJob', byDigest('foo/baz', 'D2')),
  build('BuildConfig', { output: { to: { kind: 'ImageStreamTag', name: 'app:latest' } } }),
  stream('foo/bar', { v1: ['D0', 'D1'] }),
  image('D0'),
];

const at = (name: string) => `${cairn.url}/v1/image-pruners/${name}`;
async function putPruner(name: string, spec: Json = {}): Promise<void> {
  const answer = await fetch(at(name), {
    method: 'PUT',
    body: JSON.stringify({ spec }),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(201);
}
async function inUseOf(name: string): Promise<Json> {
  const { status: told } = (await (await fetch(at(name))).json()) as { status: { inUse: Json } };
  return told.inUse;
}

interface Sent {
  readonly query: URLSearchParams;
  /** Null where there was none. */
  readonly body: string | null;
}

/** Runs the command, and tells what it sent to a pruner. */
async function runReport(argv: readonly string[], options: CliOptions) {
  const sent: Sent[] = [];
  const run = await runCli(['report', '--url', cairn.url, ...argv], {
    clock: () => cairn.now,
    fetch: (url, init) => {
      if (init.method === 'PUT' && url.pathname.endsWith('/in-use')) {
        const body = init.body ? gunzipSync(init.body as Uint8Array).toString() : null;
        sent.push({ query: url.searchParams, body });
      }
      return fetch(url, init);
    },
    ...options,
  });
  return { ...run, sent };
}

async function report(pruner: string, cluster: Partial<KubeOptions> = {}, options: CliOptions = {}) {
  await kube?.close();
  kube = await startKube({ objects: CLUSTER, ...cluster });
  const argv = ['--in-cluster', '--cluster', 'prod', '--in-use', pruner];
  return runReport(argv, { ...kube.pod, ...options });
}

const WHOLE = '2 digests and 2 tags in use';

describe('cairn report --in-use', () => {
  it('sends a pruner the images in use, and again only after a change', async () => {
    await putPruner('first');
    const first = await report('first');
    expect([first.code, first.err]).toEqual([0, expect.not.stringContaining('pods')]);
    expect(first.out).toMatch(new RegExp('^prod: .* sent, nothing unchanged\nfirst: ' + WHOLE + ', sent\n$'));
    const known = await inUseOf('first');
    expect(known).toMatchObject({ complete: true, missing: [], source: 'prod', imageStreams: 1, tags: 2 });

    // Other pods by now, with the same images.
    const others = CLUSTER.map((object) => (object['kind'] === 'Pod' ? named('new', object) : object));
    const later = cairn.now + 60_000;
    const second = await report('first', { objects: others }, { clock: () => later });
    expect(second.out).toContain(`first: ${WHOLE}, unchanged\n`);
    expect(second.sent).toEqual([{ query: expect.anything() as unknown, body: null }]);
    expect(second.sent[0]!.query.get('unchanged')).toBe(known['digest']);
    expect(await inUseOf('first')).toEqual({ ...known, collectedAt: new Date(later).toISOString() });

    const more = [...CLUSTER, workload('Job', byDigest('foo/new', 'D9'))];
    const third = await report('first', { objects: more }, { clock: () => later });
    expect(third.out).toContain('first: 3 digests and 2 tags in use, sent\n');
    expect(await inUseOf('first')).toMatchObject({ digests: 3, complete: true });
  });

  it('sends names of images and who uses each first, and nothing else', async () => {
    await putPruner('small');
    const { sent } = await report('small');
    const [{ body }] = sent as [Sent & { body: string }];
    expect(body).not.toContain('hunter2');
    const documents = JSON.parse(body) as { kind: string; items: Json[] }[];
    const pods = documents.find(({ kind }) => kind === 'PodList')!;
    expect(pods.items).toEqual([
      {
        metadata: { namespace: 'shop', name: 'web-1' },
        spec: { containers: [{ name: 'c0', image: byTag('foo/bar', 'v1') }] },
        status: {},
      },
      {
        metadata: { namespace: 'shop', name: 'web-3' },
        spec: { containers: [{ name: 'c', image: byDigest('foo/bar', 'D1') }] },
        status: {},
      },
    ]);
    // What it says was said by a pod.
    expect(documents.find(({ kind }) => kind === 'DeploymentList')!.items).toEqual([]);
  });

  it('reads what uses images, and Images only for a registry that is not Managed', async () => {
    const pathsRead = () => new Set(kube!.paths.map((path) => path.split('?')[0]));
    await putPruner('managed');
    await report('managed');
    const lists = new Set([...REPORT_QUERIES, ...IN_USE_QUERIES].map(queryPath));
    const managed = [...lists, ...COUNT_QUERIES.map(queryPath)];
    expect(pathsRead()).toEqual(new Set(managed));
    expect(kube!.paths).toHaveLength(managed.length);
    await putPruner('removed', { managementState: 'Removed' });
    const { sent } = await report('removed');
    expect(pathsRead()).toEqual(new Set([...managed, ...IMAGE_QUERIES.map(queryPath)]));
    expect(sent[0]!.body).toContain(digest('D0'));
    expect((await report('removed')).out).toContain('removed: 2 digests and 2 tags in use, unchanged\n');
    // That Images are hidden changes nothing for a registry that is Managed.
    const other = await report('managed', { forbidden: ['Image'] });
    expect([other.code, other.err]).toEqual([0, expect.not.stringContaining('images')]);
  });

  it.each([
    ['Deployment', 'Deployment'],
    ['Build', 'Build'],
    ['Pod', 'Pod'],
    ['ImageStream', 'imagestreams.image.openshift.io'],
  ])('never claims to be complete without %s', async (kind, missing) => {
    const name = `without-${kind.toLowerCase()}`;
    await putPruner(name);
    const { code, out, err } = await report(name, { forbidden: [kind] });
    expect(code).toBe(3);
    expect(err).toMatch(/may not list it: .* \(403\); goes on without it\n/);
    expect(out).toMatch(
      new RegExp('in use, sent; not complete without ' + missing + ', so it deletes nothing\n$'),
    );
    expect(await inUseOf(name)).toMatchObject({ complete: false, missing: [missing] });
    const again = await report(name, { forbidden: [kind] });
    expect([again.code, again.out]).toEqual([3, expect.stringContaining('unchanged; not complete')]);
    expect((await report(name)).code).toBe(0);
    expect(await inUseOf(name)).toMatchObject({ complete: true, missing: [] });
  });

  it('counts what fails, and a cluster without pods, as not seen', async () => {
    await putPruner('failing');
    const failing = await report('failing', {
      instead: ({ path }) => (path.endsWith('/jobs') ? status(500, 'no') : null),
    });
    expect([failing.code, await inUseOf('failing')]).toMatchObject([
      3,
      { complete: false, missing: ['Job'] },
    ]);
    const empty = await report('failing', { objects: CLUSTER.filter(({ kind }) => kind !== 'Pod') });
    expect([empty.code, await inUseOf('failing')]).toMatchObject([3, { complete: false, missing: ['Pod'] }]);
    const nothing = await report('failing', { forbidden: IN_USE_QUERIES.map(({ kind }) => kind) });
    expect([nothing.code, await inUseOf('failing')]).toMatchObject([3, { complete: false, digests: 0 }]);
  });

  it('is complete without kinds that the cluster does not have', async () => {
    await putPruner('plain');
    const absent = ['Build', 'BuildConfig', 'DeploymentConfig', 'ImageStream'];
    const { code } = await report('plain', { absent });
    expect(code).toBe(0);
    expect(await inUseOf('plain')).toMatchObject({ complete: true, imageStreams: 0 });
    // Every cluster has Jobs: what does not know them is none.
    const other = await report('plain', { absent: [...absent, 'Job'] });
    expect([other.code, await inUseOf('plain')]).toMatchObject([3, { complete: false, missing: ['Job'] }]);
  });

  it('does not take the place of what another cluster uses', async () => {
    await putPruner('shared');
    await report('shared');
    const before = await inUseOf('shared');
    kube = await startKube({ objects: CLUSTER });
    const { code, out, err } = await runReport(
      ['--in-cluster', '--cluster', 'prod-2', '--in-use', 'shared'],
      kube.pod,
    );
    expect(code).toBe(64);
    expect(out).toMatch(/^prod-2: clusterVersion, /);
    expect(err).toContain(
      'cairn: prod tells shared what is in use, and a report of prod-2 would take the place',
    );
    expect(await inUseOf('shared')).toEqual(before);
  });

  it('prints warnings of a pruner, and still reports the cluster and the other pruners', async () => {
    await putPruner('good');
    const invalid = [...CLUSTER, workload('StatefulSet', 'Not A Reference')];
    const { code, out, err, sent } = await report('nobody,good', { objects: invalid });
    expect(code).toBe(64);
    expect(out).toMatch(/^prod: .*\n$/);
    expect(err).toContain('cairn: there is no pruner nobody');
    expect(err).toContain('StatefulSet shop/statefulset, container c0: ');
    expect(sent).toHaveLength(1);
    expect(await inUseOf('good')).toBeNull();
    await putPruner('lenient', { ignoreInvalidImageReferences: true });
    expect((await report('lenient', { objects: invalid })).code).toBe(0);
    const { invalidReferences, complete } = await inUseOf('lenient');
    expect([invalidReferences, complete]).toEqual([1, true]);
  });

  it('sends to several pruners', async () => {
    await putPruner('one');
    await putPruner('two', { managementState: 'Unmanaged' });
    const { code, out } = await report('one,two');
    expect([code, out.split('\n').slice(1)]).toEqual([0, [`one: ${WHOLE}, sent`, `two: ${WHOLE}, sent`, '']]);
    expect((await inUseOf('one'))['digest']).not.toBe((await inUseOf('two'))['digest']);
  });

  it('sends all of it when the pruner has heard something else meanwhile', async () => {
    await putPruner('busy');
    await report('busy');
    let isFirst = true;
    const { out, sent } = await report(
      'busy',
      {},
      {
        fetch: async (url, init) => {
          if (url.searchParams.has('unchanged') && isFirst) {
            isFirst = false;
            await fetch(`${at('busy')}/in-use`, { method: 'PUT', body: '{"kind":"PodList","items":[]}' });
          }
          return fetch(url, init);
        },
      },
    );
    expect(out).toContain(`busy: ${WHOLE}, sent\n`);
    expect(sent).toEqual([]);
    expect(await inUseOf('busy')).toMatchObject({ complete: true, source: 'prod' });
  });

  it('has the same result through oc and from files', async () => {
    await putPruner('ways');
    await report('ways');
    const known = await inUseOf('ways');
    const printed = (kind: string) => CLUSTER.filter((object) => object['kind'] === kind);
    const text = (value: unknown) => Buffer.from(JSON.stringify(value));
    const byOc = await runReport(['--oc', '--cluster', 'prod', '--in-use', 'ways'], {
      oc: ([, resource = '']) => {
        const query = [...REPORT_QUERIES, ...IN_USE_QUERIES].find(
          ({ resource: own, group }) => resource.split('/')[0] === (group === '' ? own : `${own}.${group}`),
        )!;
        if (resource === '--raw') return { exitCode: 1, stderr: 'Forbidden' };
        const items = printed(query.kind);
        if (query.name === undefined) return { stdout: text({ kind: 'List', apiVersion: 'v1', items }) };
        return items[0] ? { stdout: text(items[0]) } : { exitCode: 1, stderr: 'NotFound' };
      },
    });
    expect(byOc.out).toContain('ways: 2 digests and 2 tags in use, unchanged\n');
    const empty = IN_USE_QUERIES.map(({ kind }) => JSON.stringify({ kind: `${kind}List`, items: [] })).join(
      '',
    );
    const dump = JSON.stringify(CLUSTER.filter(({ kind }) => kind !== 'Image')) + empty;
    const fromFile = await runReport(['dump.json', '--cluster', 'prod', '--in-use', 'ways'], {
      files: { 'dump.json': dump },
    });
    expect(fromFile.out).toContain('ways: 2 digests and 2 tags in use, unchanged\n');
    expect(await inUseOf('ways')).toEqual(known);
  });

  it('takes a kind whose server does not answer for one that was not seen, though oc calls it unknown', async () => {
    await putPruner('discovery');
    const { code } = await runReport(['--oc', '--cluster', 'prod', '--in-use', 'discovery'], {
      oc: ([, resource = '']) => {
        if (resource.startsWith('buildconfigs')) {
          return { exitCode: 1, stderr: 'error: the server doesn\'t have a resource type "buildconfigs"\n' };
        }
        if (resource.startsWith('builds')) {
          const why = "couldn't get resource list for build.openshift.io/v1: the server is currently unable";
          return {
            exitCode: 1,
            stderr: `E1 ${why}\nerror: the server doesn't have a resource type "builds"\n`,
          };
        }
        const items = CLUSTER.filter(({ kind }) => resource.startsWith(`${String(kind).toLowerCase()}s`));
        const list = { kind: 'List', apiVersion: 'v1', items };
        return { stdout: Buffer.from(JSON.stringify(resource.includes('/version') ? clusterVersion : list)) };
      },
    });
    expect([code, await inUseOf('discovery')]).toMatchObject([3, { missing: ['Build'] }]);
  });

  it('prints everything and sends nothing', async () => {
    kube = await startKube({ objects: CLUSTER });
    const { code, out, asked } = await runCli(
      ['report', '--in-cluster', '--cluster', 'prod', '--in-use', 'a,b', '--dry-run'],
      kube.pod,
    );
    expect([code, asked]).toEqual([0, []]);
    const kinds = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Json)['kind']);
    expect(kinds.filter((kind) => kind === 'DeploymentList')).toHaveLength(1);
    expect(kinds).toContain('NodeList');
  });
});
