import type { WorkerRollout } from '../worker-rollout.ts';
import { minutesOf, type Opening } from './openings.ts';
import type { FITS } from '../values.ts';

/** How long a hop takes at most, in minutes; null for what is not known. */
export interface HopWork {
  /** Of the workers that have to be rolled before it; 0 without any. */
  readonly workersBefore: number | null;
  readonly controlPlane: number | null;
  /** Of the workers that are rolled once the control plane is done; 0 without any. */
  readonly workersAfter: number | null;
}

/** Where a hop is when it takes its longest. */
export interface Placement {
  readonly window: Opening;
  readonly start: number;
  readonly end: number;
}

/** What a hop lacks. */
export interface Shortage {
  /** As far as it is not over or taken. */
  readonly longest: Opening;
  /** Minutes that all of the hop takes more. */
  readonly missing: number;
}

export type HopFit = { readonly fit: (typeof FITS)[number] } & (
  | ({ readonly fit: 'whole' } & Placement)
  /** Its workers do not fit with it; without a shortage nobody knows how long they take. */
  | ({ readonly fit: 'control-plane'; readonly shortage: Shortage | null } & Placement)
  /** Without a shortage no window opens at all. */
  | { readonly fit: 'too-long'; readonly shortage: Shortage | null }
  | { readonly fit: 'not-known' }
  /** For a hop before it, of which nobody knows when it is done. */
  | { readonly fit: 'waiting'; readonly waitsFor: number }
);

const MINUTE = 60_000;
/** Every weekly window opens five times. */
export const LOOK_AHEAD_WEEKS = 5;
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

/** All of it; null when a part is not known. */
export function minutesOfWork({ workersBefore, controlPlane, workersAfter }: HopWork): number | null {
  if (workersBefore === null || controlPlane === null || workersAfter === null) return null;
  return workersBefore + controlPlane + workersAfter;
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
