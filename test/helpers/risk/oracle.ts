import { evaluateQuery } from '@cairn/shared/risk/evaluate/evaluate-query';
import type { Outcome } from '@cairn/shared/risk/evaluate/evaluation';
import type { Families } from '@cairn/shared/risk/family';
import type { CompiledQuery } from '@cairn/shared/risk/promql/expression';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';

/** Number of samples of a result and their sum, null without samples, or an error of the query. */
export type Totals = { readonly count: number | null; readonly sum: number | null } | 'error';

/** What a cluster makes of a result. */
export function outcomeOfTotals(totals: Totals): Outcome {
  if (totals === 'error' || totals.count !== 1) return 'fails';
  return totals.sum === 1 ? 'yes' : totals.sum === 0 ? 'no' : 'fails';
}

const compiled = new Map<string, CompiledQuery>();

export function outcomesOf(promql: string, families: Families): readonly Outcome[] {
  const query = compiled.get(promql) ?? compileQuery(promql);
  compiled.set(promql, query);
  if ('unsupported' in query) throw new Error(`${promql} is not supported: ${query.unsupported}`);
  return evaluateQuery(query.expression, families).outcomes;
}

/**
 * How the evaluator, which knows every series, differs from what Prometheus answered. It may have several answers for a
 * choice of `topk` between equal samples, and for fractions, which are rounded: one of them has to be that of Prometheus.
 */
export function differenceOf(promql: string, families: Families, totals: Totals): string | null {
  const truth = outcomeOfTotals(totals);
  const outcomes = outcomesOf(promql, families);
  if (!outcomes.includes(truth)) return `is ${truth}, evaluated as ${outcomes.join(' or ')}`;
  if (outcomes.length > 1 && !/(top|bottom)k|avg|[.]5|\//.test(promql))
    return `is ${truth}, evaluated as ${outcomes.join(' or ')}`;
  if (totals === 'error') {
    return outcomesOf(`absent(${promql}\n)`, families).includes('fails') ? null : 'is an error of the query';
  }
  const checks =
    totals.count === null
      ? [`absent(${promql}\n)`]
      : [
          `count(${promql}\n) == bool ${totals.count}`,
          ...(Number.isFinite(totals.sum) ? [`sum(${promql}\n) == bool ${totals.sum}`] : []),
        ];
  const wrong = checks.find((check) => !outcomesOf(check, families).includes('yes'));
  return wrong === undefined ? null : `is ${JSON.stringify(totals)}, and this is not so: ${wrong}`;
}
