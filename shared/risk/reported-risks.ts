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
  // A list in another order gives the same answers.
  const add = (name: string, answer: ReportedRisk): void => {
    const known = found.get(name);
    const isBetter =
      known &&
      (known.applies === answer.applies ? known.evidence <= answer.evidence : known.applies === 'yes');
    if (!isBetter) found.set(name, answer);
  };
  for (const { name, risks, status, reason } of own.knownRisks === null ? recommendations(own) : []) {
    const evidence = evidenceOf('Recommended', status, reason);
    if (status === 'True') add(name, { applies: 'no', evidence });
    else if (risks.length === 1 || name === reason) add(name, { applies: 'yes', evidence });
  }
  for (const { name, applies } of own.knownRisks ?? []) {
    const { status, reason = '' } = applies ?? {};
    if (status !== 'True' && status !== 'False') continue;
    const evidence = evidenceOf('Applies', status, reason);
    add(name, { applies: status === 'True' ? 'yes' : 'no', evidence });
  }
  return found;
}

function evidenceOf(type: string, status: string, reason: string): string {
  return `${type}=${status}${reason === '' ? '' : ` (${reason})`}`;
}

function recommendations({ conditionalUpdates }: ClusterVersionFacts) {
  return conditionalUpdates.flatMap(({ risks, recommended }) => {
    const { status, reason = '' } = recommended ?? {};
    // Risks that apply and are accepted leave the update recommended.
    if ((status !== 'True' && status !== 'False') || reason === ALL_ACCEPTED) return [];
    return risks.map((name) => ({ name, risks, status, reason }));
  });
}
