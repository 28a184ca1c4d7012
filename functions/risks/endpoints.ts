import { groupBy } from '@cairn/shared/collection/group-by';
import { type AcceptedRisk, acceptedRisks, type RiskAcceptance } from '@cairn/shared/risk/acceptances';
import { type ExposedCluster, exposedClusters, exposureOf } from '@cairn/shared/risk/exposure';
import type { IndexedRisk } from '@cairn/shared/risk/risk-index';
import { worstOf } from '@cairn/shared/risk/update-risks';
import { truncate } from '@cairn/shared/text/quote';
import { isClusterId, storedCluster } from '../clusters/endpoints.ts';
import { readClusterSettings } from '../clusters/settings-store.ts';
import { readListedClusters } from '../clusters/store.ts';
import { readRiskRows } from '../fleet/census.ts';
import { definitionDigest, readClusterRisks } from '../fleet/risk-store.ts';
import { readAssessments } from '../fleet/store.ts';
import { type Call, endpoints } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, limitOf, nextLink } from '../http/pagination.ts';
import { Problem } from '../http/problem.ts';
import { CSV_TYPE, textAnswer } from '../http/reply.ts';
import { readFleetState } from '../notifications/store.ts';
import { archOfCluster } from '../plans/plan-upgrade.ts';
import { readCounting } from '../risk-acceptances/store.ts';
import { weakEntityTag } from '../runtime/hash.ts';
import type { Table } from '../store/table.ts';
import { evaluation, type EvaluationSources, refuseUnfollowed, wantedPairs } from './evaluations.ts';
import { verdictView, type RiskClusterLine, riskClustersAsCsv, riskView } from './view.ts';

interface RiskSources extends EvaluationSources {
  readonly table: Table;
  readonly clock: () => number;
}

/** A CSV export is read whole; this many rows fit in a response. */
const MOST_ROWS = 10_000;
/** Verdicts of a cluster are many, so only so many clusters are read at once. */
const CLUSTERS_AT_ONCE = 500;

/** `/v1/clusters/{id}/risks`, `/v1/risks…` and `/v1/risk-queries` */
export function riskEndpoints(sources: RiskSources) {
  const { table, reader, clock } = sources;
  return endpoints({
    getClusterRisks: (call) => clusterRisks(sources, call),

    listRisks: async ({ query }) => {
      const isWanted = await wantedPairs(
        sources,
        query.channel === undefined ? [] : [query.channel],
        query.arch,
      );
      const { risks } = await reader.risks();
      const [rows, acceptances] = await Promise.all([readRows(table), readCounting(table)]);
      const accepted = acceptedOf(acceptances, clock());
      const byName = [...groupBy(risks, ({ name }) => name)].filter(([, definitions]) =>
        definitions.some(({ places }) => places.some(({ pair }) => isWanted(pair))),
      );
      const listed = byName.map(([name, definitions]) => {
        const exposed = exposedClusters(rows, digestsOf(definitions));
        return riskView(
          definitions,
          exposureOf(exposed, (cluster) => accepted(cluster, name) !== undefined),
        );
      });
      return { data: { risks: listed }, headers: { etag: weakEntityTag(listed) } };
    },

    listRiskClusters: (call) => listRiskClusters(sources, call),
  });
}

async function clusterRisks(sources: RiskSources, { path, query }: Call<'getClusterRisks'>) {
  const { table, reader, clock } = sources;
  const { id, record } = await storedCluster(table, path);
  const { facts, collected } = record;
  const snapshot = await reader.snapshot(archOfCluster(facts));
  const asked = query.channel?.split(',');
  if (asked) await refuseUnfollowed(asked, snapshot, sources);
  const planned = (await readAssessments(table, [id])).get(id)?.outlook.channels ?? [];
  const own = facts.clusterVersion?.channel;
  const usual = [...(own ? [own] : []), ...planned].filter((channel) => snapshot.directory.get(channel));
  const channels = [...new Set(asked ?? usual)];
  const ends = { from: null, to: null };
  const stored = { collected, now: clock() };
  const found = await evaluation({ facts, stored, snapshot, channels, ends, hop: 'first' });
  const [settings, acceptances] = await Promise.all([readClusterSettings(table, id), readCounting(table)]);
  const named = { id, accepted: settings?.settings.acceptRisks ?? [] };
  const acceptedBy = acceptedOf(acceptances, clock());
  const risks = found.risks.map((risk) => ({ ...risk, ...acceptedField(acceptedBy(named, risk.name)) }));
  const data = { ...found, risks };
  return { data, headers: { etag: weakEntityTag(data) } };
}

async function readRows(table: Table) {
  return readRiskRows(table, (await readFleetState(table)).census);
}

type AcceptedOf = (
  cluster: Pick<ExposedCluster, 'id' | 'accepted'>,
  risk: string,
) => AcceptedRisk | undefined;

/** Undefined for a risk that is not accepted. */
function acceptedOf(acceptances: readonly RiskAcceptance[], now: number): AcceptedOf {
  const byRisk = groupBy(acceptances, ({ risk }) => risk);
  return ({ id, accepted }, risk) => {
    const named = accepted.includes(risk) ? [risk] : [];
    return acceptedRisks(id, { now, acceptances: byRisk.get(risk) ?? [], named }).get(risk);
  };
}

function acceptedField(accepted: AcceptedRisk | undefined): { readonly accepted?: AcceptedRisk } {
  return accepted === undefined ? {} : { accepted };
}

function digestsOf(definitions: readonly IndexedRisk[]): ReadonlySet<string> {
  return new Set(definitions.map(definitionDigest));
}

async function listRiskClusters(
  { table, reader, clock }: RiskSources,
  { path, query }: Call<'listRiskClusters'>,
) {
  const { name = '' } = path;
  const definitions = (await reader.risks()).risks.filter((risk) => risk.name === name);
  if (definitions.length === 0) throw unknownRisk(name);
  const digests = digestsOf(definitions);
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, placeIn);
  const isSheet = query.format === 'csv';
  const limit = isSheet && query.limit === undefined ? MOST_ROWS : limitOf(query);
  const wanted = query.applies?.split(',');
  const [rows, acceptances] = await Promise.all([readRows(table), readCounting(table)]);
  const ids = exposedClusters(rows, digests)
    .filter(({ id, applies }) => (after === null || id > after) && (wanted?.includes(applies) ?? true))
    .map(({ id }) => id)
    .toSorted();
  const page = ids.slice(0, limit);
  const clusters = await linesOf(table, page, { name, digests, accepted: acceptedOf(acceptances, clock()) });
  const nextCursor = page.length < ids.length ? encodeCursor([page.at(-1)!]) : null;
  if (!isSheet) {
    return { data: { clusters, nextCursor }, headers: { etag: weakEntityTag([clusters, nextCursor]) } };
  }
  const answer = textAnswer(CSV_TYPE, riskClustersAsCsv(clusters));
  const own = `/v1/risks/${encodeURIComponent(name)}/clusters`;
  const link = nextCursor !== null && { link: nextLink(own, query, nextCursor) };
  return { answer: { ...answer, headers: { ...answer.headers, ...link } } };
}

/** Of clusters that were deleted since the last run there is none. */
async function linesOf(
  table: Table,
  ids: readonly string[],
  risk: { readonly name: string; readonly digests: ReadonlySet<string>; readonly accepted: AcceptedOf },
): Promise<RiskClusterLine[]> {
  const { name, digests, accepted: acceptedBy } = risk;
  const lines: RiskClusterLine[] = [];
  for (let start = 0; start < ids.length; start += CLUSTERS_AT_ONCE) {
    const some = ids.slice(start, start + CLUSTERS_AT_ONCE);
    const [clusters, stored] = await Promise.all([
      readListedClusters(table, some),
      readClusterRisks(table, some),
    ]);
    for (const { id, version } of clusters) {
      const { verdicts = {}, onPath = [], accepted = [] } = stored.get(id) ?? {};
      const answer = worstOf([...digests].flatMap((digest) => verdicts[digest] ?? []));
      if (answer === null) continue;
      lines.push({
        id,
        version,
        ...verdictView(answer),
        ...acceptedField(acceptedBy({ id, accepted }, name)),
        onPlannedPath: onPath.includes(name),
      });
    }
  }
  return lines;
}

function placeIn([id = '', ...more]: readonly string[]): string | null {
  return isClusterId(id) && more.length === 0 ? id : null;
}

function unknownRisk(name: string): Problem {
  const shown = JSON.stringify(truncate(name));
  return new Problem('unknown-risk', `no followed channel has a risk ${shown}; GET /v1/risks lists them`);
}
