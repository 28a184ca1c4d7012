/** Values of fields, apart from the search: the interface lists them as well. */

/**
 * Which conditional edges may be used: none of them; those whose every risk was accepted by name; those without a risk
 * that always applies; all.
 */
export const RISK_MODES = ['none', 'accept', 'non-always', 'all'] as const;

/** Which of two paths is the better one: that with fewer risky hops, or that with fewer hops. */
export const PREFERENCES = ['safest', 'shortest'] as const;

/** Why there is no path, in the order in which the reasons are tried. */
export const REASON_CODES = [
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
