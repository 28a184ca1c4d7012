import {
  archiveOf,
  type ClusterRecord,
  isOtherCluster,
  takeReport,
  withinHistoryLimit,
} from '@cairn/shared/cluster/cluster-record';
import { summarizeCluster } from '@cairn/shared/cluster/cluster-summary';
import { EMPTY_ARCHIVE } from '@cairn/shared/prune/history/archive';
import { isDeepStrictEqual } from 'node:util';
import { historyFaults } from './history-rules.ts';
import type { HeadWrite, Ledger } from './ledger.ts';
import { factsOf, marksIn, type ReportKind } from './reports.ts';

/** A write that was carried out, and what the cluster was from then on. */
export interface Link {
  readonly write: HeadWrite;
  readonly state: ClusterRecord | null;
}

/** All that became of a cluster, in the only order there is: each head names the one before it. */
export class Chain {
  readonly id: string;
  readonly links: readonly Link[];
  readonly violations: string[] = [];
  readonly #places: ReadonlyMap<string, number>;

  constructor(ledger: Ledger, id: string, last: string | null) {
    this.id = id;
    const writes: HeadWrite[] = [];
    for (let revision = last; revision !== null;) {
      const write = ledger.heads.get(revision);
      if (write === undefined) {
        this.violations.push(`${id}: nobody wrote the revision ${revision}`);
        break;
      }
      writes.unshift(write);
      revision = write.previous;
    }
    this.links = this.#replay(ledger, writes);
    this.#places = new Map(writes.map(({ revision }, place) => [revision, place]));
  }

  /** Counted from 0; null when it was not carried out, or is lost. */
  placeOf(revision: string): number | null {
    return this.#places.get(revision) ?? null;
  }

  /** What it was after so many changes; before the first there is nothing. */
  stateAt(place: number): ClusterRecord | null {
    return place < 0 ? null : this.links[place]!.state;
  }

  /** Each change must follow from what was there and what was asked, and from nothing else. */
  #replay(ledger: Ledger, writes: readonly HeadWrite[]): Link[] {
    const links: Link[] = [];
    let state: ClusterRecord | null = null;
    let marks = new Map<ReportKind, number>();
    for (const write of writes) {
      const former: ClusterRecord | null = state;
      this.#checkConditions(write, former, links.at(-1)?.write.revision ?? null);
      state = followUp(write, former);
      const stored = write.chunks === 0 ? null : ledger.recordOf(write);
      if (write.chunks > 0 && stored === null) this.#violate(write, 'points at a body that was never whole');
      else if (!isDeepStrictEqual(stored, state)) this.#violate(write, 'is not what the report makes of it');
      const summary = state === null ? null : plain(summarizeCluster(state));
      if (!isDeepStrictEqual(write.summary, summary))
        this.#violate(write, 'has the summary of something else');
      marks = marksAfter(marks, write);
      if (state !== null && !isDeepStrictEqual(new Map(marksIn(state.facts)), marks)) {
        this.#violate(write, `is a mixture: ${JSON.stringify([...marksIn(state.facts)])}`);
      }
      if (state !== null) this.#checkHistory(write, former, state);
      links.push({ write, state });
    }
    return links;
  }

  #checkConditions(write: HeadWrite, former: ClusterRecord | null, revision: string | null): void {
    const { ifMatch, isFirst } = write.by;
    if (ifMatch !== null && ifMatch !== `"${revision}"`)
      this.#violate(write, 'came in spite of its If-Match');
    if (isFirst && former !== null) this.#violate(write, 'came in spite of its If-None-Match');
  }

  #checkHistory(write: HeadWrite, former: ClusterRecord | null, state: ClusterRecord): void {
    const { report, now, historyLimit } = write.by;
    const facts = report === null ? null : factsOf(report, now);
    const isOther = former === null || (facts !== null && isOtherCluster(former, facts));
    const before = isOther ? EMPTY_ARCHIVE : archiveOf(former);
    const told = facts?.clusterVersion?.history ?? [];
    // A report without a history leaves the one that is there, whatever the limit.
    const isLowered = report === null || told.length > 0;
    const limit = isLowered ? historyLimit : Infinity;
    for (const fault of historyFaults(before, told, archiveOf(state), limit)) {
      this.#violate(write, `history: ${fault}`);
    }
    if (isLowered && withinHistoryLimit(state, { max: historyLimit, now }).record !== state) {
      this.#violate(write, 'history: lowering it once more takes something');
    }
  }

  #violate({ by, revision }: HeadWrite, what: string): void {
    const sequence = revision.split('-')[0];
    this.violations.push(`${this.id}: change ${sequence}, by ${by.what} ${by.number}, ${what}`);
  }
}

/** What a change makes of a cluster, as it goes into the table and comes back. */
function followUp({ by, chunks }: HeadWrite, former: ClusterRecord | null): ClusterRecord | null {
  if (by.what === 'delete' || chunks === 0) return null;
  const { report, now, historyLimit } = by;
  if (report === null) return former && plain(withinHistoryLimit(former, { max: historyLimit, now }).record);
  return plain(takeReport(former, factsOf(report, now), { now, forget: report.replace, historyLimit }));
}

/** By the reports alone: of each kind the last that brought it, unless it was dropped since. */
function marksAfter(marks: ReadonlyMap<ReportKind, number>, { by }: HeadWrite): Map<ReportKind, number> {
  if (by.what === 'delete') return new Map();
  const next = new Map(by.report?.replace ? [] : marks);
  for (const kind of by.report?.kinds ?? []) next.set(kind, by.report!.number);
  return next;
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
