import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import { InUseReader } from '@cairn/shared/prune/images/in-use/documents';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../helpers/cluster/objects.ts';
import {
  build,
  byDigest,
  byTag,
  digest,
  image,
  NOW,
  pod,
  read,
  reading,
  stream,
  workload,
} from '../../../../../helpers/prune/cluster-scenario.ts';

const everyKind: readonly Json[] = [
  pod('Running', byTag('foo/bar', 'v1')),
  ...(
    [
      'ReplicationController',
      'ReplicaSet',
      'Deployment',
      'StatefulSet',
      'DaemonSet',
      'Job',
      'CronJob',
      'DeploymentConfig',
    ] as const
  ).map((kind) => workload(kind, byDigest('foo/bar', kind))),
  build('Build', {}),
  build('BuildConfig', {}),
];
const isKind =
  (...kinds: readonly string[]) =>
  ({ kind }: Json) =>
    kinds.includes(kind as string);
const emptyList = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] });
const typed = (kind: string, items: readonly Json[] = []) => JSON.stringify({ kind, items });

describe('whether all is there', () => {
  it('is so with an object of every kind', () => {
    const { inUse, missing } = reading(everyKind);
    expect([inUse.complete, missing]).toEqual([true, []]);
    expect(inUse.usedTags).toEqual(new Set(['foo/bar:v1']));
    expect(inUse.usedImages.size).toBe(8);
  });

  const few = everyKind.filter(isKind('Pod', 'Deployment'));
  const lacking = everyKind
    .map(({ kind }) => kind as string)
    .filter((kind) => !isKind('Pod', 'Deployment')({ kind }));

  it('is not with fewer, and says which are missing', () => {
    const { inUse, missing } = reading(few);
    expect(inUse.complete).toBe(false);
    expect(missing.toSorted()).toEqual(lacking.toSorted());
  });

  it('is so with lists of the others that are empty and say of what', () => {
    const lists = lacking.map((kind) => typed(`${kind}List`)).join('');
    expect(reading(JSON.stringify(few) + lists).inUse.complete).toBe(true);
  });

  it('is so with as many empty lists as kinds are missing, as oc prints them one by one', () => {
    const lists = (count: number) => reading(JSON.stringify(few) + emptyList.repeat(count)).inUse.complete;
    expect([lists(lacking.length - 1), lists(lacking.length)]).toEqual([false, true]);
  });

  it('is so when who collected them says what was asked for, by any name', () => {
    const asked = 'rc,ReplicaSet,statefulsets.apps,ds,jobs,cj,builds,bc,dc'.split(',');
    expect(reading(few, { asked }).inUse.complete).toBe(true);
    expect(reading(few, { asked: asked.slice(1) }).missing).toEqual(['ReplicationController']);
  });

  it('is never so without Pods, which every cluster has', () => {
    const asked = ['pods', 'deployments', ...lacking];
    const { missing } = reading(`${JSON.stringify(few.slice(1))}${emptyList.repeat(20)}`, { asked });
    expect(missing).toEqual(['Pod']);
  });

  it('does not take a kind of another group for one of these', () => {
    const rollouts = { ...workload('StatefulSet', byTag('foo/bar', 'v9')), apiVersion: 'apps.kruise.io/v1' };
    const { inUse, missing, otherKinds } = reading([...few, rollouts]);
    expect(missing).toContain('StatefulSet');
    expect(inUse.usedTags.has('foo/bar:v9')).toBe(false);
    expect(otherKinds).toMatchObject([{ kind: 'StatefulSet', objects: 1 }]);
  });
});

describe('what is found', () => {
  it('is counted by kind', () => {
    const objects = [
      ...everyKind,
      pod('Succeeded', 'x'),
      pod('Running', 'y', { spec: { initContainers: [{ image: 'z' }] } }),
    ];
    const { kinds } = reading(objects);
    expect(kinds.find(({ kind }) => kind === 'Pod')).toEqual({
      kind: 'Pod',
      objects: 3,
      ended: 1,
      references: 3,
    });
    expect(kinds.find(({ kind }) => kind === 'Image')).toEqual({
      kind: 'Image',
      objects: 0,
      ended: 0,
      references: 0,
    });
  });

  it('has who uses it first, and how often it is used', () => {
    const { users } = reading([
      workload('Job', byTag('foo/bar', 'v1')),
      workload('Deployment', byTag('foo/bar', 'v1')),
    ]);
    expect(users.get('foo/bar:v1')).toEqual({ object: 'Job shop/job', references: 2 });
  });

  it('includes ImageStreams by their status, newest first', () => {
    const { inUse } = reading([stream('foo/bar', { latest: ['D0', ['D1', 300]], none: [] }, 500)]);
    expect(inUse.streams).toEqual(
      new Map([
        [
          'foo/bar',
          {
            created: NOW - 500 * 60_000,
            tags: new Map([
              [
                'latest',
                [
                  { digest: digest('D0'), created: NOW - 120 * 60_000 },
                  { digest: digest('D1'), created: NOW - 300 * 60_000 },
                ],
              ],
              ['none', []],
            ]),
          },
        ],
      ]),
    );
  });

  it('has no ImageStreams and Images where none were sent, and none where there are none', () => {
    const without = reading(everyKind);
    expect([without.inUse.streams, without.images]).toEqual([null, null]);
    const empty = reading(typed('ImageStreamList') + typed('ImageList'));
    expect([empty.inUse.streams, empty.images]).toEqual([new Map(), new Map()]);
    expect(reading([image('D0')], { images: false }).images).toBeNull();
  });

  it('takes a stream twice, as several lists may have it, but not that of another cluster', () => {
    const one = stream('foo/bar', { latest: ['D0'] });
    expect(reading([one, one]).inUse.streams!.size).toBe(1);
    const other = { ...one, metadata: { ...(one['metadata'] as Json), uid: 'other' } };
    expect(read([one, other])).toMatchObject({
      ok: false,
      mistakes: [
        { pointer: '/items/1/metadata/uid', detail: expect.stringContaining('foo/bar before') as string },
      ],
    });
  });

  it('names that objects inherit are names like others', () => {
    const { inUse } = reading([
      stream('foo/__proto__', JSON.parse('{"__proto__":["D0"]}') as { __proto__: string[] }),
    ]);
    expect(inUse.streams!.get('foo/__proto__')!.tags.get('__proto__')).toHaveLength(1);
  });
});

describe('other documents', () => {
  const other = (spec: Json): Json => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec,
  });

  it('are searched for digests, in values, in names and in texts in texts', () => {
    const { inUse, users, otherKinds } = reading([
      other({
        a: [{ b: `q.io/x/y@${digest('D1')}` }],
        [digest('D2')]: 1,
        text: JSON.stringify({ c: digest('D3') }),
      }),
      other({ nothing: true }),
    ]);
    expect(inUse.usedDigests).toEqual(new Set([digest('D1'), digest('D2'), digest('D3')]));
    expect(users.get(digest('D1'))).toEqual({ object: 'Thing a', references: 1 });
    expect(otherKinds).toEqual([{ kind: 'Thing', objects: 2, ended: 0, references: 3 }]);
  });

  it('are searched with letters escaped', () => {
    const escaped = JSON.stringify([other({ a: digest('D1') })]).replace(
      'sha256:',
      String.raw`\u0073ha256\u003a`,
    );
    expect(reading(escaped).inUse.usedDigests).toEqual(new Set([digest('D1')]));
  });

  it.each([
    `sha256:${'a'.repeat(63)}`,
    `sha256:${'a'.repeat(65)}`,
    `sha256:${'A'.repeat(64)}`,
    `xsha256:${'a'.repeat(64)}`,
  ])('%s is no digest', (text) => {
    expect(reading([other({ text })]).inUse.usedDigests.size).toBe(0);
  });

  it('of a great many kinds are counted together', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...other({ a: digest('D1') }),
      kind: `Kind${index}`,
    }));
    const { otherKinds } = reading(many);
    expect(otherKinds).toHaveLength(201);
    expect(otherKinds[0]).toMatchObject({ kind: 'other kinds', objects: 300 });
  });
});

describe('documents that are not as they should be', () => {
  it.each<[string, Json, string]>([
    [
      'containers that are none',
      pod('Running', 'x', { spec: { containers: 7 } }),
      '/items/0/spec/containers',
    ],
    [
      'an image that is no text',
      pod('Running', 'x', { spec: { containers: [{ image: 7 }] } }),
      '/items/0/spec/containers/0/image',
    ],
    [
      'a time that is none',
      { ...pod('Running', 'x'), metadata: { name: 'a', creationTimestamp: 'now' } },
      '/items/0/metadata/creationTimestamp',
    ],
    ['no name', { ...pod('Running', 'x'), metadata: {} }, '/items/0/metadata/name'],
  ])('%s', (_name, object, pointer) => {
    expect(read([object])).toMatchObject({ ok: false, mistakes: [{ pointer }] });
  });
});

describe('a great many documents', () => {
  it('are read piece by piece, and little of them is kept', async () => {
    const padding = 'x'.repeat(100_000);
    function* pieces() {
      yield Buffer.from('{"kind":"List","items":[');
      for (let index = 0; index < 200; index++) {
        const object = pod('Running', byTag('foo/bar', `v${index % 10}`), { spec: { padding } });
        const thing = { kind: 'Thing', metadata: { name: 'a' }, padding, digest: digest(`D${index}`) };
        yield Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(object)},${JSON.stringify(thing)}`);
      }
      yield Buffer.from(']}');
    }
    const reader = new InUseReader({ youngerThan: NOW, collectedAt: NOW, asked: [], images: true });
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const outcome = await splitDocumentStream(pieces(), reader);
    collectGarbage();
    // 40 MB were read.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.mistakes));
    const { input, inUse } = outcome;
    expect([input.objects, inUse.usedTags.size, inUse.usedDigests.size]).toEqual([400, 10, 200]);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
