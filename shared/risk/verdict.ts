import type { ReportedKind } from '../cluster/facts.ts';
import { evaluateQuery } from './evaluate/evaluate-query.ts';
import type { Outcome } from './evaluate/evaluation.ts';
import type { Families, Family, Horizon } from './family.ts';
import { isTooOld, type LiveAnswer, type LiveAnswers } from './live-answer.ts';
import { type CompiledQuery, type Expression, selectorsOf } from './promql/expression.ts';
import type { RISK_NOTES, UNKNOWN_REASONS } from './values.ts';

export type CompiledRule =
  | { readonly type: 'Always' }
  | { readonly type: 'PromQL'; readonly promql: string; readonly query: CompiledQuery }
  /** Clusters skip a rule of an unknown type, and one without a query. */
  | { readonly type: 'Skipped' };

export interface MissingFacts {
  readonly metric: string;
  /** As in `oc get`; empty if only the cluster's own metrics show it. */
  readonly documents: readonly string[];
}

export interface RiskVerdict {
  readonly applies: 'yes' | 'no' | 'unknown';
  readonly decidedBy: readonly string[];
  readonly source: 'facts' | 'live';
  /** Facts behind the answer, those that leave it open included. */
  readonly readFrom: readonly ReportedKind[];
  /** Time of the cluster's own answer, in milliseconds. */
  readonly answeredAt?: number;
  /** Of an unknown one. */
  readonly possible?: readonly Outcome[];
  readonly reason?: (typeof UNKNOWN_REASONS)[number];
  /** What is not supported, and where. */
  readonly unsupported?: string;
  readonly missing?: readonly MissingFacts[];
  /** The cluster answered more than a day ago, and its documents do not decide it. */
  readonly askedTooLongAgo?: true;
  /** On later hops: the answer rests on configuration that can change before. */
  readonly assumes?: 'unchanged';
  readonly notes?: readonly RiskNote[];
}

/** For people: a note changes no answer. */
export type RiskNote = (typeof RISK_NOTES)[number];

/** What one rule may say. */
interface RuleAnswer {
  readonly outcomes: readonly Outcome[];
  readonly decidedBy: readonly string[];
  readonly source: 'facts' | 'live';
  readonly unknown: readonly string[];
  readonly horizon: Horizon | null;
  readonly readFrom: readonly ReportedKind[];
  readonly answeredAt?: number;
  readonly unsupported?: string;
  readonly isOld?: true;
}

const ANYTHING: readonly Outcome[] = ['yes', 'no', 'fails'];
const ALWAYS: RuleAnswer = {
  outcomes: ['yes'],
  decidedBy: ['Always'],
  source: 'facts',
  unknown: [],
  horizon: null,
  readFrom: [],
};

/** Whether a risk applies: the first rule that a cluster can evaluate decides, whatever it says. */
export function riskVerdict(
  rules: readonly CompiledRule[],
  families: Families,
  answers?: LiveAnswers,
  hop: 'first' | 'later' = 'first',
): RiskVerdict {
  const known = hop === 'first' ? families : laterFamilies(families);
  const asked: RuleAnswer[] = [];
  const outcomes = new Set<Outcome>();
  let mayGoOn = true;
  for (const rule of rules) {
    if (!mayGoOn || rule.type === 'Skipped') continue;
    const answer = rule.type === 'Always' ? ALWAYS : answerOf(rule, known, answers, hop);
    asked.push(answer);
    for (const outcome of answer.outcomes) if (outcome !== 'fails') outcomes.add(outcome);
    mayGoOn = answer.outcomes.includes('fails');
  }
  if (mayGoOn) outcomes.add('fails');
  const notes = rules.some(looksWrong) ? ({ notes: ['QueryLooksWrong'] } as const) : {};
  const answeredAt = Math.min(...asked.flatMap((answer) => answer.answeredAt ?? []));
  const basis = {
    source: answeredAt === Infinity ? ('facts' as const) : ('live' as const),
    readFrom: [...new Set(asked.flatMap(({ readFrom }) => readFrom))],
    ...(answeredAt !== Infinity && { answeredAt }),
  };
  // A cluster that knows no rule of a risk does not even offer the update.
  if (asked.length === 0) {
    const unsupported = 'no rule of a type that is known';
    return {
      applies: 'unknown',
      decidedBy: [],
      ...basis,
      possible: ANYTHING,
      reason: 'UnsupportedQuery',
      unsupported,
    };
  }
  const possible = ANYTHING.filter((outcome) => outcomes.has(outcome));
  const [only] = possible;
  if (possible.length === 1 && (only === 'yes' || only === 'no')) {
    const isAssumed = hop === 'later' && asked.some(({ horizon }) => horizon === 'configuration');
    const decidedBy = decidersOf(asked, only);
    return { applies: only, decidedBy, ...basis, ...(isAssumed && { assumes: 'unchanged' }), ...notes };
  }
  return {
    applies: 'unknown',
    decidedBy: [],
    ...basis,
    possible,
    ...reasonOf(asked, possible, families),
    ...notes,
  };
}

/** What is behind the answer, not behind the rules that failed before it. */
function decidersOf(asked: readonly RuleAnswer[], outcome: Outcome): readonly string[] {
  const deciders = asked.filter(({ outcomes }) => outcomes.includes(outcome));
  return [...new Set(deciders.flatMap(({ decidedBy }) => decidedBy))].slice(0, 8);
}

function reasonOf(
  asked: readonly RuleAnswer[],
  possible: readonly Outcome[],
  families: Families,
): Pick<RiskVerdict, 'reason' | 'unsupported' | 'missing' | 'askedTooLongAgo'> {
  if (possible.length === 1) return { reason: 'EvaluationFails' };
  const metrics = [...new Set(asked.flatMap(({ unknown }) => unknown))];
  const missing = metrics.map((metric) => ({ metric, documents: families(metric)?.documents ?? [] }));
  const unsupported = asked.find((answer) => answer.unsupported !== undefined)?.unsupported;
  if (asked.some(({ isOld }) => isOld)) return { reason: 'MissingFacts', missing, askedTooLongAgo: true };
  if (unsupported !== undefined) return { reason: 'UnsupportedQuery', unsupported };
  if (missing.length > 0) return { reason: 'MissingFacts', missing };
  return { reason: 'UnsupportedQuery', unsupported: 'labels or values that no document shows' };
}

function answerOf(
  rule: Extract<CompiledRule, { type: 'PromQL' }>,
  families: Families,
  answers: LiveAnswers | undefined,
  hop: 'first' | 'later',
): RuleAnswer {
  const live = answers?.byQuery.get(rule.promql);
  const isOld = live !== undefined && isTooOld(live, answers!.now);
  const facts = answerOfFacts(rule.query, families);
  if (live === undefined) return facts;
  if (isOld) return { ...facts, isOld };
  return hop === 'first' || holdsLater(rule.query, families) ? answerOfCluster(live, facts.horizon) : facts;
}

const NOTHING_KNOWN: RuleAnswer = {
  outcomes: ANYTHING,
  decidedBy: [],
  source: 'facts',
  unknown: [],
  horizon: null,
  readFrom: [],
};

function answerOfFacts(query: CompiledQuery, families: Families): RuleAnswer {
  if ('expression' in query) return { ...evaluateQuery(query.expression, families), source: 'facts' };
  const { unsupported } = query;
  return { ...NOTHING_KNOWN, unsupported };
}

function answerOfCluster({ outcome, at }: LiveAnswer, horizon: Horizon | null): RuleAnswer {
  return { ...NOTHING_KNOWN, outcomes: [outcome], source: 'live', horizon, answeredAt: at };
}

/** Whether no metric of the query changes with an update. */
function holdsLater(query: CompiledQuery, families: Families): boolean {
  if (!('expression' in query)) return false;
  return selectorsOf(query.expression).every((selector) => {
    const isBirth = selector.where.some(
      ([label, op, text]) => label === 'type' && op === '=' && text === 'initial',
    );
    if (selector.metric === 'cluster_version') return isBirth;
    return (families(selector.metric)?.horizon ?? 'version') !== 'version';
  });
}

/** What holds after an update: nothing of what changes with the version but the first one. */
function laterFamilies(families: Families): Families {
  return (metric) => {
    const family = families(metric);
    if (family === null || family.horizon !== 'version') return family;
    return metric === 'cluster_version' ? birthOf(family) : { ...family, series: [], covered: [] };
  };
}

function birthOf(family: Family): Family {
  const initial = { type: { in: ['initial'] } };
  const isCovered =
    family.covered === 'all' ||
    family.covered.some(({ type, ...others }) => {
      const isThere =
        type !== undefined && ('in' in type ? type.in.includes('initial') : !type.notIn.includes('initial'));
      return isThere && Object.keys(others).length === 0;
    });
  return {
    ...family,
    series: family.series.filter(({ labels }) => labels['type'] === 'initial'),
    covered: isCovered ? [initial] : [],
    horizon: 'birth',
  };
}

/** A text that lists alternatives, compared as a whole: the writer meant a pattern. Never changes an answer. */
function looksWrong(rule: CompiledRule): boolean {
  if (rule.type !== 'PromQL' || !('expression' in rule.query)) return false;
  return hasListAsText(rule.query.expression);
}

function hasListAsText(expression: Expression): boolean {
  return selectorsOf(expression).some(({ where }) =>
    where.some(([, op, text]) => op === '=' && text.includes('|')),
  );
}
