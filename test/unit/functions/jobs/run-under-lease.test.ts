import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type JobSlot,
  type LeasedJob,
  LeaseLost,
  reportFutureTimes,
  runUnderLease,
} from '../../../../functions/jobs/run-under-lease.ts';
import { readItem } from '../../../../functions/store/item.ts';
import type { Key } from '../../../../functions/store/keys.ts';
import {
  acquireLease,
  breakLease,
  isLeaseHeld,
  lastSkipIn,
  leaseOf,
} from '../../../../functions/store/leases.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { changeSwitch, type SwitchName } from '../../../../functions/switches/store.ts';
import { assessed, newTable } from '../../../helpers/table/table.ts';

const MINUTE = 60_000;
const LEASE_MS = 5 * MINUTE;
const at = (minutes: number): string => new Date(minutes * MINUTE).toISOString();
const scheduled = (minutes: number): JobSlot => ({ slot: at(minutes), trigger: 'schedule' });
const manual = (minutes: number): JobSlot => ({ slot: at(minutes), trigger: 'manual' });

interface Done {
  readonly status: 'Done';
  readonly found: number;
}
type TestJob = LeasedJob<number, Done>;

let table: Table;
/** Another one for each test. */
let key: Key;
let now: number;
let lines: [level: string, message: string, fields: unknown][];
const write = (level: string) => (message: string, fields?: unknown) =>
  void lines.push([level, message, fields]);
const log = { info: write('info'), warn: write('warn'), error: write('error') };
beforeAll(async () => {
  table = await newTable();
});
beforeEach(({ task }) => {
  key = { pk: `JOB#${task.id}`, sk: 'STATE' };
  now = 10 * MINUTE;
  lines = [];
});

const done = (state: number, found = 0) =>
  ({ kind: 'done', state, result: { status: 'Done', found } }) as const;

/** A job whose state is a number, in the attribute `count`. */
function aJob(job: Partial<TestJob> = {}): TestJob {
  return {
    name: 'job',
    key,
    leaseMs: LEASE_MS,
    stoppedBy: null,
    startingDeadlineMs: null,
    state: { pack: (count) => ({ count }), unpack: ({ count }) => Number(count ?? 0) },
    run: async ({ state }) => done(state + 1, state),
    ...job,
  };
}

const run = (event: JobSlot, job: Partial<TestJob> = {}, from = table) =>
  runUnderLease({ table: from, log, clock: () => now }, event, aJob(job));
const item = async () => (await readItem(table, key)) ?? {};
const lease = async () => leaseOf(await item());
const isHeld = async () => isLeaseHeld(await lease(), now);
/** Another run, which takes over from one that stands still. */
const overtake = async (minutes = 11) => {
  await breakLease(table, key);
  await acquireLease(table, key, { slot: at(minutes), owner: 'later', now, durationMs: LEASE_MS });
};
const stop = async (name: SwitchName) => {
  onTestFinished(async () => void (await changeSwitch(table, name, () => null)));
  await changeSwitch(table, name, () => ({ reason: 'a test', since: at(0), by: 'ada' }));
};

/** The table, with every write of a lease shown by what it sets. */
function observed(onWrite: (expression: string) => Promise<void> | void): Table {
  return assessed(table, async (command) => {
    if (command instanceof UpdateItemCommand) await onWrite(command.input.UpdateExpression ?? '');
  });
}
const isRelease = (expression: string) => expression === 'REMOVE leaseOwner, leaseUntil';

describe('a run that does not start', () => {
  const work = vi.fn<TestJob['run']>();
  const onSkipped = vi.fn<NonNullable<TestJob['onSkipped']>>();
  beforeEach(() => {
    work.mockReset().mockResolvedValue(done(1));
    onSkipped.mockReset();
  });
  const noRun = { run: work, onSkipped };
  const expectSkipped = async (event: JobSlot, reason: string) => {
    expect(work).not.toHaveBeenCalled();
    expect(lastSkipIn(await item())).toEqual({ ...event, reason });
  };

  it('is missed when its event comes after the starting deadline', async () => {
    const late = { ...noRun, startingDeadlineMs: 4 * MINUTE };
    expect(await run(scheduled(5), late)).toEqual({ status: 'Skipped', reason: 'Missed' });
    await expectSkipped(scheduled(5), 'Missed');
    expect(onSkipped.mock.calls).toEqual([['Missed', null]]);
    expect(await lease()).toMatchObject({ token: 0, lastSlot: null });
    expect(lines).toEqual([['warn', 'job skipped', { ...scheduled(5), reason: 'Missed' }]]);
  });

  it.each([
    ['at the deadline', scheduled(6), 4 * MINUTE],
    ['of a person, however late', manual(5), 4 * MINUTE],
    ['of a job without a deadline', scheduled(0), null],
  ])('is not missed %s', async (_, event, startingDeadlineMs) => {
    expect(await run(event, { startingDeadlineMs })).toMatchObject({ status: 'Done' });
  });

  it('is stopped by the switch of its job', async () => {
    await stop('sync');
    const stopped = { ...noRun, stoppedBy: 'sync' } as const;
    expect(await run(manual(10), stopped)).toEqual({ status: 'Skipped', reason: 'Stopped' });
    await expectSkipped(manual(10), 'Stopped');
    expect(onSkipped.mock.calls).toEqual([['Stopped', expect.objectContaining({ reason: 'a test' })]]);
    expect((await lease()).token).toBe(0);
  });

  it.each([['prune'], [null]] as const)(
    'is not stopped by the switch of another job: %s',
    async (stoppedBy) => {
      await stop('sync');
      expect(await run(scheduled(10), { stoppedBy })).toMatchObject({ status: 'Done' });
    },
  );

  it('is a duplicate when its slot is done, which is worth no warning', async () => {
    await run(scheduled(10));
    lines = [];
    expect(await run(scheduled(10), noRun)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    await expectSkipped(scheduled(10), 'Duplicate');
    expect(onSkipped.mock.calls).toEqual([['Duplicate', null]]);
    expect(lines).toEqual([['info', 'job skipped', { ...scheduled(10), reason: 'Duplicate' }]]);
    expect(await item()).toMatchObject({ count: 1, finishedSlot: at(10) });
  });

  it('is concurrent while another run holds the lease', async () => {
    await acquireLease(table, key, { slot: at(9), owner: 'other', now, durationMs: LEASE_MS });
    expect(await run(scheduled(10), noRun)).toEqual({ status: 'Skipped', reason: 'Concurrent' });
    await expectSkipped(scheduled(10), 'Concurrent');
    expect(await lease()).toMatchObject({ token: 1, leaseOwner: 'other' });
  });

  it('is recorded by the job before it is stored beside the lease', async () => {
    let stored: unknown;
    onSkipped.mockImplementation(async () => void (stored = lastSkipIn(await item())));
    await stop('sync');
    await run(scheduled(10), { ...noRun, stoppedBy: 'sync' });
    expect([stored, onSkipped.mock.calls.length]).toEqual([null, 1]);
  });

  it('is logged with the fields and the level of its job', async () => {
    await stop('news');
    await run(scheduled(10), { stoppedBy: 'news', skipLevel: 'info', fields: { pruner: 'a' } });
    expect(lines).toEqual([['info', 'job skipped', { pruner: 'a', ...scheduled(10), reason: 'Stopped' }]]);
  });
});

describe('a run', () => {
  it('that is done stores its state, finishes its slot and gives the lease back in one write', async () => {
    const writes: string[] = [];
    const result = await run(
      scheduled(10),
      {},
      observed((expression) => void writes.push(expression)),
    );
    expect(result).toEqual({ status: 'Done', found: 0 });
    expect(writes).toHaveLength(2);
    expect(await item()).toMatchObject({ count: 1, finishedSlot: at(10), doneRuns: [at(10)] });
    expect(await isHeld()).toBe(false);
    expect(await run(scheduled(11))).toEqual({ status: 'Done', found: 1 });
    expect(lines).toEqual([]);
  });

  it('of a person leaves the scheduled slot as it is', async () => {
    await run(scheduled(10));
    await run(manual(12));
    expect(await lease()).toMatchObject({ finishedSlot: at(10), doneRuns: [`${at(12)} by hand`, at(10)] });
    expect(await run(manual(12))).toEqual({ status: 'Skipped', reason: 'Duplicate' });
  });

  it('that pauses stores its state and leaves the slot open', async () => {
    const result = { status: 'Done', found: -1 } as const;
    expect(await run(scheduled(10), { run: async () => ({ kind: 'paused', state: 7, result }) })).toBe(
      result,
    );
    expect(await item()).toMatchObject({ count: 7 });
    expect(await lease()).toMatchObject({ leaseOwner: null, finishedSlot: null, doneRuns: [] });
    expect(await run(scheduled(10))).toEqual({ status: 'Done', found: 7 });
  });

  it('that pauses after another took over stores nothing', async () => {
    const result = { status: 'Done', found: -1 } as const;
    const paused = await run(scheduled(10), {
      async run() {
        await overtake();
        return { kind: 'paused', state: 7, result };
      },
    });
    expect(paused).toBe(result);
    expect(await item()).not.toHaveProperty('count');
    expect(await lease()).toMatchObject({ leaseOwner: 'later' });
  });

  it.each([
    ['finishes its slot', {}, 'Duplicate'],
    ['leaves its slot open where it is to', { isSlotOpen: true }, undefined],
  ])('that is refused %s', async (_, open, reason) => {
    const refusal = { kind: 'refused', reason: 'Suspended', state: 5, ...open } as const;
    const onSkipped = vi.fn<NonNullable<TestJob['onSkipped']>>();
    const refused = await run(scheduled(10), { run: async () => refusal, onSkipped });
    expect(refused).toEqual({ status: 'Skipped', reason: 'Suspended' });
    expect(onSkipped).not.toHaveBeenCalled();
    expect(await item()).toMatchObject({ count: 5 });
    expect(lastSkipIn(await item())).toEqual({ ...scheduled(10), reason: 'Suspended' });
    expect(await isHeld()).toBe(false);
    expect((await run(scheduled(10))) as object).toMatchObject(reason ? { reason } : { status: 'Done' });
  });

  it.each([
    ['ends when it would have', false, 10 * MINUTE + LEASE_MS],
    ['starts anew where the job extends it', true, 12 * MINUTE + LEASE_MS],
  ])('stores its state at a checkpoint, and the lease %s', async (_, extendsLease, until) => {
    await run(scheduled(10), {
      extendsLease,
      async run(held) {
        now += 2 * MINUTE;
        await held.checkpoint(3);
        expect(await item()).toMatchObject({ count: 3 });
        expect(await lease()).toMatchObject({ token: held.token, leaseUntil: until });
        return done(4);
      },
    });
    expect(await item()).toMatchObject({ count: 4 });
  });

  it('learns of stored times in the future, and of the switches', async () => {
    await run(scheduled(100_000));
    await stop('write');
    await run(scheduled(10), {
      async run({ futureTimes, switches }) {
        expect(futureTimes).toEqual([{ field: 'finishedSlot', at: at(100_000) }]);
        expect(Object.keys(await switches.all())).toEqual(['write']);
        return done(1);
      },
    });
    expect.hasAssertions();
  });
});

describe('a run that another took over from', () => {
  const onSuperseded = vi.fn<() => Promise<void>>();
  const onFailed = vi.fn<(error: unknown) => Promise<undefined>>();
  beforeEach(() => {
    onSuperseded.mockReset().mockResolvedValue();
    onFailed.mockReset().mockResolvedValue(undefined);
  });
  const hooks = { onSuperseded, onFailed };
  const overtaken: Partial<TestJob> = {
    ...hooks,
    async run() {
      await overtake();
      return done(4);
    },
  };
  const SUPERSEDED = { status: 'Skipped', reason: 'Superseded' };
  const expectLater = async () => {
    expect(await lease()).toMatchObject({ token: 3, leaseOwner: 'later', finishedSlot: null });
    expect(await item()).not.toHaveProperty('count');
  };

  it('stores nothing at a checkpoint, ends there and is skipped', async () => {
    const writes: string[] = [];
    const afterCheckpoint = vi.fn();
    const skipped = await run(
      scheduled(10),
      {
        ...hooks,
        async run(held) {
          await overtake();
          await held.checkpoint(3);
          afterCheckpoint();
          return done(4);
        },
      },
      observed((expression) => void writes.push(expression)),
    );
    expect(skipped).toEqual(SUPERSEDED);
    expect(afterCheckpoint).not.toHaveBeenCalled();
    expect(onSuperseded).toHaveBeenCalledOnce();
    expect(onFailed).not.toHaveBeenCalled();
    await expectLater();
    expect(lastSkipIn(await item())).toEqual({ ...scheduled(10), reason: 'Superseded' });
    // The table has said that the lease is lost: there is nothing to release.
    expect(writes.filter(isRelease)).toEqual([]);
    expect(lines).toMatchObject([
      ['warn', 'lease lost', { slot: at(10), error: { name: 'LeaseLost' } }],
      ['warn', 'job skipped', { reason: 'Superseded' }],
    ]);
  });

  it('finishes nothing and is skipped', async () => {
    const skipped = await run(scheduled(10), overtaken);
    expect(skipped).toEqual(SUPERSEDED);
    expect(onSuperseded).toHaveBeenCalledOnce();
    expect(onFailed).not.toHaveBeenCalled();
    await expectLater();
  });

  it('settles with its job before the skip is stored', async () => {
    let stored: unknown;
    onSuperseded.mockImplementation(async () => void (stored = lastSkipIn(await item())));
    await run(scheduled(10), overtaken);
    expect(stored).toBeNull();
  });

  it('gives back a lease that is still its own, when it learned of the other from what is published', async () => {
    const skipped = await run(scheduled(10), {
      ...hooks,
      run: () => Promise.reject(new LeaseLost('stable-4.14 is of a later run')),
    });
    expect(skipped).toEqual(SUPERSEDED);
    expect(onSuperseded).toHaveBeenCalledOnce();
    expect(await lease()).toMatchObject({ leaseOwner: null, finishedSlot: null });
  });

  it('is skipped although that lease cannot be given back', async () => {
    const failing = observed((expression) => {
      if (isRelease(expression)) throw new Error('no table');
    });
    const lost = { ...hooks, run: () => Promise.reject(new LeaseLost('lost')) };
    expect(await run(scheduled(10), lost, failing)).toEqual(SUPERSEDED);
    expect(onSuperseded).toHaveBeenCalledOnce();
    expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
      'warn lease lost',
      'error lease release failed',
      'warn job skipped',
    ]);
  });

  it('settles with its job when it fails, too, and throws its own error', async () => {
    const failed = run(scheduled(10), {
      ...hooks,
      async run() {
        await overtake();
        throw new Error('broken');
      },
    });
    await expect(failed).rejects.toThrow('broken');
    expect(onSuperseded).toHaveBeenCalledOnce();
    await expectLater();
    expect(lastSkipIn(await item())).toBeNull();
  });

  it('fails when its job cannot be settled, after a second try', async () => {
    onSuperseded.mockRejectedValueOnce(new Error('not marked'));
    await expect(run(scheduled(10), overtaken)).rejects.toThrow('not marked');
    expect(onSuperseded).toHaveBeenCalledTimes(2);
    await expectLater();
  });
});

describe('a run that fails', () => {
  const broken = () => Promise.reject(new Error('broken'));

  it('gives its lease back, and the same event may run again', async () => {
    const onSuperseded = vi.fn<() => Promise<void>>();
    await expect(run(scheduled(10), { run: broken, onSuperseded })).rejects.toThrow('broken');
    expect(onSuperseded).not.toHaveBeenCalled();
    expect(await lease()).toMatchObject({ leaseOwner: null, finishedSlot: null, doneRuns: [] });
    expect(await item()).not.toHaveProperty('count');
    expect(lastSkipIn(await item())).toBeNull();
    expect(lines).toEqual([]);
    expect(await run(scheduled(10))).toMatchObject({ status: 'Done' });
  });

  it('is settled by its job before the lease is given back, and stores the state that the job returns', async () => {
    const settled = vi.fn<(error: unknown) => void>();
    const failed = run(scheduled(10), {
      run: broken,
      async onFailed(cause) {
        expect(await isHeld()).toBe(true);
        settled(cause);
        return 9;
      },
    });
    await expect(failed).rejects.toThrow('broken');
    expect(settled.mock.calls).toEqual([[expect.objectContaining({ message: 'broken' })]]);
    expect(await item()).toMatchObject({ count: 9 });
    expect(await isHeld()).toBe(false);
  });

  it('while it is finished gives its lease back as well', async () => {
    const failing = observed((expression) => {
      if (expression.includes('#kept0') && !isRelease(expression)) throw new Error('no table');
    });
    await expect(run(scheduled(10), {}, failing)).rejects.toThrow('no table');
    expect(await lease()).toMatchObject({ leaseOwner: null, finishedSlot: null });
  });

  it('throws its own error when its lease cannot be given back, which then ends by itself', async () => {
    const onSuperseded = vi.fn<() => Promise<void>>();
    const failing = observed((expression) => {
      if (isRelease(expression)) throw new Error('no table');
    });
    await expect(run(scheduled(10), { run: broken, onSuperseded }, failing)).rejects.toThrow('broken');
    expect(onSuperseded).not.toHaveBeenCalled();
    expect(lines).toMatchObject([
      ['error', 'lease release failed', { slot: at(10), error: { message: 'no table' } }],
    ]);
    expect(await isHeld()).toBe(true);
    now += LEASE_MS + MINUTE;
    expect(await run(scheduled(16))).toMatchObject({ status: 'Done' });
  });
});

describe('an event that continues an earlier run', () => {
  const continuing = (continued: JobSlot, isSlotWrong = false): Partial<TestJob> => ({
    async run(held) {
      held.continueRun(continued, { isSlotWrong });
      return done(1);
    },
  });

  it.each([
    [
      'a scheduled one',
      scheduled(8),
      manual(10),
      { finishedSlot: at(8), doneRuns: [at(8), `${at(10)} by hand`] },
    ],
    [
      'one of a person',
      manual(8),
      scheduled(10),
      { finishedSlot: at(10), doneRuns: [`${at(8)} by hand`, at(10)] },
    ],
    ['an older one', scheduled(8), scheduled(10), { finishedSlot: at(10), doneRuns: [at(8), at(10)] }],
  ])('finishes both slots: %s', async (_, continued, event, finished) => {
    await run(event, continuing(continued));
    expect(await lease()).toMatchObject(finished);
    expect(await run(continued)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
  });

  it('does not finish a slot that a wrong clock has set', async () => {
    await run(manual(10), continuing(scheduled(100_000), true));
    expect(await lease()).toMatchObject({ finishedSlot: null, doneRuns: [at(100_000), `${at(10)} by hand`] });
  });

  it('is skipped for the earlier run when another takes over', async () => {
    await run(scheduled(10), {
      async run(held) {
        held.continueRun(manual(8), { isSlotWrong: false });
        await overtake();
        await held.checkpoint(1);
        return done(1);
      },
    });
    expect(lastSkipIn(await item())).toEqual({ ...manual(8), reason: 'Superseded' });
  });
});

describe('stored times in the future', () => {
  const count = vi.fn<(counts: object) => void>();
  beforeEach(() => count.mockReset());

  it('are logged and counted', () => {
    const times = [{ field: 'finishedSlot', at: at(1) }];
    reportFutureTimes({ log, count }, { slot: at(0) }, times);
    expect(lines).toEqual([['warn', 'stored times in the future', { slot: at(0), times }]]);
    expect(count.mock.calls).toEqual([[{ futureTimes: 1 }]]);
  });

  it('are not worth a line where there are none', () => {
    reportFutureTimes({ log, count }, { slot: at(0) }, []);
    expect([lines, count.mock.calls]).toEqual([[], []]);
  });
});
