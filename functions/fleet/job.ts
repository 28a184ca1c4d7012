import { randomUUID } from 'node:crypto';
import { allDone } from '@cairn/shared/collection/map-concurrent';
import type { FleetNews } from '@cairn/shared/notifications/notification';
import { messageOf } from '@cairn/shared/text/quote';
import pLimit from 'p-limit';
import { newMessages, publishNews, sendMessages } from '../notifications/deliver.ts';
import {
  acquireFleetLease,
  finishFleetRun,
  type FleetState,
  keepFleetState,
  releaseFleetLease,
} from '../notifications/state.ts';
import { ReleaseReader } from '../releases/release-reader.ts';
import { FLEET_STATE_KEY } from '../store/keys.ts';
import { recordSkip } from '../store/leases.ts';
import { CACHE_LIMITS, DocumentCache } from '../store/publication-cache.ts';
import type { RunTrigger } from '../store/run-records.ts';
import { SwitchReader } from '../switches/store.ts';
import { requeue } from './assess-cluster.ts';
import { readFingerprints, lookAtTouched } from './due-clusters.ts';
import { tellOfPruners } from './pruner-notifications.ts';
import { type FleetDependencies, FLEET_LIMITS, type ReassessmentRun } from './run.ts';
import { type StoredAhead, writeAhead } from './store.ts';

export interface FleetRequest {
  readonly scheduledTime: string;
  readonly trigger: RunTrigger;
}

interface FleetCounts {
  /** Clusters that were looked at again. */
  readonly clusters: number;
  readonly failed: number;
  readonly news: number;
  readonly messagesLeft: number;
}

export type FleetResult =
  | { readonly status: 'Skipped'; readonly reason: 'Duplicate' | 'Concurrent' | 'Superseded' | 'Stopped' }
  | { readonly status: 'Done'; readonly counts: FleetCounts };

/**
 * Looks again at the clusters that something has changed for, and tells what came of it. A duplicate event is only noted;
 * what a run that dies left undone or untold, the next one does.
 */
export async function reassessFleet(
  dependencies: FleetDependencies,
  request: FleetRequest,
): Promise<FleetResult> {
  const { table, log, clock, count } = dependencies;
  const limits = { ...FLEET_LIMITS, ...dependencies.limits };
  const { trigger } = request;
  const slot = new Date(request.scheduledTime).toISOString();
  const startedAt = clock();
  const switches = new SwitchReader(table, clock);
  const isStopped = async (): Promise<boolean> => (await switches.get('news')) !== null;
  const skip = async (
    reason: Extract<FleetResult, { status: 'Skipped' }>['reason'],
  ): Promise<FleetResult> => {
    log.info('fleet skipped', { slot, trigger, reason });
    await recordSkip(table, FLEET_STATE_KEY, { slot, trigger, reason });
    return { status: 'Skipped', reason };
  };
  if (await isStopped()) return skip('Stopped');
  const outcome = await acquireFleetLease(table, {
    slot,
    byHand: trigger === 'manual',
    owner: randomUUID(),
    now: startedAt,
    durationMs: limits.leaseMs,
  });
  if (!outcome.acquired) return skip(outcome.reason);
  const { token, book, done, future } = outcome;
  if (future.length > 0) {
    log.warn('stored times lie in the future', { slot, times: future });
    count({ futureTimes: future.length });
  }
  // Nothing is asked for twice in a run, so that all clusters are held against the same releases.
  const cache = new DocumentCache(table, clock, { ...CACHE_LIMITS, trustMs: limits.leaseMs });
  const reader = new ReleaseReader(cache);
  const run: ReassessmentRun = {
    dependencies,
    limits,
    slot,
    startedAt,
    isStopped,
    reader,
    lookedAt: new Set(),
  };
  const keep = (next: FleetState): Promise<boolean> =>
    keepFleetState(table, { token, until: startedAt + limits.leaseMs, book: next });
  try {
    const followed = await follow(run, book, keep);
    if (followed === null || !(await finishFleetRun(table, { token, done, book: followed.next }))) {
      log.warn('another run took over', { slot });
      await requeue(run);
      return await skip('Superseded');
    }
    tellOutcome(run, followed.counts);
    return { status: 'Done', counts: followed.counts };
  } catch (error) {
    count({ fleetFailed: 1 });
    await leave(run, token);
    throw error;
  }
}

function tellOutcome({ dependencies: { count, log }, slot }: ReassessmentRun, counts: FleetCounts): void {
  count({
    fleetSucceeded: 1,
    clustersLookedAt: counts.clusters,
    clustersNotLookedAt: counts.failed,
    newsTold: counts.news,
  });
  if (counts.clusters > 0) log.info('fleet followed', { slot, ...counts });
}

/** Gives the lease back, as far as that works. */
async function leave(run: ReassessmentRun, token: number): Promise<void> {
  const { table, log } = run.dependencies;
  try {
    if (!(await releaseFleetLease(table, { token }))) await requeue(run);
  } catch (error) {
    const reason = messageOf(error);
    log.error('lease not released, the next run waits for its end', { slot: run.slot, reason });
  }
}

/**
 * News is noted with its cluster, published, written down as messages, and only then taken off: no death loses it. Null when
 * a newer run has taken over.
 */
async function follow(
  run: ReassessmentRun,
  book: FleetState,
  keep: (next: FleetState) => Promise<boolean>,
): Promise<{ readonly next: FleetState; readonly counts: FleetCounts } | null> {
  const { table } = run.dependencies;
  const { looks, seen, cut } = await lookAtTouched(run, book, await readFingerprints(table));
  const clusters = looks.filter((look): look is typeof look & WithNews => look.kind === 'seen');
  const withNews = clusters.filter(({ ahead }) => ahead.pending.length > 0);
  const ofPruners = await tellOfPruners(run, book.pruners);
  const news = [...withNews.flatMap(({ ahead }) => ahead.pending), ...ofPruners.news];
  const delivered = await publishNews(run, news);
  const isDelivered = new Set(delivered.map(({ id }) => id));
  // A pruner whose news did not get through is told of by the next run, as if nothing had been seen yet.
  const pruners = Object.fromEntries(
    Object.entries(ofPruners.pruners).map(([name, told]) => {
      const missed = ofPruners.news.some(
        (one) => 'pruner' in one && one.pruner === name && !isDelivered.has(one.id),
      );
      return [name, missed ? (book.pruners[name] ?? {}) : told];
    }),
  );
  const messages = [...book.messages, ...newMessages(run, delivered)];
  const lastRun = { slot: run.slot, clusters: clusters.length, news: delivered.length };
  const told: FleetState = { seen, cut, pruners, messages, lastRun };
  if (delivered.length > 0) {
    if (!(await keep(told))) return null;
    await settleNews(run, withNews, delivered);
  }
  const left = await sendMessages(run, messages);
  const failed = looks.filter(({ kind }) => kind === 'failed').length;
  return {
    next: { ...told, messages: left },
    counts: { clusters: clusters.length, failed, news: delivered.length, messagesLeft: left.length },
  };
}

/** A cluster with news that is not delivered yet. */
interface WithNews {
  readonly id: string;
  readonly ahead: StoredAhead;
}

/** Takes delivered news off its clusters. One that was changed meanwhile keeps it, and it is told once more. */
async function settleNews(
  { dependencies, limits }: ReassessmentRun,
  clusters: readonly WithNews[],
  delivered: readonly FleetNews[],
): Promise<void> {
  const ids = new Set(delivered.map(({ id }) => id));
  const atOnce = pLimit(limits.clustersAtOnce);
  await allDone(
    clusters.map(({ id, ahead }) =>
      atOnce(async () => {
        const { revision: _revision, ...rest } = ahead;
        const pending = ahead.pending.filter((news) => !ids.has(news.id));
        if (pending.length === ahead.pending.length) return;
        const settled = await writeAhead(dependencies.table, id, { ...rest, pending }, ahead);
        if (settled === null) dependencies.log.warn('news not settled, it is told again', { cluster: id });
      }),
    ),
  );
}
