import { revisionLinkKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { describe, expect, it } from 'vitest';
import { digest, ROOT, shortDeletions, shortKey, Scenario } from '../../../../../helpers/prune/scenario.ts';

/** What `registry garbage-collect -m` is tested with. Blobs and manifests that remain are the same; see the properties. */
const CASES: readonly (readonly [name: string, scenario: Scenario, gone: readonly string[]])[] = [
  [
    'nothing was deleted: nothing changes',
    new Scenario().image('r', 'm1', ['l1', 'l2']).tag('r', 'v1', 'm1'),
    [],
  ],
  [
    'an untagged manifest is removed with its layers',
    new Scenario().image('r', 'm1', ['l1']).tag('r', 'v1', 'm1').image('r', 'm2', ['l2']),
    ['revision r m2', 'layer r l2', 'blob l2', 'blob m2'],
  ],
  [
    'a tagged index with a deleted child: the blobs of the child go, the manifests stay',
    new Scenario()
      .image('r', 'm1', ['l1'])
      .image('r', 'm2', ['l2'])
      .index('r', 'i1', ['m1', 'm2'])
      .tag('r', 'v1', 'i1')
      .remove(revisionLinkKey(ROOT, 'r', digest('m2'))),
    ['layer r l2', 'blob l2'],
  ],
  [
    'an untagged index is removed with its children, the index first',
    new Scenario()
      .image('r', 'a1', ['l1'])
      .index('r', 'i1', ['a1'])
      .image('r', 'm9', ['l9'])
      .tag('r', 'v1', 'm9'),
    ['revision r i1', 'revision r a1', 'layer r l1', 'blob a1', 'blob i1', 'blob l1'],
  ],
  [
    'an unused layer link is removed, its blob stays where another repository has it',
    new Scenario().image('r', 'm1', ['l1']).tag('r', 'v1', 'm1').layer('q', 'l1'),
    ['layer q l1'],
  ],
  [
    'a repository without tags: its blobs go, no error',
    new Scenario().image('r', 'm1', ['l1']).image('q', 'm2', ['l2']).tag('q', 'v1', 'm2'),
    ['revision r m1', 'layer r l1', 'blob l1', 'blob m1'],
  ],
  [
    'a repository without manifests: its blobs go, no error',
    new Scenario().layer('r', 'l1').image('q', 'm2', ['l2']).tag('q', 'v1', 'm2'),
    ['layer r l1', 'blob l1'],
  ],
  [
    'a shared layer stays after one of two manifests went',
    new Scenario().image('r', 'm1', ['l1', 'l2']).tag('r', 'v1', 'm1').image('r', 'm2', ['l2', 'l3']),
    ['revision r m2', 'layer r l3', 'blob l3', 'blob m2'],
  ],
  [
    'an orphan blob is removed',
    new Scenario().image('r', 'm1', ['l1']).tag('r', 'v1', 'm1').blob('o1'),
    ['blob o1'],
  ],
  [
    'a tagged list and untagged children: all stay',
    new Scenario()
      .image('r', 'm1', ['l1'])
      .image('r', 'm2', ['l2'])
      .index('r', 'i1', ['m1', 'm2'])
      .tag('r', 'v1', 'i1'),
    [],
  ],
  [
    'an untagged list and untagged children: all go',
    new Scenario().image('r', 'm1', ['l1']).image('r', 'm2', ['l1']).index('r', 'i1', ['m1', 'm2']),
    [
      'revision r i1',
      'revision r m1',
      'revision r m2',
      'layer r l1',
      'blob i1',
      'blob l1',
      'blob m1',
      'blob m2',
    ],
  ],
  [
    'an untagged list and tagged children: the list goes, the children stay',
    new Scenario().image('r', 'm1', ['l1']).index('r', 'i1', ['m1']).tag('r', 'v1', 'm1'),
    ['revision r i1', 'blob i1'],
  ],
  [
    'a list whose children were all deleted: it goes when untagged, no error',
    new Scenario()
      .image('r', 'm1', ['l1'])
      .index('r', 'i1', ['m1'])
      .remove(revisionLinkKey(ROOT, 'r', digest('m1'))),
    ['revision r i1', 'layer r l1', 'blob i1', 'blob l1', 'blob m1'],
  ],
];

describe('cases of the registry itself', () => {
  it.each(CASES)('%s', (_, scenario, gone) => {
    expect(shortDeletions(scenario.plan())).toEqual(gone);
  });

  it.each(CASES)(
    '%s: the listing alone changes nothing, once it is done there is nothing left',
    (_, scenario) => {
      const before = [...scenario.keys.keys()];
      const plan = scenario.plan();
      expect([...scenario.keys.keys()]).toEqual(before);
      const after = scenario.copy().apply(plan);
      expect(shortDeletions(after.plan())).toEqual([]);
      expect([...after.keys.keys()].filter((key) => shortKey(key).startsWith('other'))).toEqual([]);
    },
  );
});
