import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import type { InUseReadOptions } from '@cairn/shared/prune/images/in-use/documents';
import { InUseReducer } from '@cairn/shared/prune/images/in-use/reduced';
import { describe, expect, it } from 'vitest';
import { inUseDigest } from '../../../../../../functions/pruners/in-use-digest.ts';
import type { Json } from '../../../../../helpers/cluster/objects.ts';
import {
  build,
  byDigest,
  byTag,
  digest,
  fromStrategy,
  image,
  minutesAgo,
  NOW,
  pod,
  reading,
  stream,
  STRATEGIES,
  workload,
} from '../../../../../helpers/prune/cluster-scenario.ts';
import { Random } from '../../../../../helpers/random.ts';

function reduce(objects: readonly Json[] | string, options: Partial<InUseReadOptions> = {}) {
  const text = typeof objects === 'string' ? objects : JSON.stringify({ kind: 'List', items: objects });
  return splitDocuments(
    new TextEncoder().encode(text),
    new InUseReducer({
      youngerThan: NOW - 60 * 60_000,
      collectedAt: NOW,
      asked: [],
      images: true,
      ...options,
    }),
  );
}

function reduced(objects: readonly Json[] | string, options: Partial<InUseReadOptions> = {}) {
  const reduction = reduce(objects, options);
  if (!reduction.ok) throw new Error(JSON.stringify(reduction.mistakes));
  return reduction;
}

const named = (name: string, object: Json): Json => ({
  ...object,
  metadata: { ...(object['metadata'] as Json), name },
});
const items = (documents: readonly Json[], kind: string) =>
  (documents.find((document) => document['kind'] === `${kind}List`)?.['items'] ?? null) as Json[] | null;

describe('a reduced in-use document', () => {
  it('is one object for each image, the shortest that names it', () => {
    const pods = Array.from({ length: 50 }, (_, at) =>
      named(`web-${at}`, pod('Running', byTag('foo/bar', 'v1'))),
    );
    const { documents } = reduced([...pods, workload('Deployment', byTag('foo/bar', 'v1'))]);
    expect(items(documents, 'Pod')).toEqual([
      {
        metadata: { namespace: 'shop', name: 'web-0' },
        spec: { containers: [{ name: 'c0', image: byTag('foo/bar', 'v1') }] },
        status: {},
      },
    ]);
    expect(items(documents, 'Deployment')).toEqual([]);
  });

  it('has only the digests of variables and arguments', () => {
    const container = {
      name: 'main',
      image: 'x',
      command: ['run', `--image=q.io/a/b@${digest('D1')}`],
      args: [`\nsha256:no ${digest('D2')}`],
      env: [
        { name: 'RELATED_IMAGE', value: `q.io/c/d@${digest('D3')}` },
        { name: 'PASSWORD', value: 'hunter2' },
        { name: 'FROM', valueFrom: { secretKeyRef: { name: 'secret' } } },
      ],
    };
    const volumes = [
      { name: 'keys', secret: { secretName: 'keys' } },
      { name: 'model', image: { reference: 'm:1' } },
    ];
    const { documents } = reduced([pod('Running', 'x', { spec: { containers: [container], volumes } })]);
    expect(items(documents, 'Pod')![0]!['spec']).toEqual({
      containers: [{ name: 'main', image: 'x', args: ['D1', 'D2', 'D3'].map(digest) }],
      volumes: [{}, { name: 'model', image: { reference: 'm:1' } }],
    });
    expect(JSON.stringify(documents)).not.toMatch(/hunter2|secret/);
  });

  it('distinguishes an empty kind from a missing one', () => {
    const typed = (kind: string) => JSON.stringify({ kind: `${kind}List`, items: [] });
    const { documents, reading: own } = reduced(typed('Pod') + typed('Deployment') + typed('ImageStream'));
    expect(documents.map(({ kind }) => kind)).toEqual(['PodList', 'DeploymentList', 'ImageStreamList']);
    expect(own.missing).toContain('Job');
    expect(own.missing).not.toContain('Deployment');
  });

  it('is not complete without what could not be read', () => {
    const all = reduced([pod('Running', 'x')], {
      asked: ['rc', 'rs', 'deploy', 'sts', 'ds', 'jobs', 'cj', 'builds', 'bc', 'dc'],
    });
    expect(all.reading.inUse.complete).toBe(true);
    const text = JSON.stringify(all.documents);
    expect(reduced(text).reading.inUse.complete).toBe(true);
    const unseen = reduced(text, { unseen: ['deployments.apps', 'imagestreams.image.openshift.io'] });
    expect(unseen.reading.missing).toEqual(['Deployment', 'imagestreams.image.openshift.io']);
    expect(unseen.reading.inUse.complete).toBe(false);
  });

  it('has pods that ended lately, for readers at any later time', () => {
    const young = pod('Succeeded', byTag('foo/bar', 'young'), { age: 5 });
    const { documents } = reduced([young, named('old', pod('Failed', byTag('foo/bar', 'old')))]);
    const later = reading(JSON.stringify(documents), { youngerThan: NOW + 9e9 });
    expect(later.inUse.usedTags).toEqual(new Set(['foo/bar:young']));
  });

  it('has references that cannot be read, as they are', () => {
    const long = `Not A Reference ${'x'.repeat(5000)}`;
    const { documents } = reduced([workload('Job', long)]);
    const { unread, unreadTotal } = reading(JSON.stringify(documents));
    expect([unreadTotal, unread[0]]).toMatchObject([1, { object: 'Job shop/job', place: 'container c0' }]);
    expect(JSON.stringify(documents)).toContain(long);
  });

  it('has the names and digests of other kinds', () => {
    const thing = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'a', name: 'b', labels: {} },
    };
    const { documents } = reduced([
      { ...thing, data: { text: `first\nsha256:${'a'.repeat(64)}\nlast` } },
      { ...thing, data: { text: 'nothing' } },
    ]);
    expect(documents).toEqual([
      { ...thing, metadata: { namespace: 'a', name: 'b' }, digests: [`sha256:${'a'.repeat(64)}`] },
    ]);
  });

  it('is empty for malformed documents', () => {
    expect(reduce([pod('Running', 'x', { spec: { containers: 7 } })])).toMatchObject({
      ok: false,
      mistakes: [{ pointer: '/items/0/spec/containers' }],
    });
    expect(reduce('{"kind":"Pod","metadata":{"name":"a"},"spec":{nope}}')).toMatchObject({ ok: false });
    expect(reduce([pod('Running', 'x', { spec: { containers: [null, 7], volumes: [7] } })])).toMatchObject({
      ok: false,
    });
  });
});

/** A cluster by the dice, in which images are few and used by many. */
function seeded(seed: number): Json[] {
  const random = new Random(seed);
  const name = () => `D${random.below(6)}`;
  const reference = () =>
    random.pick([
      byTag('foo/bar', `v${random.below(4)}`),
      byDigest('foo/bar', name()),
      byDigest('foo/baz', name(), 'mirror.example.com'),
      'shop/web',
      '',
      `q.io/x/y@${digest(name())}`,
      'Not A Reference',
    ]);
  const KINDS = [
    'ReplicaSet',
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'CronJob',
    'DeploymentConfig',
  ] as const;
  const make = (at: number): Json =>
    random.pick([
      () =>
        pod(random.pick(['Running', 'Pending', 'Succeeded']), reference(), { age: random.pick([5, 500]) }),
      () =>
        pod('Running', reference(), {
          spec: { initContainers: [{ name: 'i', image: reference(), args: [digest(name())] }] },
          status: {
            containerStatuses: [{ imageID: `q.io/x/y@${digest(name())}` }, { imageID: digest(name()) }],
          },
        }),
      () => workload(random.pick(KINDS), reference(), reference()),
      () =>
        build('Build', fromStrategy(random.pick(STRATEGIES), 'ImageStreamImage', `bar@${digest(name())}`)),
      () =>
        build('BuildConfig', {
          output: { to: { kind: 'ImageStreamTag', name: 'app:latest', namespace: 'other' } },
          source: { images: [{ from: { kind: 'DockerImage', name: reference() } }] },
          triggers: [
            { type: 'ConfigChange' },
            { imageChange: { from: { kind: 'ImageStreamTag', name: 'base:1' } } },
          ],
        }),
      () => ({
        ...workload('DeploymentConfig', reference()),
        spec: { triggers: [{ imageChangeParams: { from: { kind: 'ImageStreamTag', name: 'web:1' } } }] },
      }),
      () => stream(`foo/s${at}`, { latest: [name(), [name(), random.below(300)]] }, random.below(500)),
      () => image(name(), { age: random.below(300), children: ['D1'] }),
      () => ({
        kind: 'Thing',
        metadata: { name: `t${at}`, creationTimestamp: minutesAgo(5) },
        of: digest(name()),
      }),
    ])();
  return Array.from({ length: 1 + random.below(30) }, (_, at) => {
    const object = make(at);
    return object['kind'] === 'ImageStream' || object['kind'] === 'Image' ? object : named(`o${at}`, object);
  });
}

describe('a reader of a reduced document', () => {
  const sets = ({ inUse, images }: ReturnType<typeof reading>) => ({
    ...inUse,
    images: images && new Map(Array.from(images, ([key, { blobs: _blobs, ...rest }]) => [key, rest])),
  });

  it('has the same result, for two hundred clusters', () => {
    for (let seed = 0; seed < 200; seed++) {
      const objects = seeded(seed);
      const isKept = seed % 2 === 0;
      const whole = reading(objects, { images: isKept });
      const { documents, reading: own } = reduced(objects, { images: isKept });
      const again = reading(JSON.stringify(documents), { images: isKept, youngerThan: NOW - seed * 60_000 });
      expect(sets(again), `seed ${seed}`).toEqual(sets(whole));
      expect([again.missing, own.missing], `seed ${seed}`).toEqual([whole.missing, whole.missing]);
      expect([inUseDigest(again), inUseDigest(own)]).toEqual([inUseDigest(whole), inUseDigest(whole)]);
      const twice = reduced(JSON.stringify(documents), { images: isKept });
      expect(inUseDigest(twice.reading), `seed ${seed}`).toBe(inUseDigest(whole));
      expect(JSON.stringify(twice.documents).length).toBeLessThanOrEqual(JSON.stringify(documents).length);
    }
  });
});

describe('the digest of what is in use', () => {
  const base = [pod('Running', byTag('foo/bar', 'v1')), workload('Job', byDigest('foo/bar', 'D1'))];
  const of = (objects: readonly Json[], options: Partial<InUseReadOptions> = {}) =>
    inUseDigest(reading(objects, options));

  it('is that of what is used, not of who uses it, in which order and when', () => {
    const same = of(
      [...base].reverse().map((object) => named('other', object)),
      { collectedAt: 0 },
    );
    expect(same).toBe(of(base));
    expect(same).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, readonly Json[], Partial<InUseReadOptions>]>([
    ['another image', [...base, workload('Job', byDigest('foo/bar', 'D2'))], {}],
    ['one image less', base.slice(0, 1), {}],
    ['another tag', [pod('Running', byTag('foo/bar', 'v2')), base[1]!], {}],
    ['a tag in place of a digest of the same letters', [workload('Job', byTag('foo/bar', 'v1'))], {}],
    ['a stream', [...base, stream('foo/bar', {})], {}],
    ['an Image', [...base, image('D1')], {}],
    ['a reference that cannot be read', [...base, workload('Job', 'foo/Bar')], {}],
    ['a kind that was not seen', base, { unseen: ['images'] }],
  ])('is another with %s', (_what, objects, options) => {
    expect(of(objects, options)).not.toBe(of(base));
  });

  it('is another for a stream whose tag moved, and for no streams than for none of them', () => {
    const streams = (...digests: string[]) => [...base, stream('foo/bar', { latest: digests })];
    expect(of(streams('D1', 'D2'))).not.toBe(of(streams('D2', 'D1')));
    const empty = `${JSON.stringify(base)}{"kind":"ImageStreamList","items":[]}`;
    expect(inUseDigest(reading(empty))).not.toBe(of(base));
  });
});
