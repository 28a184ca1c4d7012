import type { ClusterFacts } from '../cluster/facts.ts';
import type { ControlPlaneStatus, Insight, UpdateForecast, UpdateStatus } from './answer.ts';
import { updateForecast } from './forecast/forecast.ts';
import { missingInput, type StatusFacts } from './input.ts';
import { inOrder, insightsOfUpdate, type UpdateEvidence } from './insights/insights.ts';
import { withDefaults } from './insights/references.ts';
import { stalledInsights, type StalledReason, stalledReasons } from './insights/stalled.ts';
import {
  completionOf,
  needsDeployment,
  type OperatorProgress,
  operatorHealth,
  operatorProgress,
  updatingOperators,
} from './operators.ts';
import { isBehind, poolsProgress } from './pools.ts';
import { elapsedSeconds, lastOperatorProgress, LATE_SECONDS, remainingOf } from './remaining.ts';
import { summaryOf } from './summary.ts';
import { targetOf, type Update, updateOf } from './target.ts';
import { clockText, isoTime, roundedSeconds } from './times.ts';

/** Documents of a cluster as evidence for the status of its update at a moment, in milliseconds since 1970. */
export interface AssessedUpdate {
  readonly evidence: UpdateEvidence;
  readonly nodesWithoutPool: number;
  readonly missing: readonly string[];
  readonly isUpdating: boolean;
  readonly controlPlane: ControlPlaneStatus;
}

/** Status of the update that a cluster performs at a moment. */
export function updateStatus(facts: StatusFacts, at: number): UpdateStatus {
  const assessed = assessUpdate(facts, at);
  const { evidence, controlPlane } = assessed;
  const last = lastOperatorProgress(evidence.operators, evidence.update, at);
  return describeUpdate(assessed, {
    stalled: stalledReasons(evidence, controlPlane, last),
    forecast: at < evidence.update.begin ? NO_FORECAST : updateForecast(evidence, facts, null),
  });
}

/** Before its begin, nothing shows how an update goes. */
const NO_FORECAST: UpdateForecast = { controlPlane: null, workers: null, whole: null, heldNodes: 0 };

export function assessUpdate(facts: StatusFacts, at: number): AssessedUpdate {
  const update = updateOf(facts.clusterVersion, at);
  const { clusterOperators, clusterVersion, machineConfigImage } = facts;
  const operators = operatorProgress(clusterOperators, clusterVersion.desired.version, machineConfigImage);
  const { pools, nodesWithoutPool } = poolsProgress(facts, rolloutOf(facts, update), at);
  const evidence = { update, operators, pools, alerts: facts.alerts ?? [], at };
  return {
    evidence,
    nodesWithoutPool,
    missing: missingInput(facts, evidence),
    isUpdating: update.isRunning || pools.some(isBehind),
    controlPlane: controlPlaneOf(evidence, machineConfigImage),
  };
}

/** Why an update is stalled, and when it is likely to end. */
interface Conclusions {
  readonly stalled: readonly StalledReason[];
  readonly forecast: UpdateForecast;
}

export function describeUpdate(
  { evidence, nodesWithoutPool, missing, isUpdating, controlPlane }: AssessedUpdate,
  { stalled, forecast }: Conclusions,
): UpdateStatus {
  const { update, operators, pools, at } = evidence;
  const common = {
    at: isoTime(at),
    pools: pools.map(({ status }) => status),
    nodesWithoutPool,
    missing,
  };
  if (!isUpdating) {
    const idle = { ...common, updating: false, state: 'none', startedAt: null, target: null } as const;
    return { ...idle, controlPlane: null, forecast: null, insights: [], summary: summaryOf(evidence, null) };
  }
  return {
    ...common,
    updating: true,
    state: stateOf(evidence, controlPlane, { stalled, forecast }),
    startedAt: update.startedAt,
    target: targetOf(update),
    controlPlane,
    forecast,
    insights: inOrder([
      ...insightsOfUpdate(evidence),
      ...stalledInsights(stalled),
      ...noPlatformOperators(operators),
    ]),
    summary: summaryOf(evidence, { controlPlane, stalled }),
  };
}

function rolloutOf({ configReleases }: ClusterFacts, { version, isMigration, isRunning }: Update) {
  return {
    target: version,
    releases: new Map((configReleases ?? []).map((config) => [config.name, config.version])),
    isMigrating: isMigration && isRunning,
  };
}

function controlPlaneOf(
  { update, operators, at }: UpdateEvidence,
  machineConfigImage: string | null,
): ControlPlaneStatus {
  const isImageUnknown = machineConfigImage === null && needsDeployment(operators);
  const remaining = remainingOf(operators, update, at);
  const seconds = elapsedSeconds(update, at);
  return {
    assessment: assessmentOf(operators, remaining?.seconds ?? 0),
    completion: completionOf(operators, isImageUnknown && update.isMigration && update.isRunning),
    durationSeconds: Math.floor(seconds),
    duration: clockText(roundedSeconds(seconds)),
    completedAt: update.completed === null ? null : update.clusterVersion.history[0]!.completionTime,
    remaining,
    ...operatorHealth(operators),
    updatingOperators: updatingOperators(operators, at),
    waitingOperators: operators.waiting.map(({ name }) => name),
  };
}

/** Only the clock decides: failures are insights. */
function assessmentOf(
  { all, outdated }: OperatorProgress,
  remaining: number,
): ControlPlaneStatus['assessment'] {
  if (all.length === 0) return 'Unknown';
  if (outdated.length === 0) return 'Completed';
  if (remaining < -LATE_SECONDS) return 'Stalled';
  return remaining < 0 ? 'ProgressingSlow' : 'Progressing';
}

function stateOf(
  { pools }: UpdateEvidence,
  { assessment }: ControlPlaneStatus,
  { stalled, forecast }: Conclusions,
): UpdateStatus['state'] {
  if (stalled.length > 0) return 'stalled';
  if (assessment === 'ProgressingSlow' || assessment === 'Stalled') return 'slow';
  if ((forecast.whole?.overdueSeconds ?? 0) > 0) return 'slow';
  if (assessment !== 'Completed') return 'control-plane';
  const behind = pools.filter(({ status }) => status.counts.outdated > 0);
  if (behind.length > 0 && behind.every(({ pool }) => pool.paused)) return 'held';
  // The cluster version operator can still be busy after its last operator.
  return pools.some(isBehind) ? 'workers' : 'control-plane';
}

function noPlatformOperators({ all }: OperatorProgress): Insight[] {
  if (all.length > 0) return [];
  return [
    withDefaults({
      origin: 'cairn',
      type: 'NoPlatformOperators',
      level: 'Warning',
      impact: 'Unknown',
      scope: 'ControlPlane',
      since: null,
      message: 'No ClusterOperator is part of the release; the progress of the control plane is unknown',
      description:
        'ClusterOperators of the release have an annotation that begins with include.release.openshift.io/ or exclude.release.openshift.io/. Send them unchanged: oc get clusteroperators -o json',
      reason: null,
      resources: [],
    }),
  ];
}
