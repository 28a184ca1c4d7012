import type { InUse } from '@cairn/shared/prune/images/in-use/facts';
import { blobKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { describe, expect, it } from 'vitest';
import {
  digest,
  HOUR,
  NOTHING_IN_USE,
  NOW,
  OLD,
  ROOT,
  Scenario,
} from '../../../../../helpers/prune/scenario.ts';

/** Twelve images of 120 that are not tagged, so that a tenth would go. */
function tenth(): Scenario {
  const scenario = new Scenario();
  for (let number = 0; number < 120; number++) {
    scenario.image('r', `m${number}`, [`l${number}`]);
    if (number < 108) scenario.tag('r', `v${number}`, `m${number}`);
  }
  return scenario;
}

const untagged = () => new Scenario().image('r', 'm1', ['l1']);
/** With blobs that nobody has, so that three tenths and a little more would go. */
const half = () => {
  const scenario = tenth();
  for (let number = 0; number < 70; number++) scenario.blob(`o${number}`);
  return scenario;
};
const streams = { ...NOTHING_IN_USE, streams: new Map() };
const old = (inUse: InUse): InUse => ({ ...inUse, collectedAt: NOW - 6 * HOUR - 1 });

const odd = (name: string) => `${ROOT}repositories/${name}/_manifests/tags/v1/current/link`;

describe('breakers', () => {
  it.each([
    ['nothing is wrong', tenth(), {}, null],
    ['nothing is there', new Scenario(), {}, null],
    ['a part could not be listed', tenth(), { incomplete: ['blobs/sha256/00', 'x'] }, 'IncompleteListing'],
    ['a link cannot be parsed', tenth().put(odd('my app')), {}, 'IncompleteListing'],
    ['a folder has an odd name', tenth().put(`${ROOT}repositories/my app/`), {}, null],
    ['the key of a blob cannot be parsed', tenth().put(`${ROOT}blobs/sha256/ab/cd/data`), {}, null],
    ['what is in use is complete', tenth(), { inUse: NOTHING_IN_USE }, null],
    ['it is not complete', tenth(), { inUse: { ...NOTHING_IN_USE, complete: false } }, 'IncompleteInUse'],
    ['it is old, and not required', tenth(), { inUse: old(NOTHING_IN_USE) }, null],
    ['there are no tags and no ImageStreams', untagged(), {}, 'NoTags'],
    [
      'there are no tags and no ImageStreams in what is in use',
      untagged(),
      { inUse: NOTHING_IN_USE },
      'NoTags',
    ],
    ['there are no tags and old ImageStreams', untagged(), { inUse: old(streams) }, 'NoTags'],
    ['there are ImageStreams and nothing would stay', untagged(), { inUse: streams }, 'NoRoots'],
    ['too many blobs would go', half(), {}, 'TooMuch'],
    ['another plan was agreed to', half(), { agreedHash: tenth().plan().hash }, 'TooMuch'],
    ['this plan was agreed to', half(), { agreedHash: half().plan().hash }, null],
  ] as const)('%s', (_, scenario, input, reason) => {
    expect(scenario.plan({}, input).verdict.breaker?.reason ?? null).toBe(reason);
  });

  it.each([
    ['nobody told', null, 'NoInUse'],
    ['it is fresh', NOTHING_IN_USE, null],
    ['it is of a moment after the run was due', { ...NOTHING_IN_USE, collectedAt: NOW + 1 }, null],
    ['it is exactly six hours old', { ...NOTHING_IN_USE, collectedAt: NOW - 6 * HOUR }, null],
    ['it is older', old(NOTHING_IN_USE), 'StaleInUse'],
  ] as const)('where it is required what is in use: %s', (_, inUse, reason) => {
    expect(tenth().plan({ requireInUse: true }, { inUse }).verdict.breaker?.reason ?? null).toBe(reason);
  });

  it('check bytes, too', () => {
    const scenario = tenth().put(blobKey(ROOT, digest('o1')), OLD, 100_000);
    expect(scenario.plan().verdict.breaker?.message).toMatch(
      /^10\.\d % of the blobs and [3-9]\d\.\d % of their bytes/,
    );
    expect(scenario.plan().verdict.breaker?.reason).toBe('TooMuch');
  });

  it('let a few blobs go, whatever share they are', () => {
    const few = new Scenario().image('r', 'm1', ['l1']).image('r', 'm2', ['l2']).tag('r', 'latest', 'm2');
    expect(few.plan().blobs.condemned.count).toBeGreaterThan(0);
    expect(few.plan().verdict.breaker).toBeNull();
    const layers = (count: number) => Array.from({ length: count }, (_, number) => `x${number}`);
    const condemning = (count: number) =>
      new Scenario()
        .image('r', 'm1', layers(count - 1))
        .image('r', 'm2', ['l2'])
        .tag('r', 'latest', 'm2')
        .plan();
    expect(condemning(20)).toMatchObject({ blobs: { condemned: { count: 20 } }, verdict: { breaker: null } });
    expect(condemning(21)).toMatchObject({
      blobs: { condemned: { count: 21 } },
      verdict: { breaker: { reason: 'TooMuch' } },
    });
  });

  it('show what would be deleted, and how to confirm it', () => {
    const plan = half().plan();
    const { all, condemned } = plan.blobs;
    const share = `${((100 * condemned.count) / all.count).toFixed(1)} %`;
    expect(plan.verdict.breaker?.message).toBe(
      `${share} of the blobs and ${share} of their bytes would go, more than 30.0 %; a run that names the plan ${plan.hash} may do so`,
    );
  });

  it.each([
    [['my app'], ''],
    [['my app', '_a', 'é'], ' and 2 more'],
  ])('name a key that cannot be parsed, and what to do: %j', (names, more) => {
    const scenario = names.reduce((before, name) => before.put(odd(name)), tenth());
    expect(scenario.plan().verdict.breaker?.message).toBe(
      `the pruner cannot parse the key "${odd('my app')}"${more} below repositories/, so it does not know which blobs are needed; copy the images that you need to a repository with a valid name, then remove these keys`,
    );
  });

  it('do not keep a plan from showing what would be deleted', () => {
    expect([...untagged().plan().deletions('revision')]).toHaveLength(1);
  });
});
