import { messageText, type Message } from '@cairn/shared/notifications/message';
import { type Call, endpoints } from '../http/endpoint.ts';
import { Problem, contended } from '../http/problem.ts';
import type { Whole } from '../http/reply.ts';
import { invalidRequest } from '../http/request.ts';
import { checkUpstreamUrl, webhookPolicy } from '../outbound/egress.ts';
import type { Table } from '../store/table.ts';
import { readFleetState, putWebhook, readWebhook, removeWebhook, type Webhook } from './store.ts';

interface NotificationDependencies {
  readonly table: Table;
  readonly clock: () => number;
  /** Whether a webhook may be on the local machine. */
  readonly allowLoopback: boolean;
}

type WebhookCall = Pick<Call<'putNotificationsWebhook'>, 'body' | 'principal'>;

/** `/v1/notifications` and `/v1/notifications/webhook`, and the same under `/v1/news` */
export function notificationEndpoints(dependencies: NotificationDependencies) {
  const { table } = dependencies;
  const get = () => notificationsView(table);
  const put = (call: WebhookCall) => setWebhook(dependencies, call);
  return endpoints({
    getNotifications: get,
    putNotificationsWebhook: put,
    deleteNotificationsWebhook: () => deleteWebhook(table, '/v1/notifications/webhook'),
    getNews: get,
    putNewsWebhook: put,
    deleteNewsWebhook: () => deleteWebhook(table, '/v1/news/webhook'),
  });
}

async function notificationsView(table: Table) {
  const [webhook, { messages, lastRun, lastSkip }] = await Promise.all([
    readWebhook(table),
    readFleetState(table),
  ]);
  return {
    data: {
      webhook: webhook && webhookView(webhook),
      lastRun,
      lastSkipped: lastSkip,
      undelivered: messages.map(({ message, left }) => ({ ...messageView(message), left })),
    },
  };
}

async function setWebhook(
  { table, clock, allowLoopback }: NotificationDependencies,
  { body, principal }: WebhookCall,
) {
  const { url, format } = body;
  const verdict = checkUpstreamUrl(url, webhookPolicy(url, { allowLoopbackHttp: allowLoopback }));
  if (!verdict.ok) throw invalidRequest([{ pointer: '/url', detail: verdict.detail }]);
  const webhook = { url, format, since: new Date(clock()).toISOString(), by: principal };
  if ((await putWebhook(table, webhook)) === null) throw contended('the webhook');
  return { data: webhookView(webhook) };
}

async function deleteWebhook(table: Table, path: string): Promise<Whole> {
  if ((await readWebhook(table)) === null) {
    throw new Problem('no-webhook', `no webhook is set; PUT ${path} sets one`);
  }
  await removeWebhook(table);
  return { answer: { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' } };
}

/** Shows only the host: the full URL of a webhook is its secret. */
function webhookView({ url, ...rest }: Webhook) {
  return { host: new URL(url).host, ...rest };
}

function messageView(message: Message) {
  const { id, at, count } = message;
  return { id, at, count, text: messageText(message) };
}
