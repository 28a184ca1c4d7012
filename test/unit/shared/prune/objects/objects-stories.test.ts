import {
  all,
  createPruner,
  describeResource,
  finishedJobs,
  finishedPods,
  finishedPodsAndJobs,
  inMemoryStore,
  keepNewest,
  maxTotal,
  PrunableKinds,
  type Strategy,
} from '@cairn/shared/prune';
import type { Store } from '@cairn/shared/prune/objects/options';
import { describe, expect, it } from 'vitest';
import {
  aBackup,
  aJob,
  aPod,
  brief,
  type KubernetesObject,
  names,
  NOW,
  ownedBy,
  reasons,
} from '../../../../helpers/prune/objects.ts';

const mine = ownedBy('mine');
const yours = ownedBy('yours');
const owner = { kind: 'Operator', name: 'mine' };

describe('Story 1: limit the number of operator-owned Jobs in a completed state', () => {
  const jobs = [
    aJob('nightly-1', '5d', 'complete', mine),
    aJob('nightly-2', '4d', 'failed', mine),
    aJob('nightly-3', '3d', 'complete', mine),
    aJob('nightly-4', '2d', 'complete', mine),
    aJob('nightly-5', '1d', 'running', mine),
    aJob('theirs', '9d', 'complete', yours),
  ];

  it('keeps the newest completed ones, what runs, what failed, and what others own', async () => {
    const store = inMemoryStore(jobs);
    const report = await createPruner({ ...finishedJobs({ keepNewest: 1 }), store, owner, now: NOW }).run();
    expect(brief(report)).toMatchObject({ outcome: 'completed', deleted: ['nightly-1', 'nightly-3'] });
    expect(names(store.remaining)).toEqual(['nightly-2', 'nightly-4', 'nightly-5', 'theirs']);
  });

  it('has a cap for failed ones as well, when they are to count', async () => {
    const store = inMemoryStore(jobs);
    const preset = finishedJobs({ keepNewest: 1, failed: 'prune' });
    await createPruner({ ...preset, store, owner, now: NOW }).run();
    expect(names(store.remaining)).toEqual(['nightly-4', 'nightly-5', 'theirs']);
  });
});

describe('Story 2: limit completed Pods and preserve those in an error state', () => {
  it('keeps every failed Pod, and does not count it', async () => {
    const store = inMemoryStore([
      aPod('failed-long-ago', '90d', 'Failed', mine),
      aPod('done-1', '3d', 'Succeeded', mine),
      aPod('done-2', '2d', 'Succeeded', mine),
      aPod('failed', '1d', 'Failed', mine),
      aPod('done-3', '1h', 'Succeeded', mine),
    ]);
    const report = await createPruner({ ...finishedPods({ keepNewest: 2 }), store, owner, now: NOW }).run();
    expect(names(store.remaining)).toEqual(['failed-long-ago', 'done-2', 'failed', 'done-3']);
    expect(reasons(report.skipped)).toMatchObject({ failed: 'the pod is Failed, and failed pods are kept' });
  });
});

describe('Story 3: limit Pods by a heuristic of their creation time', () => {
  /** One for each day: the last. */
  const allButLastOfDay: Strategy<KubernetesObject> = (pods, { describe = describeResource }) => {
    const last = new Map<string, KubernetesObject>();
    const dayOf = (pod: KubernetesObject) => describe(pod).createdAt!.toISOString().slice(0, 10);
    // They come oldest first.
    for (const pod of pods) last.set(dayOf(pod), pod);
    return pods.filter((pod) => last.get(dayOf(pod)) !== pod);
  };

  it('takes a function of the author', async () => {
    const store = inMemoryStore(
      ['50h', '49h', '26h', '25h', '2h', '1h'].map((age) => aPod(age, age, 'Succeeded', mine)),
    );
    const report = await createPruner({
      store,
      kinds: ['v1/Pod'],
      strategy: allButLastOfDay,
      owner,
      now: NOW,
    }).run();
    expect(names(store.remaining)).toEqual(['49h', '25h', '1h']);
    expect(reasons(report.deleted)).toMatchObject({ '50h': 'selected by allButLastOfDay' });
  });
});

describe('Story 4: prune a custom resource with specific state when there is a certain number', () => {
  const backups = [
    aBackup('mon', '4d', 'Verified'),
    aBackup('tue', '3d', 'Uploading'),
    aBackup('wed', '2d', 'Verified'),
    aBackup('thu', '1d', 'Verified'),
  ];
  const registry = new PrunableKinds().register('example.com/v1/Backup', ({ status }: KubernetesObject) =>
    status?.['phase'] === 'Verified'
      ? { ok: true }
      : { ok: false, reason: `the backup is ${String(status?.['phase'])}` },
  );
  const run = async (n: number) => {
    const store = inMemoryStore(backups);
    const kinds = ['example.com/v1/Backup'];
    const report = await createPruner({ store, kinds, registry, strategy: keepNewest(n), now: NOW }).run();
    return { report, left: names(store.remaining) };
  };

  it('touches those in that state only', async () => {
    const { report, left } = await run(2);
    expect(left).toEqual(['tue', 'wed', 'thu']);
    expect(reasons(report.skipped)).toEqual({ tue: 'the backup is Uploading' });
  });

  it('does nothing below that number', async () => {
    expect((await run(3)).left).toEqual(['mon', 'tue', 'wed', 'thu']);
  });
});

describe('Story 5: prune both Jobs and Pods of a certain age, and leave no orphans', () => {
  const podOf = (job: string, age: string, phase = 'Succeeded') =>
    aPod(`${job}-pod`, age, phase, {
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name: job, uid: `uid-of-Job-${job}`, controller: true },
      ],
    });

  /** As a cluster does: what an object owns goes with it. */
  function cascadingStore(objects: readonly KubernetesObject[]) {
    const store = inMemoryStore(objects);
    const cascading: Store<KubernetesObject> = {
      list: (query) => store.list(query),
      async remove(object) {
        const { uid } = describeResource(object);
        const isOwned = (other: KubernetesObject) =>
          describeResource(other).owners.some((reference) => reference.uid === uid);
        for (const owned of store.remaining.filter(isOwned)) await store.remove(owned);
        return store.remove(object);
      },
    };
    return { store, cascading };
  }

  it('deletes a Job before its Pods, and Pods whose Job is gone', async () => {
    const { store, cascading } = cascadingStore([
      podOf('old', '8d'),
      aJob('old', '9d'),
      podOf('gone', '8d'),
      podOf('young', '1d'),
      aJob('young', '2d'),
      podOf('long', '8d', 'Running'),
      aJob('long', '9d', 'running'),
    ]);
    const preset = finishedPodsAndJobs({ olderThan: '7d' });
    const report = await createPruner({ ...preset, store: cascading, now: NOW }).run();
    expect(names(store.remaining)).toEqual(['young-pod', 'young', 'long-pod', 'long']);
    expect(brief(report)).toMatchObject({
      outcome: 'completed',
      selected: ['old', 'gone-pod', 'old-pod'],
      deleted: ['old', 'gone-pod'],
      absent: ['old-pod'],
    });
  });
});

describe('Story 6: prune a custom resource with specific state by a custom strategy', () => {
  it('takes a sum over all of them, and any other rule', async () => {
    const sizes = new Map([
      ['mon', 40],
      ['tue', 30],
      ['wed', 50],
      ['thu', 20],
    ]);
    const store = inMemoryStore([
      aBackup('mon', '4d', 'Verified'),
      aBackup('tue', '3d', 'Verified'),
      aBackup('wed', '2d', 'Verified'),
      aBackup('thu', '1d', 'Uploading'),
    ]);
    const notTheFirst: Strategy<KubernetesObject> = (backups) => backups.slice(1);
    const report = await createPruner({
      store,
      kinds: ['example.com/v1/Backup'],
      registry: new PrunableKinds().register('example.com/v1/Backup', ({ status }: KubernetesObject) =>
        status?.['phase'] === 'Verified' ? { ok: true } : { ok: false, reason: 'not verified' },
      ),
      strategy: all<KubernetesObject>(
        maxTotal(({ metadata }) => sizes.get(metadata.name)!, 60),
        notTheFirst,
      ),
      now: NOW,
    }).run();
    expect(names(store.remaining)).toEqual(['mon', 'wed', 'thu']);
    expect(reasons(report.deleted)).toEqual({
      tue: 'with all newer ones 80, more than 60; selected by notTheFirst',
    });
  });
});
