import { gzipSync } from 'node:zlib';
import { judgeAnswer } from '@cairn/shared/graph/believable';
import { channelFacts } from '@cairn/shared/graph/channel-index';
import { diffGraphs, type GraphDiff } from '@cairn/shared/graph/diff';
import { type ReleaseGraph, serializeGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph, type RepairReport } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { keepFirstPayloads, retainVanished, withoutVersions } from '@cairn/shared/graph/retain';
import { pairName } from '@cairn/shared/releases/channel';
import { type AbsenceReport, trackAbsences } from '@cairn/shared/releases/retirement';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { channelRisks } from '@cairn/shared/risk/risk-index';
import { type ChannelChange, recordChange } from '../channels/changes.ts';
import { LeaseLost } from '../jobs/run-under-lease.ts';
import { storedGraph } from '../releases/stored-graph.ts';
import type { PairState, HeldGraph } from '../releases/sync-state.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { archiveJson } from '../store/bucket.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import {
  type PublicationHead,
  isOfLaterRun,
  publish,
  PUBLICATION,
  readPublished,
  type StoredPublication,
} from '../store/published.ts';
import { failed, type PairAttempt, type PairResult, pairResult, skipped } from './pair-result.ts';
import type { ReleaseRows } from './release-rows.ts';
import { changeEvent, changeOf, reportWithdrawals } from './report-change.ts';
import type { SyncRun } from './run.ts';

export interface Answer {
  readonly graph: ReleaseGraph;
  readonly hash: string;
  readonly repairs: PairState['repairs'];
}

/** Returns the normalized upstream graph, or why it is unusable. */
async function askUpstream(
  run: SyncRun,
  pair: ConfigPair,
): Promise<Answer | { readonly error: { code: string; detail: string } }> {
  const fetched = await run.upstream.fetchGraph(pair.channel, pair.arch);
  if (!fetched.ok) return { error: fetched };
  const { payloadHosts } = run.dependencies.upstream;
  const normalized = normalizeGraph(fetched.answer, {
    arch: pair.arch,
    ...(payloadHosts && { payloadHosts }),
  });
  if (!normalized.ok) return { error: normalized };
  // A graph without any usable node is an error, not an empty channel.
  const [fault] = normalized.report;
  if (normalized.graph.nodes.length === 0 && fault) {
    return { error: { code: 'NothingUsable', detail: `${fault.code}: ${fault.examples[0] ?? ''}` } };
  }
  const hash = sha256Hex(serializeGraph(normalized.graph));
  return { graph: normalized.graph, hash, repairs: repairsOf(normalized.report) };
}

function repairsOf(report: RepairReport): PairState['repairs'] {
  return report.map(({ code, count, examples }) => ({ code, count, examples: examples.slice(0, 3) }));
}

/** Summary in the head of a published graph. */
interface GraphSummary extends Record<string, unknown> {
  /** Hash of the upstream graph: the published one also contains retained versions. */
  readonly source: string;
  readonly nodes: number;
  readonly edges: number;
  /** Versions missing upstream that the publication keeps. */
  readonly retained: readonly string[];
  readonly change: ChannelChange;
  /** Changes of earlier publications that interrupted runs did not report. */
  readonly unreportedChanges?: readonly ChannelChange[];
}

const PUBLISH_ATTEMPTS = 3;
/** Number of runs in a row that can die between publishing and reporting before a change stays unreported. */
const UNREPORTED_KEPT = 5;

interface PairWork extends PairAttempt {
  readonly rows: ReleaseRows;
  /** Head of the published graph. */
  readonly head: PublicationHead | undefined;
  readonly acceptedByHand: boolean;
}

/** Publishes the upstream graph of a pair if it changed and is believable. */
export async function followChannel(work: PairWork): Promise<PairResult> {
  const { run, pair, head, before } = work;
  const answer = await askUpstream(run, pair);
  if ('error' in answer) {
    const { code, detail } = answer.error;
    // The host failed earlier in this run, so the pair was not requested.
    return code === 'UpstreamDown' ? skipped(work, { code, detail }) : failed(work, { code, detail });
  }
  if (head && summaryOf(head).source === answer.hash) {
    const isKnown = before?.revision === head.revision;
    return isKnown ? unchanged(work, before, head, answer) : completeInterruptedPublish(work, head, answer);
  }
  return publishWithRetry(work, answer);
}

async function unchanged(
  work: PairWork,
  before: PairState,
  head: PublicationHead,
  answer: Answer,
): Promise<PairResult> {
  const { run, pair } = work;
  const absences = trackAbsences(before.missing, Object.keys(before.missing), run.slot);
  const events = await reportWithdrawals(run, pair, absences);
  const state = { outcome: 'Unchanged', ...counts(head), ...accepted(run, answer, absences) } as const;
  return pairResult(work, state, { events });
}

/** Completes the publication of a run that died before it stored its state. */
async function completeInterruptedPublish(
  work: PairWork,
  head: PublicationHead,
  answer: Answer,
): Promise<PairResult> {
  const { run, pair, before } = work;
  const added = await work.rows.add(pair, answer.graph.nodes, run.slot);
  if (!added.ok) return failed(work, { code: 'TooManyVersions', detail: added.detail });
  const changes = unreportedChangesOf(head, before);
  const { events, absences } = await reportChanges(work, changes, summaryOf(head).retained);
  const state = {
    outcome: 'Published',
    lastChangeAt: head.publishedAt,
    ...counts(head),
    ...accepted(run, answer, absences),
  } as const;
  return pairResult(work, state, { events, versionsAdded: added.added });
}

/** Records the changes and returns their events. */
async function reportChanges(
  { run, pair, before }: PairWork,
  changes: readonly ChannelChange[],
  retained: readonly string[],
) {
  for (const change of changes) await recordChange(run.dependencies.table, change);
  const absences = trackAbsences(before?.missing ?? {}, retained, run.slot);
  const events = [...changes.map(changeEvent), ...(await reportWithdrawals(run, pair, absences))];
  return { events, absences };
}

async function publishWithRetry(work: PairWork, answer: Answer): Promise<PairResult> {
  const { run, pair } = work;
  for (let attempt = 1; ; attempt++) {
    const outcome = await publishOnce(work, answer);
    if (!('superseded' in outcome)) return outcome;
    const { superseded: head } = outcome;
    // A stalled older run may have replaced the head: retry. A newer run ends this one.
    if (head && isOfLaterRun(head, run.token)) {
      throw new LeaseLost(`${head.name} is of a later run, at revision ${head.revision}`);
    }
    if (attempt === PUBLISH_ATTEMPTS)
      throw new Error(`${pairName(pair.channel, pair.arch)} kept changing while it was published`);
  }
}

/** Returns the current head if it superseded the one that was read. */
async function publishOnce(
  work: PairWork,
  answer: Answer,
): Promise<PairResult | { readonly superseded: PublicationHead | null }> {
  const { run, rows, pair, before, acceptedByHand } = work;
  const stored = await readPublished(
    run.dependencies.table,
    PUBLICATION,
    PUBLICATION_NAME.graph(pair.channel, pair.arch),
  );
  const served = stored.body ? storedGraph(stored.body, pair) : null;
  const retainedBefore = stored.head ? summaryOf(stored.head).retained : [];
  const verdict = judgeAnswer({
    previous: served && withoutVersions(served, new Set(retainedBefore)),
    next: answer.graph,
    hash: answer.hash,
    held: before?.held ?? null,
    now: run.slot,
    acceptedByHand,
  });
  if (verdict.verdict === 'hold') {
    const held: HeldGraph = { ...verdict.held, reason: verdict.reason, detail: verdict.detail };
    return pairResult(work, { outcome: 'Held', held, error: null, repairs: answer.repairs });
  }

  const pinned = keepFirstPayloads(served, answer.graph);
  const { graph, vanished } = retainVanished(served, pinned.graph);
  const [violation] = findViolations(graph, served);
  if (violation) {
    const detail = `invariant ${violation.invariant}: ${violation.detail}`;
    return failed(work, { code: 'NotPublishable', detail });
  }

  // Add rows before publishing: every published version has a row.
  const added = await rows.add(pair, answer.graph.nodes, run.slot);
  if (!added.ok) return failed(work, { code: 'TooManyVersions', detail: added.detail });

  // Carry changes that an interrupted run did not report until a run reports them.
  const unreportedChanges = stored.head ? unreportedChangesOf(stored.head, before) : [];
  const diff = diffGraphs(served, graph);
  const next = { graph, source: answer.hash, retained: vanished, diff, unreportedChanges };
  const { published, head } = await publishGraph(run, pair, stored, next);
  if (!published) return { superseded: head };
  const changes = [...unreportedChanges, summaryOf(head).change];
  const { events, absences } = await reportChanges(work, changes, vanished);
  const state = {
    outcome: 'Published',
    lastChangeAt: run.slot,
    ...counts(head),
    ...accepted(run, answer, absences),
    payloadConflicts: [...new Set([...pinned.conflicts, ...added.conflicts])],
  } as const;
  return pairResult(work, state, {
    events,
    versionsAdded: added.added,
    facts: channelFacts(graph),
    risks: channelRisks(graph),
  });
}

async function publishGraph(
  run: SyncRun,
  pair: ConfigPair,
  stored: StoredPublication,
  next: {
    readonly graph: ReleaseGraph;
    readonly source: string;
    readonly retained: readonly string[];
    readonly diff: GraphDiff;
    readonly unreportedChanges: readonly ChannelChange[];
  },
) {
  const { table, bucket } = run.dependencies;
  const text = serializeGraph(next.graph);
  const etag = sha256Hex(text);
  const body = gzipSync(text);
  const revision = run.nextRevision();
  const summary: GraphSummary = {
    source: next.source,
    nodes: next.graph.nodes.length,
    edges: next.graph.edges.targets.length + next.graph.conditional.targets.length,
    retained: next.retained,
    change: changeOf(pair, run.slot, revision, next.diff),
    ...(next.unreportedChanges.length > 0 && { unreportedChanges: next.unreportedChanges }),
  };
  await archiveJson(
    bucket,
    `${pairName(pair.channel, pair.arch)}/${run.slot}-${etag.slice(0, 16)}.json.gz`,
    body,
  );
  const name = PUBLICATION_NAME.graph(pair.channel, pair.arch);
  return publish(table, PUBLICATION, { name, revision, etag, publishedAt: run.slot, summary, body }, stored);
}

/** Published changes that are missing from the state, oldest first. */
function unreportedChangesOf(head: PublicationHead, before: PairState | undefined): readonly ChannelChange[] {
  if (head.revision === before?.revision) return [];
  const { unreportedChanges = [], change } = summaryOf(head);
  return [...unreportedChanges, change].slice(-UNREPORTED_KEPT);
}

function accepted(run: SyncRun, answer: Answer, absences: AbsenceReport) {
  return {
    lastSuccessAt: run.slot,
    error: null,
    held: null,
    missing: absences.missing,
    repairs: answer.repairs,
  };
}

function counts(head: PublicationHead) {
  const { nodes, edges } = summaryOf(head);
  return { revision: head.revision, nodes, edges };
}

function summaryOf(head: PublicationHead): GraphSummary {
  return head.summary as GraphSummary;
}
