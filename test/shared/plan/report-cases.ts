import type { UpgradeReport } from '@cairn/shared/plan/upgrade-report';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anOperator,
  aPool,
  minutesAgo,
} from '../skew/clusters.ts';
import { using } from '../skew/api-use.ts';
import { aReport, noPath } from './reports.ts';

/** A cluster for each way in which a report can end, by the name of its golden files. */
export const REPORTS: Readonly<Record<string, UpgradeReport>> = {
  ready: aReport({ facts: aCluster(), path: ['4.14.8', '4.14.20', '4.15.3'] }),
  blocked: aReport({
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
    path: ['4.14.8', '4.15.3', '4.16.5'],
    question: { newestPatch: '4.14.20' },
  }),
  unknown: aReport({
    facts: aCluster({
      nodes: null,
      pools: null,
      operators: null,
      apiUse: null,
      adminGates: null,
      adminAcks: null,
    }),
    path: ['4.14.8', '4.15.3'],
    question: { newestPatch: '4.14.20' },
  }),
  'action-required': aReport({
    facts: aCluster(
      { apiUse: [using('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', '1.32', 412)] },
      '4.17.9',
    ),
    path: ['4.17.9', '4.18.11', '4.19.2'],
  }),
  'no-path': aReport({
    facts: aCluster(),
    path: ['4.14.8'],
    question: { answer: noPath('4.14.8', '4.18.1'), newestPatch: '4.14.20' },
  }),
  'control-plane-only': aReport({
    facts: aCluster({
      pools: [aPool('infra', { maxUnavailable: '50%' }), aPool('master'), aPool('worker')],
      nodes: [
        ...[0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master')),
        ...[0, 1].map((number) => aNode(`infra-${number}`, {}, 'infra')),
        ...[0, 1, 2].map((number) => aNode(`worker-${number}`)),
      ],
    }),
    path: ['4.14.8', '4.15.3', '4.16.5'],
    options: { strategy: 'control-plane-only' },
  }),
  'nothing-to-do': aReport({ facts: aCluster(), path: ['4.14.8'] }),
};
