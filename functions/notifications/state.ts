import { gunzipSync, gzipSync } from 'node:zlib';
import type { Told } from '@cairn/shared/notifications/log';
import type { Message } from '@cairn/shared/notifications/message';
import { FLEET_STATE_KEY } from '../store/keys.ts';
import {
  acquireLease,
  type DoneSlots,
  finishLease,
  lastSkipIn,
  type LeaseOutcome,
  type LeaseRequest,
  readLeaseItem,
  releaseLease,
  renewLease,
  type SkippedRun,
} from '../store/leases.ts';
import type { Table } from '../store/table.ts';

/** Who takes messages. */
export const TAKERS = ['events', 'webhook'] as const;
export type Taker = (typeof TAKERS)[number];

/** A message, and who has not taken it yet. */
export interface MessageUnderWay {
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
  readonly pruners: Readonly<Record<string, Told>>;
  readonly messages: readonly MessageUnderWay[];
  readonly lastRun: { readonly slot: string; readonly clusters: number; readonly news: number } | null;
}

const EMPTY_STATE: FleetState = { seen: {}, cut: null, pruners: {}, messages: [], lastRun: null };

type FleetLeaseOutcome =
  | (Omit<Extract<LeaseOutcome, { readonly acquired: true }>, 'item'> & { readonly book: FleetState })
  | Extract<LeaseOutcome, { readonly acquired: false }>;

export async function readFleetState(
  table: Table,
): Promise<FleetState & { readonly lastSkip: SkippedRun | null }> {
  const item = (await readLeaseItem(table, FLEET_STATE_KEY)) ?? {};
  return { ...bookOf(item), lastSkip: lastSkipIn(item) };
}

export async function acquireFleetLease(table: Table, lease: LeaseRequest): Promise<FleetLeaseOutcome> {
  const outcome = await acquireLease(table, FLEET_STATE_KEY, lease);
  if (!outcome.acquired) return outcome;
  const { item, ...taken } = outcome;
  return { ...taken, book: bookOf(item) };
}

/** Keeps the book while the run goes on; false when a newer run has taken over. */
export async function keepFleetState(
  table: Table,
  run: { readonly token: number; readonly until: number; readonly book: FleetState },
): Promise<boolean> {
  return renewLease(table, FLEET_STATE_KEY, run, packed(run.book));
}

export async function finishFleetRun(
  table: Table,
  run: { readonly token: number; readonly done: DoneSlots; readonly book: FleetState },
): Promise<boolean> {
  return finishLease(table, FLEET_STATE_KEY, run, packed(run.book));
}

export async function releaseFleetLease(table: Table, run: { readonly token: number }): Promise<boolean> {
  return releaseLease(table, FLEET_STATE_KEY, run);
}

function packed(book: FleetState): { readonly book: Uint8Array } {
  return { book: gzipSync(JSON.stringify(book)) };
}

function bookOf(item: Readonly<Record<string, unknown>>): FleetState {
  const body = item['book'] as Uint8Array | undefined;
  if (body === undefined) return EMPTY_STATE;
  return { ...EMPTY_STATE, ...(JSON.parse(gunzipSync(body).toString('utf8')) as Partial<FleetState>) };
}
