import type { Risk } from '@cairn/shared/graph/graph';
import type { Explanation } from '@cairn/shared/path/explain';
import { answerWarnings, type PathResult } from '@cairn/shared/path/find-path';
import { isAlways } from '@cairn/shared/path/question';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import type { Arch } from '@cairn/shared/version/arch';
import type { GraphFreshness } from '../releases/release-reader.ts';
import type { STEP_ROLES } from './schema.ts';

type StepRole = (typeof STEP_ROLES)[number];

/** Shows a risk in full, or by name if many paths would repeat it. */
type RiskView<View> = (risk: Risk) => View;

export function wholeRisk(risk: Risk) {
  const { name, url, message, matchingRules } = risk;
  return { name, url, message, always: isAlways(risk), matchingRules };
}

export function pathView<View>(answer: PathResult, arch: Arch, graph: GraphFreshness, risk: RiskView<View>) {
  const { from, channels } = answer;
  const searched = { channel: channels.length === 1 ? channels[0]! : null, channels, arch };
  const freshness = { graphSyncedAt: graph.syncedAt, graphEtag: graph.etag };
  const warnings = answerWarnings(answer, graph);
  if (!answer.found) {
    const explanation = explanationView(answer.explanation, risk);
    return { from, to: answer.to, ...searched, found: false as const, ...freshness, explanation, warnings };
  }
  return {
    from,
    to: answer.to,
    ...searched,
    found: true as const,
    ...freshness,
    ...foundPathView(answer.upgrade, risk),
    alternatives: answer.upgrade.alternatives.map((other) => foundPathView(other, risk)),
    warnings,
  };
}

function foundPathView<View>({ path, stats, channelPlan }: UpgradePath, risk: RiskView<View>) {
  return { path: path.map((step, at) => stepView(step, roleAt(at, path.length), risk)), stats, channelPlan };
}

/** A path of one release means that the cluster is already at its target. */
function roleAt(at: number, length: number): StepRole {
  if (at === 0) return 'source';
  return at === length - 1 ? 'target' : 'step';
}

function stepView<View>({ version, payload, node, hop }: PathStep, role: StepRole, risk: RiskView<View>) {
  const { url } = node.metadata;
  return {
    version,
    payload,
    role,
    ...(url !== undefined && { errata: url }),
    ...(hop && { hop: { ...hop, risks: hop.risks.map(risk) } }),
  };
}

function explanationView<View>(explanation: Explanation, risk: RiskView<View>) {
  const { code, message, suggestion, sharedChannel, nearestTarget, alternatives } = explanation;
  return {
    code,
    message,
    suggestion,
    sharedChannel,
    details: detailsView(explanation, risk),
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

function detailsView<View>(explanation: Explanation, risk: RiskView<View>) {
  const { code, details } = explanation;
  if (code === 'no_recommended_path') return { ...details, ...foundPathView(details.path, risk) };
  if (code === 'risks_not_accepted') return { ...details, ...foundPathView(details.path, risk) };
  return details;
}
