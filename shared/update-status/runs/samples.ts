import { NODE_RANKS } from '../nodes.ts';
import type { NodeTimes, PastRun, UpdateRun } from './run.ts';

const MINUTE_MS = 60_000;
const UPDATED = NODE_RANKS.indexOf('Updated');

/** Minutes that nodes of a pool spent in a phase, of this run and former ones. */
export function samplesOfPhase(
  rank: number,
  pool: string,
  run: UpdateRun,
  past: readonly PastRun[],
): number[] {
  return [
    ...phaseMinutes(run, pool, rank),
    ...past.flatMap(({ pools }) => pools.find(({ name }) => name === pool)?.phaseMinutes[rank] ?? []),
  ];
}

/** From the first report with the phase to the first with a later one. */
export function phaseMinutes(run: UpdateRun, pool: string, rank: number): number[] {
  return timedNodes(run, pool).flatMap(({ ranks }) => {
    const began = ranks[rank] ?? null;
    const next = Math.min(...ranks.slice(rank + 1).map((time) => time ?? Infinity));
    return began !== null && began < next && next !== Infinity ? [(next - began) / MINUTE_MS] : [];
  });
}

/** Minutes that single nodes of a pool took, from the begin of the drain to the end. */
export function nodeMinutes(
  run: UpdateRun,
  pool: string,
): { readonly name: string; readonly minutes: number }[] {
  return timedNodes(run, pool).flatMap(({ name, ranks }) => {
    const updated = ranks[UPDATED] ?? null;
    const began = Math.min(...ranks.slice(1, UPDATED).map((time) => time ?? Infinity));
    return updated !== null && began < updated ? [{ name, minutes: (updated - began) / MINUTE_MS }] : [];
  });
}

/** Nodes that had begun before the first report took longer than the reports show. */
function timedNodes({ points, pools }: UpdateRun, pool: string): readonly NodeTimes[] {
  const start = points.find((point) => point.pools !== null)?.at ?? 0;
  const nodes = pools.find(({ name }) => name === pool)?.nodes ?? [];
  return nodes.filter(({ ranks }) => ranks.slice(1, UPDATED).every((time) => time === null || time > start));
}

/** Nearest value at or above a share of the samples: 0.5 is the upper median. */
export function quantileOf(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
