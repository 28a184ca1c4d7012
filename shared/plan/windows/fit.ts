import { localIso } from '../../time/local-time.ts';
import { offsetsOf } from '../../time/time-zone.ts';
import type { HopDuration, PathDuration } from '../duration.ts';
import type { WorkerRollout } from '../pools.ts';
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
 * Counts workers with the hop before them: they reboot by themselves after its control plane, or the next hop waits
 * for them anyway.
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
 * Latest instant for which openings are needed: each hop may wait for the whole horizon and then run. A hop longer
 * than the horizon fits nowhere.
 */
export function lastLook(works: readonly HopWork[], from: number): number {
  return works.reduce(
    (sum, work) => sum + LOOK_AHEAD + Math.min((minutesOfWork(work) ?? 0) * MINUTE, LOOK_AHEAD),
    from,
  );
}

/**
 * Finds the earliest opening for each hop, in sequence; several hops can share one. A hop that fits no opening whole
 * gets one for its control plane. The end of its workers is then unknown, and later hops wait. `openings` are sorted
 * and reach `lastLook`.
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

/** A window on a date, in local time: ISO 8601 with offset. */
export interface DatedWindow {
  readonly start: string;
  /** Null if it never closes. */
  readonly end: string | null;
  /** Elapsed minutes, which differ from local clock time on nights with a clock change; null if it never closes. */
  readonly minutes: number | null;
}

/** Window of a hop, based on its maximum duration. */
export interface HopWindow {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly minutes: HopWork & { readonly total: number | null };
  readonly fit: HopFit['fit'];
  /** Null if no window is long enough, or the window is unknown. */
  readonly window: DatedWindow | null;
  /** Earliest start. */
  readonly startsAt: string | null;
  /** Latest end; of the control plane if only that fits. */
  readonly endsAt: string | null;
  /** Minutes of the window after the hop; null if it never closes. */
  readonly leaves: number | null;
  /** Longest available window for a hop that does not fit whole. */
  readonly longest: DatedWindow | null;
  /** Minutes that are missing in the longest window. */
  readonly missing: number | null;
  readonly text: string;
}

export interface PlanWindows {
  readonly timeZone: string;
  readonly weekly: readonly WeeklyWindow[];
  readonly hops: readonly HopWindow[];
  /** Latest end of the last hop with its workers; null if unknown. */
  readonly finishesAt: string | null;
  readonly summary: string;
}

/** How long the hops of a plan take. */
interface PlannedWork {
  readonly hops: readonly {
    readonly index: number;
    readonly from: string;
    readonly to: string;
    readonly duration: HopDuration | null;
  }[];
  readonly duration: PathDuration;
  readonly workerRollouts: readonly WorkerRollout[];
}

/** Finds time for hops; ignores whether they are safe. */
export function planWindows(
  { timeZone, windows: weekly }: MaintenanceWindows,
  { hops, duration, workerRollouts }: PlannedWork,
  now: number,
): PlanWindows {
  const offsetAt = offsetsOf(timeZone);
  const from = Math.ceil(now / MINUTE) * MINUTE;
  const works = workOfHops(
    hops.map((hop) => hop.duration?.max ?? null),
    workerRollouts,
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
