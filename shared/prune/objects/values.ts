export const FAILED_RULES = ['keep', 'prune'] as const;

/** Strategies of the API and the command, as fields of a policy. */
export const STRATEGY_NAMES = ['keep_newest', 'keep_newest_per', 'older_than'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];
