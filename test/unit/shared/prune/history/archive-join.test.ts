import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { identityOf, joinHistories } from '@cairn/shared/prune/history/archive';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completed, onDay, partial } from '../../../../helpers/prune/histories.ts';

describe('two views of one history', () => {
  it('are one, newest first, with what either has', () => {
    const known = [completed('4.16.2', 3), completed('4.16.0', 1)];
    const told = [completed('4.16.3', 4), completed('4.16.1', 2), completed('4.16.0', 1)];
    expect(joinHistories(known, told).map(({ version }) => version)).toEqual([
      '4.16.3',
      '4.16.2',
      '4.16.1',
      '4.16.0',
    ]);
  });

  const open = { ...partial('4.16.1', 5), completionTime: null };
  const superseded = { ...partial('4.16.1', 5), completionTime: onDay(7) };
  const done = { ...completed('4.16.1', 5), completionTime: onDay(6) };
  it.each([
    ['an update that goes on is completed', open, done, done],
    ['a completed update stays so', done, open, done],
    ['its time of completion does not move', done, { ...done, completionTime: onDay(9) }, done],
    ['one that was given up has the time of the next', open, superseded, superseded],
    ['a time of completion takes the place of that', superseded, done, done],
    ['which never takes its place', done, superseded, done],
    ['verified stays', { ...done, verified: true }, done, { ...done, verified: true }],
    ['verified is news', done, { ...done, verified: true }, { ...done, verified: true }],
    ['a version that was not known is taken', { ...done, version: '' }, done, done],
    ['a version that is not told any more stays', done, { ...done, version: '' }, done],
    [
      'what was accepted is told anew',
      { ...done, acceptedRisks: 'A' },
      { ...done, acceptedRisks: 'A and B' },
      { ...done, acceptedRisks: 'A and B' },
    ],
    ['and stays when it is not', { ...done, acceptedRisks: 'A' }, done, { ...done, acceptedRisks: 'A' }],
    ['a moment is the same in another time zone', done, { ...done, startedTime: shifted(done) }, done],
  ])('%s', (_name, known, told, expected) => {
    expect(joinHistories([known], [told])).toEqual([expected]);
  });

  it('distinguish entries with another start or another image', () => {
    const again = { ...completed('4.16.1', 8), image: done.image };
    const other = { ...done, image: 'another' };
    expect(joinHistories([done], [again, other])).toEqual([again, other, done]);
  });

  it('keep the reported order of entries of one moment, before those that are no longer reported', () => {
    const sameMoment = ['a', 'b', 'c', 'd'].map((image) => ({ ...completed('4.16.1', 1), image }));
    const [a, b, c, d] = sameMoment as [HistoryEntry, HistoryEntry, HistoryEntry, HistoryEntry];
    expect(joinHistories([a, b, c], [d, b])).toEqual([d, b, a, c]);
  });

  it('take what does not say when it began as the oldest', () => {
    const undated = { ...completed('4.1.0', 1), startedTime: null };
    expect(joinHistories([undated], [completed('4.16.1', 2)]).at(-1)).toEqual(undated);
  });

  it('have an entry that is reported twice once', () => {
    expect(joinHistories([], [open, done])).toEqual([done]);
  });

  const entries = fc.array(
    fc
      .record({ day: fc.integer({ min: 1, max: 9 }), isDone: fc.boolean(), verified: fc.boolean() })
      .map(({ day, isDone, verified }) => ({
        ...(isDone ? completed(`4.16.${day}`, day) : partial(`4.16.${day}`, day)),
        verified,
      })),
    { maxLength: 12 },
  );
  it('lose nothing, whichever comes first, and say nothing twice', () => {
    fc.assert(
      fc.property(entries, entries, entries, (one, other, third) => {
        const joined = joinHistories(joinHistories(one, other), third);
        expect(joined).toEqual(joinHistories(joinHistories(third, other), one));
        expect(joinHistories(joined, other)).toEqual(joined);
        const said = [...one, ...other, ...third];
        expect(new Set(joined.map(identityOf))).toEqual(new Set(said.map(identityOf)));
        expect(joined).toHaveLength(new Set(joined.map(identityOf)).size);
        for (const entry of said) {
          const found = joined.find((each) => identityOf(each) === identityOf(entry))!;
          expect(found.state === 'Completed').toBe(
            found.state === 'Completed' || entry.state === 'Completed',
          );
          expect(found.verified).toBe(found.verified || entry.verified);
        }
      }),
    );
  });
});

function shifted({ startedTime }: HistoryEntry): string {
  return new Date(Date.parse(startedTime!) + 2 * 3600_000).toISOString().replace('.000Z', '+02:00');
}
