import type { ClusterFacts } from '../cluster/facts.ts';
import type { Outcome } from './evaluate/evaluation.ts';

/** What the cluster's own metrics answered to one query. */
export interface LiveAnswer {
  /** Milliseconds. */
  readonly at: number;
  readonly outcome: Outcome;
}

export interface LiveAnswers {
  /** By the text of the query, byte for byte. */
  readonly byQuery: ReadonlyMap<string, LiveAnswer>;
  /** Null for posted documents, whose answers do not age. */
  readonly now: number | null;
}

const AGES_AFTER_MS = 24 * 60 * 60 * 1000;

export function isTooOld({ at }: LiveAnswer, now: number | null): boolean {
  return now !== null && now - at >= AGES_AFTER_MS;
}

export function liveAnswersOf({ riskAnswers }: ClusterFacts, now: number | null): LiveAnswers {
  const answers = (riskAnswers ?? []).map(
    ({ promql, at, outcome }) => [promql, { at: Date.parse(at), outcome }] as const,
  );
  return { byQuery: new Map(answers), now };
}
