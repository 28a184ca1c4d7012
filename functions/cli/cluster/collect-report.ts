import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { DocumentMistake } from '@cairn/shared/cluster/object-reader';
import { splitDocuments, splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import type { InUseReduction } from '@cairn/shared/prune/images/in-use/reduced';
import { CLUSTER_QUERIES } from './queries.ts';
import { type ClusterQuery, queryName, queryPath } from './cluster-query.ts';
import type { ClusterSource } from './oc.ts';
import { IMAGE_QUERIES, IN_USE_QUERIES } from './in-use-queries.ts';
import { mistakeInWords } from './read-documents.ts';
import type { Failure } from '../failure.ts';
import { type CollectedUse, FactParts, UseParts } from './report-parts.ts';
import { ReportReader } from './report-reader.ts';
import { factsReader, type InUsePolicy, useReducer, type Wanted } from './wanted.ts';

export interface Collected {
  readonly facts: ClusterFacts | Failure;
  /** In the order in which they are wanted. */
  readonly uses: readonly (CollectedUse | Failure)[];
}

/** What documents say that somebody has gathered. */
export function collectFromFiles(documents: Uint8Array, wanted: Wanted): Collected {
  const reading = splitDocuments(documents, readersOf(wanted, { isForFacts: true, isForUse: true }));
  const [facts, uses] = [new FactParts(), wanted.uses.map(() => new UseParts())];
  facts.add(reading.facts!, mistakeInWords);
  for (const [at, parts] of uses.entries()) parts.add(reading.uses[at]!, mistakeInWords);
  return joined(facts, uses, wanted);
}

/** What a cluster says, list by list: each has readers of its own, so that one begun again leaves nothing behind. */
export async function collectFromCluster(source: ClusterSource, wanted: Wanted): Promise<Collected> {
  const [facts, uses] = [new FactParts(), wanted.uses.map(() => new UseParts())];
  for (const asked of queriesOf(wanted)) {
    const { query, isForUse } = asked;
    const name = queryName(query);
    const tell = (mistake: DocumentMistake) => `${name}: ${mistakeInWords(mistake)}`;
    const reading = await source.read(query, (pages) => splitDocumentStream(pages, readersOf(wanted, asked)));
    if (reading?.facts) facts.add(reading.facts, tell);
    for (const [at, parts] of uses.entries()) {
      if (!isForUse || !isNeeded(query, wanted.uses[at]!)) continue;
      const part = reading?.uses[at];
      if (part === undefined || isWithoutPods(query, part)) parts.miss(name);
      else parts.add(part, tell);
    }
  }
  return joined(facts, uses, wanted);
}

function joined(facts: FactParts, uses: readonly UseParts[], wanted: Wanted): Collected {
  return { facts: facts.join(wanted), uses: uses.map((parts, at) => parts.join(wanted.uses[at]!, wanted)) };
}

/** Who reads the answer to a query. */
interface Readers {
  readonly isForFacts: boolean;
  readonly isForUse: boolean;
}

/** Each once: pods are read for both. */
function queriesOf({ uses }: Wanted): readonly (Readers & { readonly query: ClusterQuery })[] {
  const forUse = [...IN_USE_QUERIES, ...IMAGE_QUERIES].filter((query) =>
    uses.some((policy) => isNeeded(query, policy)),
  );
  const isAmong = (queries: readonly ClusterQuery[], path: string) =>
    queries.some((query) => queryPath(query) === path);
  const byPath = new Map([...CLUSTER_QUERIES, ...forUse].map((query) => [queryPath(query), query]));
  return Array.from(byPath, ([path, query]) => ({
    query,
    isForFacts: isAmong(CLUSTER_QUERIES, path),
    isForUse: isAmong(forUse, path),
  }));
}

/** Images are needed of a registry that the cluster does not manage. */
function isNeeded({ kind }: ClusterQuery, { isManaged }: InUsePolicy): boolean {
  return kind !== 'Image' || !isManaged;
}

/** A cluster without pods is none: whoever reads them is one. */
function isWithoutPods(query: ClusterQuery, part: InUseReduction): boolean {
  return (
    query.kind === 'Pod' &&
    part.ok &&
    part.reading.kinds.some(({ kind, objects }) => kind === 'Pod' && objects === 0)
  );
}

function readersOf(wanted: Wanted, { isForFacts, isForUse }: Readers): ReportReader {
  return new ReportReader(
    isForFacts ? factsReader(wanted) : null,
    isForUse ? wanted.uses.map((policy) => useReducer(policy, wanted)) : [],
  );
}
