import { gunzipSync, gzipSync } from 'node:zlib';
import type { NotificationLog } from '@cairn/shared/notifications/log';
import type { Message } from '@cairn/shared/notifications/message';
import { FLEET_STATE_KEY } from '../store/keys.ts';
import { lastSkipIn, readLeaseItem, type SkippedRun } from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Who takes messages. */
export const TAKERS = ['events', 'webhook'] as const;
export type Taker = (typeof TAKERS)[number];

/** A message, and who has not taken it yet. */
export interface QueuedMessage {
  readonly message: Message;
  readonly left: readonly Taker[];
}

/** What following the fleet keeps from run to run. */
export interface FleetState {
  /** By pair, as `stable-4.14/amd64`: what every cluster that it concerns has been looked at with. */
  readonly seen: Readonly<Record<string, string>>;
  /** The pair that a run had no time to go through, and the last cluster that it looked at. */
  readonly cut: { readonly pair: string; readonly fingerprint: string; readonly after: string } | null;
  /** What was told of each pruner. */
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
