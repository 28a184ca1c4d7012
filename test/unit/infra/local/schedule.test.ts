import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PruneRequest } from '../../../../functions/prune-runs/job.ts';
import type { SyncRequest } from '../../../../functions/sync/job.ts';
import { type LocalJobs, LocalSchedule } from '../../../../infra/local/schedule.ts';

const MINUTE = 60_000;
const INTERVAL = 10 * MINUTE;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:03:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A schedule whose runs are only recorded; each ends when the test says so, or at once. */
function recorded(work: () => Promise<unknown> = async () => {}) {
  const requests: SyncRequest[] = [];
  const housekeepingSlots: string[] = [];
  const pruned: PruneRequest[] = [];
  const errors: [keyof LocalJobs, unknown][] = [];
  const sync = (request: SyncRequest) => {
    requests.push(request);
    return work();
  };
  const housekeeping = ({ scheduledTime }: SyncRequest) => {
    housekeepingSlots.push(scheduledTime);
    return work();
  };
  const prune = (request: PruneRequest) => {
    pruned.push(request);
    return work();
  };
  const fleet = async () => {};
  const schedule = new LocalSchedule({ sync, housekeeping, fleet, prune }, (job, error) =>
    errors.push([job, error]),
  );
  return { schedule, requests, housekeepingSlots, pruned, errors };
}

describe('every', () => {
  it('fires at whole multiples of the interval, with the slot as the scheduled time', async () => {
    const { schedule, requests } = recorded();
    schedule.every('sync', INTERVAL);
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
    schedule.every('sync', INTERVAL);
    await vi.advanceTimersByTimeAsync(INTERVAL - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests[0]?.scheduledTime).toBe('2026-01-01T00:20:00.000Z');
  });

  it('fires for a slot of now when a clock that was ahead is set back meanwhile', async () => {
    vi.setSystemTime('2026-01-31T00:03:00.000Z');
    const { schedule, requests } = recorded();
    schedule.every('sync', INTERVAL);
    vi.setSystemTime('2026-01-01T00:03:00.000Z');
    await vi.advanceTimersByTimeAsync(2 * INTERVAL);
    expect(requests.map(({ scheduledTime }) => scheduledTime)).toEqual([
      '2026-01-01T00:10:00.000Z',
      '2026-01-01T00:20:00.000Z',
    ]);
  });

  it('keeps to its slots while a sync takes longer than the interval', async () => {
    const { schedule, requests } = recorded(() => new Promise(() => {}));
    schedule.every('sync', INTERVAL);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL);
    expect(requests).toHaveLength(3);
  });

  it('keeps each job to its own interval', async () => {
    const { schedule, requests, housekeepingSlots } = recorded();
    schedule.every('sync', INTERVAL);
    schedule.every('housekeeping', 15 * MINUTE);
    await vi.advanceTimersByTimeAsync(27 * MINUTE);
    expect(requests).toHaveLength(3);
    expect(housekeepingSlots).toEqual(['2026-01-01T00:15:00.000Z', '2026-01-01T00:30:00.000Z']);
    await schedule.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports the error of a sync and goes on', async () => {
    const failure = new Error('no table');
    const { schedule, requests, errors } = recorded(() => Promise.reject(failure));
    schedule.every('sync', INTERVAL);
    await vi.advanceTimersByTimeAsync(2 * INTERVAL);
    expect(errors).toEqual([
      ['sync', failure],
      ['sync', failure],
    ]);
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

describe('launchPruner', () => {
  it('starts a manual run with its own slot', async () => {
    const { schedule, pruned } = recorded();
    const launch = { pruner: 'cluster', trigger: 'manual', dryRun: true, agree: 'abc' } as const;
    const slot = await schedule.launchPruner({ ...launch, now: Date.now() });
    expect(slot).toBe('2026-01-01T00:03:00.000Z');
    expect(pruned).toEqual([{ ...launch, scheduledTime: slot }]);
  });

  it('goes on with a run under the slot it has', async () => {
    const { schedule, pruned } = recorded();
    const slot = '2025-12-31T00:00:00.000Z';
    const launch = { pruner: 'cluster', trigger: 'resume', slot, now: Date.now() } as const;
    expect(await schedule.launchPruner(launch)).toBe(slot);
    expect(pruned).toEqual([{ pruner: 'cluster', trigger: 'resume', scheduledTime: slot }]);
  });
});

describe('launchHousekeeping', () => {
  it('starts a run at once', async () => {
    const { schedule, requests, housekeepingSlots } = recorded();
    schedule.launchHousekeeping(Date.now());
    expect([requests, housekeepingSlots]).toEqual([[], ['2026-01-01T00:03:00.000Z']]);
  });
});

describe('stop', () => {
  it('fires no more', async () => {
    const { schedule, requests } = recorded();
    schedule.every('sync', INTERVAL);
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
