import type { Insight, UpdateStatus } from '@cairn/shared/update-status/answer';
import type { ExpectedStatus } from './recorded-cases.ts';

/** The same fields as `expected`, in its form. */
export function comparable(status: UpdateStatus, expected: ExpectedStatus): ExpectedStatus {
  const at = Date.parse(status.at);
  const pools = status.pools.filter(({ name }) => Object.hasOwn(expected.pools ?? {}, name));
  return {
    at: status.at,
    ...(expected.updating !== undefined && { updating: status.updating }),
    ...(expected.controlPlane && { controlPlane: controlPlaneOf(status) }),
    ...(expected.nodes && { nodes: nodesOf(status, expected.nodes) }),
    ...(expected.pools && { pools: Object.fromEntries(pools.map((pool) => [pool.name, poolOf(pool)])) }),
    ...(expected.insights && {
      insights: status.insights
        .filter(({ origin }) => origin === 'oc')
        .map((insight, index) => insightOf(insight, at, expected.insights![index])),
    }),
    ...(expected.also && { also: expected.also }),
  };
}

function controlPlaneOf({ controlPlane, target }: UpdateStatus): NonNullable<ExpectedStatus['controlPlane']> {
  const { completion, health, remaining, updatingOperators, duration, assessment } = controlPlane!;
  return {
    assessment: assessment === 'ProgressingSlow' ? 'Progressing - Slow' : assessment,
    target: target!.version,
    targetText: target!.text,
    updating: updatingOperators.map(({ name }) => name),
    completion: {
      percent: completion.percent,
      updated: completion.updated,
      updating: completion.updating,
      waiting: completion.waiting,
    },
    duration,
    remaining: remaining?.text ?? null,
    health,
  };
}

function nodesOf({ pools }: UpdateStatus, expected: Readonly<Record<string, readonly object[]>>) {
  return Object.fromEntries(
    Object.keys(expected).map((name) => [
      name,
      pools
        .find((pool) => pool.name === name)!
        .nodes.map((node) => ({
          name: node.name,
          assessment: node.assessment,
          phase: node.phase,
          version: node.version,
          estimate: node.estimate,
          message: node.message,
        })),
    ]),
  );
}

function poolOf({ assessment, completion, counts }: UpdateStatus['pools'][number]): object {
  if (assessment === 'Empty') return { assessment, total: counts.total };
  const { outdated: _outdated, ...others } = counts;
  return { assessment, percent: completion.percent, ...others };
}

function insightOf(insight: Insight, at: number, expected: object | undefined) {
  const { type, level, impact, since, resources, previous, lastCompleted } = insight;
  const reason = type === 'PreviousUpdateIncomplete' ? `${previous} ${lastCompleted}` : insight.reason;
  return {
    type,
    level,
    impact,
    resource: resources[0]?.name ?? null,
    // The recordings leave the key out where nothing was printed.
    ...(expected && 'reason' in expected && { reason }),
    ...(expected && 'summary' in expected && { summary: insight.message.replace('Alert is firing: ', '') }),
    sinceSeconds: since === null ? null : Math.floor((at - Date.parse(since)) / 1000),
  };
}
