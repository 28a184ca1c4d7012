import { gunzipSync, gzipSync } from 'node:zlib';
import type { CensusCounts } from '@cairn/shared/fleet/census';
import type { NotificationLog } from '@cairn/shared/notifications/log';
import type { Message, WebhookFormat } from '@cairn/shared/notifications/message';
import {
  type FleetDurations,
  fleetDurations,
  type UpdateSample,
} from '@cairn/shared/update-status/forecast/fleet';
import { deleteRevision, readItem, reviseItem } from '../store/item.ts';
import { FLEET_STATE_KEY, WEBHOOK_KEY } from '../store/keys.ts';
import { lastSkipIn, type SkippedRun } from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Destinations of messages. */
export const TAKERS = ['events', 'webhook'] as const;
export type Taker = (typeof TAKERS)[number];

/** A message and its remaining destinations. */
export interface QueuedMessage {
  readonly message: Message;
  readonly left: readonly Taker[];
  /** First attempt to send it; former releases did not store it. */
  readonly queuedAt?: string;
}

/** State that the fleet job keeps between runs. */
export interface FleetState {
  /** Fingerprint per pair (`stable-4.14/amd64`) that all its subscribers were assessed with. */
  readonly seen: Readonly<Record<string, string>>;
  /** Pair whose subscribers a run did not finish, and the last cluster it assessed. */
  readonly cut: { readonly pair: string; readonly fingerprint: string; readonly after: string } | null;
  /** Notification log of each pruner. */
  readonly pruners: Readonly<Record<string, NotificationLog>>;
  /** End of each acceptance that a notification was sent for. */
  readonly acceptances: Readonly<Record<string, string>>;
  readonly messages: readonly QueuedMessage[];
  readonly lastRun: { readonly slot: string; readonly clusters: number; readonly news: number } | null;
  /** Null before the first count. */
  readonly census: Census | null;
  /** Completed updates of the fleet, the newest first. */
  readonly samples: readonly UpdateSample[];
}

/** The fleet in numbers, as of a run. */
export interface Census {
  readonly countedAt: string;
  /** Day of the last count of all clusters. */
  readonly day: string;
  readonly parts: readonly CensusCounts[];
}

const EMPTY_STATE: FleetState = {
  seen: {},
  cut: null,
  pruners: {},
  acceptances: {},
  messages: [],
  lastRun: null,
  census: null,
  samples: [],
};

export async function readFleetState(
  table: Table,
): Promise<FleetState & { readonly lastSkip: SkippedRun | null }> {
  const item = (await readItem(table, FLEET_STATE_KEY)) ?? {};
  return { ...fleetStateCodec.view(item), lastSkip: lastSkipIn(item) };
}

/** What updates of the fleet took, as of the last run of the fleet job. */
export async function readFleetDurations(table: Table): Promise<FleetDurations> {
  return fleetDurations((await readFleetState(table)).samples);
}

/** The state is stored gzipped in the attribute `book`. */
export const fleetStateCodec = storedCodec<FleetState>('fleetState', {
  write: (state) => ({ book: gzipSync(JSON.stringify(state)) }),
  read: ({ book }) =>
    book && { ...EMPTY_STATE, ...JSON.parse(gunzipSync(book as Uint8Array).toString('utf8')) },
  none: EMPTY_STATE,
});

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
