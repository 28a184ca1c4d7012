import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SyncRequest } from '../../../functions/jobs/sync/run.ts';
import { LocalSchedule } from '../../../infra/local/schedule.ts';

const MINUTE = 60_000;
const INTERVAL = 10 * MINUTE;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:03:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A schedule whose syncs are only recorded; each ends when the test says so, or at once. */
function recorded(work: () => Promise<unknown> = async () => {}) {
  const requests: SyncRequest[] = [];
  const errors: unknown[] = [];
  const schedule = new LocalSchedule(
    (request) => {
      requests.push(request);
      return work();
    },
    (error) => errors.push(error),
  );
  return { schedule, requests, errors };
}

describe('every', () => {
  it('fires at whole multiples of the interval, with the slot as the scheduled time', async () => {
    const { schedule, requests } = recorded();
    schedule.every(INTERVAL);
    await vi.advanceTimersByTimeAsync(7 * MINUTE - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toEqual([{ scheduledTime: '2026-01-01T00:10:00.000Z', trigger: 'schedule' }]);
    await vi.advanceTimersByTimeAsync(20 * MINUTE);
    expect(requests.map(({ scheduledTime }) => scheduledTime)).toEqual([
      '2026-01-01T00:10:00.000Z',
      '2026-01-01T00:20:00.000Z',
      '2026-01-01T00:30:00.000Z',
    ]);
  });

  it('waits for the next slot when it begins exactly on one', async () => {
    vi.setSystemTime('2026-01-01T00:10:00.000Z');
    const { schedule, requests } = recorded();
    schedule.every(INTERVAL);
    await vi.advanceTimersByTimeAsync(INTERVAL - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests[0]?.scheduledTime).toBe('2026-01-01T00:20:00.000Z');
  });

  it('keeps to its slots while a sync takes longer than the interval', async () => {
    const { schedule, requests } = recorded(() => new Promise(() => {}));
    schedule.every(INTERVAL);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL);
    expect(requests).toHaveLength(3);
  });

  it('reports the error of a sync and goes on', async () => {
    const failure = new Error('no table');
    const { schedule, requests, errors } = recorded(() => Promise.reject(failure));
    schedule.every(INTERVAL);
    await vi.advanceTimersByTimeAsync(2 * INTERVAL);
    expect(errors).toEqual([failure, failure]);
    expect(requests).toHaveLength(2);
  });
});

describe('launchSync', () => {
  it('starts a run at once and returns its slot', async () => {
    const { schedule, requests } = recorded(() => new Promise(() => {}));
    const accept = ['stable-4.14/amd64'];
    const slot = await schedule.launchSync({ accept, now: Date.now() });
    expect(slot).toBe('2026-01-01T00:03:00.000Z');
    expect(requests).toEqual([{ scheduledTime: slot, trigger: 'manual', accept }]);
  });
});

describe('stop', () => {
  it('fires no more', async () => {
    const { schedule, requests } = recorded();
    schedule.every(INTERVAL);
    await schedule.stop();
    await vi.advanceTimersByTimeAsync(3 * INTERVAL);
    expect(requests).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for every run under way, also one that fails', async () => {
    const runs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const queue = runs.map(({ promise }) => promise);
    const { schedule, errors } = recorded(() => queue.shift()!);
    await schedule.launchSync({ accept: [], now: Date.now() });
    await schedule.launchSync({ accept: [], now: Date.now() + 1 });
    let isStopped = false;
    const stopped = schedule.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(isStopped).toBe(false);
    runs[0]!.resolve();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(isStopped).toBe(false);
    runs[1]!.reject(new Error('cut'));
    await stopped;
    expect(errors).toHaveLength(1);
  });
});
