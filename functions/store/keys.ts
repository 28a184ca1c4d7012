import type { Arch } from '@cairn/shared/version/arch';

/** The only place that spells partition and sort keys. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export function isSameKey(a: Key, b: Key): boolean {
  return a.pk === b.pk && a.sk === b.sk;
}

/** The key of an item that was read. */
export function keyOf(item: Readonly<Record<string, unknown>>): Key {
  return { pk: String(item['pk']), sk: String(item['sk']) };
}

/** What a query asks for that wants keys only. */
export const KEY_ATTRIBUTES = ['pk', 'sk'] as const;

/** Key conditions of queries, with the values `:partition` and `:from`. */
export const KEY_CONDITION = {
  partition: 'pk = :partition',
  partitionFrom: 'pk = :partition AND sk >= :from',
} as const;

/** Key conditions of queries of the index, with the values `:list`, `:after` and `:until`. */
export const INDEX_CONDITION = {
  list: 'gsi1pk = :list',
  listAfter: 'gsi1pk = :list AND gsi1sk > :after',
  listUntil: 'gsi1pk = :list AND gsi1sk < :until',
} as const;

/** Lease, run key, state of every pair and the last runs of the sync: one item, so that a quiet round writes only here. */
export const SYNC_STATE_KEY: Key = { pk: 'SYNC#STATE', sk: 'STATE' };

/** Lease and run key of the watch. */
export const WATCH_STATE_KEY: Key = { pk: 'WATCH#STATE', sk: 'STATE' };

/** Buckets whose first pruner the watch has seen to. */
export const PRUNER_SEEDS_KEY: Key = { pk: 'WATCH#SEEDS', sk: 'SEEDS' };

/** What was stopped by hand. */
export const SWITCHES_KEY: Key = { pk: 'SWITCHES', sk: 'SWITCHES' };

export function runPartition(job: string): string {
  return `RUN#${job}`;
}

/** The runs of a job in the order of their slots. */
export function runKey(job: string, slot: string): Key {
  return { pk: runPartition(job), sk: slot };
}

/** Names of publications. */
export const PUBLICATION_NAME = {
  catalogue: 'catalogue',
  configuration: 'configuration',
  graph: (channel: string, arch: Arch) => `graph/${channel}/${arch}`,
  channelIndex: (arch: Arch) => `channels-index/${arch}`,
} as const;

/** `!` sorts before every body, so that one Query meets the head first. */
const HEAD = '!HEAD';

export function publicationPartition(name: string): string {
  return `DOC#${name}`;
}

export function headKey(partition: string): Key {
  return { pk: partition, sk: HEAD };
}

export function bodyKey(partition: string, revision: string, chunk: number): Key {
  return { pk: partition, sk: `BODY#${revision}#${String(chunk).padStart(3, '0')}` };
}

export function isHeadKey({ sk }: Pick<Key, 'sk'>): boolean {
  return sk === HEAD;
}

/** The revision a body belongs to, of a key made by `bodyKey`. */
export function revisionOfBodyKey({ sk }: Pick<Key, 'sk'>): string {
  return sk.split('#')[1] ?? '';
}

/** Revisions order as text as they order in time: the lease's token first, then the sequence within its run. */
export function revisionOf(fence: number, sequence: number): string {
  return `${String(fence).padStart(10, '0')}-${String(sequence).padStart(6, '0')}`;
}

/** The token of the run that a revision is of. */
export function fenceOf(revision: string): number {
  return Number.parseInt(revision, 10);
}

/** Nothing that the holder of this token publishes can be newer. */
export function lastRevisionOf(fence: number): string {
  return revisionOf(fence, 999_999);
}

export function releasePartition(arch: Arch): string {
  return `RELEASE#${arch}`;
}

/** `sortKey` as `versionSortKey` makes it; taken as text, since queries need no version parser. */
export function releaseKey(arch: Arch, sortKey: string): Key {
  return { pk: releasePartition(arch), sk: sortKey };
}

export function changePartition(channel: string, arch: Arch): string {
  return `CHANGES#${channel}/${arch}`;
}

/** Changes of a channel in the order they were published; a repeated write of the same change meets the same key. */
export function changeKey(channel: string, arch: Arch, at: string, what: string): Key {
  return { pk: changePartition(channel, arch), sk: `${at}#${what}` };
}

/** The list of all clusters, by identifier. */
export const CLUSTER_LIST = 'CLUSTERS';

export function clusterPartition(id: string): string {
  return `CLUSTER#${id}`;
}

/** Of a revision of a cluster, how many there were before it and one more. */
export function sequenceOf(revision: string): number {
  return Number.parseInt(revision, 10);
}

/** What puts the head of a cluster in the list. */
export function clusterListKey(id: string): { readonly gsi1pk: string; readonly gsi1sk: string } {
  return { gsi1pk: CLUSTER_LIST, gsi1sk: id };
}

/** What is made of a cluster by us, beside what it reported. */
export function fleetPartition(id: string): string {
  return `FLEET#${id}`;
}

/** What lies ahead of it, and what was told of that. */
export function assessmentKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'AHEAD' };
}

/** That it has reported since it was last looked at. */
export function reassessmentMarkKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'REPORTED' };
}

/** What people have said of it: where it is to go, and when. */
export function clusterSettingsKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'SETTINGS' };
}

const CONCERN = 'ON#';

/** That a change of the channel concerns it; `pair` as in `stable-4.14/amd64`. */
export function subscriptionKey(id: string, pair: string): Key {
  return { pk: fleetPartition(id), sk: `${CONCERN}${pair}` };
}

/** The pair of such a key, null for any other. */
export function pairOfSubscription({ sk }: Pick<Key, 'sk'>): string | null {
  return sk.startsWith(CONCERN) ? sk.slice(CONCERN.length) : null;
}

/** The list of clusters that a change of a channel concerns. */
export function subscriptionList(pair: string): string {
  return `${CONCERN}${pair}`;
}

export function concernListKey(
  id: string,
  pair: string,
): { readonly gsi1pk: string; readonly gsi1sk: string } {
  return { gsi1pk: subscriptionList(pair), gsi1sk: id };
}

/** The list of clusters to be looked at, by when; ISO 8601 in UTC orders as text. */
export const DUE_LIST = 'DUE';

export function dueListKey(id: string, at: string): { readonly gsi1pk: string; readonly gsi1sk: string } {
  return { gsi1pk: DUE_LIST, gsi1sk: `${at}#${id}` };
}

/** After every entry that is due by then. */
export function dueUntil(at: string): string {
  return `${at}$`;
}

/** The cluster of an entry of that list. */
export function clusterOfDue(entry: string): string {
  return entry.slice(entry.indexOf('#') + 1);
}

/** Lease of the job that follows the fleet, what it has seen of channels and told of pruners, and messages under way. */
export const FLEET_STATE_KEY: Key = { pk: 'FOLLOW#STATE', sk: 'STATE' };

/** Where messages are posted. */
export const WEBHOOK_KEY: Key = { pk: 'FOLLOW#WEBHOOK', sk: 'WEBHOOK' };

/** The list of all pruners, by name. */
export const PRUNER_LIST = 'PRUNERS';

export function prunerKey(name: string): Key {
  return { pk: `PRUNER#${name}`, sk: 'PRUNER' };
}

/** Lease of the runs of a pruner, how far the one under way is, and what was condemned last. */
export function prunerLeaseKey(name: string): Key {
  return { pk: `PRUNER#${name}`, sk: 'LEASE' };
}

/** What puts a pruner in the list. */
export function prunerListKey(name: string): { readonly gsi1pk: string; readonly gsi1sk: string } {
  return { gsi1pk: PRUNER_LIST, gsi1sk: name };
}

/** The identifier or name that an entry of a list stands for. */
export function listedNameOf(entry: Readonly<Record<string, unknown>>): string {
  return String(entry['gsi1sk']);
}

/** Partition prefixes a role may be limited to. */
export const PARTITION_PREFIX = {
  syncState: 'SYNC#',
  document: 'DOC#',
  release: 'RELEASE#',
  change: 'CHANGES#',
  cluster: 'CLUSTER#',
  /** Of the index. */
  clusterList: CLUSTER_LIST,
  fleet: 'FLEET#',
  /** Of the index. */
  subscriptionList: CONCERN,
  /** Of the index. */
  dueList: DUE_LIST,
  fleetState: FLEET_STATE_KEY.pk,
  webhook: WEBHOOK_KEY.pk,
  watchState: 'WATCH#',
  run: 'RUN#',
  pruner: 'PRUNER#',
  /** Of the index. */
  prunerList: PRUNER_LIST,
  switches: SWITCHES_KEY.pk,
} as const;
