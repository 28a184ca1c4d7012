import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { using } from '../cluster/api-use.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anOperator,
  aPool,
  minutesAgo,
} from '../cluster/clusters.ts';
import { ask, releases } from '../path/releases.ts';
import { assumedAlong, foundAlong } from './assumed-plans.ts';
import { reportOn } from './reports.ts';
import { inWindows } from './windows.ts';

const known = releases({
  'stable-4.14': ['4.14.8 > 4.14.20'],
  'stable-4.15': ['4.14.8 > 4.14.20', '4.14.8 > 4.15.3', '4.14.20 > 4.15.7'],
  'stable-4.16': ['4.14.8 > 4.15.3', '4.15.3 > 4.16.5'],
  'stable-4.18': ['4.17.9 > 4.18.11'],
  'stable-4.19': ['4.17.9 > 4.18.11', '4.18.11 > 4.19.2'],
});

/** Plans for a cluster in drawn channels. */
export async function aReport({
  facts,
  to,
  channel = [],
  options = {},
  newestPatch = null,
  windows = null,
}: {
  readonly facts: ClusterFacts;
  readonly to: string;
  readonly channel?: string | readonly string[];
  readonly options?: Partial<SafetyOptions>;
  readonly newestPatch?: string | null;
  readonly windows?: PlanQuestion['windows'];
}): Promise<UpgradePlan> {
  const answer = await ask(known, facts.clusterVersion!.desired.version, to, channel);
  return reportOn(facts, answer, options, { newestPatch, windows });
}

/** One cluster per kind of result, by the name of its golden files. */
export const REPORTS: Readonly<Record<string, UpgradePlan>> = {
  ready: await aReport({ facts: aCluster(), to: '4.15.7' }),
  blocked: await aReport({
    facts: aCluster({
      clusterVersion: aClusterVersion({
        unmanagedOverrides: [
          { kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd', name: 'etcd' },
        ],
      }),
      clusterOperators: [
        aClusterOperator('cloud-credential', [
          aCondition(
            'Upgradeable',
            'False',
            'MissingUpgradeableAnnotation',
            'Upgradeable annotation is not set',
          ),
        ]),
        aClusterOperator('dns', [aCondition('Degraded', 'True', 'DNSDegraded', '', minutesAgo(45))]),
        aClusterOperator('etcd'),
      ],
      operators: [
        anOperator('logging', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.14' }] }),
        anOperator('tracing', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.15' }] }),
      ],
      nodes: [
        aNode('master-0', {}, 'master'),
        aNode('worker-0'),
        aNode('worker-1', { kubeletVersion: 'v1.26.4' }),
        aNode('worker-2', { kubeletVersion: 'v1.26.4' }),
      ],
      pools: [
        aPool('master'),
        aPool('worker', {
          paused: true,
          machines: { total: 3, updated: 1, ready: 3, unavailable: 0, degraded: 0 },
        }),
      ],
      apiUse: [using('flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', '1.29', 412)],
    }),
    to: '4.16.5',
    newestPatch: '4.14.20',
  }),
  unhealthy: await aReport({
    facts: aCluster({
      clusterOperators: [
        aClusterOperator('etcd', [
          aCondition(
            'Degraded',
            'True',
            'EtcdMembers_UnhealthyMembers',
            'EtcdMembersDegraded: 1 of 3 members are available, master-0 and master-1 are unhealthy',
          ),
        ]),
      ],
      nodes: [
        ...[0, 1, 2].map((number) =>
          aNode(
            `master-${number}`,
            number < 2
              ? { ready: 'Unknown', problems: [aCondition('Ready', 'Unknown', 'NodeStatusUnknown')] }
              : {},
            'master',
          ),
        ),
        aNode('worker-0', { unschedulable: true }),
        aNode('worker-1', { problems: [aCondition('MemoryPressure', 'True')] }),
        aNode('worker-2'),
      ],
      pools: [aPool('master'), aPool('worker', { conditions: [aCondition('Updating', 'True')] })],
    }),
    to: '4.15.3',
    newestPatch: '4.14.20',
  }),
  unknown: await aReport({
    facts: aCluster({
      nodes: null,
      pools: null,
      operators: null,
      apiUse: null,
      adminGates: null,
      adminAcks: null,
    }),
    to: '4.15.3',
    newestPatch: '4.14.20',
  }),
  'action-required': await aReport({
    facts: aCluster(
      { apiUse: [using('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', '1.32', 412)] },
      '4.17.9',
    ),
    to: '4.19.2',
  }),
  'no-path': await aReport({
    facts: aCluster(),
    to: '4.18.11',
    channel: 'stable-4.18',
    newestPatch: '4.14.20',
  }),
  'control-plane-only': await aReport({
    facts: aCluster({
      pools: [aPool('infra', { maxUnavailable: '50%' }), aPool('master'), aPool('worker')],
      nodes: [
        ...[0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master')),
        ...[0, 1].map((number) => aNode(`infra-${number}`, {}, 'infra')),
        ...[0, 1, 2].map((number) => aNode(`worker-${number}`)),
      ],
    }),
    to: '4.16.5',
    options: { strategy: 'control-plane-only' },
  }),
  windows: await aReport({
    facts: aCluster(),
    to: '4.16.5',
    windows: inWindows('Sat 22:00-04:00,Wed 01:00-03:30', 'Europe/Berlin'),
  }),
  'windows-too-short': await aReport({
    facts: aCluster({
      nodes: [
        ...[0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master')),
        ...Array.from({ length: 24 }, (_, number) => aNode(`worker-${number}`)),
      ],
    }),
    to: '4.16.5',
    options: { strategy: 'control-plane-only' },
    windows: inWindows('Mon-Fri 01:00-03:30', 'America/New_York'),
  }),
  assumed: assumedAlong(foundAlong(['4.14.30', '4.15.20', '4.16.5'], [false, false, true])),
  'nothing-to-do': await aReport({ facts: aCluster(), to: '4.14.8' }),
};
