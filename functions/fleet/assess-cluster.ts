import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { type Outlook, outlookOf, troubleOf } from '@cairn/shared/fleet/assessment';
import { channelsConcerned, outlookQuestion } from '@cairn/shared/fleet/default-target';
import type { ClusterSettings } from '@cairn/shared/fleet/settings';
import { tell } from '@cairn/shared/notifications/log';
import type { FleetNews } from '@cairn/shared/notifications/notification';
import { clusterStandings } from '@cairn/shared/notifications/topics';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { pairName } from '@cairn/shared/releases/channel';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { messageOf } from '@cairn/shared/text/quote';
import { isInFuture } from '@cairn/shared/time/future';
import { markForReassessment, type ReassessmentMark, clearMark } from '../clusters/reassessment-mark.ts';
import { type StoredCluster, readClusterSince } from '../clusters/store.ts';
import { archOfNodes, planCluster, type PlanRequest } from '../plans/plan-upgrade.ts';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';
import type { Table } from '../store/table.ts';
import type { ReassessmentRun } from './run.ts';
import {
  type Ahead,
  type FleetEntry,
  addConcerns,
  forgetFleetEntry,
  readFleetEntry,
  removeConcerns,
  type StoredAhead,
  writeAhead,
} from './store.ts';

export interface Sight {
  readonly ahead: Ahead;
  /** The channels that concern the cluster. */
  readonly pairs: readonly string[];
}

/** What lies ahead of a cluster now, and what there is to tell of it; null when it does not say which version it runs. */
export async function lookAhead(
  { reader, slot, limits }: Pick<ReassessmentRun, 'reader' | 'slot' | 'limits'>,
  { id, record }: StoredCluster,
  entry: FleetEntry,
): Promise<Sight | null> {
  const now = Date.parse(slot);
  const found = await clusterOutlook(record, entry.settings?.settings ?? {}, reader, now);
  if (found === null) return null;
  const { outlook, pairs, releases } = found;
  const former = entry.ahead?.firstSeenAt === record.firstSeenAt ? entry.ahead : null;
  const told = former?.told ?? {};
  const planned = await releases.prepare(former?.outlook.channels ?? []);
  const standings = clusterStandings(told, outlook, (hop) => troubleOf(planned, hop));
  const telling = tell(told, standings, { now, windowMs: limits.windowMs });
  const news = telling.news.map((one): FleetNews => ({
    id: `cluster/${id}/${one.type}/${slot}`,
    at: slot,
    cluster: id,
    ...one,
  }));
  const pending = [...(former?.pending ?? []), ...news];
  const isSame = former !== null && JSON.stringify(former.outlook) === JSON.stringify(outlook);
  return {
    ahead: {
      firstSeenAt: record.firstSeenAt,
      outlook,
      since: isSame ? former.since : slot,
      told: telling.told,
      pending,
      heldUntil: telling.againAt === null ? null : new Date(telling.againAt).toISOString(),
    },
    pairs,
  };
}

export type Look =
  | { readonly kind: 'seen'; readonly id: string; readonly ahead: StoredAhead }
  /** It is gone, or does not say what it runs. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly id: string };

/** A writer that has not come to its end by now has died. */
const WRITER_DEAD_MS = 3600_000;
const RETRY_AFTER_MS = 5 * 60_000;
const ATTEMPTS = 3;

/** Looks at one cluster again. One that fails does not stop the others, and is looked at again later. */
export async function lookAt(run: ReassessmentRun, id: string): Promise<Look> {
  const { table, log } = run.dependencies;
  run.lookedAt.add(id);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const look = await tryLook(run, id);
      if (look !== null) return look;
    }
    throw new Error('what lies ahead of it is being written by another run');
  } catch (error) {
    log.warn('cluster not looked at', { cluster: id, reason: messageOf(error), error });
    const at = new Date(Date.parse(run.slot) + RETRY_AFTER_MS).toISOString();
    await markForReassessment(table, id, { revision: '0', at });
    return { kind: 'failed', id };
  }
}

/**
 * Marks clusters that an overtaken run has assessed: it may have written what it had seen before, over what the newer run
 * found unchanged, or of a cluster that is gone.
 */
export async function requeue(table: Table, slot: string, clusters: Iterable<string>): Promise<void> {
  for (const id of clusters) await markForReassessment(table, id, { revision: '0', at: slot });
}

/** Null when another run has written meanwhile. */
async function tryLook(run: ReassessmentRun, id: string): Promise<Look | null> {
  const { table } = run.dependencies;
  // The mark is read before the cluster: a report that comes between the two sets another one.
  const entry = await readFleetEntry(table, id);
  const { cluster, isPast } = await readClusterSince(table, id);
  const isSettled = (mark: ReassessmentMark): boolean =>
    isPast(mark.revision) || Date.parse(run.slot) - Date.parse(mark.at) > WRITER_DEAD_MS;
  const { reported } = entry;
  if (reported !== null && !isSettled(reported) && isInFuture(reported.at, Date.parse(run.slot))) {
    // Whether the writer is dead can only be known from a time that comes.
    await markForReassessment(table, id, { revision: reported.revision, at: run.slot });
  }
  if (cluster === null) {
    if (reported === null || isSettled(reported)) await forgetFleetEntry(table, id, entry);
    return { kind: 'nothing' };
  }
  const sight = await lookAhead(run, cluster, entry);
  const ahead = sight && (await keep(run, id, sight, entry));
  if (sight !== null && ahead === null) return null;
  if (reported !== null && isSettled(reported)) await clearMark(table, id, reported);
  return ahead === null ? { kind: 'nothing' } : { kind: 'seen', id, ahead };
}

/** On the lists of channels first: what changes from now on finds it there. */
async function keep(
  { dependencies: { table } }: ReassessmentRun,
  id: string,
  { ahead, pairs }: Sight,
  former: FleetEntry,
): Promise<StoredAhead | null> {
  const isNew = (pair: string): boolean => !former.pairs.includes(pair);
  await addConcerns(table, id, pairs.filter(isNew));
  const kept =
    former.ahead !== null && isSame(former.ahead, ahead)
      ? former.ahead
      : await writeAhead(table, id, ahead, former.ahead);
  if (kept === null) return null;
  const left = former.pairs.filter((pair) => !pairs.includes(pair));
  if (left.length > 0) await removeConcerns(table, id, left);
  return kept;
}

function isSame({ revision: _revision, ...stored }: StoredAhead, ahead: Ahead): boolean {
  return JSON.stringify(stored) === JSON.stringify(ahead);
}

interface ClusterOutlook {
  readonly outlook: Outlook;
  /** The channels whose change may change it, as `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
  readonly releases: ReleaseSnapshot;
}

/** What lies ahead of a cluster, by what people have said of it; null when it does not say which version it runs. */
async function clusterOutlook(
  { facts, pausedSince }: Pick<ClusterRecord, 'facts' | 'pausedSince'>,
  settings: ClusterSettings,
  reader: Pick<ReleaseReader, 'snapshot'>,
  now: number,
): Promise<ClusterOutlook | null> {
  const current = currentVersion(facts);
  if (current === null) return null;
  const arch = archOfNodes(facts);
  const releases = await reader.snapshot(arch);
  const read = new Set<string>();
  const channel = facts.clusterVersion?.channel ?? null;
  const usual = outlookQuestion(current, channel, releases.directory);
  const { target = usual.target, acceptRisks = [] } = settings;
  const question: PlanRequest = {
    target,
    channels: settings.channels ?? (settings.target === undefined ? usual.channels : []),
    arch,
    risk: acceptRisks.length > 0 ? 'accept' : 'none',
    acceptedRisks: acceptRisks,
    options: {
      policy: settings.policy ?? 'openshift',
      strategy: settings.strategy ?? 'rolling',
      strict: false,
      apiRemovals: 'block',
      accept: settings.accept ?? [],
    },
    windows: null,
  };
  const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
  const { plan, answer } = await planCluster(facts, question, recording(releases, read), {
    now,
    pausedSince: since,
  });
  const names = channelsConcerned(
    { current, channel, target: answer.to, read: [...read] },
    releases.directory,
  );
  return {
    outlook: outlookOf(target, plan, answer, newerPatch(current, channel, releases.directory)),
    pairs: names.map((name) => pairName(name, arch)),
    releases,
  };
}

/** The releases, noting every channel whose graph is asked for. */
function recording(releases: ReleaseSnapshot, read: Set<string>): Pick<ReleaseReader, 'snapshot'> {
  const prepare: ReleaseSnapshot['prepare'] = (channels) => {
    for (const channel of channels) read.add(channel);
    return releases.prepare(channels);
  };
  return { snapshot: async () => ({ ...releases, prepare }) };
}
