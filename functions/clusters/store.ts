import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type ClusterRecord,
  withEveryKind,
  type ClusterSummary,
  summarizeCluster,
} from '@cairn/shared/cluster/record';
import { deleteItems, readItems } from '../store/batch.ts';
import { whileOthersWrite } from '../store/item.ts';
import {
  CLUSTER_LIST,
  clusterBodyKey,
  clusterHeadKey,
  clusterListKey,
  clusterPartition,
  isHeadKey,
  type Key,
  keyOf,
  revisionOfBodyKey,
  sequenceOf,
} from '../store/keys.ts';
import { writeChunks } from '../store/published.ts';
import { indexPage, type PageRequest, queryPartition } from '../store/query.ts';
import type { Table } from '../store/table.ts';
import { markReported } from './reassessment-mark.ts';

export interface StoredCluster {
  readonly id: string;
  /** Another one with every change; never used twice. */
  readonly revision: string;
  readonly record: ClusterRecord;
}

export interface ListedCluster extends ClusterSummary {
  readonly id: string;
}

/**
 * The small item that says which body is current. It stays when a cluster is removed, without its summary and out of the
 * list: a writer that started before can then tell, and its body is never taken for a new cluster's.
 */
interface ClusterHead {
  readonly id: string;
  readonly revision: string;
  /** The revision before. */
  readonly previous: string | null;
  /** None once it is removed. */
  readonly chunks: number;
  readonly summary?: ClusterSummary;
}

interface Holding {
  readonly head: ClusterHead | null;
  readonly cluster: StoredCluster | null;
  /** Keys of every body item that is there, also those that a crash left behind. */
  readonly bodyKeys: readonly Key[];
}

type ClusterChange =
  | { readonly outcome: 'changed'; readonly cluster: StoredCluster; readonly isNew: boolean }
  /** More than is stored of one cluster. */
  | { readonly outcome: 'too-large'; readonly bytes: number; readonly limit: number }
  /** Others changed it at the same time, again and again. */
  | { readonly outcome: 'contended' };

type ClusterRevision = ClusterChange | { readonly outcome: 'unchanged' | 'unknown' };

/** As JSON; the largest cluster there is, of 5,000 nodes, takes about a fifth. */
const LARGEST_RECORD = 32 * 1024 * 1024;
/** As stored: a dozen items. */
const LARGEST_BODY = 4 * 1024 * 1024;
const READ_ATTEMPTS = 8;

export async function readCluster(table: Table, id: string): Promise<StoredCluster | null> {
  return (await readHolding(table, id)).cluster;
}

/** A cluster, and whether the write that was to have this revision is over: made, or overtaken by another. */
export async function readClusterSince(
  table: Table,
  id: string,
): Promise<{ readonly cluster: StoredCluster | null; readonly isPast: (revision: string) => boolean }> {
  const { head, cluster } = await readHolding(table, id);
  const sequence = head === null ? 0 : sequenceOf(head.revision);
  return { cluster, isPast: (revision) => sequenceOf(revision) <= sequence };
}

/**
 * Changes a cluster or makes it. `change` gets what is stored and may refuse it by throwing; when somebody else was quicker
 * it is asked again with what that one stored, so that nothing is lost.
 */
export async function changeCluster(
  table: Table,
  id: string,
  change: (former: StoredCluster | null) => ClusterRecord,
): Promise<ClusterChange> {
  const changed = await inTurn(table, id, async () => {
    const holding = await readHolding(table, id);
    return writeRecord(table, id, holding, change(holding.cluster));
  });
  return changed ?? { outcome: 'contended' };
}

/**
 * Changes a cluster that is there, but writes nothing where `revise` finds nothing to change and gives null. Like `change`
 * above, it is asked again when somebody else was quicker.
 */
export async function reviseCluster(
  table: Table,
  id: string,
  revise: (stored: StoredCluster) => ClusterRecord | null,
): Promise<ClusterRevision> {
  const revised = await inTurn(table, id, async (): Promise<ClusterRevision | null> => {
    const holding = await readHolding(table, id);
    if (holding.cluster === null) return { outcome: 'unknown' };
    const record = revise(holding.cluster);
    return record === null ? { outcome: 'unchanged' } : writeRecord(table, id, holding, record);
  });
  return revised ?? { outcome: 'contended' };
}

/** Null when the head is no longer the one that was read. */
async function writeRecord(
  table: Table,
  id: string,
  holding: Holding,
  record: ClusterRecord,
): Promise<ClusterChange | null> {
  const packed = pack(record);
  if ('outcome' in packed) return packed;
  const { revision, previous } = revisionsAfter(holding.head);
  const keyOfChunk = (chunk: number) => clusterBodyKey(id, revision, chunk);
  const chunks = await writeChunks(table, packed.body, keyOfChunk);
  const summary = summarizeCluster(record);
  // Before it is there, so that nobody can die between the two; until then who looks leaves the mark.
  await markReported(table, id, { revision, at: record.updatedAt });
  if (!(await flipHead(table, { id, revision, previous, chunks, summary }))) {
    await deleteItems(
      table,
      Array.from({ length: chunks }, (_, chunk) => keyOfChunk(chunk)),
    );
    return null;
  }
  // Whatever else was there when the former head was read can no longer become current. The body before this one stays
  // for readers under way.
  await deleteItems(
    table,
    holding.bodyKeys.filter((key) => revisionOfBodyKey(key) !== previous),
  );
  return { outcome: 'changed', cluster: { id, revision, record }, isNew: holding.cluster === null };
}

/** Removes a cluster; `check` gets what is stored and may refuse by throwing. */
export async function removeCluster(
  table: Table,
  id: string,
  at: string,
  check: (stored: StoredCluster) => void,
): Promise<'removed' | 'unknown' | 'contended'> {
  const removed = await inTurn(table, id, async () => {
    const { head, cluster, bodyKeys } = await readHolding(table, id);
    if (head === null) return 'unknown';
    if (cluster !== null) {
      check(cluster);
      const removed = { id, ...revisionsAfter(head), chunks: 0 };
      // The time of the removal, by which who looks knows whether this writer may still be under way.
      await markReported(table, id, { revision: removed.revision, at });
      if (!(await flipHead(table, removed))) return null;
      await deleteItems(table, bodyKeys);
      return 'removed';
    }
    // What a removal that was cut short left behind; a body above the head may be of a writer under way.
    const leftOver = bodyKeys.filter(
      (key) => sequenceOf(revisionOfBodyKey(key)) <= sequenceOf(head.revision),
    );
    await deleteItems(table, leftOver);
    return 'unknown';
  });
  return removed ?? 'contended';
}

/**
 * A page of the clusters, by identifier. The index gives the order only, as it may lag behind: what is said of each is
 * read from its head, and one that was removed meanwhile is left out. `last` is where the next page goes on.
 */
export async function listClusters(
  table: Table,
  page: PageRequest,
): Promise<{ readonly clusters: readonly ListedCluster[]; readonly last: string | null }> {
  const { names: ids, last } = await indexPage(table, CLUSTER_LIST, page);
  const heads = (await readItems(table, ids.map(clusterHeadKey))) as unknown as ClusterHead[];
  const byId = new Map(heads.map(({ id, summary }) => [id, summary]));
  return {
    clusters: ids.flatMap((id) => {
      const summary = byId.get(id);
      return summary ? [{ id, ...summary }] : [];
    }),
    last,
  };
}

/** Head and body in one Query. A change between its pages can tear it: then it is read again. */
async function readHolding(table: Table, id: string): Promise<Holding> {
  for (let attempt = 1; ; attempt++) {
    const items = await queryPartition(table, clusterPartition(id));
    const bodies = items.filter((item) => !isHeadKey(keyOf(item)));
    const bodyKeys = bodies.map(keyOf);
    const head = (items.find((item) => isHeadKey(keyOf(item))) as unknown as ClusterHead) ?? null;
    if (head === null || head.chunks === 0) return { head, cluster: null, bodyKeys };
    const chunks = bodies.filter((item) => revisionOfBodyKey(keyOf(item)) === head.revision);
    if (chunks.length === head.chunks) {
      const body = Buffer.concat(chunks.map((item) => item['body'] as Uint8Array));
      const record = withEveryKind(JSON.parse(gunzipSync(body).toString('utf8')) as ClusterRecord);
      return { head, cluster: { id, revision: head.revision, record }, bodyKeys };
    }
    if (attempt === READ_ATTEMPTS) {
      throw new Error(
        `cluster ${id} has ${chunks.length} of ${head.chunks} chunks of revision ${head.revision}`,
      );
    }
  }
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

/** The one write that makes a change: it holds only while the head is still the one that was read. */
async function flipHead(table: Table, head: ClusterHead): Promise<boolean> {
  const { id, revision, previous, summary } = head;
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({ ...clusterHeadKey(id), ...(summary && clusterListKey(id)), ...head }),
        ...(previous === null
          ? { ConditionExpression: 'attribute_not_exists(revision)' }
          : {
              ConditionExpression: 'revision = :previous',
              ExpressionAttributeValues: marshall({ ':previous': previous }),
            }),
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The answer of a write that was applied can get lost; its retry then fails the condition it has met itself. Others
    // may have gone on from it meanwhile.
    const [found] = await readItems(table, [clusterHeadKey(id)]);
    return found?.['revision'] === revision || found?.['previous'] === revision;
  }
}

const underWay = new WeakMap<Table['client'], Map<string, Promise<unknown>>>();

/** Those in this process wait for each other rather than try at once; a Lambda has one request at a time anyway. */
async function inTurn<T>(table: Table, id: string, attempt: () => Promise<T | null>): Promise<T | null> {
  const work = () => whileOthersWrite(attempt);
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

/** The next number, and chance, as two writers may take the same number at once. */
function revisionsAfter(head: ClusterHead | null): Pick<ClusterHead, 'revision' | 'previous'> {
  const sequence = head === null ? 1 : sequenceOf(head.revision) + 1;
  return { revision: `${sequence}-${randomBytes(6).toString('hex')}`, previous: head?.revision ?? null };
}
