import type { HistoryEntry } from '../cluster/facts.ts';
import { parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { CALIBRATION_SOURCES } from './values.ts';

export interface PastUpdate {
  readonly version: string;
  readonly minutes: number;
  /** Actual minutes divided by modelled minutes: 1.5 is 50% longer. */
  readonly ratio: number;
}

export interface Calibration {
  /** Factor for the expected and the maximum duration. */
  readonly scale: number;
  readonly source: (typeof CALIBRATION_SOURCES)[number];
  /** Newest first. */
  readonly samples: readonly PastUpdate[];
  /** Updates that took longer than a day; they were stuck and predict nothing. */
  readonly outliers: readonly PastUpdate[];
}

export const SCALE_LIMITS = { least: 0.5, most: 3 } as const;
export const LONGEST_SAMPLE_MINUTES = 24 * 60;

/**
 * Compares the cluster's completed updates with the model: 90 and 66 minutes against 60 give 1.3. Falls back to the
 * fleet median. Skips the installation (oldest entry) and entries that changed only the image. Excludes workers: an
 * update completes without them.
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

/** Averages the two middle values of an even count; null if empty. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Ignores incomplete updates: their completion time is the start of the next update. */
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
