import type { ClusterCondition, ClusterFacts } from '../../cluster/facts.ts';
import type { Series } from '../family.ts';
import { everything, isWhole, type Metric, NOTHING_SHOWN, secondsOf, type Shown, someOf } from './metric.ts';

/** What the Cluster Version Operator exports. */
export const VERSION_METRICS: Readonly<Record<string, Metric>> = {
  cluster_version: {
    labels: { names: ['type', 'version', 'from_version'] },
    horizon: 'version',
    readFrom: ['clusterVersion'],
    show: showVersions,
  },
  cluster_version_capability: {
    labels: { names: ['name'] },
    horizon: 'configuration',
    readFrom: ['clusterVersion'],
    show: showCapabilities,
  },
  cluster_operator_conditions: {
    labels: { names: ['name', 'condition', 'reason'] },
    horizon: 'configuration',
    readFrom: ['clusterOperators', 'clusterVersion'],
    show: showConditions,
  },
  cluster_operator_up: {
    labels: { names: ['name'] },
    horizon: 'configuration',
    readFrom: ['clusterOperators'],
    show: showUp,
  },
};

const COVERED_TYPES = { type: { in: ['initial', 'completed', 'cluster', 'current'] } };

function showVersions({ clusterVersion }: ClusterFacts): Shown {
  const { milestones, desired, createdAt } = clusterVersion ?? {};
  if (!milestones || !desired?.version) return NOTHING_SHOWN;
  const { initial, completed, updating } = milestones;
  const [last, before = ''] = completed;
  const series = (type: string, version: string, from: string, value: number | null = null): Series => ({
    labels: { type, version, from_version: from },
    value,
  });
  return someOf(
    [
      series('initial', initial, '', secondsOf(createdAt ?? null)),
      ...(last === undefined ? [] : [series('completed', last, before)]),
      series('cluster', desired.version, last === undefined ? '' : initial),
      series('current', desired.version, last ?? ''),
      ...(updating === null ? [] : [series('updating', updating, last ?? '')]),
    ],
    COVERED_TYPES,
  );
}

function showCapabilities({ clusterVersion }: ClusterFacts): Shown {
  const { capabilities } = clusterVersion ?? {};
  if (!capabilities) return NOTHING_SHOWN;
  const enabled = new Set(capabilities.enabled);
  const names = new Set([...capabilities.known, ...enabled]);
  return everything([...names].map((name) => ({ labels: { name }, value: enabled.has(name) ? 1 : 0 })));
}

/** The ClusterVersion is exported as an operator of this name. */
const VERSION_NAME = 'version';
const OPERATORS = { name: { notIn: [VERSION_NAME] } };

function showConditions(facts: ClusterFacts): Shown {
  const { clusterOperators } = facts;
  // That of a HostedCluster has no milestones, and not all conditions.
  const clusterVersion = facts.clusterVersion?.milestones && facts.clusterVersion;
  const series = [
    ...(clusterOperators ?? []).flatMap(({ name, conditions }) => conditionSeries(name, conditions)),
    ...(clusterVersion ? conditionSeries(VERSION_NAME, clusterVersion.conditions) : []),
  ];
  const areAllOperators = isWhole(facts, 'clusterOperators');
  if (areAllOperators && clusterVersion) return everything(series);
  return someOf(
    series,
    ...(areAllOperators ? [OPERATORS] : []),
    ...(clusterVersion ? [{ name: { in: [VERSION_NAME] } }] : []),
  );
}

const VALUES: Readonly<Record<string, number>> = { True: 1, False: 0 };

/** A condition that is `Unknown` has no series. */
function conditionSeries(name: string, conditions: readonly ClusterCondition[]): readonly Series[] {
  return conditions.flatMap(({ type, status, reason }) =>
    Object.hasOwn(VALUES, status)
      ? [{ labels: { name, condition: type, reason }, value: VALUES[status]! }]
      : [],
  );
}

/** The value depends on the release for an operator that is available and degraded. */
function showUp(facts: ClusterFacts): Shown {
  const series = (facts.clusterOperators ?? []).map(({ name, conditions }): Series => {
    const statusOf = (type: string) => conditions.find((condition) => condition.type === type)?.status;
    const isUp = statusOf('Available') === 'True';
    return { labels: { name }, value: isUp ? (statusOf('Degraded') === 'False' ? 1 : null) : 0 };
  });
  return isWhole(facts, 'clusterOperators') ? someOf(series, OPERATORS) : someOf(series);
}
