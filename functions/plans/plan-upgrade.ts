import { releaseArchOf } from '@cairn/shared/cluster/cluster-version';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { findDefaultTarget } from '@cairn/shared/path/default-target';
import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import type { RiskMode, RiskPolicy } from '@cairn/shared/path/question';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import type { UpdateServiceChoice } from '@cairn/shared/plan/values';
import { planWindows } from '@cairn/shared/plan/windows/fit';
import type { MaintenanceWindows } from '@cairn/shared/plan/windows/maintenance-windows';
import { dayOf, type SupportCalendar, supportCalendar } from '@cairn/shared/releases/lifecycle';
import type { EusTerms } from '@cairn/shared/releases/values';
import { type AcceptedRisks, namedRisks } from '@cairn/shared/risk/acceptances';
import { type ClusterRisks, clusterRisks, type SharedVerdicts } from '@cairn/shared/risk/cluster-risks';
import { CHECKS, currentVersion } from '@cairn/shared/safety/evaluate';
import { hostedClusterOf, isHosted } from '@cairn/shared/safety/evidence/hosted';
import { hopsOfSteps, type SafetyOptions, type Strategy } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import type { FleetDurations } from '@cairn/shared/update-status/forecast/fleet';
import { measuredNodes } from '@cairn/shared/update-status/forecast/nodes';
import { NO_RUNS, type UpdateRuns } from '@cairn/shared/update-status/runs/run';
import { archOf, parseCpuArchitecture, type Arch } from '@cairn/shared/version/arch';
import { isEusToEus, minorReleaseOf } from '@cairn/shared/version/release-line';
import type { ReleaseVersion } from '@cairn/shared/version/release-version';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';
import { ExpectedError } from '../runtime/errors.ts';

export interface PlanRequest {
  /** Version, minor, or `latest`; null for the default target. */
  readonly target: string | null;
  /** If empty: the cluster's channel for `latest`, otherwise chosen automatically. */
  readonly channels: readonly string[];
  /** Null to derive it from the cluster. */
  readonly arch: Arch | null;
  readonly risk: RiskMode;
  readonly acceptedRisks: readonly string[] | undefined;
  /** Who accepted those; absent if they are only named. */
  readonly accepted?: AcceptedRisks;
  readonly options: Omit<SafetyOptions, 'strategy'>;
  /** Null for Control Plane Only to a default target from one EUS minor to another, else rolling. */
  readonly strategy: Strategy | null;
  /** Extended Update Support terms of the cluster; null for those of the deployment. */
  readonly eusTerms: EusTerms | null;
  /** `auto` if absent. */
  readonly updateService?: UpdateServiceChoice;
  /** Null for no restriction. */
  readonly windows: MaintenanceWindows | null;
}

export interface ClusterPlan {
  readonly arch: Arch;
  /** Requested or default target: a version, a minor, or `latest`. */
  readonly target: string;
  readonly answer: PathResult;
  readonly plan: UpgradePlan & Required<Pick<UpgradePlan, 'input'>>;
  readonly snapshot: ReleaseSnapshot;
}

/** What former reports of the cluster show. */
export interface ReportedPast {
  readonly now: number;
  readonly pausedSince: ReadonlyMap<string, string>;
  readonly runs?: UpdateRuns;
  /** What updates of other clusters took. */
  readonly fleet?: FleetDurations;
  /** Collection time of each kind. */
  readonly collected?: ClusterRecord['collected'];
  /** Verdicts of other clusters, of which some hold here too. */
  readonly verdicts?: SharedVerdicts;
}

export async function planCluster(
  facts: ClusterFacts,
  question: PlanRequest,
  reader: Pick<ReleaseReader, 'snapshot'>,
  { now, pausedSince, runs = NO_RUNS, fleet, collected, verdicts }: ReportedPast,
): Promise<ClusterPlan> {
  const { windows } = question;
  const current = requireVersion(facts);
  if (question.arch !== null) refuseMigration(question.arch, current, facts);
  const arch = question.arch ?? archOfCluster(facts);
  const snapshot = await reader.snapshot(arch);
  const support = await snapshot.support();
  const calendar = supportCalendar(
    { ...support, eusTerms: question.eusTerms ?? support.eusTerms },
    dayOf(now),
  );
  const { queries } = await snapshot.risks();
  const risks = clusterRisks({
    facts,
    queries,
    ...(collected && { stored: { collected, now } }),
    ...(verdicts && { shared: verdicts }),
  });
  const asked: Asked = { facts, current, question, policy: riskPolicyOf(question, risks), snapshot };
  const { target, answer, reason, strategy } =
    question.target === null ? await defaultAnswer(asked, calendar) : await answerOf(asked, question.target);
  const hops = answer.found ? hopsOfSteps(answer.upgrade.path, current) : [];
  const missing = missingInput(facts, hops);
  const plan = planUpgrade({
    facts,
    basis: 'reported',
    checks: CHECKS,
    answer,
    options: { ...question.options, strategy },
    now,
    pausedSince,
    measuredNodes: measuredNodes(runs),
    fleetMedian: fleet?.ratio ?? null,
    newestPatch: newerPatch(current, facts.clusterVersion?.channel ?? null, snapshot.directory),
    windows: windows && ((figures) => planWindows(windows, figures, now)),
    calendar,
    targetReason: reason,
    ...(question.updateService && { updateService: question.updateService }),
    missing,
    clusterRisks: risks,
    acceptedRisks: question.accepted ?? namedRisks(question.acceptedRisks ?? []),
  });
  return { arch, target, answer, plan: { ...plan, input: { missing } }, snapshot };
}

interface Answered {
  readonly target: string;
  readonly answer: PathResult;
  /** Null for a requested target. */
  readonly reason: string | null;
  readonly strategy: Strategy;
}

/** A cluster with its question, and the releases to answer it. */
interface Asked {
  readonly facts: ClusterFacts;
  readonly current: ReleaseVersion;
  readonly question: PlanRequest;
  readonly policy: RiskPolicy;
  readonly snapshot: ReleaseSnapshot;
}

function riskPolicyOf({ risk, acceptedRisks }: PlanRequest, risks: ClusterRisks): RiskPolicy {
  return { risk, acceptedRisks, applies: (of, hop) => risks(of, hop).applies };
}

async function defaultAnswer(
  { facts, current, question, policy, snapshot }: Asked,
  calendar: SupportCalendar,
): Promise<Answered> {
  const { channels } = question;
  const channel = facts.clusterVersion?.channel ?? null;
  const { minor, answer, reason, isControlPlaneOnly } = await findDefaultTarget(
    { current, channel, channels, calendar, ...policy, alternatives: 0 },
    snapshot,
  );
  // Hosted control planes have no machine config pools to pause.
  const usual = isControlPlaneOnly && !isHosted(facts) ? 'control-plane-only' : 'rolling';
  return { target: minor, answer, reason, strategy: question.strategy ?? usual };
}

async function answerOf(
  { facts, current, question, policy, snapshot }: Asked,
  target: string,
): Promise<Answered> {
  const { strategy } = question;
  const end = minorReleaseOf(target);
  const answer = await findPath(
    {
      from: current.raw,
      to: target,
      channels: channelsOf(question, facts),
      ...policy,
      prefer: 'safest',
      alternatives: 0,
      prefersEus: strategy === 'control-plane-only' && end !== null && isEusToEus(current, end),
    },
    snapshot,
  );
  return { target, answer, reason: null, strategy: strategy ?? 'rolling' };
}

function requireVersion(facts: ClusterFacts): ReleaseVersion {
  const current = currentVersion(facts);
  if (current) return current;
  const detail = facts.clusterVersion
    ? `the ${hostedClusterOf(facts) ? 'HostedCluster' : 'ClusterVersion'} says that the cluster runs ${JSON.stringify(facts.clusterVersion.desired.version)}, which is not a version such as 4.14.20`
    : 'a ClusterVersion is needed, as `oc get clusterversion -o json` prints it';
  throw new ExpectedError('invalid-documents', detail);
}

/** Release image of the cluster; `amd64` if the documents do not say. */
export function archOfCluster(facts: ClusterFacts): Arch {
  return knownArch(facts) ?? 'amd64';
}

/** Nodes of several architectures run the `multi` release image. One kind of nodes can run it too. */
function knownArch(facts: ClusterFacts): Arch | null {
  const { clusterVersion, nodes, nodePools } = facts;
  const named = hostedClusterOf(facts)
    ? (nodePools ?? []).map(({ arch }) => arch)
    : (nodes ?? []).map(({ architecture }) => architecture);
  const arches = new Set(named.flatMap((name) => parseCpuArchitecture(name) ?? []).map(archOf));
  const release = clusterVersion && releaseArchOf(clusterVersion);
  if (release === 'multi' || arches.size > 1) return 'multi';
  return release ?? [...arches][0] ?? null;
}

const MIGRATION = 'run "oc adm upgrade --to-multi-arch" while no other update is in progress';
const HOSTED_MIGRATION = 'set spec.release.image of the HostedCluster to its digest';
const MIGRATION_FROM_INSIDE = 'ask the administrator of the management cluster';

/** No update changes the architecture. Only a migration leads to `multi`, at the same version, and none leads back. */
function refuseMigration(asked: Arch, { raw }: ReleaseVersion, facts: ClusterFacts): void {
  const known = knownArch(facts);
  if (known === null || asked === known) return;
  const what = `the cluster runs the ${known} release image of ${raw}`;
  const hostedMigration = hostedClusterOf(facts) ? HOSTED_MIGRATION : MIGRATION_FROM_INSIDE;
  const how = isHosted(facts) ? hostedMigration : MIGRATION;
  const detail =
    asked === 'multi'
      ? `${what}. Move it to the multi release image of the same version first: ${how}, wait until it is complete, then send the documents again. There is no way back to one architecture`
      : `${what}, and an update to a release image for ${asked} would break it. Leave out arch`;
  throw new ExpectedError('invalid-parameter', `arch=${asked}: ${detail}`, {
    errors: [{ parameter: 'arch', value: asked, detail }],
  });
}

function channelsOf({ channels, target }: PlanRequest, { clusterVersion }: ClusterFacts): readonly string[] {
  const own = clusterVersion?.channel ?? null;
  return channels.length === 0 && target === 'latest' && own !== null ? [own] : channels;
}
