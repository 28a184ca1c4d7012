import type { ClusterFacts } from '../cluster/facts.ts';
import type { HopRisk } from '../risk/cluster-risks.ts';
import { parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { apiRemovals, removalsToCheck } from './checks/compatibility/api-removals.ts';
import { currentVersionAllowed } from './checks/compatibility/current-version-allowed.ts';
import { extensionsCompatible } from './checks/compatibility/extensions-compatible.ts';
import { hopSize } from './checks/compatibility/hop-size.ts';
import { hostedCluster, withoutHostedInput } from './checks/compatibility/hosted-cluster.ts';
import { hostedSkew } from './checks/compatibility/hosted-skew.ts';
import { kubeletSkew } from './checks/compatibility/kubelet-skew.ts';
import { nodeComponents } from './checks/compatibility/node-components.ts';
import { notRollback } from './checks/compatibility/not-rollback.ts';
import { operatorsCompatible } from './checks/compatibility/operators-compatible.ts';
import { pathRecommended, risksToRead } from './checks/compatibility/path-recommended.ts';
import { supportedTarget } from './checks/compatibility/supported-target.ts';
import { adminAcks } from './checks/gates/admin-acks.ts';
import { forwardGuards } from './checks/gates/forward-guards.ts';
import { gatesToAcknowledge } from './checks/gates/gates-to-acknowledge.ts';
import { overrides } from './checks/gates/overrides.ts';
import { alertsQuiet } from './checks/health/alerts-quiet.ts';
import { certificateRequestsApproved } from './checks/health/certificate-requests.ts';
import { clusterOperatorsHealthy } from './checks/health/cluster-operators-healthy.ts';
import { clusterOperators } from './checks/health/cluster-operators.ts';
import { drainsPossible } from './checks/health/drains-possible.ts';
import { etcdHealthy } from './checks/health/etcd-healthy.ts';
import { machineHealthChecks } from './checks/health/machine-health-checks.ts';
import { noUpdateInProgress } from './checks/health/no-update-in-progress.ts';
import { nodesHealthy } from './checks/health/nodes-healthy.ts';
import { poolsReady } from './checks/health/pools-ready.ts';
import { type Condition, type Finding, settleFinding, type Check } from './condition.ts';
import { signsOfProgress } from './evidence/history.ts';
import { isHosted, worksOnHosted } from './evidence/hosted.ts';
import { hopRisks, type RiskSources } from './evidence/risks.ts';
import { hopsOfSteps, type Hop, type HopContext, type PlannedPool } from './hop.ts';
import { reportedAgainst, upgradeable, hopVerdict, type HopVerdict } from './verdict.ts';

/** For reported facts. In response order; every check runs for every hop. */
export const CHECKS: readonly Check[] = /* @__PURE__ */ withoutHostedInput([
  hopSize,
  notRollback,
  noUpdateInProgress,
  kubeletSkew,
  operatorsCompatible,
  extensionsCompatible,
  apiRemovals,
  adminAcks,
  overrides,
  clusterOperators,
  poolsReady,
  nodeComponents,
  pathRecommended,
  supportedTarget,
  nodesHealthy,
  etcdHealthy,
  currentVersionAllowed,
  clusterOperatorsHealthy,
  certificateRequestsApproved,
  drainsPossible,
  machineHealthChecks,
  alertsQuiet,
  hostedSkew,
  hostedCluster,
  forwardGuards,
]);

/** For assumed facts: what to do before a hop. */
export const VERSION_CHECKS: readonly Check[] = [removalsToCheck, gatesToAcknowledge, risksToRead];

/** API request counts cover 24 hours, so older documents are stale. */
const FRESH_MS = 24 * 3600_000;

export interface EvaluatedHop {
  readonly hop: Hop;
  readonly verdict: HopVerdict;
  readonly conditions: readonly Condition[];
  readonly risks: readonly HopRisk[];
  /** Summary of all blockers of the hop. */
  readonly upgradeable: Condition;
}

/** The version the cluster reconciles; null if missing or invalid. */
export function currentVersion({ clusterVersion }: ClusterFacts): ReleaseVersion | null {
  return parseVersion(clusterVersion?.desired.version ?? '');
}

type EvaluationQuestion = Omit<HopContext, 'current' | 'hop' | 'risks'> &
  RiskSources & { readonly checks: readonly Check[] };

/** What is wrong with a cluster now, whatever it is updated to. */
const TYPES_AT_TARGET: ReadonlySet<string> = new Set([
  'NoUpdateInProgress',
  'SupportedTarget',
  'CurrentVersionAllowed',
  'PoolsReady',
  'NodesHealthy',
  'EtcdHealthy',
  'ClusterOperatorsHealthy',
  'CertificateRequestsApproved',
  'MachineHealthChecks',
  'AlertsQuiet',
  'HostedSkew',
  'HostedClusterReady',
]);
/** A note that matters as long as nodes still reboot. */
const ACTIVE_CHECKS = 'HealthChecksActive';

/** State of a cluster at its target, as before a patch. */
export function evaluateAtTarget(
  question: Omit<EvaluationQuestion, 'hops' | 'pools' | 'isCurrentExcluded'>,
  { to, sourceExcluded }: { readonly to: string; readonly sourceExcluded: boolean },
): EvaluatedHop {
  const stay = { version: to, hop: null };
  const hops = hopsOfSteps([stay, stay], currentVersion(question.facts));
  const pools = latePools(question.facts);
  const [evaluated] = evaluateHops({ ...question, hops, pools, isCurrentExcluded: sourceExcluded });
  const isRollingOut = pools.length > 0;
  const conditions = evaluated!.conditions.filter(({ type, reason, effect }) => {
    if (reason === ACTIVE_CHECKS) return isRollingOut;
    if (effect !== 'block' && effect !== 'warn') return false;
    return TYPES_AT_TARGET.has(type) || (type === 'DrainsPossible' && isRollingOut);
  });
  return { ...evaluated!, verdict: hopVerdict(conditions, evaluated!.hop), conditions };
}

function latePools({ pools, clusterVersion }: ClusterFacts): PlannedPool[] {
  const isPartial = clusterVersion !== null && signsOfProgress(clusterVersion).includes('partial');
  return (pools ?? [])
    .filter(
      ({ machines: { total, updated }, configuration: { wanted, current } }) =>
        total > 0 && (isPartial || updated < total || wanted !== current),
    )
    .map(({ name }) => ({ pool: name, rolls: [{ beforeHop: null }] }));
}

export function evaluateHops({
  checks,
  facts,
  hops,
  pools,
  options,
  now,
  isCurrentExcluded = false,
  calendar,
  ...riskSources
}: EvaluationQuestion): EvaluatedHop[] {
  const current = currentVersion(facts);
  return hops.map((hop) => {
    const risks = hopRisks(hop, facts, riskSources);
    const context: HopContext = {
      facts,
      current,
      hop,
      hops,
      pools,
      options,
      now,
      isCurrentExcluded,
      calendar,
      risks,
    };
    const findings = checks.flatMap((check) => check(context));
    const settle = (finding: Finding): Condition => {
      const condition = settleFinding(finding, hop, options);
      const { remediation } = condition;
      return remediation && isHosted(facts)
        ? { ...condition, remediation: remediation.filter(worksOnHosted) }
        : condition;
    };
    const checked = findings.map(settle);
    const conditions = [
      ...checked,
      ...reportedAgainst(hop, checked, facts).map(settle),
      ...(hop.index === 0 ? staleness(facts, now) : []),
    ];
    return {
      hop,
      verdict: hopVerdict(conditions, hop),
      conditions,
      risks,
      upgradeable: upgradeable(conditions, facts),
    };
  });
}

function staleness({ collectedAt }: ClusterFacts, now: number): Condition[] {
  const age = now - Date.parse(collectedAt ?? '');
  if (!(age > FRESH_MS)) return [];
  return [
    {
      type: 'SnapshotFresh',
      status: 'False',
      reason: 'SnapshotStale',
      message: `The documents are from ${collectedAt}, ${Math.floor(age / 3600_000)} hours ago; collect them again before the update`,
      effect: 'info',
      origin: 'computed',
    },
  ];
}
