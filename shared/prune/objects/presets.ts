import type { Duration } from '../../text/duration.ts';
import type { FinishedOptions } from './prunable-kinds.ts';
import { Registry } from './registry.ts';
import type { AnyStrategy } from './selector.ts';
import { all, keepNewest, olderThan } from './strategies.ts';

export interface FinishedPreset extends FinishedOptions {
  /** What is not older stays. */
  readonly olderThan?: Duration | undefined;
  /** So many of each kind stay, however old. */
  readonly keepNewest?: number | undefined;
}

/** To be spread into the options of `createPruner`. */
export interface Preset {
  readonly kinds: readonly string[];
  readonly strategy: AnyStrategy;
  readonly registry: Registry;
}

/**
 * Finished Pods by age, by count, or those that both tell to go:
 * `createPruner({ ...finishedPods({ olderThan: '7d' }), store, now })`. Failed ones stay unless `failed` is `prune`.
 */
export function finishedPods(options: FinishedPreset): Preset {
  return makePreset(['v1/Pod'], options);
}

/** Finished Jobs, as `finishedPods`. */
export function finishedJobs(options: FinishedPreset): Preset {
  return makePreset(['batch/v1/Job'], options);
}

/** Both, each kind counted by itself. A Job is older than its Pods, so it goes first. */
export function finishedPodsAndJobs(options: FinishedPreset): Preset {
  return makePreset(['batch/v1/Job', 'v1/Pod'], options);
}

function makePreset(kinds: readonly string[], options: FinishedPreset): Preset {
  const limits: AnyStrategy[] = [];
  if (options.olderThan !== undefined) limits.push(olderThan(options.olderThan));
  if (options.keepNewest !== undefined) limits.push(keepNewest(options.keepNewest));
  if (limits.length === 0)
    throw new TypeError('neither olderThan nor keepNewest is given; one of them is needed');
  return { kinds, strategy: all(...limits), registry: Registry.withDefaults(options) };
}
