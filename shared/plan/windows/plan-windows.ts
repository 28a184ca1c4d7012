import { localIso } from '../../time/local-time.ts';
import { offsetsOf } from '../../time/time-zone.ts';
import type { HopDuration } from '../hop-duration.ts';
import type { PathDuration } from '../path-duration.ts';
import type { WorkerRollout } from '../worker-rollout.ts';
import { fitHops, type HopFit, type HopWork, lastLook, minutesOfWork, workOfHops } from './fit.ts';
import type { MaintenanceWindows, WeeklyWindow } from './maintenance-windows.ts';
import { minutesOf, type Opening, openingsBetween } from './openings.ts';
import { fitInWords, summaryInWords } from './window-words.ts';

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

const MINUTE = 60_000;

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
        text: fitInWords({ index, to }, work, fit, offsetAt, whyNotKnown),
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
