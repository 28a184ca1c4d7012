import { gunzipSync, gzipSync } from 'node:zlib';
import type { NotificationLog } from '@cairn/shared/notifications/log';
import type { Message } from '@cairn/shared/notifications/message';
import { FLEET_STATE_KEY } from '../store/keys.ts';
import { lastSkipIn, readLeaseItem, type SkippedRun } from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Destinations of messages. */
export const TAKERS = ['events', 'webhook'] as const;
export type Taker = (typeof TAKERS)[number];

/** A message and its remaining destinations. */
export interface QueuedMessage {
  readonly message: Message;
  readonly left: readonly Taker[];
}

/** State that the fleet job keeps between runs. */
export interface FleetState {
  /** Fingerprint per pair (`stable-4.14/amd64`) that all its subscribers were assessed with. */
  readonly seen: Readonly<Record<string, string>>;
  /** Pair whose subscribers a run did not finish, and the last cluster it assessed. */
  readonly cut: { readonly pair: string; readonly fingerprint: string; readonly after: string } | null;
  /** Notification log of each pruner. */
  readonly pruners: Readonly<Record<string, NotificationLog>>;
  readonly messages: readonly QueuedMessage[];
  readonly lastRun: { readonly slot: string; readonly clusters: number; readonly news: number } | null;
}

const EMPTY_STATE: FleetState = { seen: {}, cut: null, pruners: {}, messages: [], lastRun: null };

export async function readFleetState(
  table: Table,
): Promise<FleetState & { readonly lastSkip: SkippedRun | null }> {
  const item = (await readLeaseItem(table, FLEET_STATE_KEY)) ?? {};
  return { ...fleetStateCodec.view(item), lastSkip: lastSkipIn(item) };
}

/** The state is stored gzipped in the attribute `book`. */
export const fleetStateCodec = storedCodec<FleetState>('fleetState', {
  write: (state) => ({ book: gzipSync(JSON.stringify(state)) }),
  read: ({ book }) =>
    book && { ...EMPTY_STATE, ...JSON.parse(gunzipSync(book as Uint8Array).toString('utf8')) },
  none: EMPTY_STATE,
});
