/** Values of fields, apart from the checks: the interface lists them as well. */

export const SKEW_POLICIES = ['openshift', 'n-1', 'n-2', 'n-3', 'upstream'] as const;
export const STRATEGIES = ['rolling', 'control-plane-only'] as const;
export const API_REMOVALS = ['block', 'ack'] as const;

export const HOP_VERDICTS = ['allowed', 'allowed-with-warnings', 'blocked', 'will-block', 'unknown'] as const;
export const VERDICTS = ['ready', 'ready-with-warnings', 'action-required', 'blocked', 'unknown'] as const;
/** Of a cluster in a list; `pending` while it was not looked at yet. */
export const CLUSTER_VERDICTS = [...VERDICTS, 'pending'] as const;

/** How much a condition weighs: nothing, worth knowing, will stand in the way later, to be looked at, stands in the way. */
export const EFFECTS = ['ok', 'info', 'inform', 'warn', 'block'] as const;
export type Effect = (typeof EFFECTS)[number];
/** Of a note beside the plan, which stands in nobody's way. */
export const NOTE_EFFECTS = ['info', 'warn'] as const satisfies readonly Effect[];
export type NoteEffect = (typeof NOTE_EFFECTS)[number];
export const CONDITION_STATUSES = ['True', 'False', 'Unknown'] as const;
export type ConditionStatus = (typeof CONDITION_STATUSES)[number];
/** Computed by us, reported by the cluster, or known from our tables. */
export const ORIGINS = ['computed', 'reported', 'catalogue'] as const;
export type Origin = (typeof ORIGINS)[number];
