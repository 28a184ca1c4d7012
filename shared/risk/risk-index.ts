import { groupBy } from '../collection/group-by.ts';
import { forEachEdge } from '../graph/edge-rows.ts';
import { compareRisks, type MatchingRule, type ReleaseGraph, type Risk, riskText } from '../graph/graph.ts';
import type { CompiledQuery } from './promql/expression.ts';

/** One definition of a risk; a risk whose text or rules change has another. */
export interface IndexedRisk extends Risk {
  /** Time of the first sync with this definition. */
  readonly firstSeenAt: string;
  /** Channels with it, as `stable-4.14/amd64`, in order, with how many updates have it. */
  readonly places: readonly RiskPlace[];
}

export interface RiskPlace {
  readonly pair: string;
  readonly updates: number;
}

/** Every risk of the followed channels, and their queries in a form that can be evaluated. */
export interface RiskIndex {
  /** By name, then by definition. */
  readonly risks: readonly IndexedRisk[];
  /** By the text of the query. */
  readonly queries: Readonly<Record<string, CompiledQuery>>;
}

/** Risks of one channel. */
export type ChannelRisks = readonly { readonly risk: Risk; readonly updates: number }[];

export function channelRisks(graph: ReleaseGraph): ChannelRisks {
  const updates = new Uint32Array(graph.riskSets.length);
  forEachEdge(graph.conditional, (_from, _to, position) => {
    updates[graph.conditional.riskSets[position]!]!++;
  });
  const found = new Map<string, { readonly risk: Risk; updates: number }>();
  for (const [set, risks] of graph.riskSets.entries()) {
    for (const risk of risks) {
      const text = riskText(risk);
      const known = found.get(text) ?? { risk, updates: 0 };
      known.updates += updates[set]!;
      found.set(text, known);
    }
  }
  return [...found.values()];
}

/** {@link risksOfPair} is the inverse. Queries that are known are not compiled again. */
export function buildRiskIndex(
  channels: readonly { readonly pair: string; readonly risks: ChannelRisks }[],
  {
    former,
    now,
    compile,
  }: {
    readonly former: RiskIndex | null;
    readonly now: string;
    readonly compile: (promql: string) => CompiledQuery;
  },
): RiskIndex {
  const firstSeen = new Map((former?.risks ?? []).map((risk) => [riskText(risk), risk.firstSeenAt]));
  const sightings = channels
    .toSorted((a, b) => (a.pair < b.pair ? -1 : 1))
    .flatMap(({ pair, risks }) => risks.map(({ risk, updates }) => ({ risk, place: { pair, updates } })));
  const definitions = groupBy(sightings, ({ risk }) => riskText(risk));
  const risks = [...definitions]
    .map(([text, seen]): IndexedRisk => {
      const { url, name, message, matchingRules } = seen[0]!.risk;
      const places = seen.map(({ place }) => place);
      return { url, name, message, matchingRules, firstSeenAt: firstSeen.get(text) ?? now, places };
    })
    .toSorted(compareRisks);
  const texts = new Set(risks.flatMap(({ matchingRules }) => matchingRules.flatMap(queryOf)));
  const known = former?.queries ?? {};
  const queries = [...texts]
    .toSorted()
    .map((text) => [text, Object.hasOwn(known, text) ? known[text]! : compile(text)] as const);
  return { risks, queries: Object.fromEntries(queries) };
}

export function risksOfPair({ risks }: RiskIndex, pair: string): ChannelRisks {
  return risks.flatMap(({ places, ...risk }) => {
    const place = places.find((each) => each.pair === pair);
    return place ? [{ risk, updates: place.updates }] : [];
  });
}

export function queryOf(rule: MatchingRule): string[] {
  return rule.type === 'PromQL' ? [rule.promql.promql] : [];
}
