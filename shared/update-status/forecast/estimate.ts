import type { Forecast, FORECAST_BASES } from '../answer.ts';
import { isoTime, MINUTE_SECONDS } from '../times.ts';

/** Minutes with their range, and what they rest on. */
export interface Estimate {
  readonly minutes: number;
  readonly least: number;
  readonly most: number;
  readonly basis: (typeof FORECAST_BASES)[number];
  /** Past durations behind it. */
  readonly samples: number;
  /** In words: `2 minor updates of this cluster`. */
  readonly restsOn: string;
}

const RANGE = { least: 0.75, most: 1.3 } as const;
const FEWEST_FOR_RANGE = 3;

/** Median of samples with their spread, or a usual one if they are few. Null without samples. */
export function medianEstimate(
  samples: readonly number[],
  about: Pick<Estimate, 'basis' | 'restsOn'>,
  few: { readonly least: number; readonly most: number } = RANGE,
): Estimate | null {
  const minutes = quantile(samples, 0.5);
  if (minutes === null) return null;
  const isSpread = samples.length >= FEWEST_FOR_RANGE;
  return {
    minutes,
    least: isSpread ? quantile(samples, 0.1)! : minutes * few.least,
    most: isSpread ? quantile(samples, 0.9)! : minutes * few.most,
    samples: samples.length,
    ...about,
  };
}

/** Between two samples by their distance. */
export function quantile(samples: readonly number[], share: number): number | null {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const lower = sorted[Math.floor(place)]!;
  const upper = sorted[Math.ceil(place)]!;
  return lower + (upper - lower) * (place - Math.floor(place));
}

export function scaled(estimate: Estimate, scale: (minutes: number) => number): Estimate {
  const { minutes, least, most } = estimate;
  return { ...estimate, minutes: scale(minutes), least: scale(least), most: scale(most) };
}

/** Times from a start on, but never in the past. */
export function forecastFrom(start: number, estimate: Estimate, at: number): Forecast {
  const after = (minutes: number): number => start + minutes * MINUTE_SECONDS * 1000;
  const likely = after(estimate.minutes);
  const notPast = (moment: number): string => isoTime(Math.round(Math.max(moment, at) / 1000) * 1000);
  const { basis, samples, restsOn } = estimate;
  return {
    likelyAt: notPast(likely),
    earliestAt: notPast(after(estimate.least)),
    latestAt: notPast(after(estimate.most)),
    basis,
    samples,
    restsOn,
    overdueSeconds: Math.max(0, Math.round((at - likely) / 1000)),
  };
}
