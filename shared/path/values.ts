/** Separate from the search: the HTTP schema and the CLI import these values alone. */

/** Permitted conditional updates: none, those with only accepted risks, those without an `Always` risk, all. */
export const PATH_RISK_MODES = ['none', 'accept', 'non-always', 'all'] as const;
/** For a cluster also those whose risks do not apply to it or are accepted. */
export const RISK_MODES = ['applicable', ...PATH_RISK_MODES] as const;

/** Whether a risk applies to a cluster. */
export const APPLIES = ['yes', 'no', 'unknown'] as const;

/** Fewest risky hops, or fewest hops. */
export const PREFERENCES = ['safest', 'shortest'] as const;

/** In the order of evaluation. */
export const REASON_CODES = [
  'excluded',
  'invalid_order',
  'channel_unknown',
  'channel_empty',
  'arch_unavailable',
  'source_not_in_channel',
  'target_not_in_channel',
  'no_recommended_path',
  'risks_not_accepted',
  'source_has_no_updates',
  'disconnected',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
