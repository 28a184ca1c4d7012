import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { groupBy } from '@cairn/shared/collection/group-by';
import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';
import { findEdge } from '@cairn/shared/graph/edge-rows';
import type { NotificationLog, TopicState } from '@cairn/shared/notifications/log';
import {
  type KnownRisk,
  type RiskNotification,
  riskStandings,
  type ToldRisk,
  toldRisks,
  type HopEnds,
} from '@cairn/shared/notifications/risk-topics';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { AcceptedRisks } from '@cairn/shared/risk/acceptances';
import type { ClusterRisks, RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import type { IndexedRisk, RiskIndex } from '@cairn/shared/risk/risk-index';
import { worstOf } from '@cairn/shared/risk/update-risks';
import { compareVersions, mustParseVersion } from '@cairn/shared/version/release-version';
import { type ClusterRiskRecord, definitionDigest } from './risk-store.ts';

/** A definition of a risk in the channels of a cluster, and whether it applies. */
interface Judged {
  readonly risk: IndexedRisk;
  readonly digest: string;
  readonly answer: RiskAnswer;
}

export interface AssessedRisks {
  readonly record: Omit<ClusterRiskRecord, 'told'>;
  readonly standings: readonly TopicState<RiskNotification>[];
  /** What is stored of the risks that a log names. */
  readonly toldOf: (log: NotificationLog) => ClusterRiskRecord['told'];
  /** Names of unknown risks on updates ahead of the cluster. */
  readonly unknownAhead: readonly string[];
  /** Answers that differ from the cluster's own. */
  readonly disagreements: number;
}

/** Evaluates every risk of the channels of a cluster, and compares them with the last assessment. */
export function assessRisks(
  cluster: Pick<ClusterRecord, 'firstSeenAt'> & { readonly pairs: readonly string[] },
  risks: {
    readonly index: RiskIndex;
    readonly answerOf: ClusterRisks;
    readonly accepted: AcceptedRisks;
    /** Those that the settings of the cluster accept. */
    readonly named: readonly string[];
  },
  ahead: {
    readonly outlook: AssessedUpgrade;
    /** Planned before. */
    readonly formerPath: AssessedUpgrade['path'];
    /** The channels of both plans and of the cluster. */
    readonly graph: PreparedGraph;
  },
  past: { readonly log: NotificationLog; readonly former: ClusterRiskRecord | null },
): AssessedRisks {
  const { firstSeenAt, pairs } = cluster;
  const { index, answerOf, accepted, named } = risks;
  const { outlook } = ahead;
  const { log, former } = past;
  const version = outlook.from;
  const judged = definitionsIn(index, pairs).map(({ risk, digest }): Judged => ({
    risk,
    digest,
    answer: answerOf(risk, 'first'),
  }));
  const met = updatesAhead(ahead, former?.told ?? {});
  const byName = groupBy(judged, ({ risk }) => risk.name);
  const known = new Map(
    Array.from(byName, ([name, same]): [string, KnownRisk] => [
      name,
      knownRisk(same, met.get(name) ?? [], accepted.has(name), former),
    ]),
  );
  const standings = riskStandings(
    log,
    version,
    known,
    former && { version: former.version, told: former.told, isPublished: publishedIn(index, former.pairs) },
  );
  const verdicts = Object.fromEntries(judged.map(({ digest, answer }) => [digest, answer]));
  const onPath = [...new Set((outlook.path ?? []).flatMap((hop) => hop.risks))].toSorted();
  const toldRisk = (name: string): ToldRisk => {
    const { url = former?.told[name]?.url ?? '', hops = [] } = known.get(name) ?? {};
    return { url, hops: hops.filter(({ from }) => from !== version) };
  };
  return {
    record: { firstSeenAt, version, pairs, verdicts, onPath, accepted: named },
    standings,
    toldOf: (next) => Object.fromEntries(toldRisks(next).map((name) => [name, toldRisk(name)])),
    unknownAhead: Array.from(known).flatMap(([name, { applies, isAccepted, hops }]) =>
      applies === 'unknown' && !isAccepted && hops.length > 0 ? [name] : [],
    ),
    disagreements: judged.filter(({ answer }) => answer.notes?.includes('DisagreesWithCluster')).length,
  };
}

function knownRisk(
  same: readonly Judged[],
  hops: readonly HopEnds[],
  isAccepted: boolean,
  former: ClusterRiskRecord | null,
): KnownRisk {
  const { risk, answer } = worstOf(same.map((one) => ({ ...one, applies: one.answer.applies })))!;
  const wasKnown = new Set(former?.pairs);
  return {
    applies: answer.applies,
    isAccepted,
    url: risk.url,
    decidedBy: answer.decidedBy,
    hops,
    isInKnownChannels: same.some((one) => one.risk.places.some(({ pair }) => wasKnown.has(pair))),
    didApply: same.some(({ digest }) => former?.verdicts[digest]?.applies === 'yes'),
  };
}

function publishedIn(index: RiskIndex, pairs: readonly string[]): (name: string) => boolean {
  return (name) => definitionsIn(index, pairs).some(({ risk }) => risk.name === name);
}

type Definition = Pick<Judged, 'risk' | 'digest'>;

const byPair = new WeakMap<RiskIndex, ReadonlyMap<string, readonly Definition[]>>();

/** By digest, each once. */
function definitionsIn(index: RiskIndex, pairs: readonly string[]): readonly Definition[] {
  let known = byPair.get(index);
  if (known === undefined) {
    const sightings = index.risks.flatMap((risk) => {
      const definition = { risk, digest: definitionDigest(risk) };
      return risk.places.map(({ pair }) => ({ pair, definition }));
    });
    known = new Map(
      Array.from(
        groupBy(sightings, ({ pair }) => pair),
        ([pair, same]) => [pair, same.map(({ definition }) => definition)],
      ),
    );
    byPair.set(index, known);
  }
  const found = pairs.flatMap((pair) => known.get(pair) ?? []);
  return [...new Map(found.map((definition) => [definition.digest, definition])).values()];
}

/** By the name of a risk, the updates with it: on the planned path, then from the present version. */
function updatesAhead(
  { outlook, formerPath, graph }: Parameters<typeof assessRisks>[2],
  told: ClusterRiskRecord['told'],
): ReadonlyMap<string, readonly HopEnds[]> {
  const { index, leaving, nodes } = graph;
  const current = index.get(outlook.from);
  // A new plan may avoid the updates that a notification named.
  const planned = [
    ...(outlook.path ?? []),
    ...(formerPath ?? []),
    ...Object.values(told).flatMap(({ hops }) => hops),
  ];
  const own =
    current === undefined
      ? []
      : leaving.targets.subarray(leaving.offsets[current], leaving.offsets[current + 1]);
  const next = Array.from(own, (target): HopEnds => ({ from: outlook.from, to: nodes[target]!.version }));
  const updates = new Map(
    [...planned.filter(({ from }) => isAhead(from, outlook.from)), ...next].map(
      ({ from, to }): [string, HopEnds] => [`${from} ${to}`, { from, to }],
    ),
  );
  const found = new Map<string, HopEnds[]>();
  for (const update of updates.values()) {
    const [from, to] = [index.get(update.from), index.get(update.to)];
    const edge = from === undefined || to === undefined ? -1 : findEdge(leaving, from, to);
    if (edge < 0) continue;
    for (const { name } of graph.riskSets[leaving.risks[edge]!]!) {
      found.set(name, [...(found.get(name) ?? []), update]);
    }
  }
  return found;
}

function isAhead(version: string, current: string): boolean {
  return compareVersions(mustParseVersion(version), mustParseVersion(current)) >= 0;
}
