import type { ClusterVersionFacts } from '../cluster/facts.ts';

/** What the operator of the cluster found of one risk, for its next update. */
export interface ReportedRisk {
  readonly applies: 'yes' | 'no';
  /** `Applies=True (Match)` */
  readonly evidence: string;
}

const ALL_ACCEPTED = 'AllExposedRisksAccepted';

/**
 * By name. Newer clusters report each risk; of older ones the recommendation shows it where it leaves no choice. What the
 * cluster could not evaluate is not in it.
 */
export function reportedRisks(own: ClusterVersionFacts | null): ReadonlyMap<string, ReportedRisk> {
  const found = new Map<string, ReportedRisk>();
  if (own === null) return found;
  for (const { name, risks, status, reason } of own.knownRisks === null ? recommendations(own) : []) {
    if (status === 'True') found.set(name, { applies: 'no', evidence: `Recommended=True (${reason})` });
    else if (risks.length === 1 || name === reason) {
      found.set(name, { applies: 'yes', evidence: `Recommended=False (${reason})` });
    }
  }
  for (const { name, applies } of own.knownRisks ?? []) {
    if (applies?.status !== 'True' && applies?.status !== 'False') continue;
    const isYes = applies.status === 'True';
    const evidence = `Applies=${applies.status}${applies.reason === '' ? '' : ` (${applies.reason})`}`;
    found.set(name, { applies: isYes ? 'yes' : 'no', evidence });
  }
  return found;
}

function recommendations({ conditionalUpdates }: ClusterVersionFacts) {
  return conditionalUpdates.flatMap(({ risks, recommended }) => {
    const { status, reason = '' } = recommended ?? {};
    // Risks that apply and are accepted leave the update recommended.
    if ((status !== 'True' && status !== 'False') || reason === ALL_ACCEPTED) return [];
    return risks.map((name) => ({ name, risks, status, reason }));
  });
}
