import type { ClusterFacts, ReportedKind } from '../cluster/facts.ts';
import { type Risk, riskText } from '../graph/graph.ts';
import type { HopPlace } from '../path/question.ts';
import type { AcceptedRisk } from './acceptances.ts';
import { familiesOf } from './derive/families.ts';
import type { Families } from './family.ts';
import { liveAnswersOf } from './live-answer.ts';
import { selectorsOf } from './promql/expression.ts';
import { type ReportedRisk, reportedRisks } from './reported-risks.ts';
import type { RiskIndex } from './risk-index.ts';
import { type CompiledRule, type RiskVerdict, riskVerdict } from './verdict.ts';

export interface RiskAnswer extends Omit<RiskVerdict, 'readFrom' | 'answeredAt' | 'source'> {
  /** The documents, the cluster's own metrics, or what its operator reports of its next update. */
  readonly source: RiskVerdict['source'] | 'cluster';
  /** The oldest collection time of what the answer rests on; null if nothing was used. */
  readonly asOf: string | null;
}

/** Known risk of an update, and whether it applies to the cluster. */
export interface HopRisk extends RiskAnswer {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  /** `source` if the ClusterVersion accepts it. */
  readonly accepted?: AcceptedRisk & { readonly source?: 'cluster' };
}

/** Whether a risk applies to one cluster. */
export type ClusterRisks = (risk: Risk, hop: HopPlace) => RiskAnswer;

export interface RiskSources {
  /** Include what the cluster's own metrics answered. */
  readonly facts: ClusterFacts;
  /** Queries as they were compiled when they were published. */
  readonly queries: RiskIndex['queries'];
  /** Of a stored cluster, whose answers age. */
  readonly stored?: {
    /** Collection time of each kind. */
    readonly collected: Readonly<Partial<Record<ReportedKind, string>>>;
    /** Milliseconds. */
    readonly now: number;
  };
  /** Given to many clusters, so that a query is evaluated once for all that have the same series. */
  readonly shared?: SharedVerdicts;
}

export interface SharedVerdicts {
  /** Hash of a text. */
  readonly hash: (text: string) => string;
  readonly verdicts: Map<string, RiskVerdict>;
}

/** Evaluates each risk once, when it is asked for. */
export function clusterRisks({ facts, queries, stored, shared }: RiskSources): ClusterRisks {
  const families = familiesOf(facts);
  const answers = liveAnswersOf(facts, stored?.now ?? null);
  const verdictOf =
    shared && answers.byQuery.size === 0
      ? sharedVerdicts(families, shared)
      : (rules: readonly CompiledRule[], hop: HopPlace) => riskVerdict(rules, families, answers, hop);
  const reported = reportedRisks(facts.clusterVersion);
  const timesOf = (kinds: readonly ReportedKind[]): readonly string[] =>
    kinds.flatMap((kind) => stored?.collected[kind] ?? facts.collectedAt ?? []);
  const evaluate = (risk: Risk, hop: HopPlace): RiskAnswer => {
    const verdict = verdictOf(compiledRules(risk, queries), hop);
    const { readFrom, answeredAt, ...shown } = verdict;
    const answer = { ...shown, asOf: oldest(timesOf(readFrom), answeredAt) };
    const own = hop === 'first' ? reported.get(risk.name) : undefined;
    return own ? answerOfCluster(own, answer, oldest(timesOf(['clusterVersion']))) : answer;
  };
  const known = { first: new Answers(), later: new Answers() };
  return (risk, hop) => known[hop].get(risk, () => evaluate(risk, hop));
}

const MOST_SHARED = 20_000;

/** A verdict depends on the rules and on the series of their metrics alone. */
function sharedVerdicts(families: Families, { hash, verdicts }: SharedVerdicts) {
  const hashes = new Map<string, string>();
  const hashOf = (metric: string): string => {
    const known = hashes.get(metric) ?? hash(JSON.stringify(families(metric)));
    hashes.set(metric, known);
    return known;
  };
  return (rules: readonly CompiledRule[], hop: HopPlace): RiskVerdict => {
    const metrics = new Set(rules.flatMap(metricsOf));
    const texts = rules.map((rule) => (rule.type === 'PromQL' ? rule.promql : rule.type));
    const key = hash(JSON.stringify([hop, texts, ...Array.from(metrics, hashOf)]));
    const verdict = verdicts.get(key) ?? riskVerdict(rules, families, undefined, hop);
    // Names of nodes differ everywhere, so that many verdicts are of one cluster only.
    if (verdicts.size >= MOST_SHARED) verdicts.clear();
    verdicts.set(key, verdict);
    return verdict;
  };
}

function metricsOf(rule: CompiledRule): string[] {
  if (rule.type !== 'PromQL' || !('expression' in rule.query)) return [];
  return selectorsOf(rule.query.expression).map(({ metric }) => metric);
}

/** Graphs share the object of a risk; other graphs have it again. */
class Answers {
  readonly #byObject = new Map<Risk, RiskAnswer>();
  readonly #byText = new Map<string, RiskAnswer>();

  get(risk: Risk, evaluate: () => RiskAnswer): RiskAnswer {
    const known = this.#byObject.get(risk);
    if (known !== undefined) return known;
    const text = riskText(risk);
    const answer = this.#byText.get(text) ?? evaluate();
    this.#byText.set(text, answer);
    this.#byObject.set(risk, answer);
    return answer;
  }
}

/** The operator's answer counts, and what the facts say otherwise is worth a look. */
function answerOfCluster(
  own: ReportedRisk,
  { applies, notes = [] }: RiskAnswer,
  asOf: string | null,
): RiskAnswer {
  const isOther = applies !== 'unknown' && applies !== own.applies;
  const all = isOther ? [...notes, 'DisagreesWithCluster' as const] : notes;
  return {
    applies: own.applies,
    decidedBy: [own.evidence],
    source: 'cluster',
    asOf,
    ...(all.length > 0 && { notes: all }),
  };
}

function oldest(times: readonly string[], alsoAt = Infinity): string | null {
  const time = Math.min(...times.map(Date.parse), alsoAt);
  return time === Infinity ? null : new Date(time).toISOString();
}

/** A query that is not in the index was published after it. */
const NOT_COMPILED = { unsupported: 'a query that was not read yet' } as const;

function compiledRules({ matchingRules }: Risk, queries: RiskIndex['queries']): readonly CompiledRule[] {
  return matchingRules.map((rule): CompiledRule => {
    if (rule.type === 'Always') return { type: 'Always' };
    if (rule.type !== 'PromQL') return { type: 'Skipped' };
    const { promql } = rule.promql;
    if (promql === '') return { type: 'Skipped' };
    const query = Object.hasOwn(queries, promql) ? queries[promql]! : NOT_COMPILED;
    return { type: 'PromQL', promql, query };
  });
}
