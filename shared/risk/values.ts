/** Separate from the evaluation: schemas import these values alone. */

/** What a rule of a risk can say; `fails`: the cluster cannot evaluate its query. */
export const OUTCOMES = ['yes', 'no', 'fails'] as const;

/** What an answer rests on: documents, the report of the cluster's operator, or its own metrics. */
export const ANSWER_SOURCES = ['facts', 'cluster', 'live'] as const;

/** Why a risk is unknown. */
export const UNKNOWN_REASONS = ['MissingFacts', 'EvaluationFails', 'UnsupportedQuery'] as const;

/** For people: a note changes no answer. */
export const RISK_NOTES = ['QueryLooksWrong', 'DisagreesWithCluster'] as const;

/** `always`: it applies to every cluster. */
export const RISK_RULES = ['always', 'query'] as const;

/** Why a risk that a notification named no longer concerns a cluster. */
export const LIFTED_REASONS = ['does-not-apply', 'withdrawn'] as const;
