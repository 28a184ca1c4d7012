import type { ImageStreamFacts } from '@cairn/shared/prune/images/in-use/facts';
import type { PrunePolicy } from '@cairn/shared/prune/images/plan/retention';
import { blobKey, revisionLinkKey, tagCurrentKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { describe, expect, it } from 'vitest';
import {
  digest,
  HOUR,
  nameOf,
  NOTHING_IN_USE,
  NOW,
  OLD,
  ROOT,
  shortDeletions,
  Scenario,
} from '../../../../../helpers/prune/scenario.ts';

/** One tag that pointed at m1, m2, m3 and points at m4; an untagged image, u1. */
function pushedFourTimes(): Scenario {
  const scenario = new Scenario();
  for (const [age, name] of ['m4', 'm3', 'm2', 'm1'].entries()) {
    scenario.image('r', name, [`l${name}`], OLD - age);
  }
  scenario.tag('r', 'v1', 'm1', OLD - 3).tag('r', 'v1', 'm2', OLD - 2);
  scenario.tag('r', 'v1', 'm3', OLD - 1).tag('r', 'v1', 'm4', OLD);
  return scenario.image('r', 'u1', ['lu1']);
}

/** The manifests that are gone. */
function gone(plan: ReturnType<Scenario['plan']>): string[] {
  return [...plan.deletions('revision')]
    .map(({ key }) => nameOf(`sha256:${key.split('/').at(-2)!}`))
    .toSorted();
}

describe('revisions of a tag', () => {
  it.each([
    [0, ['m1', 'm2', 'm3', 'u1']],
    [1, ['m1', 'm2', 'm3', 'u1']],
    [2, ['m1', 'm2', 'u1']],
    [3, ['m1', 'u1']],
    [9, ['u1']],
  ])('%d stay', (keepTagRevisions, expected) => {
    expect(gone(pushedFourTimes().plan({ keepTagRevisions }))).toEqual(expected);
  });

  it('go with their place in the index, first of all', () => {
    expect(shortDeletions(pushedFourTimes().plan({ keepTagRevisions: 3 }))).toEqual([
      'index r:v1 m1',
      'revision r m1',
      'revision r u1',
      'layer r lm1',
      'layer r lu1',
      'blob lm1',
      'blob lu1',
      'blob m1',
      'blob u1',
    ]);
  });

  it('count from the current one, even when it was pushed before the others', () => {
    const scenario = pushedFourTimes().tag('r', 'v1', 'm1', OLD - 3);
    expect(gone(scenario.plan({ keepTagRevisions: 2 }))).toEqual(['m2', 'm3', 'u1']);
  });

  it('that were deleted take no place', () => {
    const scenario = pushedFourTimes().remove(revisionLinkKey(ROOT, 'r', digest('m3')));
    expect(gone(scenario.plan({ keepTagRevisions: 2 }))).toEqual(['m1', 'u1']);
    expect(shortDeletions(scenario.plan({ keepTagRevisions: 2 }))).toContain('index r:v1 m3');
  });

  it('of a tag that was removed do not stay', () => {
    const scenario = pushedFourTimes()
      .remove(tagCurrentKey(ROOT, 'r', 'v1'))
      .image('r', 'k', [])
      .tag('r', 'k', 'k');
    expect(gone(scenario.plan({ keepTagRevisions: 9 }))).toEqual(['m1', 'm2', 'm3', 'm4', 'u1']);
  });

  it('have a reason for their deletion', () => {
    const { reasons } = pushedFourTimes().plan({ keepTagRevisions: 3 });
    expect([...reasons.revision]).toEqual([
      ['superseded', { count: 1, bytes: 71 }],
      ['untagged', { count: 1, bytes: 71 }],
    ]);
    expect([...reasons.blob]).toEqual([['unreferenced', { count: 4, bytes: 4000 }]]);
  });
});

describe('the current revision', () => {
  const used = { ...NOTHING_IN_USE, usedTags: new Set(['r:v1']) };
  it.each([
    ['stays without a snapshot of what is in use', null, false],
    ['stays with one that is not complete', { ...NOTHING_IN_USE, complete: false }, false],
    ['stays with one that is old', { ...NOTHING_IN_USE, collectedAt: NOW - 7 * HOUR }, false],
    ['stays when its tag is in use', used, false],
    ['stays when it is in use', { ...NOTHING_IN_USE, usedImages: new Set([`r@${digest('m4')}`]) }, false],
    ['stays when a document names it', { ...NOTHING_IN_USE, usedDigests: new Set([digest('m4')]) }, false],
    ['goes when nobody uses it', NOTHING_IN_USE, true],
    ['goes when another repository is in use', { ...NOTHING_IN_USE, usedTags: new Set(['q:v1']) }, true],
  ] as const)('%s', (_, inUse, isGone) => {
    const plan = pushedFourTimes().plan({ keepTagRevisions: 0 }, { inUse });
    expect(gone(plan).includes('m4')).toBe(isGone);
    expect(shortDeletions(plan).includes('current r:v1')).toBe(isGone);
    expect(shortDeletions(plan)[0]).toBe(isGone ? 'current r:v1' : 'index r:v1 m1');
  });

  it('stays with more than 0 revisions to keep, whatever is in use', () => {
    expect(gone(pushedFourTimes().plan({}, { inUse: NOTHING_IN_USE }))).not.toContain('m4');
  });
});

describe('what stays without a tag', () => {
  const cases: readonly (readonly [string, Partial<PrunePolicy>, Scenario, readonly string[]])[] = [
    [
      'what is young',
      { keepYoungerThanMs: HOUR },
      pushedFourTimes().image('r', 'm2', [], NOW - HOUR),
      ['m2'],
    ],
    [
      'young by the time of grace',
      { graceMs: HOUR },
      pushedFourTimes().image('r', 'u1', [], NOW - HOUR),
      ['u1'],
    ],
    ['what a protected tag had', { protectedTags: ['v*'] }, pushedFourTimes(), ['m1', 'm2', 'm3']],
    [
      'all of a protected repository',
      { protectedRepositories: ['r'] },
      pushedFourTimes(),
      ['m1', 'm2', 'm3', 'u1'],
    ],
  ];
  it.each(cases)('%s', (_, policy, scenario, names) => {
    const plan = scenario.plan(policy, { before: [] });
    const condemned = plan.examples('revision').map(({ key }) => nameOf(`sha256:${key.split('/').at(-2)!}`));
    expect(['m1', 'm2', 'm3', 'u1'].filter((name) => !condemned.includes(name))).toEqual(names);
  });

  it('is what is in use, with its layers, or by its config', () => {
    const scenario = pushedFourTimes().manifest('r', 'u2', [
      { digest: digest('c2'), size: 1, kind: 'config' },
    ]);
    scenario.layer('r', 'c2');
    const inUse = {
      ...NOTHING_IN_USE,
      usedImages: new Set([`r@${digest('u1')}`, `q@${digest('m1')}`]),
      usedDigests: new Set([digest('c2'), digest('lm2')]),
    };
    const plan = scenario.plan({}, { inUse });
    expect(gone(plan)).toEqual(['m1', 'm2', 'm3']);
    expect(shortDeletions(plan)).not.toContain('blob lm2');
    expect(plan.totals.revision['in-use'].count).toBe(2);
    expect(plan.totals.blob['in-use']).toEqual({ count: 5, bytes: 5000 });
  });

  it('is the layers of what is young, however old they are', () => {
    const scenario = pushedFourTimes().image('r', 'n1', ['lm1'], NOW - 10);
    expect(shortDeletions(scenario.plan({ keepYoungerThanMs: HOUR }))).not.toContain('layer r lm1');
  });

  it('is a blob with a young link, however old it is', () => {
    const plan = pushedFourTimes().layer('q', 'x1', NOW).plan({ keepTagRevisions: 9 });
    expect(plan.totals.blob.young).toEqual({ count: 1, bytes: 1000 });
    expect(plan.blobs.condemned.count).toBe(2);
  });

  it('is what a tag points at that was pushed after the listing', () => {
    const scenario = pushedFourTimes();
    const inventory = scenario.inventory();
    scenario.image('r', 'n1', ['lm1']).tag('r', 'v1', 'n1');
    const plan = scenario.plan({}, { inventory });
    expect(shortDeletions(plan)).not.toContain('layer r lm1');
    expect(shortDeletions(plan)).not.toContain('blob lm1');
  });
});

describe('what is about other manifests', () => {
  const signatureTag = (name: string) => `${digest(name).replace(':', '-')}.sig`;

  it('stays with its subject, to any depth', () => {
    const scenario = pushedFourTimes().image('r', 's1', ['ls1'], OLD, 'm4').image('r', 's2', [], OLD, 's1');
    scenario.image('r', 's3', [], OLD, 'm1').image('r', 's4', [], OLD, 'nowhere');
    expect(gone(scenario.plan())).toEqual(['m1', 'm2', 'm3', 's3', 's4', 'u1']);
    expect(scenario.plan().reasons.revision.get('subject-gone')?.count).toBe(2);
  });

  it('by its tag stays with it, and goes with it', () => {
    const scenario = pushedFourTimes().image('r', 's4', []).tag('r', signatureTag('m4'), 's4');
    scenario.image('r', 's1', []).tag('r', signatureTag('m1'), 's1');
    scenario.image('r', 's0', []).tag('r', signatureTag('never'), 's0');
    expect(gone(scenario.plan())).toEqual(['m1', 'm2', 'm3', 's0', 's1', 'u1']);
    expect(shortDeletions(scenario.plan())).toContain(`current r:${signatureTag('m1')}`);
    expect(shortDeletions(scenario.plan())).not.toContain(`current r:${signatureTag('m4')}`);
  });

  it('by its tag stays while it is young, or protected', () => {
    const scenario = pushedFourTimes().image('r', 's1', []).tag('r', signatureTag('m1'), 's1', NOW);
    expect(gone(scenario.plan())).not.toContain('s1');
    const old = pushedFourTimes().image('r', 's1', []).tag('r', signatureTag('m1'), 's1');
    expect(gone(old.plan({ protectedTags: ['sha256-*'] }))).not.toContain('s1');
  });

  it('may be in another repository than its subject', () => {
    const scenario = pushedFourTimes().image('q', 's4', []).tag('q', signatureTag('m4'), 's4');
    scenario.image('q', 's1', []).tag('q', signatureTag('m1'), 's1').image('q', 'x', []).tag('q', 'x', 'x');
    expect(gone(scenario.plan())).toEqual(['m1', 'm2', 'm3', 's1', 'u1']);
  });

  it('stays in a repository of nothing else, whose images are elsewhere', () => {
    const scenario = pushedFourTimes().image('q', 's0', []).tag('q', signatureTag('elsewhere'), 's0');
    expect(gone(scenario.plan())).not.toContain('s0');
  });

  it('is any tag that begins so, but not one that only looks like it', () => {
    const scenario = pushedFourTimes()
      .image('r', 's1', [])
      .tag('r', `${digest('m1').replace(':', '-')}0`, 's1');
    expect(gone(scenario.plan())).not.toContain('s1');
  });
});

describe('a repository is frozen', () => {
  it('by a manifest that cannot be read, tagged or not', () => {
    const scenario = pushedFourTimes().image('q', 'm1', ['lm1']).image('q', 'k', []).tag('q', 'k', 'k');
    scenario.manifests.set(digest('u1'), { unreadable: 'it is no JSON' });
    const plan = scenario.plan();
    expect(plan.frozen).toEqual([
      { repository: 'r', reason: `the manifest ${digest('u1')} cannot be read: it is no JSON` },
    ]);
    expect(shortDeletions(plan)).toEqual(['revision q m1', 'layer q lm1']);
  });

  it('by a young tag whose manifest cannot be read, though nothing links it', () => {
    const scenario = pushedFourTimes().tag('r', 'v2', 'n1', NOW).tag('r', 'v2', 'm4', NOW).blob('n1');
    scenario.manifests.set(digest('n1'), { unreadable: 'it is no JSON' });
    expect(scenario.plan().frozen).toEqual([
      { repository: 'r', reason: 'a manifest of the tag v2 cannot be read: it is no JSON' },
    ]);
  });

  it('by a tag whose target is not known', () => {
    const scenario = pushedFourTimes();
    scenario.tags.delete('r:v1');
    const plan = scenario.plan();
    expect(plan.frozen).toEqual([{ repository: 'r', reason: 'what the tag v1 points at could not be read' }]);
    expect(shortDeletions(plan)).toEqual([]);
  });

  it('not by a manifest that is not there', () => {
    const scenario = pushedFourTimes().remove(blobKey(ROOT, digest('u1')));
    const plan = scenario.plan();
    expect(plan.frozen).toEqual([]);
    expect(plan.reasons.revision.get('dangling')?.count).toBe(1);
  });
});

describe('ImageStreams', () => {
  const stream = (...items: readonly (readonly [string, number | null])[]): ImageStreamFacts => ({
    created: OLD,
    tags: new Map([['v1', items.map(([name, created]) => ({ digest: digest(name), created }))]]),
  });
  const images = () => {
    const scenario = new Scenario();
    for (const name of ['m1', 'm2', 'm3']) scenario.image('ns/app', name, [`l${name}`]);
    return scenario.image('ns/gone', 'g1', ['lg1']);
  };
  const inUse = (facts: ImageStreamFacts) => ({ ...NOTHING_IN_USE, streams: new Map([['ns/app', facts]]) });

  it('keep what their tags point at, as tags of the storage do', () => {
    const facts = stream(['m3', OLD], ['m2', OLD], ['m1', OLD]);
    const plan = images().plan({ keepTagRevisions: 2 }, { inUse: inUse(facts) });
    expect(gone(plan)).toEqual(['g1', 'm1']);
    expect(plan.verdict.breaker).toBeNull();
  });

  it.each([
    ['a young item', stream(['m3', OLD], ['m2', OLD], ['m1', NOW]), ['g1', 'm2']],
    ['an item without a time', stream(['m3', OLD], ['m2', OLD], ['m1', null]), ['g1', 'm2']],
    ['a young stream', { ...stream(['m3', OLD], ['m2', OLD], ['m1', OLD]), created: NOW }, ['g1']],
  ])('keep %s', (_, facts, expected) => {
    expect(gone(images().plan({ keepYoungerThanMs: HOUR }, { inUse: inUse(facts) }))).toEqual(expected);
  });

  it('freeze a repository of which they keep more than the storage has', () => {
    const facts = stream(['m3', OLD], ['imported', OLD]);
    const plan = images().plan({ keepTagRevisions: 2 }, { inUse: inUse(facts) });
    expect(plan.frozen).toEqual([
      { repository: 'ns/app', reason: 'an image of its ImageStream that stays has no manifest in storage' },
    ]);
    expect(gone(plan)).toEqual(['g1']);
  });

  it('may still list what an earlier run removed', () => {
    const plan = images().plan({}, { inUse: inUse(stream(['m3', OLD], ['removed', OLD])) });
    expect([plan.frozen, gone(plan)]).toEqual([[], ['g1', 'm1', 'm2']]);
  });
});
