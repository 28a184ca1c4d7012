import {
  mergeRelease,
  namesOfOne,
  type ObservedRelease,
  type UpdateEntry,
} from '@cairn/shared/prune/history/merge';
import { describe, expect, it } from 'vitest';

const BEFORE = '2026-01-01T00:00:00Z';
const NOW = '2026-01-02T00:00:00Z';

function entry(fields: Partial<UpdateEntry> = {}): UpdateEntry {
  return {
    state: 'Partial',
    version: '0.0.1',
    image: 't:1',
    startedTime: BEFORE,
    completionTime: null,
    verified: false,
    acceptedRisks: '',
    ...fields,
  };
}

function observed(fields: Partial<ObservedRelease> = {}): ObservedRelease {
  return {
    version: '0.0.1',
    image: 't:1',
    completed: false,
    verified: false,
    acceptedRisks: '',
    localPayload: false,
    now: NOW,
    ...fields,
  };
}

const newEntry = entry({ version: '0.0.2', image: 't:2', startedTime: NOW });
const other = { version: '0.0.2', image: 't:2' };

describe('the same release', () => {
  it.each([
    ['t:1', '0.0.1', 't:1', '0.0.1', ['t:1', '0.0.1']],
    ['t:1', '', 't:1', '0.0.1', ['t:1', '0.0.1']],
    ['t:1', '0.0.1', 't:1', '', ['t:1', '0.0.1']],
    ['', '0.0.1', 't:1', '0.0.1', ['t:1', '0.0.1']],
    ['', '0.0.1', '', '0.0.1', ['', '0.0.1']],
    ['t:1', '', 't:1', '', ['t:1', '']],
    ['t:1', '0.0.1', '', '0.0.1', null],
    ['t:1', '0.0.1', 't:2', '0.0.1', null],
    ['t:1', '0.0.1', 't:1', '0.0.2', null],
    ['t:1', '', 't:2', '', null],
    ['', '', '', '', null],
    ['', '', 't:1', '0.0.1', null],
  ])(
    'an entry of "%s" "%s" and an observed "%s" "%s": %o',
    (image, version, otherImage, otherVersion, names) => {
      const joined = namesOfOne({ image, version }, { image: otherImage, version: otherVersion });
      expect(joined && [joined.image, joined.version]).toEqual(names);
    },
  );
});

describe('a round of the operator', () => {
  it.each([
    [null, []],
    [[], []],
    [[entry()], [entry()]],
    [[entry({ state: '' })], [entry({ state: '' })]],
  ])('without an image leaves %o', (history, after) => {
    expect(mergeRelease(history, observed({ image: '', completed: true, verified: true }))).toEqual(after);
  });

  it.each([[null], [[]]])('begins a history, %o', (history) => {
    const acceptedRisks = 'all of them';
    expect(mergeRelease(history, observed({ acceptedRisks }))).toEqual([
      entry({ startedTime: NOW, acceptedRisks }),
    ]);
    expect(
      mergeRelease(history, observed({ acceptedRisks, localPayload: true, completed: true, verified: true })),
    ).toEqual([
      entry({ startedTime: NOW, acceptedRisks, state: 'Completed', completionTime: NOW, verified: true }),
    ]);
  });

  it('takes a newest entry without a state for a partial one', () => {
    expect(mergeRelease([entry({ state: '' }), entry({ state: '' })], observed())).toEqual([
      entry(),
      entry({ state: '' }),
    ]);
    expect(mergeRelease([entry({ state: '' })], observed(other))[1]).toEqual(entry({ completionTime: NOW }));
  });

  it('completes the newest entry, once', () => {
    const [completed] = mergeRelease([entry()], observed({ completed: true }));
    expect(completed).toEqual(entry({ state: 'Completed', completionTime: NOW }));
    const later = observed({ completed: true, now: '2026-01-03T00:00:00Z' });
    expect(mergeRelease([completed!], later)).toEqual([completed]);
    // What was given up, gone back to and then completed has the time at which it was given up.
    const [again] = mergeRelease([entry({ completionTime: BEFORE })], later);
    expect(again).toEqual(entry({ state: 'Completed', completionTime: BEFORE }));
  });

  it('never takes a completion back', () => {
    const completed = entry({ state: 'Completed', completionTime: BEFORE });
    expect(mergeRelease([completed], observed())).toEqual([completed]);
  });

  it('fills in a version that was not known', () => {
    expect(mergeRelease([entry({ version: '' })], observed())).toEqual([entry()]);
    expect(mergeRelease([entry({ image: '' })], observed())).toEqual([entry()]);
    expect(mergeRelease([entry()], observed({ version: '' }))).toEqual([entry()]);
  });

  it('writes accepted risks anew, unless the payload is the local one', () => {
    const known = entry({ acceptedRisks: 'some' });
    expect(mergeRelease([known], observed())[0]!.acceptedRisks).toBe('');
    expect(mergeRelease([known], observed({ acceptedRisks: 'more' }))[0]!.acceptedRisks).toBe('more');
    expect(mergeRelease([known], observed({ localPayload: true }))[0]!.acceptedRisks).toBe('some');
  });

  it('puts another release first, and ends the one before as it is', () => {
    expect(mergeRelease([entry()], observed(other))).toEqual([newEntry, entry({ completionTime: NOW })]);
    const completed = entry({ state: 'Completed', completionTime: BEFORE });
    expect(
      mergeRelease([completed, entry()], observed({ ...other, localPayload: true, acceptedRisks: 'x' })),
    ).toEqual([{ ...newEntry, acceptedRisks: 'x' }, completed, entry()]);
  });

  it('puts another release first that is completed at once', () => {
    expect(mergeRelease([entry()], observed({ ...other, completed: true }))).toEqual([
      { ...newEntry, state: 'Completed', completionTime: NOW },
      entry({ completionTime: NOW }),
    ]);
  });

  it('verifies the newest entry, for good', () => {
    const [verified] = mergeRelease([entry()], observed({ verified: true }));
    expect(verified).toEqual(entry({ verified: true }));
    expect(mergeRelease([verified!], observed())).toEqual([verified]);
    const two = mergeRelease([entry()], observed({ ...other, verified: true }));
    expect(two.map((each) => each.verified)).toEqual([true, false]);
  });

  it('gives a release that comes back an entry of its own', () => {
    const twice = mergeRelease(mergeRelease([entry()], observed(other)), observed());
    expect(twice.map(({ version }) => version)).toEqual(['0.0.1', '0.0.2', '0.0.1']);
  });
});
