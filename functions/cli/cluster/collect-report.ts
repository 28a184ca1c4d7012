import {
  type ClusterFacts,
  LISTED_KINDS,
  type ListedKind,
  REPORTED_KINDS,
  type ReportedKind,
} from '@cairn/shared/cluster/facts';
import { ClusterReader, type DocumentReading } from '@cairn/shared/cluster/kinds';
import { neededFacts } from '@cairn/shared/cluster/reduced-documents';
import { mergeCounts, NO_COUNTS } from '@cairn/shared/cluster/risk-inputs/objects';
import { splitDocuments, splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import type { Mistake } from '@cairn/shared/input/input-value';
import type { ObjectSink } from '@cairn/shared/json/frames';
import { InUseReducer, type InUseReduction } from '@cairn/shared/prune/images/in-use/reduced';
import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import { badInput, type Failure } from '../../runtime/exit.ts';
import {
  type ClusterQuery,
  type ClusterSource,
  COUNT_QUERIES,
  IMAGE_QUERIES,
  IN_USE_QUERIES,
  REPORT_QUERIES,
  WORKLOAD_QUERIES,
  queryName,
  queryPath,
} from './queries.ts';
import { mistakeInWords } from './read-documents.ts';

/** Settings of a pruner that affect its in-use report. */
export interface InUsePolicy {
  /** Ended Pods that are older than this use nothing. */
  readonly keepYoungerThanMs: number;
  /** The cluster manages the registry; otherwise Images are read too. */
  readonly isManaged: boolean;
}

export interface Wanted {
  /** Start of reading in milliseconds: uses that begin later are not covered. */
  readonly collectedAt: number;
  /** Keep the names of people who use removed APIs. */
  readonly usernames: boolean;
  /** Read pods, routes and other workloads too. */
  readonly workloads: boolean;
  /** Read from another API; null if they are not wanted or not shown. */
  readonly alerts: ClusterFacts['alerts'];
  /** One for each pruner that gets a report. */
  readonly uses: readonly InUsePolicy[];
}

export type CollectedUse = Extract<InUseReduction, { ok: true }> & {
  /** Resources that the cluster did not return. */
  readonly unseen: readonly string[];
};

export interface Collected {
  readonly facts: ClusterFacts | Failure;
  /** In the order of `Wanted.uses`. */
  readonly uses: readonly (CollectedUse | Failure)[];
}

export function collectFromFiles(documents: Uint8Array, wanted: Wanted): Collected {
  const reading = splitDocuments(documents, readersOf(wanted, { isForFacts: true, isForUse: true }));
  const [facts, uses] = [new FactParts(), wanted.uses.map(() => new UseParts())];
  facts.add(reading.facts!, mistakeInWords);
  for (const [at, parts] of uses.entries()) parts.add(reading.uses[at]!, mistakeInWords);
  return joined(facts, uses, wanted);
}

/** Each list has its own readers, so that a restarted list leaves no partial data. */
export async function collectFromCluster(source: ClusterSource, wanted: Wanted): Promise<Collected> {
  const [facts, uses] = [new FactParts(), wanted.uses.map(() => new UseParts())];
  for (const asked of queriesOf(wanted)) {
    const { query, isForUse } = asked;
    const name = queryName(query);
    const describe = (mistake: Mistake) => `${name}: ${mistakeInWords(mistake)}`;
    const reading = await source.read(query, (pages) => splitDocumentStream(pages, readersOf(wanted, asked)));
    if (reading?.facts) facts.add(reading.facts, describe, query.facts);
    else if (reading === null) facts.miss(query);
    for (const [at, parts] of uses.entries()) {
      if (!isForUse || !isNeeded(query, wanted.uses[at]!)) continue;
      const part = reading?.uses[at];
      if (part === undefined || isWithoutPods(query, part)) parts.miss(name);
      else parts.add(part, describe);
    }
  }
  return joined(facts, uses, wanted);
}

function joined(facts: FactParts, uses: readonly UseParts[], wanted: Wanted): Collected {
  return { facts: facts.join(wanted), uses: uses.map((parts, at) => parts.join(wanted.uses[at]!, wanted)) };
}

interface Readers {
  readonly isForFacts: boolean;
  readonly isForUse: boolean;
}

/** Without duplicates: pods are read for both. */
function queriesOf({ uses, workloads }: Wanted): readonly (Readers & { readonly query: ClusterQuery })[] {
  const forUse = [...IN_USE_QUERIES, ...IMAGE_QUERIES].filter((query) =>
    uses.some((policy) => isNeeded(query, policy)),
  );
  const isAmong = (queries: readonly ClusterQuery[], key: string) =>
    queries.some((query) => keyOf(query) === key);
  const forFacts = [...REPORT_QUERIES, ...COUNT_QUERIES, ...(workloads ? WORKLOAD_QUERIES : [])];
  const byPath = new Map([...forFacts, ...forUse].map((query) => [keyOf(query), query]));
  return Array.from(byPath, ([key, query]) => ({
    query,
    isForFacts: isAmong(forFacts, key),
    isForUse: isAmong(forUse, key),
  }));
}

/** A list and its number of objects are at the same path. */
function keyOf(query: ClusterQuery): string {
  return `${queryPath(query)} ${query.counted ?? ''}`;
}

/** Images are needed only if the cluster does not manage the registry. */
function isNeeded({ kind }: ClusterQuery, { isManaged }: InUsePolicy): boolean {
  return kind !== 'Image' || !isManaged;
}

/** No cluster is without pods, so an empty list counts as not returned. */
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

type Describe = (mistake: Mistake) => string;

class FactParts {
  readonly #parts: Partial<ClusterFacts>[] = [];
  #counts: ClusterFacts['objectCounts'] = null;
  /** Lists of all objects. */
  readonly #complete: ListedKind[] = [];
  readonly #mistakes: string[] = [];
  readonly #missed = new Set<string>();

  /** Metadata does not show all facts of its kind: only those that it was read for count. */
  add(reading: DocumentReading, describe: Describe, wanted: readonly ReportedKind[] = REPORTED_KINDS): void {
    if (reading.ok) {
      const { objectCounts } = reading.facts;
      // An object that does not exist is counted too.
      if (objectCounts) this.#counts = mergeCounts(this.#counts ?? NO_COUNTS, objectCounts);
      this.#parts.push(...wanted.map((fact) => ({ [fact]: reading.facts[fact] })));
      this.#complete.push(...reading.facts.completeLists.filter((fact) => wanted.includes(fact)));
    } else {
      this.#mistakes.push(...reading.mistakes.map(describe));
    }
  }

  miss({ facts = [] }: ClusterQuery): void {
    for (const fact of facts) this.#missed.add(fact);
  }

  join(wanted: Wanted): ClusterFacts | Failure {
    if (this.#mistakes.length > 0) return badInput(...this.#mistakes);
    const known = new Map<string, unknown>();
    for (const [fact, value] of this.#parts.flatMap((part) => Object.entries(part))) {
      const former = known.get(fact);
      // MachineHealthChecks alone must not count as all health checks; configurations say which kinds they are.
      if (value === null || (this.#missed.has(fact) && fact !== 'operatorConfigs')) continue;
      // Several kinds can give one fact: Deployments and StatefulSets.
      known.set(fact, Array.isArray(former) ? [...former, ...(value as unknown[])] : value);
    }
    const nothing = factsReader(wanted).finish(0, null) as Extract<DocumentReading, { ok: true }>;
    const { alerts } = wanted;
    return neededFacts({
      ...nothing.facts,
      ...Object.fromEntries(known),
      objectCounts: this.#counts,
      completeLists: LISTED_KINDS.filter((fact) => known.has(fact) && this.#complete.includes(fact)),
      ...(alerts && { alerts }),
    });
  }
}

class UseParts {
  readonly #documents: unknown[] = [];
  readonly #unseen: string[] = [];
  readonly #mistakes: string[] = [];

  add(part: InUseReduction, describe: Describe): void {
    if (part.ok) this.#documents.push(...part.documents);
    else this.#mistakes.push(...part.mistakes.map(describe));
  }

  miss(name: string): void {
    this.#unseen.push(name);
  }

  /** Reduces again, since lists overlap, and reads the result as the receiver will. */
  join(policy: InUsePolicy, wanted: Wanted): CollectedUse | Failure {
    if (this.#mistakes.length > 0) return badInput(...this.#mistakes);
    const text = JSON.stringify(this.#documents);
    const whole = splitDocuments(Buffer.from(text), useReducer(policy, wanted, this.#unseen));
    return whole.ok ? { ...whole, unseen: this.#unseen } : badInput(...whole.mistakes.map(mistakeInWords));
  }
}

interface ReportReading {
  readonly facts: DocumentReading | null;
  readonly uses: readonly InUseReduction[];
}

class ReportReader {
  readonly objects: ObjectSink;
  readonly #facts: ClusterReader | null;
  readonly #uses: readonly InUseReducer[];

  constructor(facts: ClusterReader | null, uses: readonly InUseReducer[]) {
    this.#facts = facts;
    this.#uses = uses;
    const sinks = [...(facts === null ? [] : [facts]), ...uses].map(({ objects }) => objects);
    this.objects = {
      get fault() {
        return sinks.map(({ fault }) => fault).find((fault) => fault !== null) ?? null;
      },
      object: (source) => sinks.forEach((sink) => sink.object(source)),
      list: (list, items) => sinks.forEach((sink) => sink.list(list, items)),
    };
  }

  finish(documents: number, fault: Mistake | null): ReportReading {
    return {
      facts: this.#facts?.finish(documents, fault) ?? null,
      uses: this.#uses.map((reducer) => reducer.finish(documents, fault)),
    };
  }
}

function factsReader({ collectedAt, usernames }: Wanted): ClusterReader {
  return new ClusterReader({ collectedAt: new Date(collectedAt).toISOString(), usernames, isRemovedApi });
}

function useReducer(
  { keepYoungerThanMs, isManaged }: InUsePolicy,
  { collectedAt }: Wanted,
  unseen: readonly string[] = [],
): InUseReducer {
  const youngerThan = collectedAt - keepYoungerThanMs;
  return new InUseReducer({ youngerThan, collectedAt, asked: [], unseen, images: !isManaged });
}
