import { messageLine, messagesOf } from '@cairn/shared/notifications/message';
import { type Notification } from '@cairn/shared/notifications/notification';
import type { CairnEvent, EventSink } from '../runtime/events.ts';
import type { Log } from '../runtime/log.ts';
import type { MetricName } from '../runtime/names.ts';
import type { Table } from '../store/table.ts';
import type { PostMessage } from './post-webhook.ts';
import { type QueuedMessage, type Taker, TAKERS, readWebhook } from './store.ts';

export interface DeliveryDependencies {
  readonly table: Table;
  readonly events: EventSink;
  /** Loaded with the first message, because most runs send none. */
  readonly openWebhook: () => Promise<PostMessage>;
  readonly log: Log;
  readonly count: (counts: Partial<Record<MetricName, number>>) => void;
  /** Wall clock in ms, for liveness only; data uses the time of the slot. */
  readonly clock: () => number;
}

export interface DeliveryRun {
  readonly dependencies: DeliveryDependencies;
  readonly limits: DeliveryLimits;
  readonly slot: string;
  /** By the kill switch. Remaining clusters and messages wait until it is lifted. */
  readonly isStopped: () => Promise<boolean>;
}

export interface DeliveryLimits {
  /** If more clusters and pruners than this have notifications at once, one digest is sent. */
  readonly mostMessages: number;
  /** Undelivered messages are dropped after this time. */
  readonly messagesKeptMs: number;
  readonly messagesKept: number;
  /** No message is posted later than this after the first one of a run, because a webhook may hang. */
  readonly postForMs: number;
}

const POST_MS = 5000;

/** Returns the delivered notifications. The others stay with their cluster for the next run. */
export async function publishNotifications(
  run: DeliveryRun,
  notifications: readonly Notification[],
): Promise<readonly Notification[]> {
  const left = await publish(run, notifications.map(notificationEvent));
  const undelivered = new Set(left.map(({ id }) => id));
  return notifications.filter(({ id }) => !undelivered.has(id));
}

/** Queues messages for every destination. */
export function newMessages(
  { limits, slot }: DeliveryRun,
  notifications: readonly Notification[],
  undecided: number,
): QueuedMessage[] {
  const messages = messagesOf(notifications, limits.mostMessages, undecided);
  return messages.map((message) => ({ message, left: TAKERS, queuedAt: slot }));
}

/** Sends messages to their remaining destinations; returns the undelivered ones. */
export async function sendMessages(
  run: DeliveryRun,
  queued: readonly QueuedMessage[],
): Promise<readonly QueuedMessage[]> {
  if (await run.isStopped()) return queued;
  const { log, count } = run.dependencies;
  const afterEvents = await sendAsEvents(run, queued);
  const afterWebhook = await sendToWebhook(run, afterEvents);
  const open = afterWebhook.filter(({ left }) => left.length > 0);
  const since = Date.parse(run.slot) - run.limits.messagesKeptMs;
  // Not by the time of the message: its notifications may have waited for days before.
  const young = open
    .filter(({ message, queuedAt = message.at }) => Date.parse(queuedAt) > since)
    .slice(-run.limits.messagesKept);
  const dropped = open.length - young.length;
  if (dropped > 0) log.error('messages dropped', { messages: dropped });
  count({ messagesUndelivered: young.length, messagesDropped: dropped });
  return young;
}

async function sendAsEvents(
  run: DeliveryRun,
  queued: readonly QueuedMessage[],
): Promise<readonly QueuedMessage[]> {
  const waiting = queued.filter(({ left }) => left.includes('events'));
  const undelivered = await publish(run, waiting.map(messageEvent));
  const ids = new Set(undelivered.map(({ id }) => id));
  return queued.map((one) => (ids.has(one.message.id) ? one : without(one, 'events')));
}

/** Stops at the first failure to keep the order: a hanging webhook costs one timeout per run. */
async function sendToWebhook(
  run: DeliveryRun,
  queued: readonly QueuedMessage[],
): Promise<readonly QueuedMessage[]> {
  const { dependencies, limits } = run;
  const { table, log, clock } = dependencies;
  if (!queued.some(({ left }) => left.includes('webhook'))) return queued;
  const target = await readWebhook(table);
  if (target === null) return queued.map((one) => without(one, 'webhook'));
  const post = await dependencies.openWebhook();
  const startedAt = clock();
  let isTaken = true;
  const after: QueuedMessage[] = [];
  for (const one of queued) {
    const canTry = isTaken && one.left.includes('webhook') && clock() - startedAt < limits.postForMs;
    if (!canTry || (await run.isStopped())) {
      after.push(one);
      continue;
    }
    const posting = await post(target, one.message, POST_MS);
    isTaken = posting.ok;
    if (!posting.ok) log.warn('webhook delivery failed', { detail: posting.detail });
    after.push(posting.ok ? without(one, 'webhook') : one);
  }
  return after;
}

async function publish(
  { dependencies: { events, log }, slot, isStopped }: DeliveryRun,
  all: readonly CairnEvent[],
): Promise<readonly CairnEvent[]> {
  if (all.length === 0) return [];
  if (await isStopped()) return all;
  try {
    return await events.publish(all);
  } catch (error) {
    log.error('event delivery failed', { slot, error });
    return all;
  }
}

function notificationEvent({ id, type, at, ...detail }: Notification): CairnEvent {
  // `Notification` ties each type to its detail; destructuring loses that.
  return { id, type, at, detail } as CairnEvent;
}

function messageEvent({ message }: QueuedMessage): CairnEvent {
  const { id, at, title, lines, count } = message;
  return { id, type: 'Message', at, detail: { title, lines, count, text: messageLine(message) } };
}

function without(one: QueuedMessage, taker: Taker): QueuedMessage {
  return { ...one, left: one.left.filter((other) => other !== taker) };
}
