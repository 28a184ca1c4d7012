import {
  blobKey,
  layerLinkKey,
  revisionLinkKey,
  uploadKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import {
  tombstoneLine,
  readTombstones,
  type Tombstone,
} from '@cairn/shared/prune/images/registry/tombstones';
import { describe, expect, it } from 'vitest';
import {
  digest,
  HOUR,
  NOW,
  OLD,
  ROOT,
  shortDeletions,
  shortKey,
  Scenario,
} from '../../../../../helpers/prune/scenario.ts';

const GRACE = 24 * HOUR;
const superseded = () =>
  new Scenario()
    .image('r', 'm1', ['l1'])
    .image('r', 'm2', ['l2'])
    .tag('r', 'v1', 'm1')
    .tag('r', 'v1', 'm2', OLD + 1);

describe('the time of grace', () => {
  it('is condemned in one run, unlinked in a later one, swept in one later still', () => {
    const scenario = superseded();
    let before: Tombstone[] = [];
    const run = (hours: number) => {
      const plan = scenario.plan({ graceMs: GRACE, now: NOW + hours * HOUR }, { before });
      before = [...plan.tombstones(true)];
      scenario.apply(plan);
      return [
        shortDeletions(plan),
        before.map(({ key, since }) => `${shortKey(key)} ${(since - NOW) / HOUR}`),
      ];
    };
    const links = ['layer r l1 0', 'revision r m1 0', 'index r:v1 m1 0'];
    expect(run(0)).toEqual([[], links]);
    expect(run(23)).toEqual([[], links]);
    expect(run(24)).toEqual([
      ['index r:v1 m1', 'revision r m1', 'layer r l1'],
      ['blob l1 24', 'blob m1 24'],
    ]);
    expect(run(47)).toEqual([[], ['blob l1 24', 'blob m1 24']]);
    expect(run(48)).toEqual([['blob l1', 'blob m1'], []]);
    expect(run(72)).toEqual([[], []]);
  });

  it('runs from when a blob without links is first seen', () => {
    const scenario = superseded().tag('r', 'v2', 'm1').blob('o1');
    const first = scenario.plan({ graceMs: GRACE });
    expect([...first.tombstones(true)].map(({ key }) => shortKey(key))).toEqual(['blob o1']);
    const second = scenario.plan({ graceMs: GRACE, now: NOW + GRACE }, { before: first.tombstones(true) });
    expect(shortDeletions(second)).toEqual(['blob o1']);
  });

  it('begins anew for what was needed meanwhile', () => {
    const scenario = superseded();
    const first = [...scenario.plan({ graceMs: GRACE }).tombstones(true)];
    scenario.tag('r', 'v2', 'm1');
    const second = scenario.plan({ graceMs: GRACE, now: NOW + GRACE }, { before: first });
    expect([shortDeletions(second), [...second.tombstones(true)]]).toEqual([[], []]);
  });

  it('goes on when a breaker kept a run from deleting', () => {
    const first = [...superseded().plan({ graceMs: GRACE }).tombstones(true)];
    const second = superseded().plan({ graceMs: GRACE, now: NOW + 2 * GRACE }, { before: first });
    expect([...second.tombstones(false)]).toEqual(first);
  });

  it('of 0 does all at once, and leaves no tombstones', () => {
    const plan = superseded().plan();
    expect(shortDeletions(plan).at(-1)).toBe('blob m1');
    expect([...plan.tombstones(true)]).toEqual([]);
  });

  it('holds what something refers to whose tombstone was lost', () => {
    const scenario = superseded();
    const all = [...scenario.plan({ graceMs: GRACE }).tombstones(true)];
    const later = { graceMs: GRACE, now: NOW + 2 * GRACE };
    const without = (part: string) => all.filter(({ key }) => !key.includes(part));
    expect(shortDeletions(scenario.plan(later, { before: without('/revisions/') }))).toEqual([
      'index r:v1 m1',
    ]);
    expect(shortDeletions(scenario.plan(later, { before: without('/tags/') }))).toEqual([]);
  });

  it('does not end for a blob that is linked again', () => {
    const before = [{ key: blobKey(ROOT, digest('l1')), since: NOW - 2 * GRACE }];
    expect(shortDeletions(superseded().plan({ graceMs: GRACE }, { before }))).toEqual([]);
  });

  it('does not end for a blob that a condemned manifest refers to, linked or not', () => {
    const scenario = superseded().remove(layerLinkKey(ROOT, 'r', digest('l1')));
    const before = [{ key: blobKey(ROOT, digest('l1')), since: NOW - 2 * GRACE }];
    expect(shortDeletions(scenario.plan({ graceMs: GRACE }, { before }))).toEqual([]);
  });

  it('is shown per item', () => {
    const scenario = superseded();
    const before = [{ key: revisionLinkKey(ROOT, 'r', digest('m1')), since: NOW - HOUR }];
    const plan = scenario.plan({ graceMs: GRACE }, { before });
    expect(plan.examples('revision')).toEqual([
      {
        kind: 'revision',
        key: before[0]!.key,
        bytes: 71,
        reason: 'superseded',
        since: NOW - HOUR,
        goes: false,
      },
    ]);
    expect(plan.examples('blob', 1)).toMatchObject([{ reason: 'unreferenced', since: null, goes: false }]);
  });
});

describe('a run', () => {
  it('deletes no more than it may, in the same order', () => {
    const all = shortDeletions(superseded().plan());
    for (let maxDeletes = 0; maxDeletes <= all.length; maxDeletes++) {
      expect(shortDeletions(superseded().plan({ maxDeletes }))).toEqual(all.slice(0, maxDeletes));
    }
  });

  it('starts the time of a blob only when its last link goes', () => {
    const first = [...superseded().plan({ graceMs: GRACE }).tombstones(true)];
    const policy = { graceMs: GRACE, now: NOW + GRACE, maxDeletes: 2 };
    const plan = superseded().plan(policy, { before: first });
    expect([...plan.tombstones(true)].map(({ key }) => shortKey(key))).toEqual(['blob m1', 'layer r l1']);
  });

  it('counts what stays and goes of each kind', () => {
    const { totals, blobs, keptManifests } = superseded().plan({ graceMs: 0 });
    expect(totals.tag.kept).toEqual({ count: 2, bytes: 142 });
    expect(totals.tag.unlinked).toEqual({ count: 1, bytes: 71 });
    expect(totals.blob.swept).toEqual({ count: 2, bytes: 2000 });
    expect(blobs).toEqual({ all: { count: 4, bytes: 4000 }, condemned: { count: 2, bytes: 2000 } });
    expect(keptManifests).toBe(1);
  });

  it('has a hash of what goes, now or later', () => {
    const hash = superseded().plan().hash;
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(superseded().plan({ graceMs: GRACE }).hash).toBe(hash);
    expect(superseded().blob('o1').plan().hash).not.toBe(hash);
    expect(superseded().layer('q', 'l1').plan().hash).not.toBe(hash);
    expect(new Scenario().plan().hash).not.toBe(hash);
  });

  it('takes links of other algorithms as any other', () => {
    const sha512 = `sha512:${'ab'.repeat(64)}`;
    const scenario = superseded().put(layerLinkKey(ROOT, 'r', sha512));
    expect([...scenario.plan().deletions('layer')].map(({ key }) => key)).toContain(
      layerLinkKey(ROOT, 'r', sha512),
    );
    scenario.manifest('r', 'm2', [{ digest: sha512, size: 1, kind: 'layer' }]);
    expect([...scenario.plan().deletions('layer')].map(({ key }) => key)).not.toContain(
      layerLinkKey(ROOT, 'r', sha512),
    );
  });
});

describe('uploads', () => {
  const week = 168 * HOUR;
  const at = (repository: string, upload: string, file: string) => uploadKey(ROOT, repository, upload, file);
  it('go when their youngest file is more than a week old', () => {
    const scenario = superseded();
    scenario.put(at('r', 'old', 'data'), NOW - week - 1).put(at('r', 'old', 'startedat'), OLD);
    scenario.put(at('r', 'exact', 'data'), NOW - week).put(at('r', 'busy', 'data'), OLD);
    scenario.put(at('r', 'busy', 'startedat'), NOW).put(at('safe', 'old', 'data'), OLD);
    const plan = scenario.plan({ protectedRepositories: ['safe'] });
    expect([...plan.deletions('upload')].map(({ key }) => shortKey(key))).toEqual([
      'upload r old data',
      'upload r old startedat',
    ]);
    expect(plan.totals.upload.young.count).toBe(3);
    expect(plan.totals.upload.protected.count).toBe(1);
  });
});

describe('tombstones', () => {
  const tombstones = [
    { key: 'a b/c', since: NOW },
    { key: 'é', since: NOW + 1 },
  ];

  it('are lines', () => {
    expect(tombstoneLine(tombstones[0]!)).toBe('2026-06-01T00:00:00.000Z a b/c\n');
  });

  it('are read up to a line that was cut; lines that are none are passed over', () => {
    const text = `${tombstones.map(tombstoneLine).join('never x\n\n')}2026-06-01T00:00:00.000Z cut`;
    expect([...readTombstones(new TextEncoder().encode(text))]).toEqual(tombstones);
  });
});
