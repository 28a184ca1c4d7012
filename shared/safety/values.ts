/** Separate from the checks: the HTTP schema imports these values alone. */

export const SKEW_POLICIES = ['openshift', 'n-1', 'n-2', 'n-3', 'upstream', 'hosted'] as const;
export const STRATEGIES = ['rolling', 'control-plane-only'] as const;
export const API_REMOVALS = ['block', 'ack'] as const;

export const HOP_VERDICTS = ['allowed', 'allowed-with-warnings', 'blocked', 'will-block', 'unknown'] as const;
export const VERDICTS = ['ready', 'ready-with-warnings', 'action-required', 'blocked', 'unknown'] as const;
/** Verdicts in cluster lists; `pending` before the first assessment. */
export const CLUSTER_VERDICTS = [...VERDICTS, 'pending'] as const;

/** OK, note, upcoming blocker, warning, blocker. */
export const EFFECTS = ['ok', 'info', 'inform', 'warn', 'block'] as const;
export type Effect = (typeof EFFECTS)[number];
/** Effects of notes beside the plan; notes never block. */
export const NOTE_EFFECTS = ['info', 'warn'] as const satisfies readonly Effect[];
export type NoteEffect = (typeof NOTE_EFFECTS)[number];
export const CONDITION_STATUSES = ['True', 'False', 'Unknown'] as const;
export type ConditionStatus = (typeof CONDITION_STATUSES)[number];
/** Computed by Cairn, reported by the cluster, or from Cairn's tables. */
export const ORIGINS = ['computed', 'reported', 'catalogue'] as const;
export type Origin = (typeof ORIGINS)[number];
/** Kind of the objects that name known risks of an update. */
export const RISK_KIND = 'ConditionalUpdateRisk';
