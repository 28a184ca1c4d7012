import {
  conditionsNow,
  inUseTaken,
  type PrunerRecord,
  runFinished,
  runStarted,
  scheduleFailed,
  scheduleSettled,
  takeSpec,
} from '@cairn/shared/prune/images/pruner/record';
import { type PrunerSpec, readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { describe, expect, it } from 'vitest';

const at = (time: string) => `2026-11-16T${time}.000Z`;

function spec(fields: Record<string, unknown> = {}): PrunerSpec {
  const reading = readPrunerSpec(fields, { name: 'a', targets: [{ bucket: 'b', prefix: '' }] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.spec;
}
const made = takeSpec(null, spec(), { now: at('08:00:00'), uid: 'u1' });
const put = (record: PrunerRecord, time: string) => scheduleSettled(record, { wasPut: true, now: at(time) });
const statusOf = (record: PrunerRecord, type: string) => {
  const condition = record.conditions.find((candidate) => candidate.type === type);
  return [condition?.status, condition?.reason, condition?.lastTransitionTime];
};
const run = (id: string, outcome: 'Succeeded' | 'Failed', time: string) => ({
  id,
  trigger: 'schedule' as const,
  dryRun: false,
  startedAt: at(time),
  finishedAt: at(time),
  outcome,
  reason: outcome,
  message: `came to ${outcome}`,
});

describe('the spec of a pruner', () => {
  it('counts its changes, and only those', () => {
    expect(made).toMatchObject({
      uid: 'u1',
      generation: 1,
      observedGeneration: 0,
      createdAt: at('08:00:00'),
    });
    const later = { now: at('09:00:00'), uid: 'u2' };
    expect(takeSpec(made, spec(), later)).toBe(made);
    expect(takeSpec(made, spec({ suspend: true }), later)).toMatchObject({
      uid: 'u1',
      generation: 2,
      createdAt: at('08:00:00'),
      changedAt: at('09:00:00'),
      spec: { suspend: true },
    });
  });
});

describe('the schedule of a pruner', () => {
  it('flips nothing when a change goes through at once', () => {
    const before = put(made, '08:00:01');
    const after = put(
      takeSpec(before, spec({ schedule: '@hourly' }), { now: at('09:00:00'), uid: '' }),
      '09:00:01',
    );
    expect(after).toMatchObject({ observedGeneration: 2, schedule: { inForce: { generation: 2 } } });
    for (const type of ['Available', 'Scheduled', 'Degraded']) {
      expect(statusOf(after, type)).toEqual(statusOf(before, type));
    }
  });

  it('is one and the same while nothing happens to it', () => {
    const before = put(made, '08:00:01');
    expect(scheduleSettled(before, { wasPut: false, now: at('09:00:00') })).toBe(before);
    const changed = takeSpec(before, spec({ keepTagRevisions: 1 }), { now: at('09:00:00'), uid: '' });
    // Put anew it would begin an interval anew; it was not.
    expect(scheduleSettled(changed, { wasPut: false, now: at('09:00:01') })).toMatchObject({
      observedGeneration: 2,
      schedule: { inForce: { generation: 2, since: at('08:00:01') } },
    });
  });

  it('has the time of the first error, until it is repaired', () => {
    const once = scheduleFailed(put(made, '08:00:01'), 'no\n\u{1b}[31m access. ', at('09:00:00'));
    expect(once.schedule.error).toEqual({ message: 'no access', since: at('09:00:00') });
    expect(scheduleFailed(once, 'no access', at('09:05:00'))).toBe(once);
    const other = scheduleFailed(once, 'slow', at('09:05:00'));
    expect(other.schedule.error).toEqual({ message: 'slow', since: at('09:00:00') });
    expect(statusOf(other, 'Scheduled')).toEqual(['False', 'Error', at('09:00:00')]);
    expect(statusOf(other, 'Degraded')).toEqual(['True', 'SyncError', at('09:02:00')]);
    expect(statusOf(other, 'Available')).toEqual(['True', 'Ready', at('08:00:01')]);
    const mended = scheduleSettled(other, { wasPut: false, now: at('10:00:00') });
    expect(statusOf(mended, 'Scheduled')).toEqual(['True', 'Scheduled', at('10:00:00')]);
    expect(statusOf(mended, 'Degraded')).toEqual(['False', 'AsExpected', at('10:00:00')]);
  });

  it('is not shown as in force before it is put', () => {
    const [available, scheduled] = conditionsNow(made, Date.parse(at('09:00:00')));
    expect([available!.reason, scheduled!.reason]).toEqual(['Pending', 'Pending']);
  });

  it('keeps messages short', () => {
    const { error } = scheduleFailed(made, 'x'.repeat(5000), at('09:00:00')).schedule;
    expect(error!.message).toHaveLength(501);
  });
});

describe('the runs of a pruner', () => {
  it('are under way, then over', () => {
    const active = { id: 'r1', trigger: 'manual', dryRun: false, startedAt: at('10:00:00') } as const;
    const running = runStarted(put(made, '08:00:01'), active);
    expect(statusOf(running, 'Progressing')).toEqual(['True', 'Running', at('10:00:00')]);
    const over = runFinished(running, run('r1', 'Succeeded', '10:30:00'));
    expect(over).toMatchObject({ activeRun: null, lastRun: { id: 'r1' }, consecutiveFailures: 0 });
    expect(statusOf(over, 'Progressing')).toEqual(['False', 'Idle', at('10:30:00')]);
    expect(statusOf(over, 'Failed')).toEqual(['False', 'Succeeded', at('10:30:00')]);
  });

  it('do not end another run', () => {
    const active = { id: 'r2', trigger: 'manual', dryRun: false, startedAt: at('10:00:00') } as const;
    expect(runFinished(runStarted(made, active), run('r1', 'Failed', '10:30:00')).activeRun).toEqual(active);
  });

  it('degrade it by failing twice in a row, however often one is reported', () => {
    const first = runFinished(made, run('r1', 'Failed', '10:00:00'));
    const again = runFinished(first, run('r1', 'Failed', '10:00:00'));
    expect(again.consecutiveFailures).toBe(1);
    expect(statusOf(again, 'Degraded')[0]).toBe('False');
    const second = runFinished(again, run('r2', 'Failed', '11:00:00'));
    expect(statusOf(second, 'Degraded')).toEqual(['True', 'JobFailed', at('11:00:00')]);
    expect(statusOf(second, 'Failed')).toEqual(['True', 'Failed', at('10:00:00')]);
    const third = runFinished(second, run('r3', 'Succeeded', '12:00:00'));
    expect([statusOf(third, 'Degraded'), third.consecutiveFailures]).toEqual([
      ['False', 'AsExpected', at('12:00:00')],
      0,
    ]);
  });
});

it('the record keeps the in-use report', () => {
  const inUse = {
    revision: 'r1',
    collectedAt: at('09:00:00'),
    complete: true,
    missing: [],
    images: 3,
    tags: 1,
    digests: 0,
    imageStreams: null,
    invalidReferences: 0,
  };
  expect(inUseTaken(made, inUse)).toEqual({ ...made, inUse });
});

describe('a time in the future', () => {
  const wrong = '2026-12-16T08:00:00.000Z';

  it('of a schedule is replaced by that of the next look', () => {
    const before = scheduleSettled(made, { wasPut: true, now: wrong });
    const after = scheduleSettled(before, { wasPut: false, now: at('09:00:00') });
    expect(after.schedule.inForce).toEqual({ generation: 1, since: at('09:00:00') });
  });

  it('of an error is replaced, so that it counts in time', () => {
    const before = scheduleFailed(made, 'no', wrong);
    const after = scheduleFailed(before, 'no', at('09:00:00'));
    expect(after.schedule.error).toEqual({ message: 'no', since: at('09:00:00') });
    expect(scheduleFailed(after, 'no', at('09:05:00'))).toBe(after);
  });
});
