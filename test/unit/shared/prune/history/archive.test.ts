import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import {
  archiveHistory,
  EMPTY_ARCHIVE,
  type HistoryArchive,
  lowerHistory,
  identityOf,
} from '@cairn/shared/prune/history/archive';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completed, onDay, partial, updates } from '../../../../helpers/prune/histories.ts';
import { sized } from '../../../../helpers/size.ts';

const NOW = onDay(4000);
const take = (former: HistoryArchive, told: readonly HistoryEntry[], max = 100, now = NOW) =>
  archiveHistory(former, told, { max, now });
const versionsOf = (entries: readonly { readonly version: string }[]) =>
  entries.map(({ version }) => version);

describe('the archive of a history', () => {
  it('keeps what the cluster itself has forgotten', () => {
    const all = updates(60);
    const first = take(EMPTY_ARCHIVE, all.slice(10));
    const then = take(first, [...all.slice(0, 10), all.at(-1)!]);
    expect(then).toEqual({ entries: all, removed: { total: 0, recent: [] } });
  });

  it('removes the least significant entry above the limit, and records it with the reason', () => {
    const told = [...updates(10, { perMinor: 20 }), partial('4.0.9', 0), completed('4.0.8', -1)];
    const { entries, removed } = take(EMPTY_ARCHIVE, told, 11);
    expect(entries).toHaveLength(11);
    expect(removed.total).toBe(1);
    const [first] = removed.recent;
    expect(versionsOf(entries)).not.toContain(first!.version);
    expect(first).toEqual({
      state: 'Completed',
      version: '4.1.1',
      image: 'registry.example/release@4.1.1',
      startedTime: onDay(2),
      rank: expect.closeTo(-1.01 * 8) as number,
      class: 'other',
      reason: expect.stringContaining('no change of minor') as string,
      removedAt: NOW,
    });
  });

  it('is the same when the cluster reports the same again', () => {
    const told = updates(130);
    const once = take(EMPTY_ARCHIVE, told, 100, onDay(1000));
    expect(once.removed.total).toBe(30);
    expect(take(once, told, 100, onDay(1001))).toEqual(once);
  });

  it('does not let what went push out another one', () => {
    const full = take(EMPTY_ARCHIVE, updates(130));
    const gone = full.removed.recent.at(-1)!;
    const toldAgain = updates(130).filter(({ version }) => version === gone.version);
    expect(take(full, toldAgain)).toEqual(full);
  });

  it('ranks an entry again that was removed as partial and is now reported as completed', () => {
    const told = updates(101, { perMinor: 101 }).map((entry, index) =>
      index === 95 ? { ...entry, state: 'Partial' as const } : entry,
    );
    const full = take(EMPTY_ARCHIVE, told);
    expect(versionsOf(full.removed.recent)).toEqual([told[95]!.version]);
    const then = take(full, [{ ...told[95]!, state: 'Completed' }]);
    expect(versionsOf(then.entries)).toContain(told[95]!.version);
    expect(versionsOf(then.removed.recent)).not.toContain(told[95]!.version);
    expect(then.removed.total).toBe(2);
  });

  it('adds entries again that the cluster still reports once there is room', () => {
    const told = updates(130);
    const small = take(EMPTY_ARCHIVE, told, 50);
    expect(small.removed.recent).toHaveLength(80);
    const large = take(small, told, 200);
    expect(large.entries).toEqual(told);
    expect(large.removed).toEqual({ total: 80, recent: [] });
  });

  it('remembers the last 200 that went, and how many in all', () => {
    const lowered = lowerHistory(
      { entries: updates(400), removed: { total: 5, recent: [] } },
      { max: 8, now: NOW },
    );
    expect(lowered.removed).toHaveLength(392);
    expect(lowered.archive.removed.total).toBe(397);
    expect(lowered.archive.removed.recent).toEqual(lowered.removed.slice(0, 200));
  });

  it('loses no entry without a record, whatever the pieces and order of the reports', () => {
    const all = updates(150, { perMinor: 7 });
    const pieces = fc.array(fc.subarray(all, { minLength: 1, maxLength: 40 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 8, max: 60 }), (reports, max) => {
        const archive = reports.reduce((former, told) => take(former, told, max), EMPTY_ARCHIVE);
        const seen = new Set(reports.flat().map(identityOf));
        const kept = archive.entries.map(identityOf);
        const gone = archive.removed.recent.map(identityOf);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect(kept.length).toBe(Math.min(max, seen.size));
        expect(new Set([...kept, ...gone])).toEqual(seen);
        expect(kept.length + gone.length).toBe(seen.size);
        // The newest five and the oldest of all that was seen.
        const order = all.filter((entry) => seen.has(identityOf(entry))).map(identityOf);
        for (const identity of [...order.slice(0, 5), order.at(-1)!]) expect(kept).toContain(identity);
      }),
      { numRuns: sized(100, 200) },
    );
  });
});
