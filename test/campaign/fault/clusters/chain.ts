import { isDeepStrictEqual } from 'node:util';
import {
  archiveOf,
  type ClusterRecord,
  isOtherCluster,
  withinHistoryLimit,
  summarizeCluster,
} from '@cairn/shared/cluster/record';
import { EMPTY_ARCHIVE } from '@cairn/shared/prune/history/archive';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
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
    let marks: Marks = new Map();
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
      const isOther = isOfAnother(write, former);
      const isLateOther = isOther && !isAfter(write, marks.get('clusterVersion'));
      if (!isLateOther) marks = marksAfter(isOther ? new Map() : marks, write);
      const numbers = new Map([...marks].map(([kind, { number }]) => [kind, number]));
      if (state !== null && !isDeepStrictEqual(new Map(marksIn(state.facts)), numbers)) {
        this.#violate(write, `is a mixture: ${JSON.stringify([...marksIn(state.facts)])}`);
      }
      if (state !== null && !isLateOther) this.#checkHistory(write, former, state);
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
    const before = former === null || isOfAnother(write, former) ? EMPTY_ARCHIVE : archiveOf(former);
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
  const ahead = Date.parse(report.collectedAt ?? now) - Date.parse(now);
  const options = {
    now,
    forget: report.replace,
    historyLimit,
    clockSkewMs: ahead > 10 * MINUTE ? ahead : 0,
  };
  return plain(takeRunReport(former, factsOf(report, now), options));
}

/** Of each kind the report that was collected last, and when. */
type Marks = ReadonlyMap<ReportKind, { readonly number: number; readonly at: number }>;

function isOfAnother({ by: { report, now } }: HeadWrite, former: ClusterRecord | null): boolean {
  return former !== null && report !== null && isOtherCluster(former, factsOf(report, now));
}

function collectedAt({ by: { report, now } }: HeadWrite): number {
  return Math.min(Date.parse(report?.collectedAt ?? now), Date.parse(now));
}

/** Whether a report was collected after another, or that one at a time that is still to come. */
function isAfter(write: HeadWrite, mark: { readonly at: number } | undefined): boolean {
  const isFuture = mark !== undefined && mark.at > Date.parse(write.by.now) + 15 * MINUTE;
  return mark === undefined || isFuture || mark.at <= collectedAt(write);
}

/** By the reports alone: of each kind the one that was collected last, unless a later one dropped it. */
function marksAfter(marks: Marks, write: HeadWrite): Marks {
  const { report, what } = write.by;
  if (what === 'delete') return new Map();
  if (report === null) return marks;
  const at = collectedAt(write);
  const isOverdue = (kind: ReportKind) => isAfter(write, marks.get(kind));
  const kept = [...marks]
    .filter(([kind]) => !report.replace || !isOverdue(kind))
    .map(([kind, mark]) => [kind, isOverdue(kind) ? { ...mark, at: Math.min(mark.at, at) } : mark] as const);
  const brought = [...report.kinds]
    .filter(isOverdue)
    .map((kind) => [kind, { number: report.number, at }] as const);
  return new Map([...kept, ...brought]);
}

const MINUTE = 60_000;

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
