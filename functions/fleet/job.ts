import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { countUpdates, type UpdateCounts } from '@cairn/shared/fleet/update-list';
import { selectNotifications, type NotificationLog } from '@cairn/shared/notifications/log';
import type { Notification } from '@cairn/shared/notifications/notification';
import { prunerStandings } from '@cairn/shared/notifications/topics';
import { prunerHealth } from '@cairn/shared/prune/images/pruner/record';
import { fleetDurations } from '@cairn/shared/update-status/forecast/fleet';
import { samplesAfter } from '@cairn/shared/update-status/forecast/samples';
import type { CountedMetrics } from '../jobs/middleware/count-outcome.ts';
import {
  type Ended,
  type HeldLease,
  type LeasedJob,
  reportFutureTimes,
  runUnderLease,
  type SkippedJob,
} from '../jobs/run-under-lease.ts';
import { newMessages, publishNotifications, sendMessages } from '../notifications/deliver.ts';
import { type FleetState, fleetStateCodec } from '../notifications/store.ts';
import { allPruners } from '../pruners/store.ts';
import { ReleaseReader } from '../releases/release-reader.ts';
import { readAcceptances, stateOf } from '../risk-acceptances/store.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { FLEET_STATE_KEY } from '../store/keys.ts';
import { CACHE_LIMITS, PublicationCache } from '../store/publication-cache.ts';
import type { RunTrigger } from '../store/run-records.ts';
import { acceptanceNotifications, markAffectedClusters } from './acceptances.ts';
import { requeue } from './assess-cluster.ts';
import { takeCensus } from './census.ts';
import { readFingerprints, reassessDueClusters } from './due-clusters.ts';
import { type FleetDependencies, FLEET_LIMITS, type ReassessmentRun } from './run.ts';
import { readUpdates, type StoredAssessment, writeAssessment } from './store.ts';

export interface FleetRequest {
  readonly scheduledTime: string;
  readonly trigger: RunTrigger;
}

export type FleetResult = SkippedJob | FleetDone;

interface FleetDone {
  readonly status: 'Done';
  /** `clusters` are the reassessed ones; `riskDisagreements`: answers that differ from the cluster's own. */
  readonly counts: Readonly<
    Record<'clusters' | 'failed' | 'news' | 'messagesLeft' | 'riskDisagreements', number>
  >;
  /** Updates by state, at the end of the run. */
  readonly updates: UpdateCounts;
}

/**
 * Reassesses the clusters that a change affects and sends notifications. The next run completes an
 * interrupted one.
 */
export async function reassessFleet(
  dependencies: FleetDependencies,
  request: FleetRequest,
): Promise<FleetResult> {
  const { table, log, clock } = dependencies;
  const limits = { ...FLEET_LIMITS, ...dependencies.limits };
  const slot = new Date(request.scheduledTime).toISOString();
  // Trust the cache for the whole run, so that all clusters are assessed against the same releases.
  const cache = new PublicationCache(table, clock, { ...CACHE_LIMITS, trustMs: limits.leaseMs });
  const reader = new ReleaseReader(cache);
  const assessed = new Set<string>();
  const job: LeasedJob<FleetState, FleetDone> = {
    name: 'fleet',
    skipLevel: 'info',
    key: FLEET_STATE_KEY,
    leaseMs: limits.leaseMs,
    stoppedBy: 'news',
    startingDeadlineMs: null,
    state: fleetStateCodec,
    async run(lease) {
      reportFutureTimes(dependencies, { slot }, lease.futureTimes);
      const { startedAt, switches } = lease;
      const isStopped = async (): Promise<boolean> => (await switches.get('news')) !== null;
      const fleet = fleetDurations(lease.state.samples);
      // Before any mark is read: a cluster with a later acceptance is marked by a later run.
      const acceptances = await readAcceptances(table);
      const activeAcceptances = acceptances.filter((one) => stateOf(one, Date.parse(slot)) === 'active');
      const verdicts = { hash: sha256Hex, verdicts: new Map() };
      const basis = { reader, fleet, verdicts, acceptances, activeAcceptances };
      return reassess({ dependencies, limits, slot, startedAt, isStopped, assessed, ...basis }, lease);
    },
    onSuperseded: () => requeue(table, slot, assessed),
  };
  const result = await runUnderLease(dependencies, { slot, trigger: request.trigger }, job);
  if (result.status === 'Done' && result.counts.clusters > 0) {
    log.info('fleet reassessed', { slot, ...result.counts });
  }
  return result;
}

export function fleetMetrics(result: FleetResult): readonly CountedMetrics[] {
  if (result.status === 'Skipped') return [];
  const { clusters, failed, news, riskDisagreements } = result.counts;
  const { stalled, silent, slow, held, 'control-plane': controlPlane, workers } = result.updates;
  return [
    [
      {
        fleetSucceeded: 1,
        clustersLookedAt: clusters,
        clustersNotLookedAt: failed,
        newsTold: news,
        riskDisagreements,
        updatesStalled: stalled,
        updatesSilent: silent,
        updatesSlow: slow,
        updatesHeld: held,
        updatesGoingOn: controlPlane + workers,
      },
    ],
  ];
}

/** The next run sends what was not delivered. */
function withoutUndelivered(
  { told, notifications }: ReturnType<typeof acceptanceNotifications>,
  isDelivered: ReadonlySet<string>,
) {
  const undelivered = notifications.flatMap((one) =>
    'acceptance' in one && !isDelivered.has(one.id) ? [one.acceptance] : [],
  );
  return Object.fromEntries(Object.entries(told).filter(([id]) => !undelivered.includes(id)));
}

/**
 * Stores notifications with the cluster, publishes them, queues messages, and only then removes them: an
 * interrupted run loses none.
 */
async function reassess(
  run: ReassessmentRun,
  lease: HeldLease<FleetState>,
): Promise<Ended<FleetState, FleetDone>> {
  const { table } = run.dependencies;
  const { state: before } = lease;
  await markAffectedClusters(run);
  const { attempts, seen, cut } = await reassessDueClusters(run, before, await readFingerprints(table));
  const clusters = attempts.filter((attempt) => attempt.kind === 'seen');
  const withPending = clusters.filter(({ assessment }) => assessment.pending.length > 0);
  const ofPruners = await prunerNotifications(run, before.pruners);
  const ofAcceptances = acceptanceNotifications(run, before.acceptances);
  const delivered = await publishNotifications(run, [
    ...withPending.flatMap(({ assessment }) => assessment.pending),
    ...ofPruners.notifications,
    ...ofAcceptances.notifications,
  ]);
  const isDelivered = new Set(delivered.map(({ id }) => id));
  // Keep the former log of a pruner with an undelivered notification: the next run sends it.
  const pruners = Object.fromEntries(
    Object.entries(ofPruners.pruners).map(([name, log]) => {
      const missed = ofPruners.notifications.some(
        (one) => 'pruner' in one && one.pruner === name && !isDelivered.has(one.id),
      );
      return [name, missed ? (before.pruners[name] ?? {}) : log];
    }),
  );
  const acceptances = withoutUndelivered(ofAcceptances, isDelivered);
  const messages = [...before.messages, ...newMessages(run, delivered, undecidedIn(clusters, delivered))];
  const lastRun = { slot: run.slot, clusters: clusters.length, news: delivered.length };
  const census = await takeCensus(table, before.census, { slot: run.slot, attempts });
  const fresh = new Map(
    attempts.flatMap((attempt) =>
      attempt.kind === 'failed' ? [] : [[attempt.id, attempt.samples] as const],
    ),
  );
  const samples = samplesAfter(before.samples, fresh, Date.parse(run.slot));
  const state: FleetState = { seen, cut, pruners, acceptances, messages, lastRun, census, samples };
  if (delivered.length > 0) {
    await lease.checkpoint(state);
    await markDelivered(run, withPending, isDelivered);
  }
  const left = await sendMessages(run, messages);
  const failed = attempts.filter(({ kind }) => kind === 'failed').length;
  const counts = {
    clusters: clusters.length,
    failed,
    news: delivered.length,
    messagesLeft: left.length,
    riskDisagreements: clusters.reduce((sum, { disagreements }) => sum + disagreements, 0),
  };
  const updates = countUpdates(await readUpdates(table, { now: Date.parse(run.slot), since: run.slot }));
  return { kind: 'done', state: { ...state, messages: left }, result: { status: 'Done', counts, updates } };
}

/** Number of clusters for which a risk of the news is unknown. */
function undecidedIn(
  clusters: readonly { readonly unknownAhead: readonly string[] }[],
  news: readonly Notification[],
): number {
  const named = new Set(news.flatMap((one) => (one.type === 'RiskAppliesToCluster' ? [one.risk] : [])));
  return clusters.filter(({ unknownAhead }) => unknownAhead.some((name) => named.has(name))).length;
}

/** Every run reads all pruners: there are only as many as registries. */
async function prunerNotifications(
  { dependencies: { table }, slot, limits }: ReassessmentRun,
  former: FleetState['pruners'],
) {
  const now = Date.parse(slot);
  const pruners: Record<string, NotificationLog> = {};
  const notifications: Notification[] = [];
  for await (const { name, record } of allPruners(table)) {
    const log = former[name] ?? {};
    const topics = prunerStandings(log, prunerHealth(record, now), record.lastRun?.reason ?? null);
    const selection = selectNotifications(log, topics, { now, windowMs: limits.windowMs });
    pruners[name] = selection.told;
    for (const one of selection.news) {
      notifications.push({ id: `pruner/${name}/${one.type}/${slot}`, at: slot, pruner: name, ...one });
    }
  }
  return { pruners, notifications };
}

/** Removes delivered notifications. A cluster that changed meanwhile keeps them and sends them again. */
async function markDelivered(
  { dependencies, limits }: ReassessmentRun,
  clusters: readonly { readonly id: string; readonly assessment: StoredAssessment }[],
  delivered: ReadonlySet<string>,
): Promise<void> {
  await mapConcurrent(clusters, limits.clustersAtOnce, async ({ id, assessment }) => {
    const { revision: _revision, ...rest } = assessment;
    const pending = assessment.pending.filter((notification) => !delivered.has(notification.id));
    if (pending.length === assessment.pending.length) return;
    const settled = await writeAssessment(dependencies.table, id, { ...rest, pending }, assessment);
    if (settled === null) dependencies.log.warn('notification removal failed', { cluster: id });
  });
}
