import type { WebhookFormat } from '@cairn/shared/notifications/message';
import { deleteRevision, readItem, reviseItem } from '../store/item.ts';
import { WEBHOOK_KEY } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Destination of messages. The URL is a secret: no response contains all of it. */
export interface Webhook {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly since: string;
  /** Principal that set it. */
  readonly by: string;
}

const webhookCodec = storedCodec<Webhook>('webhook', {
  write: (webhook) => ({ webhook }),
  read: ({ webhook }) => webhook,
});

export async function readWebhook(table: Table): Promise<Webhook | null> {
  const item = await readItem(table, WEBHOOK_KEY);
  return item && webhookCodec.view(item);
}

/** Null after too many concurrent changes. */
export async function putWebhook(table: Table, webhook: Webhook): Promise<Webhook | null> {
  const revised = await reviseItem(table, WEBHOOK_KEY, webhookCodec, () => webhook);
  return revised === 'contended' ? null : webhook;
}

export async function removeWebhook(table: Table): Promise<void> {
  const found = await readItem(table, WEBHOOK_KEY);
  if (found) await deleteRevision(table, WEBHOOK_KEY, { revision: String(found['revision']) });
}
