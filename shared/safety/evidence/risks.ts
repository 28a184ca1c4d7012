import type { ClusterVersionFacts } from '../../cluster/facts.ts';
import type { Hop as PathHop } from '../../path/solver/solve.ts';
import { excerpt } from '../../text/quote.ts';
import type { ConditionObject } from '../condition.ts';
import { RISK_KIND } from '../values.ts';

/** Known risk of an update, for one cluster. */
export interface UpdateRisk {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  /** Null if the cluster does not report it per risk. */
  readonly applies: 'True' | 'False' | 'Unknown' | null;
  readonly isAccepted: boolean;
}

/** The document shows the feature gate `ClusterUpdateAcceptRisks`. */
export function takesAcceptedRisks({
  acceptedRisks,
  knownRisks,
}: Pick<ClusterVersionFacts, 'acceptedRisks' | 'knownRisks'>): boolean {
  return acceptedRisks !== null || knownRisks !== null;
}

/** Joins names with the texts of the graph and, for the cluster's own next hop, with its report. Sorted by name. */
export function updateRisks(
  names: readonly string[],
  update: PathHop | null,
  own: ClusterVersionFacts | null,
): readonly UpdateRisk[] {
  const links = (own?.conditionalUpdates ?? []).flatMap((each) => each.links ?? []);
  return [...new Set(names)].toSorted().map((name) => {
    const known = own?.knownRisks?.find((risk) => risk.name === name);
    const inGraph = update?.risks.find((risk) => risk.name === name);
    const status = known?.applies?.status;
    const reported = status === 'True' || status === 'False' ? status : 'Unknown';
    return {
      name,
      url: inGraph?.url || known?.url || links.find((link) => link.name === name)?.url || '',
      message: inGraph?.message || excerpt(known?.message ?? ''),
      applies: own?.knownRisks ? reported : null,
      isAccepted: own?.acceptedRisks?.includes(name) ?? false,
    };
  });
}

export function riskObject({ name, url, message, applies, isAccepted }: UpdateRisk): ConditionObject {
  const detail = {
    ...((url !== '' || message !== '') && { url, message }),
    ...(applies !== null && { applies }),
    ...(isAccepted && { accepted: true, source: 'cluster' }),
  };
  return { kind: RISK_KIND, name, ...(Object.keys(detail).length > 0 && { detail }) };
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
