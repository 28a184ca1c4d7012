import type { Arch } from '@cairn/shared/version/arch';

/** Only this file spells partition and sort keys. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

interface IndexKey {
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

export function isSameKey(a: Key, b: Key): boolean {
  return a.pk === b.pk && a.sk === b.sk;
}

export function keyOf(item: Readonly<Record<string, unknown>>): Key {
  return { pk: String(item['pk']), sk: String(item['sk']) };
}

/** Attributes of a query for keys only. */
export const KEY_ATTRIBUTES = ['pk', 'sk'] as const;

/** Key conditions with the values `:partition` and `:from`. */
export const KEY_CONDITION = {
  partition: 'pk = :partition',
  partitionFrom: 'pk = :partition AND sk >= :from',
} as const;

/** Key conditions of the index with the values `:list`, `:after` and `:until`. */
export const INDEX_CONDITION = {
  list: 'gsi1pk = :list',
  listAfter: 'gsi1pk = :list AND gsi1sk > :after',
  listUntil: 'gsi1pk = :list AND gsi1sk < :until',
} as const;

/** Lease, pair states and last runs of the sync in one item: a run without changes writes only here. */
export const SYNC_STATE_KEY: Key = { pk: 'SYNC#STATE', sk: 'STATE' };

/** Lease of housekeeping. */
export const HOUSEKEEPING_STATE_KEY: Key = { pk: 'WATCH#STATE', sk: 'STATE' };

/** Buckets that housekeeping created a first pruner for. */
export const PRUNER_SEEDS_KEY: Key = { pk: 'WATCH#SEEDS', sk: 'SEEDS' };

export const SWITCHES_KEY: Key = { pk: 'SWITCHES', sk: 'SWITCHES' };

export function runPartition(job: string): string {
  return `RUN#${job}`;
}

/** Sorts the runs of a job by slot. */
export function runKey(job: string, slot: string): Key {
  return { pk: runPartition(job), sk: slot };
}

export const PUBLICATION_NAME = {
  catalogue: 'catalogue',
  configuration: 'configuration',
  graph: (channel: string, arch: Arch) => `graph/${channel}/${arch}`,
  channelIndex: (arch: Arch) => `channels-index/${arch}`,
  risks: 'risks',
} as const;

/** `!` sorts before every body, so that a Query returns the head first. */
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

export function revisionOfBodyKey({ sk }: Pick<Key, 'sk'>): string {
  return sk.split('#')[1] ?? '';
}

/** Revisions sort by time as text: first the token of the lease, then the sequence within the run. */
export function revisionOf(fence: number, sequence: number): string {
  return `${String(fence).padStart(10, '0')}-${String(sequence).padStart(6, '0')}`;
}

/** Token of the run that wrote the revision. */
export function fenceOf(revision: string): number {
  return Number.parseInt(revision, 10);
}

/** Upper bound of the revisions that this token can publish. */
export function lastRevisionOf(fence: number): string {
  return revisionOf(fence, 999_999);
}

export function releasePartition(arch: Arch): string {
  return `RELEASE#${arch}`;
}

/** `sortKey` is the result of `versionSortKey`, as text: queries need no version parser. */
export function releaseKey(arch: Arch, sortKey: string): Key {
  return { pk: releasePartition(arch), sk: sortKey };
}

export function changePartition(channel: string, arch: Arch): string {
  return `CHANGES#${channel}/${arch}`;
}

/** Sorts changes by publication time; a repeated write has the same key. */
export function changeKey(channel: string, arch: Arch, at: string, what: string): Key {
  return { pk: changePartition(channel, arch), sk: `${at}#${what}` };
}

/** Index list of all clusters, by ID. */
export const CLUSTER_LIST = 'CLUSTERS';

export function clusterPartition(id: string): string {
  return `CLUSTER#${id}`;
}

/** Number of the revision of a cluster, starting at 1. */
export function sequenceOf(revision: string): number {
  return Number.parseInt(revision, 10);
}

/** Index keys of a cluster head. */
export function clusterListKey(id: string): IndexKey {
  return { gsi1pk: CLUSTER_LIST, gsi1sk: id };
}

/** Partition of data that Cairn derives for a cluster, separate from its reports. */
export function fleetPartition(id: string): string {
  return `FLEET#${id}`;
}

/** Assessment with its notification log. */
export function assessmentKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'AHEAD' };
}

/** Marks a cluster that reported since its last assessment. */
export function reassessmentMarkKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'REPORTED' };
}

export function clusterSettingsKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'SETTINGS' };
}

/** Which risks apply to a cluster, as of its last assessment. */
export function clusterRisksKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'RISKS' };
}

/** Lists a cluster that updates, or has updated lately. The update itself is in the head of the cluster. */
export function updateMarkKey(id: string): Key {
  return { pk: fleetPartition(id), sk: 'UPDATE' };
}

/** Index list of the updates: completed ones by time, then those under way. */
export const UPDATE_LIST = 'UPDATES';

/** Sorts after every time. */
const UNDER_WAY = 'R';

export function placeOfUpdate(id: string, completedAt: string | null): string {
  return `${completedAt === null ? UNDER_WAY : new Date(completedAt).toISOString()}#${id}`;
}

export function updateListKey(place: string): Readonly<Record<keyof IndexKey, string>> {
  return { gsi1pk: UPDATE_LIST, gsi1sk: place };
}

const SUBSCRIPTION = 'ON#';

/** Subscription of a cluster to a channel; `pair` such as `stable-4.14/amd64`. */
export function subscriptionKey(id: string, pair: string): Key {
  return { pk: fleetPartition(id), sk: `${SUBSCRIPTION}${pair}` };
}

/** Null for any other key. */
export function pairOfSubscription({ sk }: Pick<Key, 'sk'>): string | null {
  return sk.startsWith(SUBSCRIPTION) ? sk.slice(SUBSCRIPTION.length) : null;
}

/** Index list of the subscribers of a channel. */
export function subscriptionList(pair: string): string {
  return `${SUBSCRIPTION}${pair}`;
}

export function subscriptionListKey(id: string, pair: string): IndexKey {
  return { gsi1pk: subscriptionList(pair), gsi1sk: id };
}

/** Index list of clusters to assess, by time; ISO 8601 in UTC sorts as text. */
export const DUE_LIST = 'DUE';

export function dueListKey(id: string, at: string): IndexKey {
  return { gsi1pk: DUE_LIST, gsi1sk: `${at}#${id}` };
}

/** Sorts after every entry due at that time. */
export function dueUntil(at: string): string {
  return `${at}$`;
}

/** Of an entry in the list of due clusters or of updates. */
export function clusterOfEntry(entry: string): string {
  return entry.slice(entry.indexOf('#') + 1);
}

/** Lease of the fleet job, fingerprints of channels, notification logs of pruners, queued messages and numbers. */
export const FLEET_STATE_KEY: Key = { pk: 'FOLLOW#STATE', sk: 'STATE' };

/** Clusters of a part of the fleet, as the fleet job counted them. */
export function censusKey(part: number): Key {
  return { pk: FLEET_STATE_KEY.pk, sk: `CENSUS#${part}` };
}

export const WEBHOOK_KEY: Key = { pk: 'FOLLOW#WEBHOOK', sk: 'WEBHOOK' };

/** Index list of all pruners, by name. */
export const PRUNER_LIST = 'PRUNERS';

export function prunerKey(name: string): Key {
  return { pk: `PRUNER#${name}`, sk: 'PRUNER' };
}

/** Lease of a pruner, progress of its current run, and the last condemned objects. */
export function prunerLeaseKey(name: string): Key {
  return { pk: `PRUNER#${name}`, sk: 'LEASE' };
}

/** Index keys of a pruner. */
export function prunerListKey(name: string): IndexKey {
  return { gsi1pk: PRUNER_LIST, gsi1sk: name };
}

/** Partition of all acceptances of risks: one Query reads them. */
export const ACCEPTANCE_LIST = 'ACCEPTANCES';

export function acceptanceKey(id: string): Key {
  return { pk: ACCEPTANCE_LIST, sk: id };
}

/** ID or name of an index entry. */
export function listedNameOf(entry: Readonly<Record<string, unknown>>): string {
  return String(entry['gsi1sk']);
}

/** Partition prefixes that IAM policies limit roles to. */
export const PARTITION_PREFIX = {
  syncState: 'SYNC#',
  document: 'DOC#',
  release: 'RELEASE#',
  change: 'CHANGES#',
  cluster: 'CLUSTER#',
  /** Index partition. */
  clusterList: CLUSTER_LIST,
  fleet: 'FLEET#',
  /** Index partition. */
  subscriptionList: SUBSCRIPTION,
  /** Index partition. */
  dueList: DUE_LIST,
  /** Index partition. */
  updateList: UPDATE_LIST,
  fleetState: FLEET_STATE_KEY.pk,
  webhook: WEBHOOK_KEY.pk,
  watchState: 'WATCH#',
  run: 'RUN#',
  pruner: 'PRUNER#',
  /** Index partition. */
  prunerList: PRUNER_LIST,
  switches: SWITCHES_KEY.pk,
  acceptances: ACCEPTANCE_LIST,
} as const;
