/** Names of options and of verdicts, apart from the checks: the interface names them as well. */

export const SKEW_POLICIES = ['openshift', 'n-1', 'n-2', 'n-3', 'upstream'] as const;
export const STRATEGIES = ['rolling', 'control-plane-only'] as const;
export const API_REMOVALS = ['block', 'ack'] as const;

export const HOP_VERDICTS = ['allowed', 'allowed-with-warnings', 'blocked', 'will-block', 'unknown'] as const;
export const VERDICTS = ['ready', 'ready-with-warnings', 'action-required', 'blocked', 'unknown'] as const;
/** Of a cluster in a list; `pending` while it was not looked at yet. */
export const CLUSTER_VERDICTS = [...VERDICTS, 'pending'] as const;
