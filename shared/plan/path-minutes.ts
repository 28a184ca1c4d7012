import type { Calibration } from './calibration.ts';
import type { ClusterSize } from './duration.ts';
import { hopDuration, type HopDuration } from './hop-duration.ts';
import { roundMinutes, type Minutes } from './words.ts';
import type { Hop } from '../safety/hop.ts';

export interface PathMinutes extends Minutes {
  /** When every hop takes its longest. */
  readonly worst: number;
}

/** The bare figures of a way. */
export interface WayMinutes {
  readonly total: PathMinutes;
  /** One for each hop, in order. */
  readonly hops: readonly HopDuration[];
}

/** For a control plane of a known size; `networkType` is null when it is not known. */
export function wayMinutes(
  hops: readonly Hop[],
  size: ClusterSize,
  networkType: string | null,
  { scale }: Pick<Calibration, 'scale'>,
): WayMinutes {
  const durations = hops.map((hop) => hopDuration(hop, size, networkType, scale));
  return { total: addMinutes(durations), hops: durations };
}

/** Hops overrun independently of each other: their overruns add up as the sides of right angles do. */
export function addMinutes(durations: readonly Minutes[]): PathMinutes {
  const sum = (value: (duration: Minutes) => number) =>
    durations.reduce((total, duration) => total + value(duration), 0);
  const expected = sum((duration) => duration.expected);
  const overrun = Math.sqrt(sum((duration) => (duration.max - duration.expected) ** 2));
  return {
    min: sum(({ min }) => min),
    expected,
    max: roundMinutes(expected + overrun),
    worst: sum(({ max }) => max),
  };
}
