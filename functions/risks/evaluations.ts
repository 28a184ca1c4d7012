import { type ClusterFacts, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { groupBy } from '@cairn/shared/collection/group-by';
import type { HopPlace } from '@cairn/shared/path/question';
import { clusterRisks, type RiskSources } from '@cairn/shared/risk/cluster-risks';
import { countedResources } from '@cairn/shared/risk/counted-resources';
import { queryOf } from '@cairn/shared/risk/risk-index';
import { risksOfUpdates, type UpdateEnds, updatesFrom, worstOf } from '@cairn/shared/risk/update-risks';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { ARCHES } from '@cairn/shared/version/arch';
import { readDocumentInput } from '../documents/read-documents.ts';
import { clusterIn } from '../documents/select-cluster.ts';
import { sentName } from '../http/aliases.ts';
import { endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { archOfCluster } from '../plans/plan-upgrade.ts';
import { archParameter, readIndexes, refuseUnknownChannel } from '../releases/followed-channels.ts';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';
import { ExpectedError } from '../runtime/errors.ts';
import { sha256Hex, weakEntityTag } from '../runtime/hash.ts';
import type { Documents } from '../store/publication-cache.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { riskEvaluationBody } from './schema.ts';

export interface EvaluationSources {
  readonly reader: ReleaseReader;
  readonly documents: Documents;
}

/** `POST /v1/risk-evaluations` and `GET /v1/risk-queries`, which need no fleet */
export function riskEvaluationEndpoints(sources: EvaluationSources, openUploads: OpenUploads) {
  return endpoints({
    evaluateRisks: async (call) => {
      const { fields, facts: sent } = await readDocumentInput(
        call,
        riskEvaluationBody(),
        openUploads,
        ({ collected_at: at }) => ({ acceptsPages: true, ...(at !== undefined && { collectedAt: at }) }),
      );
      const facts = clusterIn(sent, fields.hosted);
      refuseUnread(facts);
      const channel = fields.channel ?? (facts.clusterVersion?.channel || null);
      if (channel === null) throw withoutChannel(sentName(fields, 'channel'));
      const snapshot = await sources.reader.snapshot(
        fields.arch === undefined ? archOfCluster(facts) : archParameter(fields.arch),
      );
      await refuseUnfollowed([channel], snapshot, sources);
      const place = await placeOfUpdates(fields, channel, facts, snapshot);
      return { data: await evaluation({ facts, snapshot, channels: [channel], ...place }) };
    },

    listRiskQueries: async ({ query }) => {
      const isWanted = await wantedPairs(sources, query.channel?.split(',') ?? [], query.arch);
      const { risks, queries } = await sources.reader.risks();
      const asked = risks
        .filter(({ places }) => places.some(({ pair }) => isWanted(pair)))
        .flatMap(({ name, matchingRules }) =>
          matchingRules.flatMap(queryOf).map((promql) => ({ promql, name })),
        );
      const texts = [...groupBy(asked, ({ promql }) => promql)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const data = {
        queries: texts.map(([promql, same]) => ({
          promql,
          digest: sha256Hex(promql),
          risks: [...new Set(same.map(({ name }) => name))],
        })),
        resources: countedResources(
          texts.map(([promql]) => promql),
          queries,
        ),
      };
      return { data, headers: { etag: weakEntityTag(data) } };
    },
  });
}

function withoutReportedRisks(facts: ClusterFacts): ClusterFacts {
  const { clusterVersion } = facts;
  if (clusterVersion === null) return facts;
  return { ...facts, clusterVersion: { ...clusterVersion, conditionalUpdates: [], knownRisks: null } };
}

/** Nothing of the cluster is known. */
function refuseUnread(facts: ClusterFacts): void {
  if (REPORTED_KINDS.some((kind) => facts[kind] !== null)) return;
  const detail =
    'no document is of a kind that is read: send what `oc get clusterversion,infrastructure,nodes -o json` prints';
  throw new ExpectedError('invalid-documents', detail);
}

function withoutChannel(parameter: string): Problem {
  const detail = 'no ClusterVersion with a channel was sent, name a channel such as stable-4.14';
  return new Problem('missing-parameter', `${parameter}: ${detail}`, { errors: [{ parameter, detail }] });
}

export async function refuseUnfollowed(
  channels: readonly string[],
  { arch, directory }: Pick<ReleaseSnapshot, 'arch' | 'directory'>,
  { documents }: Pick<EvaluationSources, 'documents'>,
): Promise<void> {
  const unknown = channels.find((channel) => directory.get(channel) === undefined);
  if (unknown === undefined) return;
  refuseUnknownChannel(unknown, arch, await readIndexes(documents, ARCHES));
}

/** Throws a problem for a channel that is not followed. */
export async function wantedPairs(
  { documents }: Pick<EvaluationSources, 'documents'>,
  channels: readonly string[],
  archName: string | undefined,
): Promise<(pair: string) => boolean> {
  const arch = archName === undefined ? undefined : archParameter(archName);
  if (channels.length > 0) {
    const indexes = await readIndexes(documents, ARCHES);
    for (const channel of channels) refuseUnknownChannel(channel, arch, indexes);
  }
  return (pair) => {
    const [channel = '', ofArch] = pair.split('/');
    return (channels.length === 0 || channels.includes(channel)) && (arch === undefined || ofArch === arch);
  };
}

/** Where the updates that are asked for begin and end. Only those from the present version come first. */
async function placeOfUpdates(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  channel: string,
  facts: ClusterFacts,
  snapshot: ReleaseSnapshot,
): Promise<{ readonly ends: UpdateEnds; readonly hop: HopPlace }> {
  const { index } = await snapshot.prepare([channel]);
  const placeOf = (parameter: 'from' | 'to'): number | null => {
    const value = asked[parameter];
    if (value === undefined) return null;
    const place = index.get(value);
    if (place !== undefined) return place;
    const detail = `is not in ${channel} on ${snapshot.arch}`;
    throw new Problem('unknown-version', `${parameter}=${value} ${detail}`, {
      errors: [{ parameter, value, detail }],
    });
  };
  const ends = { from: placeOf('from'), to: placeOf('to') };
  const current = currentVersion(facts)?.raw;
  const isLater = asked.from !== undefined && current !== undefined && asked.from !== current;
  return { ends, hop: isLater ? 'later' : 'first' };
}

interface Evaluated extends Pick<RiskSources, 'facts' | 'stored'> {
  readonly snapshot: ReleaseSnapshot;
  readonly channels: readonly string[];
  readonly ends: UpdateEnds;
  readonly hop: HopPlace;
}

/** Every risk of these updates, and whether it applies. */
export async function evaluation({ snapshot, channels, ends, hop, ...sources }: Evaluated) {
  const [graph, { queries }] = await Promise.all([snapshot.prepare(channels), snapshot.risks()]);
  const answerOf = clusterRisks({ ...sources, queries });
  // What documents report is about the updates from the version of the cluster.
  const isOfAny = ends.from === null && sources.stored === undefined;
  const ofUpdates = isOfAny
    ? clusterRisks({ facts: withoutReportedRisks(sources.facts), queries })
    : answerOf;
  const current = graph.index.get(currentVersion(sources.facts)?.raw ?? '');
  const updates = current === undefined ? [] : updatesFrom(graph, current);
  return {
    channel: channels.length === 1 ? channels[0]! : null,
    channels: [...channels],
    arch: snapshot.arch,
    collectedAt: sources.facts.collectedAt,
    risks: risksOfUpdates(graph, ends).map(({ name, definitions, edges }) => {
      const answers = definitions.map((risk) => ({ risk, ...ofUpdates(risk, hop) }));
      const { risk, ...answer } = worstOf(answers)!;
      return { name, url: risk.url, message: risk.message, ...answer, edges };
    }),
    updates: updates.map(({ to, risks }) => ({
      to,
      recommended: risks.length === 0,
      applies: worstOf(risks.map((risk) => answerOf(risk, 'first')))?.applies ?? ('no' as const),
      risks: risks.map(({ name }) => name),
    })),
  };
}
