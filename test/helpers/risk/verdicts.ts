import { type ClusterFacts, NO_FACTS } from '@cairn/shared/cluster/facts';
import type { Risk } from '@cairn/shared/graph/graph';
import { type ClusterRisks, clusterRisks, type RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import type { CompiledQuery } from '@cairn/shared/risk/promql/expression';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { readDocuments } from '../cluster/cluster-documents.ts';
import type { Json } from '../cluster/objects.ts';

export function compileAll(queries: readonly string[]): Readonly<Record<string, CompiledQuery>> {
  return Object.fromEntries(queries.map((promql) => [promql, compileQuery(promql)]));
}

export function riskOf(promql: string): Risk {
  return { url: '', name: 'Risk', message: '', matchingRules: [{ type: 'PromQL', promql: { promql } }] };
}

/** What a cluster's documents show of queries, read from their text as every client sends it. */
export function verdictsOf(
  documents: readonly Json[],
  compiled: Readonly<Record<string, CompiledQuery>>,
): (promql: string, hop?: 'first' | 'later') => RiskAnswer {
  const known: ClusterRisks = clusterRisks({ facts: factsOf(documents), queries: compiled });
  return (promql, hop = 'first') => known(riskOf(promql), hop);
}

export function factsOf(documents: readonly Json[]): ClusterFacts {
  if (documents.length === 0) return NO_FACTS;
  const text = documents.map((one) => JSON.stringify(one)).join('\n');
  const reading = readDocuments(text, { isRemovedApi: () => false, acceptsPages: true });
  if (!reading.ok) throw new Error(`documents that cannot be read: ${JSON.stringify(reading.mistakes)}`);
  return reading.facts;
}
