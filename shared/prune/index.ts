/** Public API of the pruning library: `import { createPruner } from '@cairn/shared/prune'`. */
export { type Duration, durationText, parseDuration } from '../text/duration.ts';
export { inMemoryStore } from './objects/in-memory.ts';
export { type FinishedOptions, isFinishedJob, isFinishedPod } from './objects/prunable-kinds.ts';
export {
  finishedJobs,
  finishedPods,
  finishedPodsAndJobs,
  type FinishedPreset,
  type Preset,
} from './objects/prunable-kinds.ts';
export { createPruner, type Pruner } from './objects/pruner.ts';
export type {
  ListQuery,
  LogFields,
  OwnerQuery,
  PruneHooks,
  PruneLogger,
  PrunerOptions,
  Store,
} from './objects/options.ts';
export {
  PrunableKinds,
  /** @deprecated Use `PrunableKinds`. */
  PrunableKinds as Registry,
} from './objects/prunable-kinds.ts';
export {
  type Failed,
  type FailedStage,
  type Judged,
  type ListProblem,
  PruneError,
  type PruneReport,
} from './objects/report.ts';
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
} from './objects/resource.ts';
export { type LabelSelector, parseSelector } from './objects/selector.ts';
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
} from './objects/strategies.ts';
export type { IsPrunable, Verdict } from './objects/report.ts';
