/** What a question may choose, apart from the search: the interface names it as well. */

/**
 * Which conditional edges may be used: none of them; those whose every risk was accepted by name; those without a risk
 * that always applies; all.
 */
export const RISK_MODES = ['none', 'accept', 'non-always', 'all'] as const;

/** Which of two paths is the better one: that with fewer risky hops, or that with fewer hops. */
export const PREFERENCES = ['safest', 'shortest'] as const;
