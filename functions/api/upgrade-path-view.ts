import type { Risk } from '@cairn/shared/graph/graph';
import { answerWarnings } from '@cairn/shared/path/answer-warnings';
import type { Explanation } from '@cairn/shared/path/explanation';
import type { UpgradeAnswer } from '@cairn/shared/path/find-upgrade';
import { isAlways } from '@cairn/shared/path/risk-policy';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solve';
import type { Arch } from '@cairn/shared/version/arch';
import type { GraphFreshness } from './graph-freshness.ts';

/** What a release is on a path. */
export const STEP_ROLES = ['source', 'step', 'target'] as const;

/** How a risk is shown: whole, or by its name where many answers would repeat it. */
export type RiskView = (risk: Risk) => unknown;

export function wholeRisk(risk: Risk) {
  const { name, url, message, matchingRules } = risk;
  return { name, url, message, always: isAlways(risk), matchingRules };
}

export function answerView(answer: UpgradeAnswer, arch: Arch, graph: GraphFreshness, risk: RiskView) {
  const { from, to, channels, found } = answer;
  return {
    from,
    to,
    channel: channels.length === 1 ? channels[0]! : null,
    channels,
    arch,
    found,
    graphSyncedAt: graph.syncedAt,
    graphEtag: graph.etag,
    ...(answer.found
      ? {
          ...pathView(answer.upgrade, risk),
          alternatives: answer.upgrade.alternatives.map((other) => pathView(other, risk)),
        }
      : { explanation: explanationView(answer.explanation, risk) }),
    warnings: answerWarnings(answer, graph),
  };
}

function pathView({ path, stats, channelPlan }: UpgradePath, risk: RiskView) {
  return { path: path.map((step, at) => stepView(step, roleAt(at, path.length), risk)), stats, channelPlan };
}

/** A path of one release is where the cluster already is. */
function roleAt(at: number, length: number): (typeof STEP_ROLES)[number] {
  if (at === 0) return 'source';
  return at === length - 1 ? 'target' : 'step';
}

function stepView({ version, payload, node, hop }: PathStep, role: string, risk: RiskView) {
  const { url } = node.metadata;
  return {
    version,
    payload,
    role,
    ...(url !== undefined && { errata: url }),
    ...(hop && { hop: { ...hop, risks: hop.risks.map(risk) } }),
  };
}

function explanationView(explanation: Explanation, risk: RiskView) {
  const { code, message, suggestion, details, nearestTarget, alternatives } = explanation;
  return {
    code,
    message,
    suggestion,
    details: 'path' in details ? { ...details, ...pathView(details.path, risk) } : details,
    nearestTarget,
    alternatives: alternatives.map(({ channels, to, path, stats, channelPlan }) => ({
      channels,
      to,
      hops: stats.hops,
      riskyHops: stats.riskyHops,
      path: path.map(({ version }) => version),
      channelPlan,
    })),
  };
}
