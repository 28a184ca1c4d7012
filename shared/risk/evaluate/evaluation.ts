import type { ReportedKind } from '../../cluster/facts.ts';
import type { Horizon, Series } from '../family.ts';
import type { Selector } from '../promql/expression.ts';
import { OUTCOMES } from '../values.ts';
import type { Sample, Vector } from './samples.ts';
import type { Finding } from './select.ts';
import { isKnown, type Open, type Value } from './values.ts';

export type Outcome = (typeof OUTCOMES)[number];

export interface Evaluation {
  readonly outcomes: readonly Outcome[];
  readonly decidedBy: readonly string[];
  /** Metrics that are not known well enough. */
  readonly unknown: readonly string[];
  /** The shortest of what is known and was used; null if nothing was. */
  readonly horizon: Horizon | null;
  /** Facts of what is known and was used. */
  readonly readFrom: readonly ReportedKind[];
  /** Why it was not evaluated. */
  readonly unsupported?: string;
}

const ALL: readonly Outcome[] = OUTCOMES;
const MOST_SERIES = 8;

/** For a query that takes more work than it is worth. */
export const WITHOUT_ANSWER: Evaluation = {
  outcomes: ALL,
  decidedBy: [],
  unknown: [],
  horizon: null,
  readFrom: [],
  unsupported: 'a query that takes too much work on this cluster',
};

export function evaluationOf(value: Value, findings: readonly Finding[]): Evaluation {
  const reached = isKnown(value) ? value.vectors.flatMap(outcomesOf) : outcomesOfOpen(value);
  const outcomes = ALL.filter((outcome) => reached.includes(outcome));
  const inexact = findings.filter(({ isExact }) => !isExact);
  const used = findings.flatMap(({ isExact, series, family }) =>
    family !== null && (isExact || series.length > 0 || family.exists) ? [family] : [],
  );
  const horizons = used.map(({ horizon }) => horizon);
  // What is proven in part seldom leaves an answer open beside what is not known at all.
  const unseen = inexact.filter(({ series }) => series.length === 0);
  const open = unseen.length > 0 ? unseen : inexact;
  const unknown = new Set(open.map(({ selector }) => selector.metric));
  return {
    outcomes,
    decidedBy: evidenceOf(findings, outcomes[0] === 'no'),
    unknown: [...unknown],
    horizon: (['version', 'configuration', 'birth'] as const).find((one) => horizons.includes(one)) ?? null,
    readFrom: [...new Set(used.flatMap(({ readFrom }) => readFrom))],
  };
}

/** One sample of 1 applies, one of 0 does not, all else is an error to the cluster. */
function outcomesOf(vector: Vector | 'error'): readonly Outcome[] {
  if (vector === 'error' || vector.length !== 1) return ['fails'];
  const [sample] = vector as readonly [Sample];
  const own = outcomesOfValue(sample.value);
  return sample.isRepeated ? [...own, 'fails'] : own;
}

function outcomesOfValue(value: number | null): readonly Outcome[] {
  if (value === null) return ALL;
  return [value === 1 ? 'yes' : value === 0 ? 'no' : 'fails'];
}

function outcomesOfOpen({ must, values }: Open): readonly Outcome[] {
  if (must.length > 1) return ['fails'];
  const possible = must.length === 1 ? [must[0]!.value] : (values ?? [null]);
  return ['fails', ...possible.flatMap(outcomesOfValue)];
}

/** The proven series that decided, and what is proven to have none. */
function evidenceOf(findings: readonly Finding[], isNo: boolean): readonly string[] {
  const exact = findings.filter(({ isExact }) => isExact);
  const linesOf = (some: readonly Finding[]) =>
    some.flatMap(({ selector, series }) =>
      series.slice(0, MOST_SERIES).map((one) => textOfSeries(selector, one)),
    );
  const proven = linesOf(exact);
  const none = exact
    .filter(({ series }) => series.length === 0)
    .map(({ selector }) => textOfSelector(selector));
  const lines = isNo || proven.length === 0 ? [...none.map((text) => `${text} → none`), ...proven] : proven;
  return [...new Set(lines.length > 0 ? lines : linesOf(findings))].slice(0, MOST_SERIES);
}

function textOfSeries({ metric }: Selector, { labels, value }: Series): string {
  const texts = Object.entries(labels).filter(([, text]) => text !== '');
  const shown = texts.map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${withBraces(metric, shown)}${value === null ? '' : ` ${value}`}`;
}

/** Without the empty cluster id, which is in most and means nothing. */
function textOfSelector({ metric, where }: Selector): string {
  const shown = where
    .filter(([label, , text]) => label !== '_id' || text !== '')
    .map(([label, op, text]) => `${label}${op}${JSON.stringify(text)}`);
  return withBraces(metric, shown);
}

function withBraces(metric: string, parts: readonly string[]): string {
  return parts.length === 0 ? metric : `${metric}{${parts.join(',')}}`;
}
