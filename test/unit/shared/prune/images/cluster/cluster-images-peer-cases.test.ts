import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../helpers/cluster/objects.ts';
import {
  build,
  byDigest,
  byTag,
  digest,
  DOCKER_LIST,
  fromStrategy,
  image,
  OCI,
  OCI_INDEX,
  outcome,
  pod,
  reading,
  STRATEGIES,
  stream,
  verdictOn,
  workload,
} from '../../../../../helpers/prune/cluster-scenario.ts';

/** The cases that `oc adm prune images` is tested by, as far as they are about objects and references. */

const nothing = { items: [], emptied: [], images: [], links: [], blobs: [] };
const k0 = { keepTagRevisions: 0 };
const d0 = [image('D0'), stream('foo/bar', { latest: ['D0'] })];
const D0_GONE = {
  items: ['foo/bar:latest#0 D0'],
  emptied: ['foo/bar:latest'],
  images: ['D0'],
  links: ['foo/bar: D0 | L1 L2 L3 L4'],
  blobs: ['D0', 'L1', 'L2', 'L3', 'L4'],
};
const used = byDigest('foo/bar', 'D0');

describe('one image, no revisions kept', () => {
  it.each<[string, readonly Json[]]>([
    ['a pod Pending by digest', [pod('Pending', used)]],
    ['a pod Running by digest', [pod('Running', used)]],
    ['Succeeded twice and Pending', [pod('Succeeded', used), pod('Succeeded', used), pod('Pending', used)]],
    ['Succeeded twice and Running', [pod('Succeeded', used), pod('Succeeded', used), pod('Running', used)]],
    ['Succeeded, but the pod is 5 minutes old', [pod('Succeeded', used, { age: 5 })]],
    ['a pod by the tag latest', [pod('Running', byTag('foo/bar', 'latest'))]],
    ['a pod by no tag, which is latest', [pod('Running', 'registry:5000/foo/bar')]],
    ['an init container', [pod('Running', '', { spec: { initContainers: [{ name: 'i', image: used }] } })]],
    ['a ReplicationController', [workload('ReplicationController', used)]],
    ['a DeploymentConfig', [workload('DeploymentConfig', used)]],
  ])('keeps it for %s', (_name, users) => {
    expect(outcome([...d0, ...users], k0)).toEqual(nothing);
  });

  it.each<[string, readonly Json[]]>([
    ['nobody', []],
    ['a pod that Succeeded', [pod('Succeeded', used)]],
    ['a pod that Failed', [pod('Failed', used)]],
    ['a pod in phase Unknown', [pod('Unknown', used)]],
    ['a pod of the image a/b/c/d/e', [pod('Running', 'a/b/c/d/e')]],
    ['a pod by a digest that is not known', [pod('Running', byDigest('foo/bar', 'other'))]],
    ['a pod of "garbage", which is valid', [pod('Running', 'garbage')]],
    ['a pod without an image', [pod('Running', ' ')]],
    ['a pod by another tag', [pod('Running', byTag('foo/bar', 'v2'))]],
  ])('prunes it for %s', (_name, users) => {
    expect(outcome([...d0, ...users], k0)).toEqual(D0_GONE);
  });

  it('keeps all of an image that is 5 minutes old (the peer takes its tag and links, and leaves the object)', () => {
    expect(outcome([image('D0', { age: 5 }), stream('foo/bar', { latest: ['D0'] })], k0)).toEqual(nothing);
  });

  it.each(['DaemonSet', 'ReplicaSet', 'Deployment', 'Job', 'CronJob'] as const)(
    'keeps what a %s uses, and prunes what is older',
    (kind) => {
      const objects = [
        image('D0', { layers: ['L1'] }),
        image('D1', { layers: ['L2'] }),
        stream('foo/bar', { latest: ['D0', 'D1'] }),
        workload(kind, used),
      ];
      expect(outcome(objects, k0)).toEqual({
        items: ['foo/bar:latest#1 D1'],
        emptied: [],
        images: ['D1'],
        links: ['foo/bar: D1 | L2'],
        blobs: ['D1', 'L2'],
      });
    },
  );

  it('keeps what two StatefulSets use of three images', () => {
    const objects = [
      ...['D0', 'D1', 'D2'].map((name) => image(name)),
      stream('foo/bar', { latest: ['D0', 'D1', 'D2'] }),
      workload('StatefulSet', used),
      workload('StatefulSet', byDigest('foo/bar', 'D2')),
    ];
    const { images, items } = outcome(objects, k0);
    expect({ images, items }).toEqual({ images: ['D1'], items: ['foo/bar:latest#1 D1'] });
  });

  const builds = (['Build', 'BuildConfig'] as const).flatMap((kind) =>
    STRATEGIES.flatMap((strategy) =>
      (
        [
          ['ImageStreamImage', `bar@${digest('D0')}`],
          ['DockerImage', used],
          ['ImageStreamTag', 'bar:latest'],
        ] as const
      ).map(([from, name]) => [kind, strategy, from, name] as const),
    ),
  );
  it.each(builds)('keeps what a %s by %s is from, an %s', (kind, strategy, from, name) => {
    expect(outcome([...d0, build(kind, fromStrategy(strategy, from, name))], k0)).toEqual(nothing);
  });
});

describe('uses that the peer does not see', () => {
  const withDigest = { env: [{ name: 'RELATED_IMAGE_WEB', value: `quay.io/x/y@${digest('D0')}` }] };
  it.each<[string, Json]>([
    [
      'an ephemeral container',
      pod('Running', '', { spec: { ephemeralContainers: [{ name: 'e', image: used }] } }),
    ],
    [
      'a volume of an image',
      pod('Running', '', { spec: { volumes: [{ name: 'v', image: { reference: used } }] } }),
    ],
    ['what a node runs', pod('Running', 'x', { status: { containerStatuses: [{ imageID: used }] } })],
    [
      'what a node runs, as older ones tell it',
      pod('Running', 'x', { status: { containerStatuses: [{ imageID: `docker-pullable://${used}` }] } }),
    ],
    [
      'what a node runs, by its digest alone',
      pod('Running', 'x', { status: { initContainerStatuses: [{ imageID: digest('D0') }] } }),
    ],
    ['the same digest of a mirrored repository', pod('Running', `quay.io/deep/er/name@${digest('D0')}`)],
    ['an image that an operator is told to run', pod('Running', 'x', { spec: { containers: [withDigest] } })],
    [
      'what a build copies from',
      build('Build', { source: { images: [{ from: { kind: 'DockerImage', name: used } }] } }),
    ],
    [
      'where a build pushes to',
      build('BuildConfig', { output: { to: { kind: 'ImageStreamTag', name: 'bar:latest' } } }),
    ],
    [
      'a trigger of a build',
      build('BuildConfig', {
        triggers: [{ imageChange: { from: { kind: 'ImageStreamTag', name: 'bar:latest' } } }],
      }),
    ],
    [
      'a trigger of a DeploymentConfig',
      {
        ...workload('DeploymentConfig'),
        spec: {
          triggers: [
            { imageChangeParams: { from: { kind: 'ImageStreamTag', namespace: 'foo', name: 'bar:latest' } } },
          ],
        },
      },
    ],
    [
      'a digest in any other document',
      {
        apiVersion: 'serving.knative.dev/v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { any: { where: [`x@${digest('D0')}`] } },
      },
    ],
  ])('%s protects', (_name, user) => {
    expect(outcome([...d0, user], k0)).toEqual(nothing);
  });
});

describe('revisions of tags', () => {
  const history = [
    image('D0', { annotations: null }),
    ...['D2', 'D3'].map((name) => image(name)),
    image('D4', { layers: ['L5', 'L6', 'L7', 'L8'] }),
    stream('foo/bar', { latest: ['D0', 'D2', 'D3', 'D4'] }),
  ];

  it('keeps the three newest, and prunes the fourth with its layers', () => {
    expect(outcome(history)).toEqual({
      items: ['foo/bar:latest#3 D4'],
      emptied: [],
      images: ['D4'],
      links: ['foo/bar: D4 | L5 L6 L7 L8'],
      blobs: ['D4', 'L5', 'L6', 'L7', 'L8'],
    });
  });

  it('drops one item of a digest that the tag has twice, and nothing else', () => {
    const objects = [image('D1'), image('D2'), stream('foo/bar', { latest: ['D1', 'D2', 'D1', 'D2'] })];
    expect(outcome(objects)).toEqual({ ...nothing, items: ['foo/bar:latest#3 D2'] });
  });

  it('leaves a stream alone that is 5 minutes old', () => {
    expect(
      outcome([...history.slice(0, -1), stream('foo/bar', { latest: ['D0', 'D2', 'D3', 'D4'] }, 5)]),
    ).toEqual(nothing);
  });

  it('drops an old item of which there is no Image, without touching links', () => {
    const objects = [image('D0'), stream('foo/bar', { latest: ['D0', 'absent'] })];
    expect(outcome(objects)).toEqual({ ...nothing, items: ['foo/bar:latest#1 absent'] });
  });

  it('removes tags of which all items are absent, and an image that nothing names', () => {
    const objects = [
      image('D1', { layers: ['layer1'] }),
      stream('foo/bar', { latest: ['A1', 'A2'], tag: ['A3'] }),
    ];
    expect(outcome(objects)).toEqual({
      items: ['foo/bar:latest#0 A1', 'foo/bar:latest#1 A2', 'foo/bar:tag#0 A3'],
      emptied: ['foo/bar:latest', 'foo/bar:tag'],
      images: ['D1'],
      links: [],
      blobs: ['D1', 'layer1'],
    });
  });

  it('keeps a young item of which there is no Image, and prunes another image', () => {
    const objects = [image('D2', { layers: [] }), stream('foo/bar', { latest: [['absent', 5]] })];
    expect(outcome(objects)).toEqual({ ...nothing, images: ['D2'], blobs: ['D2'] });
  });

  it('keeps the first revision of tags in use, whatever the host, and none of others', () => {
    const objects = [
      ...['D0', 'D1', 'D2', 'D3', 'D4', 'D5', 'D6'].map((name) => image(name, { layers: [`L${name}`] })),
      stream('foo/bar', { latest: ['D0', 'D1', 'D2'] }),
      stream('foo/baz', { late: ['D2', 'D3'], keepme: ['D6', 'D5'] }),
      stream('foo/repo', { other: ['D4'] }),
      workload('DaemonSet', byTag('foo/bar', 'latest')),
      workload('ReplicaSet', byTag('foo/baz', 'late')),
      workload('Deployment', byTag('foo/baz', 'keepme', 'other-host')),
      workload('DeploymentConfig', byTag('foo/repo', 'dummy')),
    ];
    const { images, links } = outcome(objects, k0);
    expect(images).toEqual(['D1', 'D3', 'D4', 'D5']);
    expect(links).toEqual(['foo/bar: D1 D2 | LD1 LD2', 'foo/baz: D3 D5 | LD3 LD5', 'foo/repo: D4 | LD4']);
  });

  it('drops one item of an image that another tag keeps: strong and weak', () => {
    const day26 = 26 * 60;
    const objects = [
      ...['D0', 'D1', 'D2', 'D3'].map((name) => image(name, { age: day26 })),
      stream(
        'foo/bar',
        {
          latest: [
            ['D0', 60],
            ['D1', 60],
            ['D2', 60],
            ['D3', day26],
          ],
          strong: [
            ['D0', 60],
            ['D3', day26],
          ],
        },
        48 * 60,
      ),
    ];
    const day = { keepTagRevisions: 2, keepYoungerThanMs: 24 * 3600_000 };
    expect(outcome(objects, day)).toEqual({ ...nothing, items: ['foo/bar:latest#3 D3'] });
  });

  it('keeps what is exactly as old as what is kept', () => {
    expect(outcome(history, { keepYoungerThanMs: 120 * 60_000 })).toEqual(nothing);
    expect(outcome(history, { keepYoungerThanMs: 120 * 60_000 - 1 }).images).toEqual(['D4']);
  });

  it('leaves a namespace alone whose name begins with that of another', () => {
    expect(outcome(history, { namespace: 'fo' })).toEqual(nothing);
  });

  it('prunes items of one namespace only, and no images', () => {
    const objects = [...history, image('E0'), stream('other/bar', { latest: ['D0', 'D2', 'D3', 'E0'] })];
    expect(outcome(objects, { namespace: 'foo' })).toEqual({
      items: ['foo/bar:latest#3 D4'],
      emptied: [],
      images: [],
      links: ['foo/bar: D4 | L5 L6 L7 L8'],
      blobs: [],
    });
  });
});

describe('images that were imported', () => {
  const variants: (Json | null)[] = [
    null,
    {},
    ...['false', '0', '1', 'True', 'yes', 'Yes'].map((value) => ({ 'openshift.io/image.managed': value })),
  ];
  it.each(variants.map((annotations) => [JSON.stringify(annotations), annotations] as const))(
    'with annotations %s go with all, and stay without',
    (_name, annotations) => {
      const objects = [image('D0', { annotations, layers: [] }), stream('foo/bar', {})];
      expect(outcome(objects).images).toEqual(['D0']);
      expect(outcome(objects, { all: false })).toEqual(nothing);
      expect(outcome([image('D0'), stream('foo/bar', {})], { all: false }).images).toEqual(['D0']);
    },
  );
});

describe('layers and configurations', () => {
  const kept = ['D1', 'D2', 'D3'].map((name) => image(name, { config: 'config1', layers: ['L1', 'L2'] }));

  it('go when the last images that share them go', () => {
    const objects = [
      ...kept,
      image('D4', { config: 'config2', layers: ['L1', 'L5', 'L6', 'L7'] }),
      image('D5', { config: 'config2', layers: ['L2', 'L5', 'L6', 'L8'] }),
      stream('foo/bar', { latest: ['D1', 'D2', 'D3', 'D4', 'D5'] }),
    ];
    expect(outcome(objects)).toMatchObject({
      images: ['D4', 'D5'],
      links: ['foo/bar: D4 D5 | L5 L6 L7 config2 L8'],
      blobs: ['D4', 'D5', 'L5', 'L6', 'L7', 'L8', 'config2'],
    });
  });

  it('stay when a young image shares them: only the manifest goes', () => {
    const objects = [
      ...kept,
      image('D4', { config: 'config2', layers: ['L5'] }),
      image('D5', { config: 'config2', layers: ['L5'], age: 5 }),
      stream('foo/bar', { latest: ['D1', 'D2', 'D3', 'D4'] }),
    ];
    expect(outcome(objects)).toMatchObject({ images: ['D4'], blobs: ['D4'] });
  });

  it('a configuration that is a layer of a kept image stays', () => {
    const objects = [
      ...kept.slice(1),
      image('D1', { layers: ['config2'] }),
      image('D4', { config: 'config2', layers: ['L5'] }),
      stream('foo/bar', { latest: ['D1', 'D2', 'D3', 'D4'] }),
    ];
    expect(outcome(objects)).toMatchObject({ links: ['foo/bar: D4 | L5'], blobs: ['D4', 'L5'] });
  });

  it('all go when no streams are left', () => {
    expect(outcome(kept)).toEqual({
      ...nothing,
      images: ['D1', 'D2', 'D3'],
      blobs: ['D1', 'D2', 'D3', 'L1', 'L2', 'config1'],
    });
  });

  it('of an OCI image that shares all with a kept image of schema 2, only the manifest goes', () => {
    const objects = [
      ...kept,
      image('D4', { config: 'config1', layers: ['L1', 'L2'], mediaType: OCI }),
      stream('foo/bar', { latest: ['D1', 'D2', 'D3', 'D4'] }),
    ];
    expect(outcome(objects)).toMatchObject({ links: ['foo/bar: D4 | '], blobs: ['D4'] });
  });

  it('of an OCI image that shares all with one of schema 2 that goes, the manifest goes as well', () => {
    const objects = [
      image('D4', { config: 'config4', layers: ['L4'] }),
      image('D5', { config: 'config4', layers: ['L4'], mediaType: OCI }),
    ];
    expect(outcome(objects).blobs).toEqual(['D4', 'D5', 'L4', 'config4']);
  });

  it('the configuration of an OCI image is a blob', () => {
    const objects = [image('D4', { config: 'config4', layers: ['L4'], mediaType: OCI })];
    expect(outcome(objects).blobs).toEqual(['D4', 'L4', 'config4']);
  });
});

describe('indexes', () => {
  const children = [image('D1', { layers: ['L1'] }), image('D2', { layers: ['L2'] })];

  it.each([
    ['OCI index', OCI_INDEX],
    ['Docker list', DOCKER_LIST],
  ])('an %s keeps its manifests', (_name, mediaType) => {
    const objects = [
      image('D0', { mediaType, children: ['D1', 'D2'] }),
      ...children,
      image('D3', { layers: ['L3'] }),
      stream('foo/bar', { latest: ['D0'] }),
    ];
    expect(outcome(objects)).toEqual({ ...nothing, images: ['D3'], blobs: ['D3', 'L3'] });
  });

  it('that nothing names goes with its manifests and their layers', () => {
    const objects = [
      image('D0', { mediaType: OCI_INDEX, children: ['D1', 'D2'] }),
      ...children,
      image('D3', { layers: ['L3'] }),
    ];
    expect(outcome(objects)).toMatchObject({
      images: ['D0', 'D1', 'D2', 'D3'],
      blobs: ['D0', 'D1', 'D2', 'D3', 'L1', 'L2', 'L3'],
    });
  });

  it('in an index keep theirs (the peer looks one level deep), also where one names itself', () => {
    const objects = [
      image('D9', { mediaType: OCI_INDEX, children: ['D0', 'D9'] }),
      image('D0', { mediaType: OCI_INDEX, children: ['D1', 'D2'] }),
      ...children,
      stream('foo/bar', { latest: ['D9'] }),
    ];
    expect(outcome(objects)).toEqual(nothing);
  });

  it('that go leave a manifest that is in use (the peer prunes its object)', () => {
    const objects = [
      image('D0', { mediaType: OCI_INDEX, children: ['D1', 'D2'] }),
      ...children,
      stream('foo/bar', { latest: ['D0'] }),
      pod('Running', byDigest('foo/bar', 'D1')),
    ];
    expect(outcome(objects, k0)).toMatchObject({ images: ['D0', 'D2'], links: ['foo/bar: D0 | '] });
  });
});

describe('links of a repository', () => {
  it('stay to layers that an image in use shares, though no tag names it', () => {
    const objects = [
      image('D0', { layers: ['L0'] }),
      image('D1', { layers: ['L1', 'L2'] }),
      image('D2', { layers: ['L2'] }),
      stream('foo/bar', { latest: ['D0', 'D1'] }),
      pod('Running', byDigest('foo/bar', 'D2')),
    ];
    expect(outcome(objects, { keepTagRevisions: 1 }).links).toEqual(['foo/bar: D1 | L1']);
  });
});

describe('references that are not valid', () => {
  it.each<[string, Json, readonly string[]]>([
    ['"…@invalid-digest"', pod('Running', 'registry:5000/foo/bar@invalid-digest'), ['foo/bar']],
    [
      'an ImageStreamTag "bad/tag@name"',
      build('Build', fromStrategy('sourceStrategy', 'ImageStreamTag', 'bad/tag@name')),
      ['foo/bad', 'bad/tag'],
    ],
    [
      'an ImageStreamImage "bad:isi"',
      build('BuildConfig', fromStrategy('dockerStrategy', 'ImageStreamImage', 'bad:isi')),
      ['foo/bad'],
    ],
    ['"I am certainly not valid"', workload('Deployment', 'I am certainly not valid'), []],
    ['capitals', workload('Job', 'registry:5000/Foo/Bar:v1'), ['foo/bar']],
  ])(
    '%s is reported with its object, and the repository that it seems to name is left alone',
    (_name, user, named) => {
      const { unread, unreadTotal, inUse } = reading([user]);
      expect(unreadTotal).toBe(1);
      expect(unread[0]!.protects).toEqual(expect.arrayContaining([...named]));
      expect([...inUse.protectedRepositories]).toEqual(unread[0]!.protects);
      const repository = named[0] ?? 'foo/none';
      const kept = outcome([image('D0'), stream(repository, { latest: ['D0'] }), user], k0).items;
      expect(kept).toHaveLength(named.length === 0 ? 1 : 0);
    },
  );

  it('one of a pod that ended long ago does not count', () => {
    expect(reading([pod('Failed', 'not valid')]).unreadTotal).toBe(0);
  });
});

describe('reasons', () => {
  it('name the object that uses an image or a tag', () => {
    const objects = [
      image('D0'),
      image('D1'),
      image('D2', { age: 5 }),
      stream('foo/bar', { latest: ['D0', 'D1', ['D2', 5]] }),
      pod('Running', byTag('foo/bar', 'latest')),
      workload('Job', byDigest('foo/bar', 'D1')),
      workload('CronJob', byDigest('foo/bar', 'D1')),
    ];
    expect(verdictOn(objects, k0).keptItems.map(({ reason }) => reason)).toEqual([
      'the tag is used by Pod shop/pod-running',
      'the image is used by Job shop/job and 1 more',
      'not older than 1h',
    ]);
  });
});
