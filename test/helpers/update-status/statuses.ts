import type {
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  NodeFacts,
} from '@cairn/shared/cluster/facts';
import type { Insight, NodeStatus, UpdateStatus } from '@cairn/shared/update-status/answer';
import { statusInput } from '@cairn/shared/update-status/input';
import { updateStatus } from '@cairn/shared/update-status/update-status';
import { readDocuments } from '../cluster/cluster-documents.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  aPool,
} from '../cluster/clusters.ts';

/** Status from documents at a time such as `2026-11-16T08:00:00Z`. */
export function statusOf(documents: string | Uint8Array, at: string): UpdateStatus {
  const reading = readDocuments(documents, { isRemovedApi: () => false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return statusFrom(reading.facts, Date.parse(at));
}

export function statusFrom(facts: ClusterFacts, at: number = AT): UpdateStatus {
  const input = statusInput(facts);
  if (!input.ok) throw new Error(input.problem);
  return updateStatus(input.facts, at);
}

/** Moment of all statuses below. */
export const AT = Date.parse('2026-11-16T12:00:00Z');
export const BEGIN = ago(1800);

/** Time before `AT`; negative seconds are later. */
export function ago(seconds: number): string {
  return new Date(AT - seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export const [FROM, TO] = ['4.14.0', '4.14.1'];

/** In an update from 4.14.0 to 4.14.1 that began half an hour ago. */
export function aRunningUpdate(changes: Partial<ClusterFacts> = {}): ClusterFacts {
  return aCluster({
    clusterVersion: aVersion(),
    clusterOperators: operators(1, 3),
    nodes: [updatedNode('master-0', {}, 'master'), outdatedNode('worker-0')],
    pools: [aRollingPool('master'), aRollingPool('worker')],
    configReleases: ['master', 'worker', 'infra'].flatMap((pool) => [
      { name: `rendered-${pool}-1`, version: FROM },
      { name: `rendered-${pool}-2`, version: TO },
    ]),
    machineConfigImage: null,
    ...changes,
  });
}

export function aVersion(changes: Partial<ClusterVersionFacts> = {}): ClusterVersionFacts {
  return aClusterVersion(
    {
      desired: { version: TO, image: 'to', channels: [] },
      history: [entry('Partial', TO, BEGIN, null), entry('Completed', FROM, ago(90_000), ago(86_400))],
      conditions: [
        aCondition('Progressing', 'True', '', '', BEGIN),
        aCondition('Failing', 'False', '', '', BEGIN),
      ],
      ...changes,
    },
    TO,
  );
}

export function entry(
  state: 'Completed' | 'Partial',
  version: string,
  startedTime: string | null,
  completionTime: string | null,
  image = version,
): ClusterVersionFacts['history'][number] {
  return { state, version, image, startedTime, completionTime, verified: true, acceptedRisks: '' };
}

/** An operator of the release whose conditions have not changed since the update began. */
export function aPlatformOperator(
  name: string,
  version: string,
  conditions: Parameters<typeof aClusterOperator>[1] = [],
  image?: string,
): ClusterOperatorFacts {
  const given = new Set((conditions ?? []).map(({ type }) => type));
  const healthy = [
    aCondition('Available', 'True', '', '', BEGIN),
    aCondition('Degraded', 'False', '', '', BEGIN),
    aCondition('Progressing', 'False', '', '', BEGIN),
  ].filter(({ type }) => !given.has(type));
  return aClusterOperator(name, [...healthy, ...(conditions ?? [])], {
    versions: [
      { name: 'operator', version },
      ...(image === undefined ? [] : [{ name: 'operator-image', version: image }]),
    ],
  });
}

/** So many are updated, and the others wait. */
export function operators(updated: number, waiting: number): ClusterOperatorFacts[] {
  return Array.from({ length: updated + waiting }, (_, number) =>
    aPlatformOperator(`operator-${number}`, number < updated ? TO : FROM),
  );
}

export const aRollingPool = (name: string, changes: Parameters<typeof aPool>[1] = {}) =>
  aPool(name, { configuration: { wanted: `rendered-${name}-2`, current: `rendered-${name}-1` }, ...changes });

type Config = NodeFacts['machineConfig'];

function aNodeWith(
  name: string,
  config: Partial<Config>,
  pool: string,
  changes: Partial<NodeFacts>,
): NodeFacts {
  return aNode(
    name,
    {
      machineConfig: {
        current: `rendered-${pool}-1`,
        desired: `rendered-${pool}-1`,
        state: 'Done',
        reason: '',
        ...config,
      },
      ...changes,
    },
    pool,
  );
}

export function outdatedNode(
  name: string,
  config: Partial<Config> = {},
  pool = 'worker',
  changes: Partial<NodeFacts> = {},
) {
  return aNodeWith(name, config, pool, changes);
}

export function updatingNode(
  name: string,
  config: Partial<Config> = {},
  pool = 'worker',
  changes: Partial<NodeFacts> = {},
) {
  return aNodeWith(name, { desired: `rendered-${pool}-2`, state: 'Working', ...config }, pool, changes);
}

export function updatedNode(
  name: string,
  config: Partial<Config> = {},
  pool = 'worker',
  changes: Partial<NodeFacts> = {},
) {
  const current = `rendered-${pool}-2`;
  return aNodeWith(name, { current, desired: current, ...config }, pool, changes);
}

/** Status of the only worker. */
export function workerStatus(node: NodeFacts, facts: Partial<ClusterFacts> = {}): NodeStatus {
  const { pools } = statusFrom(aRunningUpdate({ nodes: [node], ...facts }));
  return pools.find(({ name }) => name === 'worker')!.nodes[0]!;
}

export function insightsOf(changes: Partial<ClusterFacts>, type: Insight['type'], at = AT): Insight[] {
  return statusFrom(aRunningUpdate(changes), at).insights.filter((insight) => insight.type === type);
}
