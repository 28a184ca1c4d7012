import { updatesAsCsv } from '@cairn/shared/fleet/cluster-row';
import {
  comparePlaces,
  countUpdates,
  FLEET_UPDATE_STATES,
  type FleetUpdateState,
  type ListedUpdate,
  LISTED_MS,
  placeOf,
  type UpdateCounts,
  type UpdatePlace,
} from '@cairn/shared/fleet/update-list';
import { parseSince } from '@cairn/shared/text/duration';
import { forecastError } from '@cairn/shared/update-status/forecast/fleet';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { isClusterId } from '../clusters/endpoints.ts';
import { endpoints } from '../http/endpoint.ts';
import { matchesEntityTag } from '../http/negotiation.ts';
import { decodeCursor, encodeCursor, limitOf, nextLink } from '../http/pagination.ts';
import { boundedJson, CSV_TYPE, textAnswer } from '../http/reply.ts';
import { invalidRequest, truncateIfGiven } from '../http/request.ts';
import { readFleetState } from '../notifications/store.ts';
import { sha256Hex } from '../runtime/hash.ts';
import type { Table } from '../store/table.ts';
import { type FleetUpdatesQuery, UPDATES_SINCE } from './schema.ts';
import { readUpdates } from './store.ts';

interface UpdateSources {
  readonly table: Table;
  readonly clock: () => number;
}

/** `/v1/fleet/updates` */
export function fleetUpdateEndpoints({ table, clock }: UpdateSources) {
  return endpoints({
    listFleetUpdates: async ({ query, headers }) => {
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor, placeIn);
      const wanted = (await askedUpdates(table, clock(), query.since)).filter((line) =>
        isWanted(line, query),
      );
      const states = query.state?.split(',') ?? null;
      const lines = wanted
        .filter(({ state }) => states === null || states.includes(state))
        .filter((line) => after === null || comparePlaces(placeOf(line), after) > 0)
        .toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)));
      const page = lines.slice(0, limitOf(query));
      const nextCursor = page.length < lines.length ? encodePlace(placeOf(page.at(-1)!)) : null;
      const { answer } =
        query.format === 'csv'
          ? { answer: textAnswer(CSV_TYPE, updatesAsCsv(page)) }
          : boundedJson({
              clusters: page,
              counts: countUpdates(wanted),
              forecastError: forecastError((await readFleetState(table)).samples),
              nextCursor,
            });
      const tag = `"${sha256Hex(`${answer.body} ${nextCursor}`).slice(0, 32)}"`;
      const link =
        query.format === 'csv' && nextCursor !== null
          ? { link: nextLink('/v1/fleet/updates', query, nextCursor) }
          : {};
      const sent = { etag: `W/${tag}`, 'cache-control': 'private, no-cache', ...link };
      return matchesEntityTag(headers['if-none-match'], [tag])
        ? { answer: { statusCode: 304, headers: sent, body: '' } }
        : { answer: { ...answer, headers: { ...answer.headers, ...sent } } };
    },
  });
}

/** Counts by state, for the summary of the fleet. */
export async function updateCounts({ table, clock }: UpdateSources): Promise<UpdateCounts> {
  return countUpdates(await askedUpdates(table, clock()));
}

async function askedUpdates(table: Table, now: number, asked?: string): Promise<ListedUpdate[]> {
  const since = parseSince(asked ?? UPDATES_SINCE, now)!;
  if (now - Date.parse(since) > LISTED_MS) {
    const detail = 'at most 30 days are accepted';
    throw invalidRequest([{ parameter: 'since', value: truncateIfGiven(asked), detail }]);
  }
  return readUpdates(table, { now, since });
}

function isWanted({ id, to }: ListedUpdate, { minor, name }: FleetUpdatesQuery): boolean {
  const version = parseVersion(to);
  return (
    (name === undefined || id.toLowerCase().includes(name.toLowerCase())) &&
    (minor === undefined || (version !== null && minor.split(',').includes(minorOf(version))))
  );
}

function encodePlace({ id, state, end }: UpdatePlace): string {
  return encodeCursor([state, end ?? '', id]);
}

function placeIn([state = '', end = '', id = '', ...more]: readonly string[]): UpdatePlace | null {
  const isEnd = end === '' || !Number.isNaN(Date.parse(end));
  if (!isState(state) || !isEnd || !isClusterId(id) || more.length > 0) return null;
  return { id, state, end: end === '' ? null : end };
}

function isState(text: string): text is FleetUpdateState {
  return (FLEET_UPDATE_STATES as readonly string[]).includes(text);
}
