import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { UpgradeAnswer } from '@cairn/shared/path/find-upgrade';
import type { Hop as PathHop } from '@cairn/shared/path/solve';
import { upgradeReport, type ReportQuestion, type UpgradeReport } from '@cairn/shared/plan/upgrade-report';
import type { SkewOptions } from '@cairn/shared/skew/hop';
import { anUpdate, NOW } from '../skew/clusters.ts';

export interface ReportCase {
  readonly facts: ClusterFacts;
  /** Source first; its last version is the target. */
  readonly path: readonly string[];
  readonly updates?: readonly PathHop[];
  readonly options?: Partial<SkewOptions>;
  readonly question?: Partial<ReportQuestion>;
}

/** The answer of the graph that a path is there, in the channel of its target. */
export function foundPath(path: readonly string[], updates: readonly PathHop[] = []): UpgradeAnswer {
  const to = path.at(-1)!;
  const channel = `stable-${/^\d+\.\d+/.exec(to)![0]}`;
  const steps = path.map((version, index) => {
    const payload = `quay.io/openshift-release-dev/ocp-release@sha256:${version}`;
    const hop = index === 0 ? null : (updates[index - 1] ?? anUpdate({ channels: [channel] }));
    return { version, payload, node: { version, payload, metadata: {} }, hop };
  });
  return {
    found: true,
    from: path[0]!,
    to,
    channels: [channel],
    channelsLeftOut: [],
    conflicts: [],
    sourceWithdrawn: false,
    upgrade: {
      found: true,
      exact: true,
      alternatives: [],
      path: steps,
      stats: {
        hops: path.length - 1,
        minorsCrossed: path.length - 1,
        riskyHops: 0,
        distinctRisks: 0,
        channelSwitches: 0,
      },
      channelPlan: path.length > 1 ? [{ channel, untilVersion: to }] : [],
    },
  };
}

/** The answer that no path is there. */
export function noPath(from: string, to: string): UpgradeAnswer {
  return {
    found: false,
    from,
    to,
    channels: ['stable-4.18'],
    channelsLeftOut: [],
    conflicts: [],
    sourceWithdrawn: false,
    explanation: {
      code: 'source_not_in_channel',
      details: { channels: ['stable-4.14'], newestSibling: null, through: null, nearestVersions: [] },
      message: `${from} is not in stable-4.18, but in stable-4.14`,
      suggestion: 'stable-4.16 leads to 4.16.55 in 2 hops',
      nearestTarget: { below: null, above: null },
      alternatives: [],
    },
  };
}

export function aReport({ facts, path, updates, options, question }: ReportCase): UpgradeReport {
  return upgradeReport({
    facts,
    answer: foundPath(path, updates),
    options: {
      policy: 'openshift',
      strategy: 'rolling',
      strict: false,
      apiRemovals: 'block',
      accept: [],
      ...options,
    },
    now: NOW,
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch: null,
    ...question,
  });
}
