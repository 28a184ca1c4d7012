import type { Explanation } from '@cairn/shared/path/explain';
import type { UpgradeAnswer } from '@cairn/shared/path/find-path';
import type { PlanAnswer } from '../data/responses.ts';
import type { ShownReason } from './fixes.ts';
import type { ClusterReport } from './plan-model.ts';

/** A path that is there instead. */
export interface NearbyWay {
  readonly channels: readonly string[];
  readonly to: string;
  readonly hops: number;
  readonly riskyHops: number;
  readonly path: readonly string[];
}

/** Why there is no plan, from whichever source. */
export interface NoPathModel {
  readonly from: string;
  /** Null when no release fits what was asked for. */
  readonly to: string | null;
  readonly channels: readonly string[];
  readonly reason: ShownReason;
  readonly message: string;
  readonly suggestion: string | null;
  readonly nearestTarget: Explanation['nearestTarget'];
  readonly alternatives: readonly NearbyWay[];
  readonly warnings: readonly string[];
  readonly report: ClusterReport | null;
}

export function noPathModel(
  answer: Extract<UpgradeAnswer, { readonly found: false }>,
  warnings: readonly string[],
): NoPathModel {
  const { from, to, channels, explanation } = answer;
  const { message, suggestion, nearestTarget, alternatives } = explanation;
  return {
    from,
    to,
    channels,
    message,
    suggestion,
    nearestTarget,
    warnings,
    reason: explanation,
    alternatives: alternatives.map(({ stats, path, ...nearby }) => ({
      channels: nearby.channels,
      to: nearby.to,
      hops: stats.hops,
      riskyHops: stats.riskyHops,
      path: path.map(({ version }) => version),
    })),
    report: null,
  };
}

type ServedNoPath = Extract<PlanAnswer['path'], { readonly found: false }>;

export function clusterNoPathModel(path: ServedNoPath, report: ClusterReport): NoPathModel {
  const { from, to, channels, explanation, warnings } = path;
  const { code, details, message, suggestion, nearestTarget, alternatives } = explanation;
  return {
    from,
    to,
    channels,
    message,
    suggestion,
    nearestTarget,
    alternatives,
    report,
    // The schema has the details of all codes as one union; by the code it is known which they are.
    reason: { code, details } as ShownReason,
    warnings: warnings.map((warning) => warning.message),
  };
}
