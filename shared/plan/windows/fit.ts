import { localIso } from '../../time/local-time.ts';
import { offsetsOf } from '../../time/time-zone.ts';
import type { HopDuration } from '../duration.ts';
import type { PathDuration } from '../path-duration.ts';
import type { WorkerRollout } from '../worker-rollout.ts';
import type { MaintenanceWindows, WeeklyWindow } from './maintenance-windows.ts';
import {
  minutesOf,
  type Opening,
  openingsBetween,
  type HopWork,
  type Placement,
  type HopFit,
  LOOK_AHEAD_WEEKS,
  minutesOfWork,
} from './openings.ts';
import { fitInWords, summaryInWords } from './window-words.ts';

const MINUTE = 60_000;
const LOOK_AHEAD = LOOK_AHEAD_WEEKS * 7 * 24 * 60 * MINUTE;

/**
 * The work of each hop with the workers that go along. Workers that follow reboot by themselves once the control plane is
 * done, so they count with that hop, and so do those that are let go before the next one: it waits for them in any case.
 */
export function workOfHops(
  controlPlane: readonly (number | null)[],
  rollouts: readonly WorkerRollout[],
): readonly HopWork[] {
  const rolled = (beforeHop: number | null): number | null => {
    const rollout = rollouts.find((other) => other.beforeHop === beforeHop);
    return rollout ? (rollout.minutes?.max ?? null) : 0;
  };
  return controlPlane.map((minutes, index) => ({
    workersBefore: index === 0 ? rolled(0) : 0,
    controlPlane: minutes,
    workersAfter: rolled(index === controlPlane.length - 1 ? null : index + 1),
  }));
}

/**
 * Up to when openings are looked at, at the latest: every hop may wait as long as is looked ahead, and then takes its time.
 * One that takes longer still, by what documents say of its pools, fits nowhere.
 */
export function lastLook(works: readonly HopWork[], from: number): number {
  return works.reduce(
    (sum, work) => sum + LOOK_AHEAD + Math.min((minutesOfWork(work) ?? 0) * MINUTE, LOOK_AHEAD),
    from,
  );
}

/**
 * The earliest opening for each hop, from an instant on and one after the other, several in one where they fit. A hop goes
 * where it fits whole; where no opening is long enough for that, where its control plane does, but then nobody knows when
 * the workers are done, and those that follow wait. The openings are in order and reach up to `lastLook`.
 */
export function fitHops(
  works: readonly HopWork[],
  openings: readonly Opening[],
  from: number,
): readonly HopFit[] {
  let free = from;
  let waitsFor: number | null = null;
  return works.map((work, index) => {
    if (waitsFor !== null) return { fit: 'waiting', waitsFor };
    const fit = fitHop(work, openings, free);
    if (fit.fit === 'whole') free = fit.end;
    else waitsFor = index;
    return fit;
  });
}

function fitHop(work: HopWork, openings: readonly Opening[], free: number): HopFit {
  const { workersBefore, controlPlane } = work;
  if (workersBefore === null || controlPlane === null) return { fit: 'not-known' };
  const least = workersBefore + controlPlane;
  const total = minutesOfWork(work);
  let partly: Placement | null = null;
  let longest: Opening | null = null;
  for (const window of openings) {
    if (window.end <= free) continue;
    if (window.start >= free + LOOK_AHEAD) break;
    const start = Math.max(window.start, free);
    const usable = { start, end: window.end };
    if (total !== null && minutesOf(usable) >= total) {
      return { fit: 'whole', window, start, end: start + total * MINUTE };
    }
    if (minutesOf(usable) >= least) partly ??= { window, start, end: start + least * MINUTE };
    if (longest === null || minutesOf(usable) > minutesOf(longest)) longest = usable;
  }
  const shortage = longest && { longest, missing: (total ?? least) - minutesOf(longest) };
  if (partly) return { fit: 'control-plane', ...partly, shortage: total === null ? null : shortage };
  return { fit: 'too-long', shortage };
}

/** A window on a date; times are local, in ISO 8601 with their offset. */
export interface DatedWindow {
  readonly start: string;
  /** Null when it never closes. */
  readonly end: string | null;
  /** How long it is open, which is not what clocks say in a night in which they are changed; null for good. */
  readonly minutes: number | null;
}

/** The window of a hop, by the longest that it may take. */
export interface HopWindow {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly minutes: HopWork & { readonly total: number | null };
  readonly fit: HopFit['fit'];
  /** Null when no window is long enough, or it is not known which one will be. */
  readonly window: DatedWindow | null;
  /** The first moment at which it may be begun. */
  readonly startsAt: string | null;
  /** When it is done at the latest; where only the control plane fits, that. */
  readonly endsAt: string | null;
  /** Minutes of the window that are left then; null when it never closes. */
  readonly leaves: number | null;
  /** The longest window that there is for a hop that does not fit whole. */
  readonly longest: DatedWindow | null;
  /** Minutes that it is too short by. */
  readonly missing: number | null;
  readonly text: string;
}

/** Which hops fit in which window. */
export interface PlanWindows {
  readonly timeZone: string;
  readonly weekly: readonly WeeklyWindow[];
  readonly hops: readonly HopWindow[];
  /** When the last hop is done, its workers too, when all take their longest; null when it is not known. */
  readonly finishesAt: string | null;
  readonly summary: string;
}

export interface WindowQuestion {
  readonly windows: MaintenanceWindows;
  readonly hops: readonly {
    readonly index: number;
    readonly from: string;
    readonly to: string;
    readonly duration: HopDuration | null;
  }[];
  readonly duration: PathDuration;
  readonly rollouts: readonly WorkerRollout[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Says nothing of whether the hops are safe, only when there is time for them. */
export function planWindows({ windows, hops, duration, rollouts, now }: WindowQuestion): PlanWindows {
  const { timeZone, windows: weekly } = windows;
  const offsetAt = offsetsOf(timeZone);
  const from = Math.ceil(now / MINUTE) * MINUTE;
  const works = workOfHops(
    hops.map((hop) => hop.duration?.max ?? null),
    rollouts,
  );
  const openings = openingsBetween(weekly, offsetAt, from, lastLook(works, from));
  const fits = fitHops(works, openings, from);
  const whyNotKnown = duration.total === null ? duration.reason : null;
  const last = fits.at(-1);
  return {
    timeZone,
    weekly,
    hops: hops.map(({ index, from: source, to }, at) => {
      const [work, fit] = [works[at]!, fits[at]!];
      return {
        index,
        from: source,
        to,
        minutes: { ...work, total: minutesOfWork(work) },
        ...placeOf(fit, offsetAt),
        text: fitInWords({ index, to, work }, fit, offsetAt, whyNotKnown),
      };
    }),
    finishesAt: last?.fit === 'whole' ? localIso(last.end, offsetAt(last.end)) : null,
    summary: summaryInWords(fits, offsetAt),
  };
}

function placeOf(fit: HopFit, offsetAt: (instant: number) => number) {
  const at = (instant: number) => localIso(instant, offsetAt(instant));
  const lasting = (opening: Opening) => (opening.end === Infinity ? null : minutesOf(opening));
  const dated = (opening: Opening): DatedWindow => ({
    start: at(opening.start),
    end: opening.end === Infinity ? null : at(opening.end),
    minutes: lasting(opening),
  });
  const placed = 'window' in fit ? fit : null;
  const shortage = 'shortage' in fit ? fit.shortage : null;
  return {
    fit: fit.fit,
    window: placed && dated(placed.window),
    startsAt: placed && at(placed.start),
    endsAt: placed && at(placed.end),
    leaves: placed && lasting({ start: placed.end, end: placed.window.end }),
    longest: shortage && dated(shortage.longest),
    missing: shortage && shortage.missing,
  };
}
