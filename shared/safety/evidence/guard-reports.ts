import type { ClusterCondition, ClusterFacts } from '../../cluster/facts.ts';
import { FORWARD_GUARDS } from '../tables/forward-guards.ts';

const REASONS: ReadonlySet<string> = new Set(FORWARD_GUARDS.map(({ reason }) => reason));

/** Forward guard that a cluster operator reports as Upgradeable=False. */
export interface GuardReport {
  readonly operator: string;
  readonly condition: ClusterCondition;
  /** The operator reports reasons of no check too, so its report stays a separate finding. */
  readonly isMixed: boolean;
}

/** Check that computes what a cluster operator reports. */
export type ReportedCheck =
  | 'KubeletMinorVersionUpgradeable'
  | 'OperatorsCompatible'
  | 'ExtensionsCompatible'
  | 'PoolsReady'
  | 'ForwardGuards';

type Documents = Pick<ClusterFacts, 'nodes' | 'operators' | 'pools'>;

/** Check of each reason of an operator; null for reasons that only the operator knows. */
export function checksOf(
  operator: string,
  reason: string,
  facts: Documents,
): readonly (ReportedCheck | null)[] {
  return reasonsIn(reason).map((each) => checkOf(operator, each, facts));
}

/** Operators join several reasons of the form `<component>_<reason>`. */
function reasonsIn(reason: string): readonly string[] {
  return reason.split('::');
}

/** Without the documents for our check, the report is kept. */
function checkOf(
  operator: string,
  reason: string,
  { nodes, operators, pools }: Documents,
): ReportedCheck | null {
  if (operator === 'kube-apiserver' && reason.startsWith('KubeletMinorVersion_')) {
    return nodes !== null && nodes.length > 0 ? 'KubeletMinorVersionUpgradeable' : null;
  }
  if (operator === 'operator-lifecycle-manager' && reason === 'IncompatibleOperatorsInstalled') {
    return operators === null ? null : 'OperatorsCompatible';
  }
  // That check reports it without documents too.
  if (operator === 'olm' && reason.startsWith('InstalledOLMOperators_')) return 'ExtensionsCompatible';
  if (operator === 'machine-config' && reason === 'DegradedPool') return pools === null ? null : 'PoolsReady';
  return guardIn(reason) === null ? null : 'ForwardGuards';
}

function guardIn(reason: string): string | null {
  return reason.split('_').find((part) => REASONS.has(part)) ?? null;
}

/** By reason; the first operator by name counts. */
export function guardReports(
  facts: Pick<ClusterFacts, 'clusterOperators'> & Documents,
): ReadonlyMap<string, GuardReport> {
  const reports = new Map<string, GuardReport>();
  for (const { name, conditions } of facts.clusterOperators ?? []) {
    const condition = conditions.find(({ type }) => type === 'Upgradeable');
    if (condition?.status !== 'False') continue;
    const isMixed = checksOf(name, condition.reason, facts).includes(null);
    for (const each of reasonsIn(condition.reason)) {
      const guard = guardIn(each);
      const known = guard === null ? undefined : reports.get(guard);
      if (guard === null || (known && known.operator < name)) continue;
      reports.set(guard, { operator: name, condition, isMixed });
    }
  }
  return reports;
}
