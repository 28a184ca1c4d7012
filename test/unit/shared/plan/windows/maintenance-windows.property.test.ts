import { fitHops, lastLook } from '@cairn/shared/plan/windows/fit';
import {
  type MaintenanceWindows,
  type WeeklyWindow,
  windowText,
  readWindows,
} from '@cairn/shared/plan/windows/maintenance-windows';
import {
  openingsBetween,
  type HopFit,
  type HopWork,
  LOOK_AHEAD_WEEKS,
} from '@cairn/shared/plan/windows/openings';
import { offsetsOf } from '@cairn/shared/time/time-zone';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';
import { stretchesOf } from '../../prune/schedule/aws-schedule.ts';

const MINUTE = 60_000;
const DAY = 1440;
const LOOK_AHEAD = LOOK_AHEAD_WEEKS * 7 * DAY;
/** Zones, each with Sundays on which its clocks are changed, if they are. */
const ZONES: readonly (readonly [string, string])[] = [
  ['UTC', '2026-03-29'],
  ['Asia/Kolkata', '2026-10-25'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['America/St_Johns', '2026-03-08'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const window: fc.Arbitrary<WeeklyWindow> = fc
  .record({
    day: fc.oneof(fc.constantFrom(...DAYS), fc.constantFrom('Sat' as const, 'Sun' as const)),
    // Many around the hours in which clocks are changed.
    start: fc.oneof(fc.nat(1439), fc.integer({ min: 0, max: 200 })),
    end: fc.oneof(fc.integer({ min: 1, max: 1440 }), fc.integer({ min: 60, max: 240 })),
  })
  .filter(({ start, end }) => start !== end)
  .map(({ day, start, end }) => ({ day, start: clock(start), end: clock(end) }));

/** Windows, and a moment before clocks are changed, in minutes since 1970. */
const asked: fc.Arbitrary<{ readonly given: MaintenanceWindows; readonly from: number }> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    windows: fc.array(window, { minLength: 1, maxLength: 5 }),
    before: fc.oneof(fc.nat(3 * DAY), fc.nat(6 * 7 * DAY)),
  })
  .map(({ zone: [timeZone, sunday], windows, before }) => ({
    given: { timeZone, windows },
    from: Date.parse(sunday) / MINUTE + DAY - before,
  }));

/** Whether some window is open, minute by minute: each opens and closes when clocks first show its time or a later one. */
function openMinutes(
  { timeZone, windows: weekly }: MaintenanceWindows,
  from: number,
  until: number,
): Uint8Array {
  const first = from - 9 * DAY;
  const last = until + 9 * DAY;
  const shown = new Int32Array(last - first);
  for (const { from: begin, until: end, ahead } of stretchesOf(timeZone, first * MINUTE, last * MINUTE)) {
    for (let minute = begin / MINUTE; minute < end / MINUTE; minute++) {
      shown[minute - first] = minute + ahead / MINUTE;
    }
  }
  const firstShowing = (local: number): number => {
    let at = Math.max(0, local - 15 * 60 - first);
    while (at < shown.length && shown[at]! < local) at++;
    return at + first;
  };
  const open = new Uint8Array(until - from);
  for (let day = Math.floor(first / DAY) + 1; day * DAY < last - 2 * DAY; day++) {
    for (const { day: name, start, end } of weekly) {
      if (DAYS[new Date(day * DAY * MINUTE).getUTCDay()] !== name) continue;
      const [opens, closes] = [start, end].map((time) => {
        const [hours, minutes] = time.split(':').map(Number) as [number, number];
        return day * DAY + hours * 60 + minutes;
      }) as [number, number];
      const closing = firstShowing(closes > opens ? closes : closes + DAY);
      for (let minute = firstShowing(opens); minute < closing; minute++) {
        if (minute >= from && minute < until) open[minute - from] = 1;
      }
    }
  }
  return open;
}

/** Of each minute, how many from it on are open. */
function stretchFrom(open: Uint8Array): Int32Array {
  const left = new Int32Array(open.length + 1);
  for (let at = open.length - 1; at >= 0; at--) left[at] = open[at] === 1 ? left[at + 1]! + 1 : 0;
  return left;
}

describe('maintenance windows', () => {
  it('are read back from their texts', () => {
    fc.assert(
      fc.property(asked, ({ given: { timeZone, windows: weekly } }) => {
        const expected = { ok: true, windows: { timeZone, windows: weekly } };
        expect(readWindows({ timeZone, windows: weekly.map(windowText) })).toEqual(expected);
        expect(readWindows({ timeZone, windows: weekly.map(windowText).join(', ') })).toEqual(expected);
        expect(readWindows({ timeZone, windows: weekly })).toEqual(expected);
      }),
    );
  });

  it('of any other text and value are refused, not thrown at', () => {
    const some = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.array(fc.oneof(fc.anything(), fc.stringMatching(/^[A-Za-z]{0,4}-? ?\d{0,2}:\d{0,2}-\d\d:\d\d$/))),
    );
    fc.assert(
      fc.property(some, some, (given, timeZone) => {
        const reading = readWindows({ windows: given, timeZone });
        expect(reading.ok || reading.mistakes.length > 0).toBe(true);
      }),
    );
  });

  it('are open just as the clocks say, minute by minute', () => {
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 40 * DAY }), ({ given, from }, length) => {
        const until = from + length;
        const expected = openMinutes(given, from, until);
        const openings = openingsBetween(
          given.windows,
          offsetsOf(given.timeZone),
          from * MINUTE,
          until * MINUTE,
        );
        const found = new Uint8Array(length);
        for (const { start, end } of openings) {
          const [first, last] = [start / MINUTE - from, end / MINUTE - from];
          found.fill(1, Math.max(first, 0), Math.max(last, 0));
        }
        expect(Buffer.from(found).equals(Buffer.from(expected))).toBe(true);
        const edges = openings.flatMap(({ start, end }) => [start, end]);
        expect(edges).toEqual([...new Set(edges)].toSorted((a, b) => a - b));
      }),
      { numRuns: sized(150, 2000) },
    );
  });
});

const minutes = fc.oneof(fc.nat(90), fc.nat(400), fc.nat(2000));
const work: fc.Arbitrary<HopWork> = fc.record({
  workersBefore: fc.oneof(fc.constant(0), fc.constant(0), minutes, fc.constant(null)),
  controlPlane: fc.oneof(minutes, minutes, minutes, fc.constant(null)),
  workersAfter: fc.oneof(fc.constant(0), minutes, minutes, fc.constant(null)),
});

/** What is to be compared of a fit, with times in minutes. */
interface Expected {
  readonly fit: HopFit['fit'];
  readonly start?: number;
  readonly end?: number;
  readonly missing?: number;
}

function asExpected(fit: HopFit): Expected {
  return {
    fit: fit.fit,
    ...('start' in fit && { start: fit.start / MINUTE, end: fit.end / MINUTE }),
    ...('shortage' in fit && fit.shortage && { missing: fit.shortage.missing }),
  };
}

/** The same by trying every minute; `left` has how many minutes from each on are open. */
function triedFits(works: readonly HopWork[], left: Int32Array): Expected[] {
  const firstWith = (needed: number, free: number): number | null => {
    const at = left.subarray(free, free + LOOK_AHEAD).findIndex((minutes) => minutes >= Math.max(needed, 1));
    return at === -1 ? null : free + at;
  };
  let free: number | null = 0;
  return works.map(({ workersBefore, controlPlane, workersAfter }): Expected => {
    if (free === null) return { fit: 'waiting' };
    const begin = free;
    free = null;
    if (workersBefore === null || controlPlane === null) return { fit: 'not-known' };
    const least = workersBefore + controlPlane;
    const total = workersAfter === null ? null : least + workersAfter;
    const whole = total === null ? null : firstWith(total, begin);
    if (whole !== null) {
      free = whole + total!;
      return { fit: 'whole', start: whole, end: free };
    }
    const partly = firstWith(least, begin);
    const missing = (total ?? least) - Math.max(...left.subarray(begin, begin + LOOK_AHEAD));
    if (partly === null) return { fit: 'too-long', missing };
    const placed = { fit: 'control-plane', start: partly, end: partly + least } as const;
    return total === null ? placed : { ...placed, missing };
  });
}

describe('hops', () => {
  it('are in the earliest window that holds them, in order, and nowhere else', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(asked, fc.array(work, { maxLength: 4 }), ({ given, from }, works) => {
        const until = lastLook(works, from * MINUTE);
        const openings = openingsBetween(given.windows, offsetsOf(given.timeZone), from * MINUTE, until);
        const fits = fitHops(works, openings, from * MINUTE).map(asExpected);
        for (const { fit } of fits) kinds.add(fit);
        // As far as what opens last is open.
        const left = stretchFrom(openMinutes(given, from, until / MINUTE + 9 * DAY));
        const tried = triedFits(works, left).map(({ start, end, ...rest }) => ({
          ...rest,
          ...(start !== undefined && { start: from + start, end: from + end! }),
        }));
        expect(fits).toEqual(tried);
      }),
      { numRuns: sized(150, 2000) },
    );
    expect([...kinds].toSorted()).toEqual(['control-plane', 'not-known', 'too-long', 'waiting', 'whole']);
  });

  it('are the same however the windows are ordered or cut', () => {
    fc.assert(
      fc.property(asked, fc.array(work, { maxLength: 3 }), ({ given, from }, works) => {
        const placed = (weekly: readonly WeeklyWindow[]) => {
          const offsetAt = offsetsOf(given.timeZone);
          const until = lastLook(works, from * MINUTE);
          return fitHops(works, openingsBetween(weekly, offsetAt, from * MINUTE, until), from * MINUTE);
        };
        const halves = given.windows.flatMap(({ day, start, end }): WeeklyWindow[] => {
          const isCut = start < end && end > '12:00' && start < '12:00';
          return isCut
            ? [
                { day, start: '12:00', end },
                { day, start, end: '12:00' },
              ]
            : [{ day, start, end }];
        });
        const expected = placed(given.windows);
        expect(placed(given.windows)).toEqual(expected);
        expect(placed(halves.toReversed())).toEqual(expected);
        expect(placed([...given.windows, ...given.windows])).toEqual(expected);
      }),
      { numRuns: sized(50, 100) },
    );
  });
});
