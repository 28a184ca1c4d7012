import type { ClusterFacts } from '../cluster/facts.ts';
import { parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { adminAcks, gatesToAcknowledge } from './checks/admin-acks.ts';
import { apiRemovals, removalsToCheck } from './checks/api-removals.ts';
import { clusterOperators } from './checks/cluster-operators.ts';
import { etcdHealthy } from './checks/etcd-healthy.ts';
import { hopSize } from './checks/hop-size.ts';
import { kubeletSkew } from './checks/kubelet-skew.ts';
import { noUpdateInProgress } from './checks/no-update-in-progress.ts';
import { nodeComponents } from './checks/node-components.ts';
import { nodesHealthy } from './checks/nodes-healthy.ts';
import { notRollback } from './checks/not-rollback.ts';
import { operatorsCompatible } from './checks/operators-compatible.ts';
import { overrides } from './checks/overrides.ts';
import { pathRecommended, risksToRead } from './checks/path-recommended.ts';
import { poolsReady } from './checks/pools-ready.ts';
import { type Condition, type Finding, settleFinding, type Check } from './condition.ts';
import { isHosted, worksOnHosted } from './evidence/hosted.ts';
import type { Hop, HopContext } from './hop.ts';
import { reportedAgainst, upgradeable, hopVerdict, type HopVerdict } from './verdict.ts';

/** For reported facts. In response order; every check runs for every hop. */
export const CHECKS: readonly Check[] = [
  hopSize,
  notRollback,
  noUpdateInProgress,
  kubeletSkew,
  operatorsCompatible,
  apiRemovals,
  adminAcks,
  overrides,
  clusterOperators,
  poolsReady,
  nodeComponents,
  pathRecommended,
  nodesHealthy,
  etcdHealthy,
];

/** For assumed facts: what to do before a hop. */
export const VERSION_CHECKS: readonly Check[] = [removalsToCheck, gatesToAcknowledge, risksToRead];

/** API request counts cover 24 hours, so older documents are stale. */
const FRESH_MS = 24 * 3600_000;

export interface EvaluatedHop {
  readonly hop: Hop;
  readonly verdict: HopVerdict;
  readonly conditions: readonly Condition[];
  /** Summary of all blockers of the hop. */
  readonly upgradeable: Condition;
}

/** The version the cluster reconciles; null if missing or invalid. */
export function currentVersion({ clusterVersion }: ClusterFacts): ReleaseVersion | null {
  return parseVersion(clusterVersion?.desired.version ?? '');
}

export function evaluateHops({
  checks,
  facts,
  hops,
  options,
  now,
}: Omit<HopContext, 'current' | 'hop'> & { readonly checks: readonly Check[] }): EvaluatedHop[] {
  const current = currentVersion(facts);
  return hops.map((hop) => {
    const context: HopContext = { facts, current, hop, hops, options, now };
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
