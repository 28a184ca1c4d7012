import { gunzipSync } from 'node:zlib';
import { pairName } from '@cairn/shared/releases/channel';
import {
  buildRiskIndex,
  channelRisks,
  type ChannelRisks,
  queryOf,
  type RiskIndex,
  risksOfPair,
} from '@cairn/shared/risk/risk-index';
import { storedGraph } from '../releases/stored-graph.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import { PUBLICATION, readPublished, type StoredPublication } from '../store/published.ts';
import type { PairResult } from './pair-result.ts';
import { type Heads, publishedRevision, publishJson } from './read-model.ts';
import type { SyncRun } from './run.ts';

/** Raise it when the shape changes or more queries can be compiled: the next run then compiles all of them again. */
const FORMAT = 1;

const NAME = PUBLICATION_NAME.risks;

/** Revision of the graph of each channel, by pair. */
type Sources = Readonly<Record<string, string | null>>;

interface PublishedRisks extends RiskIndex {
  readonly sources: Sources;
}

interface Summary {
  readonly format: number;
  /** Hash of the sources. */
  readonly sources: string;
  readonly unsupportedQueries: number;
}

export interface RiskIndexState {
  readonly revision: string | null;
  readonly unsupportedQueries: number;
}

/** Updates the index of risks; reads nothing while the graphs are unchanged. */
export async function updateRiskIndex(
  run: SyncRun,
  heads: Heads,
  results: readonly PairResult[],
  before: string | null,
): Promise<RiskIndexState> {
  const head = heads.get(NAME);
  const known = head?.summary as Summary | undefined;
  // An empty configuration hides no channel.
  if (run.dependencies.config.sources.length === 0) {
    return { revision: before, unsupportedQueries: known?.unsupportedQueries ?? 0 };
  }
  const sources = sourcesOf(results, heads);
  const hash = sha256Hex(JSON.stringify(sources));
  if (head && known?.format === FORMAT && known.sources === hash && head.revision === before) {
    return { revision: before, unsupportedQueries: known.unsupportedQueries };
  }
  const stored = await readPublished(run.dependencies.table, PUBLICATION, NAME);
  const index = await buildIndex(run, results, sources, formerOf(stored));
  const unsupportedQueries = warnOfUnsupported(run, index);
  const summary: Summary = { format: FORMAT, sources: hash, unsupportedQueries };
  const published: PublishedRisks = { ...index, sources };
  const text = JSON.stringify(published);
  const { revision } = await publishJson(run, { name: NAME, text, summary: { ...summary } }, stored);
  return { revision, unsupportedQueries };
}

function sourcesOf(results: readonly PairResult[], heads: Heads): Sources {
  const revisions = results.map((result) => [nameOf(result), publishedRevision(result, heads)] as const);
  return Object.fromEntries(revisions.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function buildIndex(
  run: SyncRun,
  results: readonly PairResult[],
  sources: Sources,
  former: PublishedRisks | null,
): Promise<RiskIndex> {
  const channels = [];
  for (const result of results) {
    const pair = nameOf(result);
    const isSame = former !== null && former.sources[pair] === sources[pair];
    const risks = result.risks ?? (isSame ? risksOfPair(former, pair) : await risksOfGraph(run, result));
    channels.push({ pair, risks });
  }
  // On demand: most runs find the same graphs.
  const { compileQuery } = await import('@cairn/shared/risk/promql/parse-query');
  return buildRiskIndex(channels, { former, now: run.slot, compile: compileQuery });
}

function nameOf({ pair }: Pick<PairResult, 'pair'>): string {
  return pairName(pair.channel, pair.arch);
}

/** Without its queries if another version of the compiler read them. */
function formerOf({ head, body }: StoredPublication): PublishedRisks | null {
  if (!body) return null;
  const former = JSON.parse(gunzipSync(body).toString('utf8')) as PublishedRisks;
  return head?.summary['format'] === FORMAT ? former : { ...former, queries: {} };
}

async function risksOfGraph(run: SyncRun, { pair: { channel, arch } }: PairResult): Promise<ChannelRisks> {
  const name = PUBLICATION_NAME.graph(channel, arch);
  const { body } = await readPublished(run.dependencies.table, PUBLICATION, name);
  return body ? channelRisks(storedGraph(body, { channel, arch })) : [];
}

const QUOTED_LENGTH = 500;

/** Clusters evaluate these queries, Cairn does not: their risks are unknown everywhere. Returns how many there are. */
function warnOfUnsupported({ dependencies, slot }: SyncRun, { risks, queries }: RiskIndex): number {
  const unsupported = Object.entries(queries).flatMap(([promql, query]) =>
    'unsupported' in query ? [{ promql, unsupported: query.unsupported }] : [],
  );
  for (const query of unsupported) {
    const names = risks
      .filter(({ matchingRules }) => matchingRules.flatMap(queryOf).includes(query.promql))
      .map(({ name }) => name);
    dependencies.log.warn('a query of a risk is not supported', {
      slot,
      risks: [...new Set(names)],
      unsupported: query.unsupported,
      promql: query.promql.slice(0, QUOTED_LENGTH),
    });
  }
  return unsupported.length;
}
