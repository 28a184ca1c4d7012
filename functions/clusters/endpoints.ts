import type { ClusterFacts, ReportedKind } from '@cairn/shared/cluster/facts';
import { archiveOf, type ClusterRecord, isOtherCluster, isUpdating } from '@cairn/shared/cluster/record';
import { stalledAfterOf } from '@cairn/shared/fleet/cluster-settings';
import { updateLine } from '@cairn/shared/fleet/update-line';
import { EMPTY_ARCHIVE, HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { hostedClusterOf } from '@cairn/shared/safety/evidence/hosted';
import { truncate } from '@cairn/shared/text/quote';
import type { StalledAfter } from '@cairn/shared/update-status/answer';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
import { readDocumentInput } from '../documents/read-documents.ts';
import { clusterIn } from '../documents/select-cluster.ts';
import { type Call, endpoints, type SentFields } from '../http/endpoint.ts';
import { checkPreconditions } from '../http/negotiation.ts';
import { Problem, contended } from '../http/problem.ts';
import { TEXT_TYPE, textAnswer } from '../http/reply.ts';
import { invalidRequest } from '../http/request.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import { readFleetDurations } from '../notifications/store.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { Table } from '../store/table.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { historyAsText, historyView } from './history.ts';
import { CLUSTER_ID, clusterReport } from './schema.ts';
import { readClusterSettings } from './settings-store.ts';
import { changeCluster, removeCluster, type StoredCluster, readCluster } from './store.ts';
import { clusterView, factDigests } from './view.ts';

interface ClusterDependencies {
  readonly table: Table;
  readonly openUploads: OpenUploads;
  /** Entries kept in the history of a cluster. */
  readonly historyLimit: number;
  readonly stalledAfter: StalledAfter;
  readonly clock: () => number;
}

/** Clocks of clusters differ. A time up to this far ahead counts as now, so that it cannot outlive later reports. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** More objects than any cluster has. */
const MOST_OBJECTS = [
  ['nodes', 'nodes', 5000],
  ['clusterOperators', 'cluster operators', 1000],
  ['pools', 'machine config pools', 1000],
  ['operators', 'operators', 1000],
  ['subscriptions', 'subscriptions', 1000],
  ['extensions', 'cluster extensions', 1000],
  ['catalogs', 'cluster catalogs', 1000],
  ['objectSets', 'cluster object sets', 5000],
  ['apiUse', 'APIs that go away', 1000],
  ['podsPerNode', 'nodes with pods', 5000],
  ['hostedClusters', 'hosted clusters', 1000],
  ['nodePools', 'node pools', 5000],
] as const satisfies readonly (readonly [keyof ClusterFacts, string, number])[];

export function clusterEndpoints(dependencies: ClusterDependencies) {
  const { table, historyLimit, clock } = dependencies;
  return endpoints({
    putCluster: (call) => putCluster(dependencies, call),

    getCluster: async ({ path, query }) => {
      const cluster = await storedCluster(table, path);
      const view = clusterView(cluster.id, cluster.record, { usernames: isFlagSet(query.usernames) });
      const forReporter = isFlagSet(query.digests) && {
        digests: factDigests(cluster.record.facts),
        updateInProgress: isUpdating(cluster.record),
      };
      return { data: { ...view, ...forReporter }, headers: { etag: entityTag(cluster) } };
    },

    getClusterHistory: async ({ path, query }) => {
      const { id, record } = await storedCluster(table, path);
      const explain = isFlagSet(query.explain);
      const archive = query.history === 'control-plane' ? record.controlPlaneHistory : archiveOf(record);
      const view = historyView(id, archive ?? EMPTY_ARCHIVE, { limit: historyLimit, explain });
      if (query.format !== 'text') return { data: view };
      return { answer: textAnswer(TEXT_TYPE, historyAsText(view)) };
    },

    deleteCluster: async ({ path, headers }) => {
      const id = clusterId(path);
      const outcome = await removeCluster(table, id, new Date(clock()).toISOString(), (stored) =>
        checkPreconditions(headers, entityTag(stored)),
      );
      if (outcome === 'contended') throw contended(id);
      if (outcome === 'unknown') throw unknownCluster(id);
      return { answer: { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' } };
    },
  });
}

async function putCluster(
  { table, openUploads, historyLimit, stalledAfter, clock }: ClusterDependencies,
  call: Call<'putCluster'>,
) {
  const id = clusterId(call.path);
  const now = clock();
  const { fields, facts } = await readDocumentInput(call, clusterReport(), openUploads, (sent) => ({
    collectedAt: collectionTime(sent.collected_at, now).at,
    usernames: sent.usernames ?? false,
  }));
  const { clockSkewMs } = collectionTime(fields.collected_at, now);
  // Forecasts are made while an update is in progress.
  const isPartial = facts.clusterVersion?.history[0]?.state === 'Partial';
  const fleetNow = isPartial ? await readFleetDurations(table) : null;
  const stalledAfterIn = async (record: ClusterRecord): Promise<StalledAfter> => {
    const stored = isUpdating(record) ? await readClusterSettings(table, id) : null;
    return stalledAfterOf(stalledAfter, stored?.settings.updates);
  };
  const change = await changeCluster(
    table,
    id,
    (former) => {
      checkPreconditions(call.headers, former && entityTag(former));
      const known = former?.record ?? null;
      const reported = factsOf(known, facts, fields.hosted);
      refuseLarge(reported);
      return recordAfter(id, known, reported, {
        controlPlaneHistory: hostedClusterOf(reported)?.controlPlaneHistory ?? null,
        now: new Date(now).toISOString(),
        forget: fields.replace ?? false,
        historyLimit,
        clockSkewMs,
        fleet: fleetNow,
        ...(fields.unchanged && { unchanged: fields.unchanged }),
      });
    },
    async (record) => {
      const fleet = fleetNow ?? (isUpdating(record) ? await readFleetDurations(table) : null);
      return updateLine(record, now, await stalledAfterIn(record), fleet);
    },
  );
  if (change.outcome === 'contended') throw contended(id);
  if (change.outcome === 'too-large') {
    const { bytes, limit } = change;
    throw new Problem(
      'cluster-too-large',
      `what is known of ${id} takes ${bytes} bytes, at most ${limit} are kept`,
    );
  }
  const { cluster, isNew } = change;
  return {
    ...(isNew && { status: 201 }),
    data: clusterView(id, cluster.record, { usernames: false }),
    headers: { etag: entityTag(cluster), ...(isNew && { location: `/v1/clusters/${id}` }) },
  };
}

function entityTag({ revision }: StoredCluster): string {
  return `"${revision}"`;
}

/**
 * Documents without a collection time were collected now. A clock that is too far ahead is not trusted: its reports
 * count as collected now, and its times are moved by the difference.
 */
function collectionTime(
  text: string | undefined,
  now: number,
): { readonly at: string; readonly clockSkewMs: number } {
  const moment = text === undefined ? now : Date.parse(text);
  return {
    at: new Date(Math.min(moment, now)).toISOString(),
    clockSkewMs: moment > now + CLOCK_TOLERANCE_MS ? moment - now : 0,
  };
}

function refuseLarge(facts: ClusterFacts): void {
  const counts = [
    ...MOST_OBJECTS.map(([kind, name, most]) => [facts[kind]?.length ?? 0, name, most] as const),
    [facts.clusterVersion?.history.length ?? 0, 'updates in the history', HISTORY_LIMIT.most] as const,
    [
      hostedClusterOf(facts)?.controlPlaneHistory?.length ?? 0,
      'updates of the control plane',
      HISTORY_LIMIT.most,
    ] as const,
  ];
  const errors = counts.flatMap(([count, name, most]): ErrorDetail[] =>
    count > most ? [{ detail: `${count} ${name} were sent, at most ${most} are accepted` }] : [],
  );
  if (errors.length === 0) return;
  throw new Problem('cluster-too-large', errors.map(({ detail }) => detail).join('; '), { errors });
}

/** A hosted cluster is stored by what its HostedCluster shows. Other clusters keep those that they host. */
function factsOf(
  former: ClusterRecord | null,
  facts: ClusterFacts,
  hosted: string | undefined,
): ClusterFacts {
  const isNewOrHosted = former === null || hostedClusterOf(former.facts) !== null;
  const isOfHosted = facts.clusterVersion === null && (facts.hostedClusters ?? []).length > 0;
  if (hosted === undefined && !(isNewOrHosted && isOfHosted)) return facts;
  const cluster = clusterIn(facts, hosted);
  const own = hostedClusterOf(cluster);
  // Updates of the control plane are a history of their own.
  const history = facts.clusterVersion?.history ?? own?.version.history;
  return own && history && cluster.clusterVersion
    ? { ...cluster, clusterVersion: { ...cluster.clusterVersion, history } }
    : cluster;
}

function recordAfter(
  id: string,
  former: ClusterRecord | null,
  facts: ClusterFacts,
  options: Parameters<typeof takeRunReport>[2],
): ClusterRecord {
  if (former && !options.forget && isOtherCluster(former, facts)) {
    const [known, sent] = [former.facts, facts].map(({ clusterVersion }) =>
      JSON.stringify(clusterVersion?.clusterId?.slice(0, 100)),
    );
    throw new Problem(
      'cluster-mismatch',
      `${id} has the clusterID ${known}, the documents are of ${sent}; with replace=true they take its place`,
    );
  }
  refuseUnknown(former, options.unchanged ?? []);
  const record = takeRunReport(former, facts, options);
  if (record.facts.clusterVersion === null) {
    const when = former === null ? 'of a new cluster' : 'where all is replaced';
    throw new Problem(
      'invalid-documents',
      `the ClusterVersion is missing, ${when} it is needed: oc get clusterversion version -o json prints it`,
    );
  }
  return record;
}

/** A kind that was never reported cannot be unchanged. */
function refuseUnknown(former: ClusterRecord | null, unchanged: readonly ReportedKind[]): void {
  const unknown = unchanged.filter((kind) => former?.collected[kind] === undefined);
  if (unknown.length === 0) return;
  const value = unknown.join(',');
  const detail = 'was never reported, send its documents';
  throw new Problem('invalid-parameter', `unchanged=${value}: ${detail}`, {
    errors: [{ parameter: 'unchanged', value, detail }],
  });
}

const ID_ACCEPTED = '1 to 100 letters, digits, dots, underscores and hyphens are accepted, but not . and ..';

/** Throws a problem if the cluster does not exist. */
export async function storedCluster(table: Table, path: SentFields): Promise<StoredCluster> {
  const id = clusterId(path);
  const cluster = await readCluster(table, id);
  if (!cluster) throw unknownCluster(id);
  return cluster;
}

/** Throws a problem for an invalid ID. */
export function clusterId({ id = '' }: SentFields): string {
  if (isClusterId(id)) return id;
  throw invalidRequest([{ parameter: 'id', value: truncate(id), detail: ID_ACCEPTED }]);
}

export function isClusterId(text: string): boolean {
  return CLUSTER_ID.test(text);
}

function unknownCluster(id: string): Problem {
  return new Problem('unknown-cluster', `there is no cluster ${id}; GET /v1/clusters lists them`);
}
