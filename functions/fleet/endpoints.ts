import { fleetSummary } from '@cairn/shared/fleet/census';
import {
  clustersAsCsv,
  type ClusterFilter,
  type ClusterLine,
  clusterLine,
  isWanted,
} from '@cairn/shared/fleet/cluster-row';
import { dayOf, supportCalendar } from '@cairn/shared/releases/lifecycle';
import { parseDuration } from '@cairn/shared/text/duration';
import { isClusterId } from '../clusters/endpoints.ts';
import { listClusters } from '../clusters/store.ts';
import { endpoints } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, limitOf, nextLink } from '../http/pagination.ts';
import { CSV_TYPE, textAnswer } from '../http/reply.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import { readFleetState } from '../notifications/store.ts';
import { supportSettings } from '../releases/configuration.ts';
import { weakEntityTag } from '../runtime/hash.ts';
import type { Documents } from '../store/publication-cache.ts';
import type { Table } from '../store/table.ts';
import { countAll, isUsable } from './census.ts';
import type { ClustersQuery } from './schema.ts';
import { readAssessments } from './store.ts';
import { fleetUpdateEndpoints, updateCounts } from './updates.ts';

/** Clusters read per call while filtering. */
const PAGE = 500;
/** Clusters examined per response; a client that gets too few continues with the cursor. */
const MOST_EXAMINED = 5000;
/** A CSV export is read whole; this many rows fit in a response. */
const MOST_ROWS = 10_000;
const OVERDUE_AFTER = '24h';

interface FleetSources {
  readonly table: Table;
  readonly documents: Documents;
  readonly clock: () => number;
}

interface Reading {
  readonly lines: readonly ClusterLine[];
  readonly last: string | null;
}

/** `/v1/clusters` and `/v1/fleet/…` */
export function fleetEndpoints(dependencies: FleetSources) {
  const own = endpoints({
    listClusters: async ({ query }) => {
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor, placeIn);
      const isSheet = query.format === 'csv';
      const limit = isSheet && query.limit === undefined ? MOST_ROWS : limitOf(query);
      const { lines, last } = await readLines(dependencies, after, limit, query);
      const nextCursor = last === null ? null : encodeCursor([last]);
      if (!isSheet) {
        const ageless = lines.map(({ reportAgeSeconds: _age, ...line }) => line);
        return {
          data: { clusters: lines, nextCursor },
          headers: { etag: weakEntityTag([ageless, nextCursor]) },
        };
      }
      const answer = textAnswer(CSV_TYPE, clustersAsCsv(lines));
      const link = nextCursor !== null && { link: nextLink('/v1/clusters', query, nextCursor) };
      return { answer: { ...answer, headers: { ...answer.headers, ...link } } };
    },

    getFleetSummary: async ({ query }) => {
      const { census } = await readFleetState(dependencies.table);
      const options = await lineOptions(dependencies, query);
      const isCounted = census !== null && isUsable(census, options.now);
      const parts = isCounted ? census.parts : [await countAll(dependencies.table)];
      return {
        data: {
          ...fleetSummary(parts, options),
          updates: await updateCounts(dependencies),
          countedAt: isCounted ? census.countedAt : null,
        },
      };
    },
  });
  return { ...own, ...fleetUpdateEndpoints(dependencies) };
}

async function lineOptions(
  { documents, clock }: FleetSources,
  { overdue_after: overdueAfter }: Pick<ClustersQuery, 'overdue_after'>,
) {
  const now = clock();
  const calendar = supportCalendar(await supportSettings(documents), dayOf(now));
  return { now, calendar, overdueAfterMs: parseDuration(overdueAfter ?? OVERDUE_AFTER)! };
}

/** Reads matching clusters in ID order until the limit is reached or too many are examined. */
async function readLines(
  sources: FleetSources,
  start: string | null,
  limit: number,
  query: ClustersQuery,
): Promise<Reading> {
  const { table } = sources;
  const filter = filterOf(query);
  const options = await lineOptions(sources, query);
  const isUnfiltered = Object.values(filter).every((wanted) => wanted === undefined);
  const lines: ClusterLine[] = [];
  let examined = 0;
  let after = start;
  for (;;) {
    const wanted = limit - lines.length;
    const size = isUnfiltered ? Math.min(PAGE, wanted) : PAGE;
    const page = await listClusters(table, { after, limit: size });
    const assessments = await readAssessments(
      table,
      page.clusters.map(({ id }) => id),
    );
    const found = page.clusters
      .map((cluster) => clusterLine(cluster, assessments.get(cluster.id) ?? null, options))
      .filter((line) => isWanted(line, filter));
    lines.push(...found.slice(0, wanted));
    // More matches than requested: the next page starts after the last one returned.
    if (found.length > wanted) return { lines, last: lines.at(-1)!.id };
    examined += size;
    after = page.last;
    if (after === null || lines.length === limit || examined >= Math.max(MOST_EXAMINED, limit)) {
      return { lines, last: after };
    }
  }
}

function filterOf({ minor, channel, verdict, blocker, overdue, name }: ClustersQuery): ClusterFilter {
  return {
    ...(minor !== undefined && { minors: minor.split(',') }),
    ...(channel !== undefined && { channels: channel.split(',') }),
    ...(verdict !== undefined && { verdicts: verdict.split(',') }),
    ...(blocker !== undefined && { blocker }),
    ...(overdue !== undefined && { overdue: isFlagSet(overdue) }),
    ...(name !== undefined && { name }),
  };
}

function placeIn(parts: readonly string[]): string | null {
  const [id = '', ...more] = parts;
  return isClusterId(id) && more.length === 0 ? id : null;
}
