import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import type { PathResult } from '@cairn/shared/path/find-path';
import { mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import { assumedFacts } from '@cairn/shared/plan/assumed-facts';
import { planFigures, type PlanFigures, type PlanQuestion } from '@cairn/shared/plan/figures';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { VERSION_CHECKS } from '@cairn/shared/safety/evaluate';
import type { Strategy } from '@cairn/shared/safety/hop';
import type { Block } from '@cairn/shared/text/blocks';
import type { Arch } from '@cairn/shared/version/arch';

export type FoundAnswer = Extract<PathResult, { readonly found: true }>;

/** Update data behind a plan. */
export interface PlanData {
  readonly arch: Arch;
  readonly warnings: readonly string[];
  readonly syncedAt: string | null;
  /** Followed channels: oc-mirror needs one that lists the release. */
  readonly directory: Pick<ChannelDirectory, 'get' | 'holdersOfImage'>;
}

/** Steps and Markdown load on demand: few users open them. */
export interface AssumedPlan {
  readonly figures: PlanFigures;
  readonly whole: () => Promise<UpgradePlan>;
  readonly markdown: (data: PlanData) => Promise<string>;
}

interface Assumption extends Pick<PlanQuestion, 'calendar' | 'targetReason' | 'newestPatch'> {
  readonly nodes: number;
  readonly strategy: Strategy;
}

/** Plans one of the found paths for a healthy cluster. */
export function assumedPlan(
  answer: FoundAnswer,
  upgrade: UpgradePath,
  { nodes, strategy, calendar, targetReason, newestPatch }: Assumption,
): AssumedPlan {
  const question: PlanQuestion = {
    facts: assumedFacts(upgrade.path, nodes),
    basis: 'assumed',
    checks: VERSION_CHECKS,
    answer: { ...answer, upgrade: { ...answer.upgrade, ...upgrade } },
    options: { policy: 'openshift', strategy, strict: false, apiRemovals: 'block', accept: [] },
    now: Date.now(),
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch,
    windows: null,
    calendar,
    targetReason,
  };
  const whole = async (): Promise<UpgradePlan> =>
    (await import('@cairn/shared/plan/plan')).planUpgrade(question);
  return {
    figures: planFigures(question),
    whole,
    markdown: async (data) => {
      const [plan, { planReport, mirrorReport }, { asMarkdown }] = await Promise.all([
        whole(),
        import('@cairn/shared/plan/report'),
        import('@cairn/shared/text/markdown'),
      ]);
      const mirror = mirrorOfReleases(neededReleases(upgrade.path, data.arch, false));
      return asMarkdown([...planReport(plan), ...mirrorReport(mirror), ...dataBlocks(data)]);
    },
  };
}

function dataBlocks({ warnings, syncedAt }: PlanData): Block[] {
  const items = [...(syncedAt === null ? [] : [`Fetched: ${syncedAt}`]), ...warnings];
  if (items.length === 0) return [];
  return [
    { kind: 'heading', text: 'Update data' },
    { kind: 'list', items },
  ];
}
