import { nearestName } from '@cairn/shared/text/nearest';
import { countInWords } from '@cairn/shared/text/words';
import { CLOCK_SKEW_MS, isInFuture } from '@cairn/shared/time/future';
import { endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import type { RunLauncher } from '../jobs/launcher.ts';
import {
  futureTimesIn,
  heldView,
  isStale,
  type PairState,
  readSyncState,
  type SyncItem,
  type SyncSettings,
} from '../releases/sync-state.ts';
import { readItem } from '../store/item.ts';
import { HOUSEKEEPING_STATE_KEY } from '../store/keys.ts';
import { type FutureTime, futureTimesOf, isLeaseHeld, lastSkipIn, leaseOf } from '../store/leases.ts';
import type { Table } from '../store/table.ts';
import type { PAIR_STATES } from './schema.ts';
const TIMES_SHOWN = 20;

/** `GET /v1/sync` */
export function syncStatusEndpoints(table: Table, clock: () => number, settings: SyncSettings) {
  return endpoints({
    getSync: async () => {
      const [state, item] = await Promise.all([
        readSyncState(table),
        readItem(table, HOUSEKEEPING_STATE_KEY),
      ]);
      const now = clock();
      const book = state?.book;
      const housekeeping = leaseOf(item ?? {});
      return {
        data: {
          upstream: book?.upstream ?? null,
          running: state !== null && isLeaseHeld(state, now),
          lastRun: book?.runs[0] ?? null,
          lastSkipped: state?.lastSkip ?? null,
          watch: { lastSlot: housekeeping.lastSlot, lastSkipped: lastSkipIn(item ?? {}) },
          futureTimes: futureTimesView([
            ...(state === null ? [] : futureTimesIn(state, now)),
            ...futureTimesOf(housekeeping, now).map(({ field, at }) => ({ field: `watch ${field}`, at })),
          ]),
          runs: book?.runs ?? [],
          retiredMinors: Object.entries(book?.retired ?? {}).map(([minor, since]) => ({
            minor,
            since,
            rowsDeletedAfter: new Date(Date.parse(since) + settings.retirementGraceMs).toISOString(),
            heldBecause: book?.retirementHeld ?? null,
          })),
          pairs: Object.entries(book?.pairs ?? {}).map(([name, pair]) => pairView(name, pair, now, settings)),
        },
      };
    },
  });
}

/** Null if no stored time is in the future. */
function futureTimesView(times: readonly FutureTime[]) {
  if (times.length === 0) return null;
  const minutes = CLOCK_SKEW_MS / 60_000;
  return {
    count: times.length,
    times: times.slice(0, TIMES_SHOWN),
    note: `A clock was wrong: ${countInWords(times.length, 'stored time')} more than ${minutes} minutes ahead. Such a time counts as unknown and stops no run. The next run replaces it.`,
  };
}

/** `POST /v1/sync/runs` */
export function syncRunEndpoints(table: Table, clock: () => number, launcher: RunLauncher) {
  return endpoints({
    startSyncRun: async ({ body }) => {
      const { accept = [] } = body;
      const state = await readSyncState(table);
      const now = clock();
      if (state && isLeaseHeld(state, now)) {
        throw new Problem(
          'run-in-progress',
          'a sync is running, try again when GET /v1/sync shows running: false',
          { retryAfterSeconds: 30 },
        );
      }
      refuseUnknownPairs(accept, state);
      const slot = await launcher.launchSync({ accept, now });
      return { data: { slot, status: '/v1/sync' }, headers: { location: '/v1/sync' } };
    },
  });
}

function refuseUnknownPairs(accept: readonly string[], state: SyncItem | null): void {
  const known = Object.keys(state?.book.pairs ?? {});
  const errors = accept.flatMap((pair, index) => {
    if (known.includes(pair)) return [];
    const nearest = nearestName(pair, known);
    const hint = nearest ? `did you mean ${nearest}?` : 'GET /v1/sync lists them';
    return [{ pointer: `/accept/${index}`, value: pair, detail: `is not a followed pair, ${hint}` }];
  });
  if (errors.length === 0) return;
  throw new Problem('invalid-body', errors.map((error) => `${error.value} ${error.detail}`).join('; '), {
    errors,
  });
}

function pairView(name: string, pair: PairState, now: number, settings: SyncSettings) {
  const [channel = '', arch = ''] = name.split('/');
  return {
    channel,
    arch,
    state: stateOf(pair, now),
    stale: isStale(pair, now, settings.intervalMs),
    lastAttemptAt: pair.lastAttemptAt || null,
    lastSuccessAt: pair.lastSuccessAt,
    lastChangeAt: pair.lastChangeAt,
    nodes: pair.nodes,
    edges: pair.edges,
    error: pair.error,
    held: heldView(pair.held),
    missing: Object.entries(pair.missing).map(([version, absence]) => ({
      version,
      since: absence.since,
      withdrawn: absence.withdrawnAt !== undefined,
    })),
    repairs: pair.repairs,
    payloadConflicts: pair.payloadConflicts,
  };
}

function stateOf({ outcome, lastSuccessAt }: PairState, now: number): (typeof PAIR_STATES)[number] {
  if (outcome === 'Held') return 'Held';
  if (outcome === 'Failed') return 'Failing';
  if (outcome === 'Skipped') return 'Skipped';
  return lastSuccessAt !== null && isInFuture(lastSuccessAt, now) ? 'Unknown' : 'Current';
}
