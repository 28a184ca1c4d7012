import {
  createPruner,
  finishedJobs,
  finishedPods,
  finishedPodsAndJobs,
  inMemoryStore,
  type Preset,
} from '@cairn/shared/prune';
import { describe, expect, it } from 'vitest';
import { aBackup, aJob, aPod, brief, names, NOW, reasons } from '../../../../helpers/prune/objects.ts';

const OBJECTS = [
  aPod('pod-9d', '9d'),
  aPod('pod-8d-failed', '8d', 'Failed'),
  aPod('pod-1d', '1d'),
  aPod('pod-busy', '9d', 'Running'),
  aJob('job-9d', '9d'),
  aJob('job-8d-failed', '8d', 'failed'),
  aJob('job-1d', '1d'),
];

async function deletedBy(preset: Preset): Promise<Record<string, string>> {
  const report = await createPruner({ ...preset, store: inMemoryStore(OBJECTS), now: NOW }).run();
  return reasons(report.deleted);
}

describe('presets', () => {
  it.each<[string, Preset, string[]]>([
    ['finished pods by age', finishedPods({ olderThan: '7d' }), ['pod-9d']],
    ['failed ones too', finishedPods({ olderThan: '7d', failed: 'prune' }), ['pod-8d-failed', 'pod-9d']],
    ['finished pods by count', finishedPods({ keepNewest: 1 }), ['pod-9d']],
    ['finished jobs by age', finishedJobs({ olderThan: '7d' }), ['job-9d']],
    ['finished jobs by count', finishedJobs({ keepNewest: 0 }), ['job-1d', 'job-9d']],
    ['failed jobs too', finishedJobs({ keepNewest: 1, failed: 'prune' }), ['job-8d-failed', 'job-9d']],
    ['both by count, each by itself', finishedPodsAndJobs({ keepNewest: 1 }), ['job-9d', 'pod-9d']],
    ['both by age', finishedPodsAndJobs({ olderThan: '12h' }), ['job-1d', 'job-9d', 'pod-1d', 'pod-9d']],
  ])('select %s', async (_what, preset, expected) => {
    expect(Object.keys(await deletedBy(preset)).toSorted()).toEqual(expected);
  });

  it('with both limits keep the newest however old, and the young however many', async () => {
    expect(await deletedBy(finishedPods({ olderThan: '12h', keepNewest: 1 }))).toEqual({
      'pod-9d': '9d old, older than 12h; not the newest',
    });
    expect(await deletedBy(finishedPods({ olderThan: '10d', keepNewest: 1 }))).toEqual({});
    expect(await deletedBy(finishedPods({ olderThan: '12h', keepNewest: 2 }))).toEqual({});
  });

  it.each([finishedPods, finishedJobs, finishedPodsAndJobs])('refuse to take everything: %o', (preset) => {
    expect(() => preset({})).toThrow('neither olderThan nor keepNewest is given; one of them is needed');
    expect(() => preset({ olderThan: 'soon' })).toThrow('olderThan is "soon"');
    expect(() => preset({ keepNewest: -1 })).toThrow('n of keepNewest is -1');
    expect(() => preset({ keepNewest: 1, failed: 'yes' as never })).toThrow('failed is "yes"');
  });
});

describe('inMemoryStore', () => {
  const objects = [
    aPod('a', '1h', 'Succeeded', { labels: { app: 'web' } }),
    aPod('b', '1h', 'Succeeded', { namespace: 'other' }),
    aBackup('c', '1h', 'Done'),
    { metadata: { name: 'of a typed list' } },
  ];
  const kind = { group: '', version: 'v1', kind: 'Pod' };

  it.each<[object, string[]]>([
    [{}, ['a', 'b', 'of a typed list']],
    [{ namespace: 'batch' }, ['a']],
    [{ labels: 'app=web' }, ['a']],
    [{ labels: '!app' }, ['b', 'of a typed list']],
    [{ kind: { group: 'example.com', version: 'v1', kind: 'Backup' } }, ['c', 'of a typed list']],
  ])('lists what is asked for: %j', async (query, expected) => {
    const listed = inMemoryStore<object>(objects).list({ kind, ...query });
    expect(names(listed as Iterable<object>)).toEqual(expected);
  });

  it('forgets what is removed, once, and leaves the list it was made from', async () => {
    const store = inMemoryStore<object>(objects);
    expect(await store.remove(objects[0]!)).toBe('deleted');
    expect(await store.remove(objects[0]!)).toBe('absent');
    expect(await store.remove({ ...objects[1] })).toBe('absent');
    expect(store.remaining).toEqual(objects.slice(1));
    expect(objects).toHaveLength(4);
  });

  it('has objects in any form', async () => {
    const rows = [{ id: 'x' }, { id: 'y' }];
    const describeRow = ({ id }: { id: string }) => ({
      kind: { group: '', version: '', kind: 'Row' },
      namespace: null,
      name: id,
      uid: null,
      createdAt: NOW,
      labels: new Map<string, string>(),
      owners: [],
      deletionRequested: false,
    });
    const report = await createPruner({
      store: inMemoryStore(rows, describeRow),
      describe: describeRow,
      kinds: ['Row'],
      allowUnregistered: ['Row'],
      strategy: (found) => found.filter(({ id }) => id === 'x'),
      now: NOW,
    }).run();
    expect(report.deleted.map(({ object }) => object.id)).toEqual(['x']);
    expect(brief(report)).toMatchObject({ outcome: 'completed' });
  });
});
