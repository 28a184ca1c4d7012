import { prunerHealth, type PrunerRecord, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { describe, expect, it } from 'vitest';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T12:00:00.000Z');
const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();

function pruner(spec: object = {}, others: Partial<PrunerRecord> = {}): PrunerRecord {
  const context = { name: 'cluster', targets: [{ bucket: 'registry', prefix: '' }] };
  const reading = readPrunerSpec({ timeZone: 'UTC', ...spec }, context);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const record = takeSpec(null, reading.spec, { now: at(0), uid: 'a' });
  return { ...record, schedule: { inForce: { generation: 1, since: at(0) }, error: null }, ...others };
}

function finished(hours: number, outcome: 'Succeeded' | 'Failed' = 'Succeeded', reason = 'Succeeded') {
  const run = { id: at(hours), trigger: 'schedule', dryRun: false, startedAt: at(hours) } as const;
  return { lastRun: { ...run, finishedAt: at(hours), outcome, reason, message: '' } };
}

it.each<[string, 0 | 1 | 2, PrunerRecord]>([
  ['scheduled', 2, pruner()],
  ['suspended', 1, pruner({ suspend: true })],
  ['never scheduled', 0, pruner({}, { schedule: { inForce: null, error: null } })],
  ['scheduled as it no longer should be', 0, pruner({}, { generation: 2 })],
  [
    'not scheduled any more, as far as anybody knows',
    0,
    pruner({ suspend: true }, { schedule: { ...pruner().schedule, error: { message: 'no', since: at(0) } } }),
  ],
])('a pruner that is %s has the status %i', (_what, installStatus, record) => {
  expect(prunerHealth(record, START).installStatus).toBe(installStatus);
});

it('the age of a run is that since its start, and never below zero', () => {
  const activeRun = { id: at(1), trigger: 'manual', dryRun: true, startedAt: at(1) } as const;
  const ages = [0, 1, 26].map((hours) => prunerHealth(pruner({}, { activeRun }), START + hours * HOUR));
  expect(ages.map(({ activeRunAgeSeconds }) => activeRunAgeSeconds)).toEqual([0, 0, 25 * 3600]);
  expect(prunerHealth(pruner(), START).activeRunAgeSeconds).toBe(0);
});

describe('the last run', () => {
  it.each<[string, Partial<PrunerRecord>, boolean, boolean]>([
    ['none', {}, false, false],
    ['a good one', finished(1), false, false],
    ['one that broke', finished(1, 'Failed', 'Error'), true, false],
    ['one that nothing could be deleted in', finished(1, 'Failed', 'TooMuch'), true, true],
    ['a good one that has the word for it', finished(1, 'Succeeded', 'TooMuch'), false, false],
  ])('%s', (_what, run, hasFailed, isBlocked) => {
    expect(prunerHealth(pruner({}, run), START)).toMatchObject({ hasFailed, isBlocked });
  });
});

describe('a run is overdue', () => {
  /** The first whole hour at which it is, within ten days. */
  const firstHour = (record: PrunerRecord): number | null => {
    for (let hour = 0; hour <= 240; hour++) {
      if (prunerHealth(record, START + hour * HOUR).isOverdue) return hour;
    }
    return null;
  };

  it.each<[string, number | null, PrunerRecord]>([
    // Midnight comes after 12 and after 36 hours, and an hour is left to begin.
    ['since it is scheduled', 38, pruner()],
    ['since the last one finished, however it did', 62, pruner({}, finished(13, 'Failed', 'Error'))],
    ['not since a run before it was scheduled', 38, pruner({}, finished(-100))],
    ['later, where runs may begin later', 41, pruner({ startingDeadlineSeconds: 4 * 3600 })],
    // The first of March 2026 is a Sunday.
    ['by the days on which it runs', 62, pruner({ schedule: '0 0 * * 2,3' })],
    ['by intervals from when it was scheduled', 10, pruner({ schedule: '@every 4h' })],
    ['by intervals, after a run', 14, pruner({ schedule: '@every 4h' }, finished(5))],
    ['never, while it is suspended', null, pruner({ suspend: true })],
    ['never, while it is not scheduled', null, pruner({}, { generation: 2 })],
  ])('%s', (_what, hour, record) => {
    expect(firstHour(record)).toBe(hour);
  });
});

it('a last run with a time in the future does not hide that none has run since', () => {
  const record = pruner({ schedule: '@hourly' }, finished(30 * 24));
  expect([1, 5].map((hours) => prunerHealth(record, START + hours * HOUR).isOverdue)).toEqual([false, true]);
});
