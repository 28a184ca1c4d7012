/** Separate from the pruning code: the HTTP schema imports these values alone. */

export const MANAGEMENT_STATES = ['Managed', 'Removed', 'Unmanaged'] as const;
export const LOG_LEVELS = ['Normal', 'Debug', 'Trace', 'TraceAll'] as const;

export const KEPT_FOR = [
  'young',
  'tag in use',
  'revision',
  'image in use',
  'invalid reference',
  'tagged',
  'imported',
  'namespace',
] as const;
export type KeptFor = (typeof KEPT_FOR)[number];

/** In order of deletion; `tag` covers its current link and its index. */
export const DELETION_KINDS = ['tag', 'revision', 'layer', 'blob', 'upload'] as const;
export type DeletionKind = (typeof DELETION_KINDS)[number];

export const PRUNER_CONDITION_TYPES = [
  'Available',
  'Scheduled',
  'Failed',
  'Degraded',
  'Progressing',
] as const;
export type PrunerConditionType = (typeof PRUNER_CONDITION_TYPES)[number];
export const PRUNE_TRIGGERS = ['schedule', 'manual'] as const;
export type PruneTrigger = (typeof PRUNE_TRIGGERS)[number];
export const PRUNE_PHASES = ['inventory', 'decide', 'delete', 'revive'] as const;
export const PRUNE_OUTCOMES = ['Succeeded', 'Failed'] as const;
export type PruneOutcome = (typeof PRUNE_OUTCOMES)[number];
