import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { UpgradeAnswer } from '@cairn/shared/path/find-path';
import { upgradeReport, type ReportQuestion, type UpgradeReport } from '@cairn/shared/plan/plan';
import type { SkewOptions } from '@cairn/shared/safety/hop';
import { NOW } from '../cluster/clusters.ts';
import { OPTIONS } from '../cluster/evaluations.ts';

/** Reports with what most questions have in common. */
export function reportOn(
  facts: ClusterFacts,
  answer: UpgradeAnswer,
  options: Partial<SkewOptions> = {},
  more: Partial<ReportQuestion> = {},
): UpgradeReport {
  return upgradeReport({
    facts,
    answer,
    options: { ...OPTIONS, ...options },
    now: NOW,
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch: null,
    windows: null,
    ...more,
  });
}
