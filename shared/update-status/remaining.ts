import type { HistoryEntry } from '../cluster/facts.ts';
import type { Remaining } from './answer.ts';
import { operatorCondition } from './conditions.ts';
import { isOnlyMachineConfig, type OperatorProgress } from './operators.ts';
import type { Update } from './target.ts';
import { clockText, MINUTE_SECONDS, momentOf, roundedSeconds, transitionOf } from './times.ts';

const DEFAULT_BASELINE_SECONDS = 3600;
/** Less time says nothing about the pace. */
const SHORTEST_PROGRESS_SECONDS = 300;
/** An update that is later than this counts as stalled. */
export const LATE_SECONDS = 600;
/** Over-estimates an update in time, and is lenient with a late one. */
const MARGIN = 1.2;

/** Seconds of the newest completed update between this one and the installation, or one hour. */
export function baselineOf(history: readonly HistoryEntry[]): number {
  for (const { state, startedTime, completionTime } of history.slice(1, -1)) {
    const [from, to] = [momentOf(startedTime), momentOf(completionTime)];
    if (state === 'Completed' && from !== null && to !== null) return (to - from) / 1000;
  }
  return DEFAULT_BASELINE_SECONDS;
}

/** Coefficients from the constant on, below each share of updated operators: fitted to past updates. */
const PIECES: readonly { readonly below: number; readonly coefficients: readonly number[] }[] = [
  { below: 0.25, coefficients: [-0.03078788, 2.62886, -3.823954] },
  { below: 0.9, coefficients: [0.1851215, 1.64994, -4.676898, 5.451824, -2.125286] },
  { below: Infinity, coefficients: [25053.32, -107394.3, 172527.2, -123107, 32921.81] },
];

/** Share of the time that has passed when a share `x` of the operators is updated; can be negative. */
export function timeShare(x: number): number {
  const { coefficients } = PIECES.find(({ below }) => x < below)!;
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

/** When an operator last began or ended its update, in milliseconds; `at` if none did since the begin. */
export function lastOperatorProgress(progress: OperatorProgress, { begin }: Update, at: number): number {
  const transition = (operator: (typeof progress.all)[number]) => {
    const condition = operatorCondition(operator, 'Progressing');
    return condition === undefined ? -Infinity : transitionOf(condition, at);
  };
  // Operators with DaemonSets change at every reboot, which would look like progress.
  const isMachineConfigAlone = isOnlyMachineConfig(progress) && progress.updating.length === 1;
  const moving = isMachineConfigAlone ? progress.updating : progress.all;
  const last = moving.reduce((latest, operator) => Math.max(latest, transition(operator)), -Infinity);
  return last > begin ? last : at;
}

interface Pace {
  /** All in seconds. */
  readonly baseline: number;
  readonly toLast: number;
  readonly elapsed: number;
  /** Share of updated operators. */
  readonly x: number;
}

/** Duration by the pace so far: a share of the time has passed. Null if the pace is not known yet. */
export function projectionOf(
  x: number,
  toLast: number,
): { readonly share: number; readonly totalSeconds: number } | null {
  const share = x > 0 ? timeShare(x) : 0;
  return share > 0 && toLast > SHORTEST_PROGRESS_SECONDS ? { share, totalSeconds: toLast / share } : null;
}

/** Remaining seconds of the control plane; negative if it is late. */
export function remainingSeconds({
  baseline,
  toLast,
  elapsed,
  x,
}: Pace): Pick<Remaining, 'seconds' | 'basis'> {
  const projection = projectionOf(x, toLast);
  const rest = (projection?.totalSeconds ?? baseline) - elapsed;
  // Adding 0 turns -0 into 0.
  const seconds = Math.trunc(rest >= 0 ? rest * MARGIN : rest / MARGIN) + 0;
  return {
    seconds: seconds > LATE_SECONDS ? roundedSeconds(seconds) : seconds,
    basis: projection === null ? 'baseline' : 'progress',
  };
}

/** Null if every operator is updated, if none counts, and before the update. */
export function remainingOf(progress: OperatorProgress, update: Update, at: number): Remaining | null {
  const { all, outdated, updated } = progress;
  if (outdated.length === 0 || at < update.begin) return null;
  const elapsed = elapsedSeconds(update, at);
  const { seconds, basis } = remainingSeconds({
    baseline: baselineOf(update.clusterVersion.history),
    toLast: (lastOperatorProgress(progress, update, at) - update.begin) / 1000,
    elapsed,
    x: updated / all.length,
  });
  const estimatedTotalSeconds = Math.floor((elapsed + seconds) / MINUTE_SECONDS) * MINUTE_SECONDS;
  return {
    seconds,
    text: remainingText(seconds, estimatedTotalSeconds, update.isMigration),
    estimatedTotalSeconds,
    basis,
  };
}

function remainingText(seconds: number, total: number, isMigration: boolean): string | null {
  if (seconds === 0) return null;
  if (isMigration) return 'N/A for Multi-Architecture Migration';
  if (seconds < -LATE_SECONDS) return `N/A; estimate duration was ${clockText(total)}`;
  return seconds < LATE_SECONDS ? '<10m' : clockText(seconds);
}

/** From the begin to the completion, else to `at`; unrounded. 0 without a history, as in `oc`. */
export function elapsedSeconds({ begin, completed, clusterVersion }: Update, at: number): number {
  return at < begin || clusterVersion.history.length === 0
    ? 0
    : Math.max(0, (completed ?? at) - begin) / 1000;
}
