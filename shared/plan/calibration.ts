import type { HistoryEntry } from '../cluster/facts.ts';
import { parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { CALIBRATION_SOURCES } from './values.ts';

/** An update that the cluster went through. */
export interface PastUpdate {
  readonly version: string;
  readonly minutes: number;
  /** Of what the model says to what it took: 1.5 is half as long again. */
  readonly ratio: number;
}

export interface Calibration {
  /** What the likeliest and the longest duration are multiplied with. */
  readonly scale: number;
  readonly source: (typeof CALIBRATION_SOURCES)[number];
  /** Newest first. */
  readonly samples: readonly PastUpdate[];
  /** Updates that were stuck for longer than a day; they say nothing of the next one. */
  readonly outliers: readonly PastUpdate[];
}

export const SCALE_LIMITS = { least: 0.5, most: 3 } as const;
export const LONGEST_SAMPLE_MINUTES = 24 * 60;

/**
 * How this cluster compares with the model, by its own completed updates: 90 and 66 minutes where the model says 60 give
 * 1.3. Without any, by the median of the fleet. The oldest entry is the installation, and an entry of the same version as
 * the one before it only changed the image. The time does not include workers: the cluster never waits for them.
 */
export function calibrate(
  history: readonly HistoryEntry[],
  modelled: (to: ReleaseVersion) => number,
  fleetMedian: number | null,
): Calibration {
  const past = history.slice(0, -1).flatMap((entry, index) => {
    const minutes = minutesOf(entry);
    const version = parseVersion(entry.version);
    if (minutes === null || version === null || entry.version === history[index + 1]?.version) return [];
    return [{ version: entry.version, minutes, ratio: minutes / modelled(version) }];
  });
  const samples = past.filter(({ minutes }) => minutes <= LONGEST_SAMPLE_MINUTES);
  const ratio = median(samples.map((sample) => sample.ratio));
  const scale = ratio ?? fleetMedian;
  return {
    scale: scale === null ? 1 : twoDigits(Math.min(Math.max(scale, SCALE_LIMITS.least), SCALE_LIMITS.most)),
    source: ratio !== null ? 'cluster' : fleetMedian !== null ? 'fleet' : 'none',
    samples: samples.map(shown),
    outliers: past.filter(({ minutes }) => minutes > LONGEST_SAMPLE_MINUTES).map(shown),
  };
}

/** The middle one, or halfway between the two in the middle: of 3, 1 and 2 it is 2. Null for none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Only of what was completed: the completion time of the rest is when the next update began. */
function minutesOf({ state, startedTime, completionTime }: HistoryEntry): number | null {
  if (state !== 'Completed' || startedTime === null || completionTime === null) return null;
  const minutes = (Date.parse(completionTime) - Date.parse(startedTime)) / 60_000;
  return minutes > 0 ? minutes : null;
}

function shown({ version, minutes, ratio }: PastUpdate): PastUpdate {
  return { version, minutes: Math.round(minutes), ratio: twoDigits(ratio) };
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
