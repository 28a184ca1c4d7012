import type { ClusterFacts, ClusterVersionFacts } from '../../cluster/facts.ts';
import type { Hop as PathHop } from '../../path/solver/solve.ts';
import type { AcceptedRisks } from '../../risk/acceptances.ts';
import type { ClusterRisks, HopRisk, RiskAnswer } from '../../risk/cluster-risks.ts';
import { type ReportedRisk, reportedRisks } from '../../risk/reported-risks.ts';
import { excerpt } from '../../text/quote.ts';
import type { ConditionObject } from '../condition.ts';
import type { Hop } from '../hop.ts';
import { RISK_KIND } from '../values.ts';

export interface RiskSources {
  /** Absent if no facts are known that decide a risk. */
  readonly clusterRisks?: ClusterRisks;
  /** By name of the risk. */
  readonly acceptedRisks?: AcceptedRisks;
}

/** The document shows the feature gate `ClusterUpdateAcceptRisks`. */
export function takesAcceptedRisks({
  acceptedRisks,
  knownRisks,
}: Pick<ClusterVersionFacts, 'acceptedRisks' | 'knownRisks'>): boolean {
  return acceptedRisks !== null || knownRisks !== null;
}

/** Risks of the graph and, for the cluster's own next hop, those that the cluster names. Sorted by name. */
export function hopRisks(
  hop: Hop,
  { clusterVersion }: ClusterFacts,
  { clusterRisks, acceptedRisks }: RiskSources,
): readonly HopRisk[] {
  const { index, from, to, update } = hop;
  const own = index === 0 && clusterVersion?.desired.version === from.raw ? clusterVersion : null;
  const reported = own?.conditionalUpdates.find(({ version }) => version === to.raw)?.risks ?? [];
  const names = new Set([...reported, ...(update?.risks ?? []).map(({ name }) => name)]);
  const known = reportedRisks(own);
  return [...names].toSorted().map((name): HopRisk => {
    const inGraph = update?.risks.find((risk) => risk.name === name);
    const answer =
      inGraph && clusterRisks
        ? clusterRisks(inGraph, index === 0 ? 'first' : 'later')
        : answerOfCluster(known, name);
    const byCluster = own?.acceptedRisks?.includes(name) ? BY_CLUSTER : undefined;
    const accepted = acceptedRisks?.get(name) ?? byCluster;
    return { ...textsOf(name, update, own), ...answer, ...(accepted && { accepted }) };
  });
}

const BY_CLUSTER: NonNullable<HopRisk['accepted']> = {
  reason: null,
  owner: null,
  until: null,
  source: 'cluster',
};

/** Risks that the cluster names, as far as it decided them; not those that it accepts. */
export function risksOfCluster(
  names: readonly string[],
  update: PathHop | null,
  own: ClusterVersionFacts,
): readonly HopRisk[] {
  const known = reportedRisks(own);
  return [...new Set(names)]
    .toSorted()
    .filter((name) => !own.acceptedRisks?.includes(name))
    .map((name) => ({ ...textsOf(name, update, own), ...answerOfCluster(known, name) }));
}

function answerOfCluster(known: ReadonlyMap<string, ReportedRisk>, name: string): RiskAnswer {
  const { applies = 'unknown', evidence = null } = known.get(name) ?? {};
  if (evidence === null) return { applies, decidedBy: [], source: 'facts', asOf: null };
  return { applies, decidedBy: [evidence], source: 'cluster', asOf: null };
}

function textsOf(
  name: string,
  update: PathHop | null,
  own: ClusterVersionFacts | null,
): Pick<HopRisk, 'name' | 'url' | 'message'> {
  const inGraph = update?.risks.find((risk) => risk.name === name);
  const known = own?.knownRisks?.find((risk) => risk.name === name);
  const links = (own?.conditionalUpdates ?? []).flatMap((each) => each.links ?? []);
  return {
    name,
    url: inGraph?.url || known?.url || links.find((link) => link.name === name)?.url || '',
    message: inGraph?.message || excerpt(known?.message ?? ''),
  };
}

export function riskObject(risk: HopRisk): ConditionObject {
  const { name, url, message, applies, missing = [], accepted } = risk;
  const documents = [...new Set(missing.flatMap((metric) => metric.documents))];
  const detail = {
    ...((url !== '' || message !== '') && { url, message }),
    applies,
    ...(documents.length > 0 && { documents }),
    ...(accepted && { accepted: true, ...(accepted.source && { source: accepted.source }) }),
  };
  return { kind: RISK_KIND, name, detail };
}

/** Risks that a cluster derives from its guards. Each has its own finding, to resolve instead of accepting. */
const GUARDS =
  /^(?:AdminAck-|ClusterOperatorUpgradeable-|(?:ClusterVersionOverrides|ClusterVersionUpdating|ResourceDeletionInProgress)$)/;

export function isGuard(name: string): boolean {
  return GUARDS.test(name);
}

/** `oc` splits names at commas and removes a name that ends with a hyphen. */
const NAME_IN_COMMAND = /^[A-Za-z](?:[A-Za-z0-9_.:-]*[A-Za-z0-9_])?$/;

export function isAcceptableName(name: string): boolean {
  return NAME_IN_COMMAND.test(name) && !isGuard(name);
}
