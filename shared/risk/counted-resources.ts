import { finiteTexts } from './evaluate/select.ts';
import { selectorsOf } from './promql/expression.ts';
import type { RiskIndex } from './risk-index.ts';

/** Metrics whose label `resource` names what they count. */
const COUNTING: readonly string[] = ['apiserver_storage_objects', 'cluster:usage:resources:sum'];

/** Resources whose number of objects decides these queries, as `egressips.k8s.ovn.org`. */
export function countedResources(texts: readonly string[], queries: RiskIndex['queries']): string[] {
  const selectors = texts.flatMap((text) => {
    const query = Object.hasOwn(queries, text) ? queries[text]! : null;
    return query !== null && 'expression' in query ? selectorsOf(query.expression) : [];
  });
  const names = selectors.flatMap(({ metric, where }) =>
    COUNTING.includes(metric) ? (finiteTexts('resource', where) ?? []) : [],
  );
  return [...new Set(names)].toSorted();
}
