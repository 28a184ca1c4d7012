import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import type { RiskMode } from '@cairn/shared/path/question';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import type { MaintenanceWindows } from '@cairn/shared/plan/windows/maintenance-windows';
import { CHECKS, currentVersion } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { archOf, parseCpuArchitecture, type Arch } from '@cairn/shared/version/arch';
import type { ReleaseVersion } from '@cairn/shared/version/release-version';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';
import { ExpectedError } from '../runtime/errors.ts';

export interface PlanRequest {
  /** Version, minor, or `latest`. */
  readonly target: string;
  /** If empty: the cluster's channel for `latest`, otherwise chosen automatically. */
  readonly channels: readonly string[];
  /** Null to derive it from the nodes. */
  readonly arch: Arch | null;
  readonly risk: RiskMode;
  readonly acceptedRisks: readonly string[] | undefined;
  readonly options: SafetyOptions;
  /** Null for no restriction. */
  readonly windows: MaintenanceWindows | null;
}

export interface ClusterPlan {
  readonly arch: Arch;
  readonly answer: PathResult;
  readonly plan: UpgradePlan;
  readonly snapshot: ReleaseSnapshot;
}

export async function planCluster(
  facts: ClusterFacts,
  question: PlanRequest,
  reader: Pick<ReleaseReader, 'snapshot'>,
  { now, pausedSince }: { readonly now: number; readonly pausedSince: ReadonlyMap<string, string> },
): Promise<ClusterPlan> {
  const current = requireVersion(facts);
  const arch = question.arch ?? archOfNodes(facts);
  const snapshot = await reader.snapshot(arch);
  const answer = await findPath(
    {
      from: current.raw,
      to: question.target,
      channels: channelsOf(question, facts),
      risk: question.risk,
      acceptedRisks: question.acceptedRisks,
      prefer: 'safest',
      alternatives: 0,
    },
    snapshot,
  );
  const plan = planUpgrade({
    facts,
    basis: 'reported',
    checks: CHECKS,
    answer,
    options: question.options,
    now,
    pausedSince,
    // Unknown until the fleet's update durations are collected.
    fleetMedian: null,
    newestPatch: newerPatch(current, facts.clusterVersion?.channel ?? null, snapshot.directory),
    windows: question.windows,
  });
  return { arch, answer, plan, snapshot };
}

function requireVersion(facts: ClusterFacts): ReleaseVersion {
  const current = currentVersion(facts);
  if (current) return current;
  const detail = facts.clusterVersion
    ? `the ClusterVersion says that the cluster runs ${JSON.stringify(facts.clusterVersion.desired.version)}, which is not a version such as 4.14.20`
    : 'a ClusterVersion is needed, as `oc get clusterversion -o json` prints it';
  throw new ExpectedError('invalid-documents', detail);
}

/** Nodes of several architectures run the `multi` release image. */
export function archOfNodes({ nodes }: ClusterFacts): Arch {
  const arches = new Set(
    (nodes ?? []).flatMap(({ architecture }) => parseCpuArchitecture(architecture) ?? []).map(archOf),
  );
  const [only = 'amd64'] = arches;
  return arches.size > 1 ? 'multi' : only;
}

function channelsOf({ channels, target }: PlanRequest, { clusterVersion }: ClusterFacts): readonly string[] {
  const own = clusterVersion?.channel ?? null;
  return channels.length === 0 && target === 'latest' && own !== null ? [own] : channels;
}
