import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PrunerFiring } from '../../../../functions/pruners/schedules.ts';
import { LocalPrunerSchedules } from '../../../../infra/local/schedule.ts';
import { definition } from '../../../helpers/prune/schedules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T12:00:00.500Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function recorded(work: () => Promise<unknown> = async () => {}) {
  const firings: PrunerFiring[] = [];
  const errors: [string, unknown][] = [];
  const schedules = new LocalPrunerSchedules(
    (firing) => {
      firings.push(firing);
      return work();
    },
    (pruner, error) => errors.push([pruner, error]),
  );
  const times = () => firings.map(({ scheduledTime }) => scheduledTime.replace(':00.000Z', 'Z'));
  return { schedules, firings, errors, times };
}

describe('LocalPrunerSchedules', () => {
  it('fires at the times of the schedule, with the time it was for', async () => {
    const { schedules, firings, times } = recorded();
    await schedules.put('cluster', definition('0 0 * * *', { timeZone: 'Europe/Berlin' }));
    await vi.advanceTimersByTimeAsync(11 * HOUR - 501);
    expect(firings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(firings).toEqual([
      { pruner: 'cluster', scheduledTime: '2026-01-01T23:00:00.000Z', trigger: 'schedule' },
    ]);
    await vi.advanceTimersByTimeAsync(DAY);
    expect(times()).toEqual(['2026-01-01T23:00Z', '2026-01-02T23:00Z']);
  });

  it('waits longer than a timer can', async () => {
    const { schedules, times } = recorded();
    await schedules.put('cluster', definition('0 0 1 3 *'));
    // A timer for more than 24 days fires at once.
    await vi.advanceTimersByTimeAsync(DAY);
    expect(times()).toEqual([]);
    vi.setSystemTime('2026-02-28T23:58:30Z');
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times()).toEqual([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times()).toEqual(['2026-03-01T00:00Z']);
  });

  it('fires once after a sleep, for the latest time that was missed', async () => {
    const { schedules, times } = recorded();
    await schedules.put('cluster', definition('*/10 * * * *'));
    vi.setSystemTime('2026-01-02T08:33:00Z');
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times()).toEqual(['2026-01-02T08:30Z']);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(times()).toEqual(['2026-01-02T08:30Z', '2026-01-02T08:40Z']);
  });

  it.each(['*/10 * * * *', '@every 10m'])(
    'fires %s again when a clock that was 30 days ahead is set back',
    async (schedule) => {
      vi.setSystemTime('2026-01-31T12:00:00.000Z');
      const { schedules, times } = recorded();
      await schedules.put('cluster', definition(schedule));
      vi.setSystemTime('2026-01-01T12:00:00.000Z');
      await vi.advanceTimersByTimeAsync(15 * MINUTE);
      expect(times().map((time) => time.slice(0, 13))).toEqual(['2026-01-01T12']);
    },
  );

  it('does not fire early when the clock is set back', async () => {
    const { schedules, times } = recorded();
    await schedules.put('cluster', definition('10 12 * * *'));
    vi.setSystemTime('2026-01-01T11:00:00Z');
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(times()).toEqual([]);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(times()).toEqual(['2026-01-01T12:10Z']);
  });

  it('counts intervals from when they were put', async () => {
    const { schedules, firings } = recorded();
    await schedules.put('cluster', definition('@every 90m'));
    await vi.advanceTimersByTimeAsync(3 * HOUR);
    expect(firings.map(({ scheduledTime }) => scheduledTime)).toEqual([
      '2026-01-01T13:30:00.500Z',
      '2026-01-01T15:00:00.500Z',
    ]);
  });

  it('fires each pruner for itself, by its last definition', async () => {
    const { schedules, firings } = recorded();
    await schedules.put('one', definition('@hourly'));
    await schedules.put('two', definition('30 * * * *'));
    await schedules.put('one', definition('45 * * * *'));
    await schedules.put('three', definition('@hourly', { suspend: true }));
    await schedules.put('four', definition('@hourly'));
    await schedules.remove('four');
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(firings.map(({ pruner }) => pruner)).toEqual(['two', 'one']);
    await schedules.put('two', definition('30 * * * *', { suspend: true }));
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(firings.map(({ pruner }) => pruner)).toEqual(['two', 'one', 'one']);
  });

  it('knows what it holds', async () => {
    const { schedules } = recorded();
    expect(await schedules.holds('one', definition('@daily'))).toBe(false);
    await schedules.put('one', definition('@daily', { suspend: true }));
    expect(await schedules.holds('one', definition('@daily', { suspend: true }))).toBe(true);
    expect(await schedules.holds('one', definition('@daily'))).toBe(false);
    await schedules.remove('one');
    await schedules.remove('one');
    expect(await schedules.holds('one', definition('@daily', { suspend: true }))).toBe(false);
  });

  it('reports the error of a run and goes on', async () => {
    const failure = new Error('no bucket');
    const { schedules, firings, errors } = recorded(() => Promise.reject(failure));
    await schedules.put('one', definition('@hourly'));
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(errors).toEqual([
      ['one', failure],
      ['one', failure],
    ]);
    expect(firings).toHaveLength(2);
  });

  it('fires no more when it is stopped, and waits for what is under way', async () => {
    const run = Promise.withResolvers<void>();
    const { schedules, firings } = recorded(() => run.promise);
    await schedules.put('one', definition('@hourly'));
    await vi.advanceTimersByTimeAsync(HOUR);
    let isStopped = false;
    const stopped = schedules.stop().then(() => (isStopped = true));
    await schedules.put('two', definition('* * * * *'));
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect([isStopped, firings.length, vi.getTimerCount()]).toEqual([false, 1, 0]);
    run.resolve();
    await stopped;
  });
});
