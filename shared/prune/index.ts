/** The published face of the pruning library: `import { createPruner } from '@cairn/shared/prune'`. */
export { type Duration, durationText, parseDuration } from '../text/duration.ts';
export { inMemoryStore } from './in-memory.ts';
export { type FinishedOptions, isFinishedJob, isFinishedPod } from './kubernetes.ts';
export {
  finishedJobs,
  finishedPods,
  finishedPodsAndJobs,
  type FinishedPreset,
  type Preset,
} from './presets.ts';
export { createPruner, type Pruner } from './pruner.ts';
export type {
  ListQuery,
  LogFields,
  OwnerQuery,
  PruneHooks,
  PruneLogger,
  PrunerOptions,
  Store,
} from './pruner-options.ts';
export { Registry } from './registry.ts';
export {
  type Failed,
  type FailedStage,
  type Judged,
  type ListProblem,
  PruneError,
  type PruneReport,
} from './report.ts';
export {
  type Describe,
  describeResource,
  type GroupVersionKind,
  type KindName,
  kindText,
  type OwnerReference,
  parseKind,
  type Prunable,
  type Resource,
} from './resource.ts';
export { type LabelSelector, parseSelector } from './selector.ts';
export {
  all,
  any,
  type AnyStrategy,
  keepIf,
  keepNewest,
  keepNewestPer,
  maxTotal,
  olderThan,
  type Selection,
  type Strategy,
  type StrategyContext,
} from './strategies.ts';
export type { IsPrunable, Verdict } from './verdict.ts';
