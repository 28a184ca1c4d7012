import type { WebhookFormat } from '@cairn/shared/notifications/message';
import { deleteRevised, readRevised, writeRevised, whileOthersWrite } from '../store/item.ts';
import { WEBHOOK_KEY } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Where messages are posted. Who has the address can post there: it is never told again in full. */
export interface Webhook {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly since: string;
  /** Who said so. */
  readonly by: string;
}

export async function readWebhook(table: Table): Promise<Webhook | null> {
  const item = await readRevised(table, WEBHOOK_KEY);
  return item && (item['webhook'] as Webhook);
}

/** Null when others keep changing it. */
export async function putWebhook(table: Table, webhook: Webhook): Promise<Webhook | null> {
  return whileOthersWrite(async () => {
    const found = await readRevised(table, WEBHOOK_KEY);
    const written = await writeRevised(table, WEBHOOK_KEY, found, { webhook });
    return written === null ? null : webhook;
  });
}

export async function removeWebhook(table: Table): Promise<void> {
  const found = await readRevised(table, WEBHOOK_KEY);
  if (found) await deleteRevised(table, WEBHOOK_KEY, found);
}
