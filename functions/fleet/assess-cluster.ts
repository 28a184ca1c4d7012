import { type ClusterRecord, summarizeCluster } from '@cairn/shared/cluster/record';
import { assessedUpgradeOf, troubleOf } from '@cairn/shared/fleet/assessment';
import { type CensusRow, censusRow } from '@cairn/shared/fleet/census';
import { subscribedChannels, type ClusterSettings } from '@cairn/shared/fleet/cluster-settings';
import { stalledAfterOf } from '@cairn/shared/fleet/cluster-settings';
import { isListed } from '@cairn/shared/fleet/update-list';
import { selectNotifications } from '@cairn/shared/notifications/log';
import type { Notification } from '@cairn/shared/notifications/notification';
import { type HopEnds, withoutEndedRisks } from '@cairn/shared/notifications/risk-topics';
import { clusterStandings } from '@cairn/shared/notifications/topics';
import { updateNotifications } from '@cairn/shared/notifications/update-notifications';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { pairName } from '@cairn/shared/releases/channel';
import { type AcceptedRisks, acceptedRisks } from '@cairn/shared/risk/acceptances';
import { clusterRisks } from '@cairn/shared/risk/cluster-risks';
import type { RiskRow } from '@cairn/shared/risk/exposure';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { removedAhead } from '@cairn/shared/safety/evidence/api-use';
import { messageOf } from '@cairn/shared/text/quote';
import { isInFuture } from '@cairn/shared/time/future';
import type { UpdateSample } from '@cairn/shared/update-status/forecast/fleet';
import { updateSamples } from '@cairn/shared/update-status/forecast/samples';
import { minorReleaseOf } from '@cairn/shared/version/release-line';
import {
  clearMark,
  listUpdate,
  markForReassessment,
  placeOf,
  type ReassessmentMark,
} from '../clusters/reassessment-mark.ts';
import { type StoredCluster, readClusterSince } from '../clusters/store.ts';
import { archOfCluster, planCluster, type PlanRequest } from '../plans/plan-upgrade.ts';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';
import { deleteRevision } from '../store/item.ts';
import { updateMarkKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { assessRisks } from './assess-risks.ts';
import { riskRowOf, writeClusterRisks } from './risk-store.ts';
import type { ReassessmentRun } from './run.ts';
import {
  type Assessment,
  type FleetEntry,
  subscribe,
  forgetFleetEntry,
  readFleetEntry,
  unsubscribe,
  type StoredAssessment,
  writeAssessment,
} from './store.ts';

/**
 * Assesses a cluster and selects its notifications; null if the report has no version. `pairs` are the channels to
 * subscribe it to.
 */
export async function assess(
  run: Pick<ReassessmentRun, 'reader' | 'slot' | 'limits' | 'fleet' | 'verdicts' | 'activeAcceptances'>,
  { id, record }: StoredCluster,
  entry: FleetEntry,
) {
  const { slot, limits, fleet } = run;
  const now = Date.parse(slot);
  const settings = entry.settings?.settings ?? {};
  const acceptances = run.activeAcceptances;
  const accepted = acceptedRisks(id, { now, acceptances, named: settings.acceptRisks });
  const found = await assessCluster(record, { ...settings, accepted }, run, now);
  if (found === null) return null;
  const { outlook, pairs } = found;
  const former = entry.assessment?.firstSeenAt === record.firstSeenAt ? entry.assessment : null;
  const log = former?.told ?? {};
  const { risks, statusOf } = await assessAhead(run, { record, entry, former, accepted }, found);
  const topics = clusterStandings(log, outlook, statusOf);
  const window = { now, windowMs: limits.windowMs };
  const selection = selectNotifications(log, [...topics, ...risks.standings], window);
  const told = withoutEndedRisks(selection.told, window);
  const stalledAfter = stalledAfterOf(limits.stalledAfter, entry.settings?.settings.updates);
  const ofUpdate = updateNotifications(former?.update ?? null, record, { now, stalledAfter, fleet });
  const news = [
    ...ofUpdate.news.map(({ key, ...one }) => ({ key, one })),
    ...selection.news.map((one) => ({ key: 'risk' in one ? `${one.risk}/${slot}` : slot, one })),
  ];
  const notifications = news.map(({ key, one }): Notification => ({
    id: `cluster/${id}/${one.type}/${key}`,
    at: slot,
    cluster: id,
    ...one,
  }));
  const againAt = [selection.againAt, ofUpdate.againAt].filter((moment) => moment !== null);
  const isSame = former !== null && JSON.stringify(former.outlook) === JSON.stringify(outlook);
  const assessment: Assessment = {
    firstSeenAt: record.firstSeenAt,
    outlook,
    since: isSame ? former.since : slot,
    told,
    pending: [...(former?.pending ?? []), ...notifications],
    update: ofUpdate.log,
    heldUntil: againAt.length === 0 ? null : new Date(Math.min(...againAt)).toISOString(),
  };
  return { assessment, pairs, risks: { ...risks, record: { ...risks.record, told: risks.toldOf(told) } } };
}

/** Risks of the channels, and how updates that were planned before stand now. */
async function assessAhead(
  { reader, slot, verdicts }: Pick<ReassessmentRun, 'reader' | 'slot' | 'verdicts'>,
  {
    record,
    entry,
    former,
    accepted,
  }: Pick<StoredCluster, 'record'> & {
    readonly entry: FleetEntry;
    readonly former: Assessment | null;
    readonly accepted: AcceptedRisks;
  },
  { outlook, pairs, releases }: NonNullable<Awaited<ReturnType<typeof assessCluster>>>,
) {
  const { firstSeenAt, facts, collected } = record;
  const [index, planned] = await Promise.all([
    reader.risks(),
    releases.prepare(former?.outlook.channels ?? []),
  ]);
  const answerOf = clusterRisks({
    facts,
    stored: { collected, now: Date.parse(slot) },
    queries: index.queries,
    shared: verdicts,
  });
  const own = facts.clusterVersion?.channel;
  const channels = [...outlook.channels, ...(former?.outlook.channels ?? []), ...(own ? [own] : [])];
  const graph = await releases.prepare([...new Set(channels)].toSorted());
  const stored = entry.risks;
  return {
    risks: assessRisks(
      { firstSeenAt, pairs },
      { index, answerOf, accepted, named: entry.settings?.settings.acceptRisks ?? [] },
      { outlook, formerPath: former?.outlook.path ?? null, graph },
      { log: former?.told ?? {}, former: stored?.firstSeenAt === firstSeenAt ? stored : null },
    ),
    statusOf: (hop: HopEnds) =>
      troubleOf(
        planned,
        hop,
        (risk) => answerOf(risk, hop.from === outlook.from ? 'first' : 'later').applies,
      ),
  };
}

export type AssessmentAttempt =
  | {
      readonly kind: 'seen';
      readonly id: string;
      readonly assessment: StoredAssessment;
      readonly row: CensusRow;
      readonly risks: RiskRow;
      readonly unknownAhead: readonly string[];
      readonly disagreements: number;
      readonly samples: readonly UpdateSample[];
    }
  /** The cluster is deleted, or its report has no version. */
  | {
      readonly kind: 'nothing';
      readonly id: string;
      readonly row: CensusRow | null;
      readonly risks: null;
      readonly samples: readonly UpdateSample[];
    }
  | { readonly kind: 'failed'; readonly id: string };

/** A writer that takes longer has died. */
const WRITER_DEAD_MS = 3600_000;
const RETRY_AFTER_MS = 5 * 60_000;
const ATTEMPTS = 3;

/** Reassesses one cluster. A failure is retried later and does not stop the others. */
export async function reassessCluster(run: ReassessmentRun, id: string): Promise<AssessmentAttempt> {
  const { table, log } = run.dependencies;
  run.assessed.add(id);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const outcome = await tryReassess(run, id);
      if (outcome !== null) return outcome;
    }
    throw new Error('what lies ahead of it is being written by another run');
  } catch (error) {
    log.warn('cluster assessment failed', { cluster: id, reason: messageOf(error), error });
    const at = new Date(Date.parse(run.slot) + RETRY_AFTER_MS).toISOString();
    await markForReassessment(table, id, { revision: '0', at });
    return { kind: 'failed', id };
  }
}

/**
 * Marks clusters that a superseded run assessed: it may have overwritten a result of the newer run, or stored
 * one for a deleted cluster.
 */
export async function requeue(table: Table, slot: string, clusters: Iterable<string>): Promise<void> {
  for (const id of clusters) await markForReassessment(table, id, { revision: '0', at: slot });
}

/** Null if another run wrote meanwhile. */
async function tryReassess(run: ReassessmentRun, id: string): Promise<AssessmentAttempt | null> {
  const { table } = run.dependencies;
  // Read the mark before the cluster: a report in between sets a new mark.
  const entry = await readFleetEntry(table, id);
  const { cluster, isPast } = await readClusterSince(table, id);
  const isSettled = (mark: ReassessmentMark): boolean =>
    isPast(mark.revision) || Date.parse(run.slot) - Date.parse(mark.at) > WRITER_DEAD_MS;
  const { reported } = entry;
  if (reported !== null && !isSettled(reported) && isInFuture(reported.at, Date.parse(run.slot))) {
    // A mark in the future has no age: date it to this slot, so that a dead writer is noticed.
    await markForReassessment(table, id, { revision: reported.revision, at: run.slot });
  }
  if (cluster === null) {
    if (reported === null || isSettled(reported)) await forgetFleetEntry(table, id, entry);
    return { kind: 'nothing', id, row: null, risks: null, samples: [] };
  }
  await relist(table, cluster, { listed: entry.listed, now: Date.parse(run.slot), isPast });
  const assessed = await assess(run, cluster, entry);
  const assessment = assessed && (await keep(run, id, assessed, entry));
  if (assessed !== null && assessment === null) return null;
  if (reported !== null && isSettled(reported)) await clearMark(table, id, reported);
  const row = censusRow(summarizeCluster(cluster.record), assessment?.outlook ?? null);
  const samples = updateSamples(id, cluster.record, Date.parse(run.slot));
  const counted = { id, row, samples };
  if (assessed === null || assessment === null) return { kind: 'nothing', ...counted, risks: null };
  const { record, unknownAhead, disagreements } = assessed.risks;
  return { kind: 'seen', assessment, ...counted, risks: riskRowOf(record), unknownAhead, disagreements };
}

/** The list of updates follows the head of the cluster, also after a writer that died in between. */
async function relist(
  table: Table,
  { id, revision, update }: StoredCluster,
  {
    listed,
    now,
    isPast,
  }: Pick<FleetEntry, 'listed'> & { readonly now: number; readonly isPast: (revision: string) => boolean },
): Promise<void> {
  const place = placeOf(id, update !== null && isListed(update, now) ? update : null);
  if (place === (listed?.place ?? null)) return;
  if (place !== null) await listUpdate(table, id, { revision, place });
  // The report that the entry was written for may still come.
  else if (listed !== null && isPast(listed.revision)) await deleteRevision(table, updateMarkKey(id), listed);
}

/** Subscribes first, so that every later channel change finds the cluster. */
async function keep(
  { dependencies: { table } }: ReassessmentRun,
  id: string,
  { assessment, pairs, risks }: NonNullable<Awaited<ReturnType<typeof assess>>>,
  former: FleetEntry,
): Promise<StoredAssessment | null> {
  const isNew = (pair: string): boolean => !former.pairs.includes(pair);
  await subscribe(table, id, pairs.filter(isNew));
  const kept =
    former.assessment !== null && isSame(former.assessment, assessment)
      ? former.assessment
      : await writeAssessment(table, id, assessment, former.assessment);
  if (kept === null) return null;
  // After the notifications: if a run dies here, the next one compares again, and the log keeps it from repeating them.
  if (!(await writeClusterRisks(table, id, risks.record, former.risks))) return null;
  const left = former.pairs.filter((pair) => !pairs.includes(pair));
  if (left.length > 0) await unsubscribe(table, id, left);
  return kept;
}

function isSame({ revision: _revision, ...stored }: StoredAssessment, assessment: Assessment): boolean {
  return JSON.stringify(stored) === JSON.stringify(assessment);
}

/**
 * Assesses the upgrade by the cluster's settings; null if the report has no version. `pairs` are the channels whose
 * changes can affect it, such as `stable-4.14/amd64`.
 */
async function assessCluster(
  { facts, collected, pausedSince, runs }: ClusterRecord,
  settings: ClusterSettings & { readonly accepted: AcceptedRisks },
  { reader, fleet, verdicts }: Pick<ReassessmentRun, 'reader' | 'fleet' | 'verdicts'>,
  now: number,
) {
  const current = currentVersion(facts);
  if (current === null) return null;
  const arch = archOfCluster(facts);
  const releases = await reader.snapshot(arch);
  const read = new Set<string>();
  const channel = facts.clusterVersion?.channel ?? null;
  const { accepted } = settings;
  const question: PlanRequest = {
    target: settings.target ?? null,
    channels: settings.channels ?? [],
    arch,
    risk: 'applicable',
    acceptedRisks: [...accepted.keys()],
    accepted,
    options: {
      policy: settings.policy ?? 'openshift',
      strict: false,
      apiRemovals: 'block',
      accept: settings.accept ?? [],
    },
    strategy: settings.strategy ?? null,
    eusTerms: null,
    windows: null,
  };
  const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
  const { plan, answer, target } = await planCluster(facts, question, recording(releases, read), {
    now,
    pausedSince: since,
    runs,
    fleet,
    collected,
    verdicts,
  });
  // A default target can be a patch; the next minors still matter.
  const end = settings.target === undefined ? null : minorReleaseOf(answer.to ?? settings.target);
  const names = subscribedChannels(
    { current, channel, target: answer.to, read: [...read] },
    releases.directory,
  );
  return {
    outlook: assessedUpgradeOf({
      question: target,
      plan,
      answer,
      newerPatch: newerPatch(current, channel, releases.directory),
      removedAhead: question.options.accept.includes('APIRemovals') ? [] : removedAhead(facts, current, end),
    }),
    pairs: names.map((name) => pairName(name, arch)),
    releases,
  };
}

/** Records every channel whose graph is read. */
function recording(releases: ReleaseSnapshot, read: Set<string>): Pick<ReleaseReader, 'snapshot'> {
  const prepare: ReleaseSnapshot['prepare'] = (channels) => {
    for (const channel of channels) read.add(channel);
    return releases.prepare(channels);
  };
  return { snapshot: async () => ({ ...releases, prepare }) };
}
