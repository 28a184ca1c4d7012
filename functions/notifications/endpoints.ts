import { messageText, type Message } from '@cairn/shared/notifications/message';
import { endpoints } from '../http/endpoint.ts';
import { Problem, contended } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import { checkUpstreamUrl, webhookPolicy } from '../outbound/egress.ts';
import type { Table } from '../store/table.ts';
import { readFleetState } from './state.ts';
import { putWebhook, readWebhook, removeWebhook, type Webhook } from './webhook-store.ts';

interface NewsDependencies {
  readonly table: Table;
  readonly clock: () => number;
  /** Whether messages may be posted to this machine. */
  readonly allowLoopback: boolean;
}

/** `/v1/news` and `/v1/news/webhook` */
export function newsEndpoints({ table, clock, allowLoopback }: NewsDependencies) {
  return endpoints({
    async getNews() {
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
    },

    async putNewsWebhook({ body, principal }) {
      const { url, format } = body;
      const verdict = checkUpstreamUrl(url, webhookPolicy(url, { allowLoopbackHttp: allowLoopback }));
      if (!verdict.ok) throw invalidRequest([{ pointer: '/url', detail: verdict.detail }]);
      const webhook = { url, format, since: new Date(clock()).toISOString(), by: principal };
      if ((await putWebhook(table, webhook)) === null) throw contended('the webhook');
      return { data: webhookView(webhook) };
    },

    async deleteNewsWebhook() {
      if ((await readWebhook(table)) === null) {
        throw new Problem('no-webhook', 'no webhook is set; PUT /v1/news/webhook sets one');
      }
      await removeWebhook(table);
      return { answer: { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' } };
    },
  });
}

/** Who knows the path of a webhook can post there: only the host is told. */
function webhookView({ url, ...rest }: Webhook) {
  return { host: new URL(url).host, ...rest };
}

function messageView(message: Message) {
  const { id, at, count } = message;
  return { id, at, count, text: messageText(message) };
}
