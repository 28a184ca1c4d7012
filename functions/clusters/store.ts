import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type ClusterRecord,
  type ClusterSummary,
  summarizeCluster,
  withEveryKind,
} from '@cairn/shared/cluster/record';
import type { StoredUpdateLine } from '@cairn/shared/fleet/update-list';
import { deleteItems, readItems } from '../store/batch.ts';
import { isAtRevision, retryOnConflict } from '../store/item.ts';
import {
  CLUSTER_LIST,
  clusterListKey,
  clusterOfEntry,
  clusterPartition,
  headKey,
  revisionOfBodyKey,
  sequenceOf,
  UPDATE_LIST,
} from '../store/keys.ts';
import { refuseNewer, storedVersion, upgradeStored } from '../store/migrations.ts';
import { type Head, publish, type PublishedKind, readPublished, type Stored } from '../store/published.ts';
import { indexPage, type PageRequest } from '../store/query.ts';
import type { Table } from '../store/table.ts';
import { listUpdate, markForReassessment, placeOf } from './reassessment-mark.ts';

export interface StoredCluster {
  readonly id: string;
  /** Changes with every write and is never reused. */
  readonly revision: string;
  readonly record: ClusterRecord;
  /** As of the last report. */
  readonly update: StoredUpdateLine | null;
}

export interface ListedCluster extends ClusterSummary {
  readonly id: string;
  readonly update: StoredUpdateLine | null;
}

/**
 * The head outlives its cluster, without summary and outside the list. The write of a writer that started
 * before the removal then fails, and its body never becomes a new cluster's.
 */
interface ClusterHead extends Head {
  /** Absent once the cluster is removed. */
  readonly summary?: ClusterSummary;
  /** Absent without an update under way or completed lately. */
  readonly update?: StoredUpdateLine;
  /** Version of the body. */
  readonly v?: number;
}

const CLUSTER: PublishedKind<ClusterHead> = {
  noun: 'cluster',
  partition: clusterPartition,
  pack: ({ name, summary, ...head }) => ({
    ...(summary && { ...clusterListKey(name), summary, v: storedVersion('cluster') }),
    id: name,
    ...head,
  }),
  unpack: ({ id, ...head }) => ({ ...(head as unknown as ClusterHead), name: String(id) }),
  readAttempts: 8,
  isOvertaken: () => false,
  flip: ({ previous }) => isAtRevision(previous),
  // Another writer may have changed it since.
  isApplied: (found, { revision }) => found.revision === revision || found.previous === revision,
  // IAM policies grant BatchGetItem for clusters, not GetItem.
  readAgain: async (table, key) => (await readItems(table, [key]))[0] ?? null,
  // Bodies present when the former head was read can no longer become current. Keep the previous body for
  // readers of the former head, except after a removal.
  bodiesToDrop: (keys, { previous, chunks }) =>
    chunks === 0 ? keys : keys.filter((key) => revisionOfBodyKey(key) !== previous),
};

interface Holding {
  readonly stored: Stored<ClusterHead>;
  readonly cluster: StoredCluster | null;
}

type ClusterChange =
  | { readonly outcome: 'changed'; readonly cluster: StoredCluster; readonly isNew: boolean }
  /** Larger than a stored cluster may be. */
  | { readonly outcome: 'too-large'; readonly bytes: number; readonly limit: number }
  /** Too many concurrent changes. */
  | { readonly outcome: 'contended' };

type ClusterRevision = ClusterChange | { readonly outcome: 'unchanged' | 'unknown' };

/** As JSON; the largest supported cluster, with 5,000 nodes, takes about a fifth. */
const LARGEST_RECORD = 32 * 1024 * 1024;
/** As stored: a dozen items. */
const LARGEST_BODY = 4 * 1024 * 1024;

export async function readCluster(table: Table, id: string): Promise<StoredCluster | null> {
  return (await readHolding(table, id)).cluster;
}

/** Returns the cluster and whether the write of a revision is over: applied or superseded. */
export async function readClusterSince(
  table: Table,
  id: string,
): Promise<{ readonly cluster: StoredCluster | null; readonly isPast: (revision: string) => boolean }> {
  const { stored, cluster } = await readHolding(table, id);
  const sequence = sequenceAt(stored.head);
  return { cluster, isPast: (revision) => sequenceOf(revision) <= sequence };
}

/**
 * Changes or creates a cluster. `change` may throw to refuse, and is called again after a concurrent change,
 * so that no change is lost. Without `updateOf` the listed update stays.
 */
export async function changeCluster(
  table: Table,
  id: string,
  change: (former: StoredCluster | null) => ClusterRecord,
  updateOf?: (record: ClusterRecord) => Promise<StoredUpdateLine | null>,
): Promise<ClusterChange> {
  const changed = await serializePerKey(table, id, async () => {
    const holding = await readForChange(table, id);
    const record = change(holding.cluster);
    const update = updateOf === undefined ? (holding.cluster?.update ?? null) : await updateOf(record);
    return writeRecord(table, id, holding, { record, update });
  });
  return changed ?? { outcome: 'contended' };
}

/**
 * Changes an existing cluster; writes nothing if `revise` returns null. Calls `revise` again after a
 * concurrent change.
 */
export async function reviseCluster(
  table: Table,
  id: string,
  revise: (stored: StoredCluster) => ClusterRecord | null,
): Promise<ClusterRevision> {
  const revised = await serializePerKey(table, id, async (): Promise<ClusterRevision | null> => {
    const holding = await readForChange(table, id);
    if (holding.cluster === null) return { outcome: 'unknown' };
    const record = revise(holding.cluster);
    if (record === null) return { outcome: 'unchanged' };
    return writeRecord(table, id, holding, { record, update: holding.cluster.update });
  });
  return revised ?? { outcome: 'contended' };
}

/** Null if the head changed since it was read. */
async function writeRecord(
  table: Table,
  id: string,
  { stored, cluster }: Holding,
  { record, update }: Pick<StoredCluster, 'record' | 'update'>,
): Promise<ClusterChange | null> {
  const packed = pack(record);
  if ('outcome' in packed) return packed;
  const revision = nextRevision(stored.head);
  const draft = {
    name: id,
    revision,
    summary: summarizeCluster(record),
    ...(update && { update }),
    body: packed.body,
    // Mark before the flip, so that no crash loses the mark; it is not cleared before the record exists.
    beforeFlip: async () => {
      await markForReassessment(table, id, { revision, at: record.updatedAt });
      // An entry without its update is passed over, so it comes before as well.
      const place = placeOf(id, update);
      if (place !== null && place !== placeOf(id, cluster?.update ?? null)) {
        await listUpdate(table, id, { revision, place });
      }
    },
  };
  const outcome = await publish(table, CLUSTER, draft, stored);
  if (!outcome.published) {
    await deleteItems(table, outcome.written);
    return null;
  }
  return { outcome: 'changed', cluster: { id, revision, record, update }, isNew: cluster === null };
}

/** `check` may throw to refuse. */
export async function removeCluster(
  table: Table,
  id: string,
  at: string,
  check: (stored: StoredCluster) => void,
): Promise<'removed' | 'unknown' | 'contended'> {
  const removed = await serializePerKey(table, id, async () => {
    const { stored, cluster } = await readHolding(table, id);
    const { head, bodyKeys } = stored;
    if (head === null) return 'unknown';
    if (cluster !== null) {
      check(cluster);
      const revision = nextRevision(head);
      const tombstone = {
        name: id,
        revision,
        body: null,
        // The time of the removal shows whether this writer may still be active.
        beforeFlip: () => markForReassessment(table, id, { revision, at }),
      };
      const { published } = await publish(table, CLUSTER, tombstone, stored);
      return published ? 'removed' : null;
    }
    // Delete leftovers of an interrupted removal. A body above the head may belong to an active writer.
    const leftOver = bodyKeys.filter((key) => sequenceOf(revisionOfBodyKey(key)) <= sequenceAt(head));
    await deleteItems(table, leftOver);
    return 'unknown';
  });
  return removed ?? 'contended';
}

/**
 * Clusters in ID order. The index may lag and gives only the order: summaries come from the heads, and
 * removed clusters are omitted. `last` is where the next page starts.
 */
export async function listClusters(
  table: Table,
  page: PageRequest,
): Promise<{ readonly clusters: readonly ListedCluster[]; readonly last: string | null }> {
  const { names, last } = await indexPage(table, CLUSTER_LIST, page);
  return { clusters: await readListedClusters(table, names), last };
}

/** In this order, without removed ones. */
export async function readListedClusters(table: Table, ids: readonly string[]): Promise<ListedCluster[]> {
  const items = await readItems(
    table,
    ids.map((id) => headKey(clusterPartition(id))),
  );
  const byId = new Map(items.map(CLUSTER.unpack).map((head) => [head.name, head]));
  return ids.flatMap((id) => {
    const { summary, update = null } = byId.get(id) ?? {};
    return summary ? [{ id, ...summary, update }] : [];
  });
}

const UPDATES_PER_PAGE = 1000;

/** Clusters that update, and those whose update was completed since then. Costs what they are. */
export async function listUpdates(
  table: Table,
  since: string,
): Promise<{ readonly id: string; readonly update: StoredUpdateLine }[]> {
  const ids = new Set<string>();
  for (let after: string | null = since; after !== null;) {
    const page = await indexPage(table, UPDATE_LIST, { after, limit: UPDATES_PER_PAGE });
    for (const entry of page.names) ids.add(clusterOfEntry(entry));
    after = page.last;
  }
  const clusters = await readListedClusters(table, [...ids]);
  return clusters.flatMap(({ id, update }) =>
    update === null || Date.parse(update.completedAt ?? since) < Date.parse(since) ? [] : [{ id, update }],
  );
}

async function readHolding(table: Table, id: string): Promise<Holding> {
  const stored = await readPublished(table, CLUSTER, id);
  const { head, body } = stored;
  if (head === null || body === null) return { stored, cluster: null };
  const json = gunzipSync(body).toString('utf8');
  const record = withEveryKind(upgradeStored('cluster', JSON.parse(json), head.v) as ClusterRecord);
  return { stored, cluster: { id, revision: head.revision, record, update: head.update ?? null } };
}

async function readForChange(table: Table, id: string): Promise<Holding> {
  const holding = await readHolding(table, id);
  if (holding.cluster) refuseNewer('cluster', holding.stored.head?.v);
  return holding;
}

function pack(record: ClusterRecord): { readonly body: Uint8Array } | ClusterChange {
  const json = Buffer.from(JSON.stringify(record));
  if (json.length > LARGEST_RECORD) {
    return { outcome: 'too-large', bytes: json.length, limit: LARGEST_RECORD };
  }
  const body = gzipSync(json);
  return body.length > LARGEST_BODY
    ? { outcome: 'too-large', bytes: body.length, limit: LARGEST_BODY }
    : { body };
}

const underWay = new WeakMap<Table['client'], Map<string, Promise<unknown>>>();

/** Serializes writers of one cluster within this process; a Lambda handles one request at a time anyway. */
async function serializePerKey<T>(
  table: Table,
  id: string,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const work = () => retryOnConflict(attempt);
  const turns = underWay.get(table.client) ?? new Map<string, Promise<unknown>>();
  underWay.set(table.client, turns);
  const name = `${table.name}/${id}`;
  const turn = (turns.get(name) ?? Promise.resolve()).then(work, work);
  turns.set(name, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === turn) turns.delete(name);
  }
}

/** Adds random bytes, because two writers may take the same number at once. */
function nextRevision(head: ClusterHead | null): string {
  return `${sequenceAt(head) + 1}-${randomBytes(6).toString('hex')}`;
}

function sequenceAt(head: ClusterHead | null): number {
  return head === null ? 0 : sequenceOf(head.revision);
}
