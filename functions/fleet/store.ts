import { PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';
import { lineNow, type ListedUpdate } from '@cairn/shared/fleet/update-list';
import type { NotificationLog } from '@cairn/shared/notifications/log';
import type { Notification } from '@cairn/shared/notifications/notification';
import type { UpdateLog } from '@cairn/shared/notifications/update-notifications';
import { type ReassessmentMark, clearMark } from '../clusters/reassessment-mark.ts';
import { settingsOf, type StoredSettings } from '../clusters/settings-store.ts';
import { listUpdates } from '../clusters/store.ts';
import { deleteItems, readItems } from '../store/batch.ts';
import { deleteRevision, type Item, type RevisedItem, writeRevision } from '../store/item.ts';
import {
  assessmentKey,
  clusterOfEntry,
  clusterRisksKey,
  clusterSettingsKey,
  subscriptionKey,
  subscriptionListKey,
  DUE_LIST,
  dueListKey,
  dueUntil,
  fleetPartition,
  INDEX_CONDITION,
  isSameKey,
  type Key,
  keyOf,
  listedNameOf,
  pairOfSubscription,
  reassessmentMarkKey,
  updateMarkKey,
} from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import { queryPartition } from '../store/query.ts';
import { TABLE, type Table } from '../store/table.ts';
import { storedRisks, type StoredRisks } from './risk-store.ts';

/** Assessed upgrade of a cluster, with its notifications. */
export interface Assessment {
  /** Identifies the cluster: a new one under the same name starts over. */
  readonly firstSeenAt: string;
  readonly outlook: AssessedUpgrade;
  /** Slot of the last change of `outlook`. */
  readonly since: string;
  readonly told: NotificationLog;
  /** Notifications of its update; former releases stored none. */
  readonly update?: UpdateLog | null;
  /** Undelivered notifications. */
  readonly pending: readonly Notification[];
  /** When to reassess without a report: a topic was notified too recently, or an update may be silent. */
  readonly heldUntil: string | null;
}

export interface StoredAssessment extends Assessment, RevisedItem {}

const assessmentCodec = storedCodec<Assessment>('assessment', {
  write: (assessment) => ({ ahead: JSON.stringify(assessment) }),
  read: (item) => JSON.parse(String(item['ahead'])),
});

/** Everything stored about a cluster except its reports. */
export interface FleetEntry {
  readonly assessment: StoredAssessment | null;
  readonly reported: ReassessmentMark | null;
  /** Its entry in the list of updates. */
  readonly listed: (RevisedItem & { readonly place: string }) | null;
  readonly settings: StoredSettings | null;
  readonly risks: StoredRisks | null;
  /** Subscribed channels, such as `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
}

/** Reads everything with one Query. */
export async function readFleetEntry(table: Table, id: string): Promise<FleetEntry> {
  const items = await queryPartition(table, fleetPartition(id));
  const find = (key: Key) => items.find((item) => isSameKey(keyOf(item), key));
  const assessment = find(assessmentKey(id));
  const reported = find(reassessmentMarkKey(id));
  const settings = find(clusterSettingsKey(id));
  const listed = find(updateMarkKey(id));
  const risks = find(clusterRisksKey(id));
  return {
    assessment: assessment
      ? { ...assessmentCodec.unpack(assessment), revision: revisionOf(assessment) }
      : null,
    reported: reported ? { revision: revisionOf(reported), at: String(reported['at']) } : null,
    listed: listed ? { revision: revisionOf(listed), place: listedNameOf(listed) } : null,
    settings: settings ? settingsOf(settings) : null,
    risks: risks ? storedRisks(risks) : null,
    pairs: items.flatMap((item) => pairOfSubscription(keyOf(item)) ?? []),
  };
}

/** Omits clusters that are not assessed yet. */
export async function readAssessments(
  table: Table,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Assessment>> {
  const items = await readItems(table, ids.map(assessmentKey));
  return new Map(items.map((item) => [String(item['id']), assessmentCodec.view(item)]));
}

/** Updates under way, and those completed since then. */
export async function readUpdates(
  table: Table,
  { now, since }: { readonly now: number; readonly since: string },
): Promise<ListedUpdate[]> {
  const found = await listUpdates(table, since);
  return found.map(({ id, update }) => ({ id, ...lineNow(update, now) }));
}

/** Null if the item changed since `former` was read. Pending notifications make it due at once. */
export async function writeAssessment(
  table: Table,
  id: string,
  assessment: Assessment,
  former: StoredAssessment | null,
): Promise<StoredAssessment | null> {
  const dueAt = assessment.pending[0]?.at ?? assessment.heldUntil;
  const listed = dueAt === null ? {} : dueListKey(id, dueAt);
  const attributes = { ...listed, id, ...assessmentCodec.pack(assessment) };
  const revision = await writeRevision(table, assessmentKey(id), former, attributes);
  return revision === null ? null : { ...assessment, revision };
}

/**
 * Clusters due at a time, longest waiting first. A due time after `last` comes from a wrong clock and counts
 * as due.
 */
export async function listDue(
  table: Table,
  { at, last, limit }: { readonly at: string; readonly last: string; readonly limit: number },
): Promise<readonly string[]> {
  const due = { condition: INDEX_CONDITION.listUntil, values: { ':until': dueUntil(at) } };
  const wrong = { condition: INDEX_CONDITION.listAfter, values: { ':after': dueUntil(last) } };
  const ids = new Set<string>();
  for (const { condition, values } of [due, wrong]) {
    let next: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: TABLE.index.name,
          KeyConditionExpression: condition,
          ExpressionAttributeValues: marshall({ ':list': DUE_LIST, ...values }),
          ProjectionExpression: TABLE.index.sortKey,
          ExclusiveStartKey: next,
        }),
      );
      for (const item of page.Items ?? []) ids.add(clusterOfEntry(listedNameOf(unmarshall(item))));
      next = page.LastEvaluatedKey;
    } while (next && ids.size < limit);
  }
  return [...ids].slice(0, limit);
}

export async function subscribe(table: Table, id: string, pairs: readonly string[]): Promise<void> {
  for (const pair of pairs) {
    const item = { ...subscriptionKey(id, pair), ...subscriptionListKey(id, pair) };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(item) }));
  }
}

export async function unsubscribe(table: Table, id: string, pairs: readonly string[]): Promise<void> {
  await deleteItems(
    table,
    pairs.map((pair) => subscriptionKey(id, pair)),
  );
}

/** Deletes what was read of a deleted cluster. Settings written for a new one under the same name stay. */
export async function forgetFleetEntry(table: Table, id: string, entry: FleetEntry): Promise<void> {
  const { assessment, settings, risks, reported, listed, pairs } = entry;
  if (assessment) await deleteRevision(table, assessmentKey(id), assessment);
  if (settings) await deleteRevision(table, clusterSettingsKey(id), settings);
  if (risks) await deleteRevision(table, clusterRisksKey(id), risks);
  if (listed) await deleteRevision(table, updateMarkKey(id), listed);
  await unsubscribe(table, id, pairs);
  // Delete the mark last: the rest is found by it.
  if (reported) await clearMark(table, id, reported);
}

function revisionOf(item: Item): string {
  return String(item['revision']);
}
