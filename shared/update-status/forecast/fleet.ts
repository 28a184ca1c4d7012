import { quantile } from './estimate.ts';

/** A completed update of a cluster, from which others of the fleet are forecast. */
export interface UpdateSample {
  readonly cluster: string;
  /** As the history has it. */
  readonly startedAt: string;
  readonly completedAt: string;
  /** `4.14 4.15` */
  readonly minors: string | null;
  /** Of the control plane. */
  readonly minutes: number;
  /** Actual minutes divided by modelled minutes; null without nodes. */
  readonly ratio: number | null;
  /** Median of a worker node; null if reports show none. */
  readonly nodeMinutes: number | null;
  /** How far the end was from the forecast at the begin, as a share of the duration; null if unknown. */
  readonly forecastError: number | null;
}

/** What updates of the fleet took. */
export interface FleetDurations {
  readonly samples: readonly UpdateSample[];
  /** Median ratio of actual to modelled minutes; null without samples. */
  readonly ratio: number | null;
}

export function fleetDurations(samples: readonly UpdateSample[]): FleetDurations {
  return {
    samples,
    ratio: quantile(
      samples.flatMap(({ ratio }) => ratio ?? []),
      0.5,
    ),
  };
}

const FEWEST_CLUSTERS = 3;

/** Minutes of the same update in at least three clusters; else empty. */
export function minutesOfMinors(fleet: FleetDurations | null, minors: string | null): number[] {
  const same = fleet?.samples.filter((sample) => minors !== null && sample.minors === minors) ?? [];
  const clusters = new Set(same.map(({ cluster }) => cluster));
  return clusters.size < FEWEST_CLUSTERS ? [] : same.map(({ minutes }) => minutes);
}

export function nodeMinutesOfFleet(fleet: FleetDurations | null): number[] {
  return fleet?.samples.flatMap(({ nodeMinutes }) => nodeMinutes ?? []) ?? [];
}

const MOST_ERRORS = 100;

/** Of the newest runs whose forecast is known; null without one. */
export function forecastError(
  samples: readonly UpdateSample[],
): { readonly runs: number; readonly medianPercent: number } | null {
  const errors = samples.flatMap((sample) => sample.forecastError ?? []).slice(0, MOST_ERRORS);
  const middle = quantile(errors, 0.5);
  return middle === null ? null : { runs: errors.length, medianPercent: Math.round(middle * 1000) / 10 };
}
